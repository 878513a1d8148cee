"""Cricsheet documents (https://cricsheet.org/format/json/), checked and read into plain records.

Every fault is named by its path: `innings[0].overs[3].deliveries[2].runs.total`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeVar

from grandstand.games.cricket.vocab import DISMISSALS, IMPACT_PLAYER, NOT_OUT_EXITS
from grandstand.games.exchange import DocumentError

KINDS: Final = frozenset((*DISMISSALS, *NOT_OUT_EXITS, "handled the ball"))
EXTRAS: Final = ("byes", "legbyes", "noballs", "wides", "penalty")
MOST_OVERS: Final = 50
MOST_RUNS: Final = 100
"""The most runs of one delivery; a document with more is invalid."""
MOST_DELIVERIES: Final = 100
"""The most deliveries of one over; a document with more is invalid."""
MOST_SUPER_OVERS: Final = 8
"""The most Super Overs of one match, of two innings each; a document with more is invalid."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WicketLine:
    """A batter who left; `fielders` are the recorded names."""

    kind: str
    out: str
    fielders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A review of the umpire's decision."""

    team: str
    upheld: bool
    umpires_call: bool


@dataclass(frozen=True, slots=True)
class DeliveryLine:
    """A delivery."""

    batter: str
    non_striker: str
    bowler: str
    bat: int
    """Runs off the bat."""
    extras: Mapping[str, int]
    total: int
    boundary: bool
    wickets: tuple[WicketLine, ...]
    review: ReviewLine | None
    replacements: tuple[tuple[str, str, str], ...]
    """(team, who came in, who left) of the impact players before it."""
    original: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RecordedInnings:
    """An innings: its overs are (number from 0, deliveries)."""

    team: str
    overs: Sequence[tuple[int, Sequence[DeliveryLine]]]
    target: tuple[int, int] | None
    """(overs, runs), if the document has them."""
    powerplay: float | None
    """The last delivery of the first powerplay, as `5.6`."""
    super_over: bool
    penalty: tuple[int, int]
    """Penalty runs before and after the innings."""
    original: Mapping[str, Any]
    """The innings without its overs."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A whole document."""

    teams: tuple[str, str]
    players: Mapping[str, Sequence[str]]
    overs: int
    dates: Sequence[str]
    event: str
    toss: tuple[str, str]
    """(winner, decision)."""
    outcome: Mapping[str, Any]
    innings: Sequence[RecordedInnings]
    original: Mapping[str, Any]
    """The document without its innings."""


def read_document(document: Mapping[str, Any]) -> MatchRecord:
    """Return the match of a document of limited-overs cricket. Raises DocumentError."""
    info = field(document, "info", "", dict)
    if field(info, "balls_per_over", "info.", int) != 6:
        _fail("info.balls_per_over", f"{info['balls_per_over']}; only overs of six balls can be read")
    if "overs" not in info:
        _fail("info.overs", f"is missing: only limited-overs cricket can be read, not {info.get('match_type')}")
    overs = field(info, "overs", "info.", int)
    if not 1 <= overs <= MOST_OVERS:
        _fail("info.overs", f"{overs} is not from 1 to {MOST_OVERS}")
    teams = field(info, "teams", "info.", list)
    if len(teams) != 2 or not all(isinstance(name, str) and name for name in teams) or teams[0] == teams[1]:
        _fail("info.teams", "must be the names of two teams")
    players = _players(info, teams)
    toss = field(info, "toss", "info.", dict)
    decision = field(toss, "decision", "info.toss.", str)
    winner = field(toss, "winner", "info.toss.", str)
    if decision not in ("bat", "field") or winner not in teams:
        _fail("info.toss", "names no team as the winner, or a decision that is neither bat nor field")
    innings = _all_innings(field(document, "innings", "", list), teams, players)
    event = info.get("event")
    return MatchRecord(
        teams=(teams[0], teams[1]),
        players=players,
        overs=overs,
        dates=[str(day) for day in field(info, "dates", "info.", list)],
        event=str(event.get("name", "")) if isinstance(event, dict) else "",
        toss=(winner, decision),
        outcome=field(info, "outcome", "info.", dict),
        innings=innings,
        original={name: document[name] for name in document if name != "innings"},
    )


def field(record: Mapping[str, Any], name: str, where: str, kind: type[T]) -> T:
    """Return a required field of the document. `where` is the path of `record`. Raises DocumentError."""
    value = record.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        kind_name = {"dict": "an object", "list": "a list", "str": "a text", "int": "a whole number"}[kind.__name__]
        _fail(f"{where}{name}", f"must be {kind_name}, not {str(value)[:60]!r}" if name in record else "is missing")
    return value


def optional(record: Mapping[str, Any], name: str, where: str, kind: type[T]) -> T:
    """Return an optional field of the document, or an empty value. Raises DocumentError."""
    return kind() if record.get(name) is None else field(record, name, where, kind)


def _fail(where: str, problem: str) -> NoReturn:
    raise DocumentError(f"{where}: {problem}")


def _players(info: Mapping[str, Any], teams: Sequence[str]) -> dict[str, list[str]]:
    listed = field(info, "players", "info.", dict)
    players = {}
    for team in teams:
        names = field(listed, team, "info.players.", list)
        if not names or not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
            _fail(f"info.players.{team}", "must be the names of its players, each once")
        players[team] = names
    return players


def _all_innings(
    parts: Sequence[object], teams: Sequence[str], players: Mapping[str, Sequence[str]]
) -> list[RecordedInnings]:
    """Return the innings of a match: one for each side, and then those of Super Overs."""
    if not parts:
        _fail("innings", "is empty: nothing was played")
    if len(parts) > 2 + 2 * MOST_SUPER_OVERS:
        _fail(
            "innings", f"has {len(parts)}; a match has two, and two for each of at most {MOST_SUPER_OVERS} Super Overs"
        )
    innings = [_innings(part, f"innings[{number}]", teams, players) for number, part in enumerate(parts)]
    for number, extra in enumerate(innings[2:], 2):
        if not extra.super_over:
            _fail(f"innings[{number}]", "must have `super_over`: a limited-overs match has two other innings")
        if len(extra.overs) > 1:
            _fail(f"innings[{number}].overs", f"has {len(extra.overs)}; a Super Over has one")
    return innings


def _innings(part: object, where: str, teams: Sequence[str], players: Mapping[str, Sequence[str]]) -> RecordedInnings:
    if not isinstance(part, dict):
        _fail(where, "must be an object")
    team = field(part, "team", f"{where}.", str)
    if team not in teams:
        _fail(f"{where}.team", f"{team!r} is not one of {', '.join(teams)}")
    other = teams[1 - teams.index(team)]
    overs = []
    for number, over in enumerate(optional(part, "overs", f"{where}.", list)):
        path = f"{where}.overs[{number}]"
        if not isinstance(over, dict):
            _fail(path, "must be an object")
        listed = field(over, "deliveries", f"{path}.", list)
        if len(listed) > MOST_DELIVERIES:
            _fail(f"{path}.deliveries", f"more than {MOST_DELIVERIES}")
        deliveries = [
            _delivery(ball, f"{path}.deliveries[{at}]", players[team], players[other]) for at, ball in enumerate(listed)
        ]
        overs.append((field(over, "over", f"{path}.", int), deliveries))
    if [number for number, _ in overs] != sorted({number for number, _ in overs}):
        _fail(f"{where}.overs", "are not in order")
    if overs and not 0 <= overs[-1][0] < MOST_OVERS:
        _fail(f"{where}.overs", f"the last is {overs[-1][0]}; there can be {MOST_OVERS}")
    return RecordedInnings(
        team=team,
        overs=overs,
        target=_target(part, f"{where}.target"),
        powerplay=_powerplay(part),
        super_over=bool(part.get("super_over")),
        penalty=_penalty(part, f"{where}.penalty_runs"),
        original={name: part[name] for name in part if name != "overs"},
    )


def _target(part: Mapping[str, Any], where: str) -> tuple[int, int] | None:
    target = part.get("target")
    if not isinstance(target, dict) or "runs" not in target:
        return None
    overs = target.get("overs")
    whole = -int(-overs // 1) if isinstance(overs, int | float) and 0 < overs <= MOST_OVERS else 0
    return whole, field(target, "runs", f"{where}.", int)


def _powerplay(part: Mapping[str, Any]) -> float | None:
    spans = part.get("powerplays")
    first = spans[0] if isinstance(spans, list) and spans else None
    last = first.get("to") if isinstance(first, dict) else None
    return float(last) if isinstance(last, int | float) and 0 <= last <= MOST_OVERS else None


def _penalty(part: Mapping[str, Any], where: str) -> tuple[int, int]:
    penalty = part.get("penalty_runs")
    if penalty is None:
        return 0, 0
    if not isinstance(penalty, dict):
        _fail(where, "must be an object")
    pre, post = (_count(penalty.get(name, 0), f"{where}.{name}") for name in ("pre", "post"))
    return pre, post


def _delivery(ball: object, where: str, batting: Sequence[str], bowling: Sequence[str]) -> DeliveryLine:
    if not isinstance(ball, dict):
        _fail(where, "must be an object")
    runs = field(ball, "runs", f"{where}.", dict)
    bat, extra, total = (_count(runs.get(name), f"{where}.runs.{name}") for name in ("batter", "extras", "total"))
    listed = optional(ball, "extras", f"{where}.", dict)
    extras = {str(kind): _count(count, f"{where}.extras.{kind}") for kind, count in listed.items()}
    if unknown := [kind for kind in extras if kind not in EXTRAS]:
        _fail(f"{where}.extras", f"{unknown[0]!r} is none of {', '.join(EXTRAS)}")
    if sum(extras.values()) != extra or bat + extra != total:
        _fail(f"{where}.runs", f"{bat} off the bat and {sum(extras.values())} extras are not {total}")
    review = ball.get("review")
    return DeliveryLine(
        batter=_member(ball, "batter", where, batting),
        non_striker=_member(ball, "non_striker", where, batting),
        bowler=_member(ball, "bowler", where, bowling),
        bat=bat,
        extras=extras,
        total=total,
        boundary=bat in (4, 6) and not runs.get("non_boundary"),
        wickets=tuple(_wickets(ball, where, batting)),
        review=_review(review) if isinstance(review, dict) else None,
        replacements=tuple(_replacements(ball)),
        original=ball,
    )


def _count(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_RUNS:
        _fail(where, f"must be a number of runs, not {value!r}")
    return value


def _member(ball: Mapping[str, Any], name: str, where: str, players: Sequence[str]) -> str:
    person = field(ball, name, f"{where}.", str)
    if person not in players:
        _fail(f"{where}.{name}", f"{person!r} is not among the players of the side")
    return person


def _wickets(ball: Mapping[str, Any], where: str, batting: Sequence[str]) -> Iterator[WicketLine]:
    for number, wicket in enumerate(optional(ball, "wickets", f"{where}.", list)):
        path = f"{where}.wickets[{number}]"
        if not isinstance(wicket, dict):
            _fail(path, "must be an object")
        kind = field(wicket, "kind", f"{path}.", str)
        if kind not in KINDS:
            _fail(f"{path}.kind", f"{kind!r} is none of {', '.join(sorted(KINDS))}")
        listed = optional(wicket, "fielders", f"{path}.", list)
        names = tuple(str(person["name"]) for person in listed if isinstance(person, dict) and "name" in person)
        yield WicketLine(kind, _member(wicket, "player_out", path, batting), names)


def _replacements(ball: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the impact players. Other replacements, as after a concussion, stay in the document alone."""
    both = ball.get("replacements")
    listed = both.get("match") if isinstance(both, dict) else None
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict) and each.get("reason") == IMPACT_PLAYER and {"in", "out", "team"} <= each.keys():
            yield str(each["team"]), str(each["in"]), str(each["out"])


def _review(review: Mapping[str, Any]) -> ReviewLine | None:
    if review.get("type", "wicket") != "wicket" or review.get("decision") not in ("upheld", "struck down"):
        return None
    return ReviewLine(str(review.get("by", "")), review["decision"] == "upheld", bool(review.get("umpires_call")))

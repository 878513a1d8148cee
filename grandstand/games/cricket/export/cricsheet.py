"""A finished match as Cricsheet JSON (https://cricsheet.org/format/json/), and its tactics in a document beside it.

Both are made from the episode's public events, `(type, data)` each in order. Of a simulated match, names, venues and
ids of players are invented, and the event name marks the match as simulated, so that it cannot be taken for a real one.
An imported match is written unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final

from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.vocab import IMPACT_PLAYER, REVIEWED_EXTRAS

Events = Sequence[tuple[str, Mapping[str, Any]]]

DATA_VERSION: Final = "1.1.0"
EVENT_NAME: Final = "Grandstand simulated matches"
_UMPIRES: Final = ("Umpire Ashgrove", "Umpire Belcourt", "Umpire Chandravar", "Umpire Dunmore", "Umpire Esterhuis")
_T20_OVERS: Final = 20


def export_cricsheet(events: Events, header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the match as one Cricsheet document.

    `header["created_at"]` (seconds since 1970) dates it; 0 where absent.
    """
    started = next(data for kind, data in events if kind == "MatchStarted")
    state, came = started["state"], [data for kind, data in events if kind == "PlayerReplaced"]
    original = _original(events, "match")
    if original is not None:
        teams = {seat: state["teams"][seat]["name"] for seat in ("home", "away")}
        return {**original, "innings": [_innings(part, state, teams, [""]) for part in _by_innings(events)]}
    teams = {seat: state["teams"][seat]["name"] for seat in ("home", "away")}
    day = datetime.fromtimestamp(float(header.get("created_at") or 0), UTC).date().isoformat()
    umpires = _umpires(teams)
    return {
        "meta": {"data_version": DATA_VERSION, "created": day, "revision": 1},
        "info": {
            "balls_per_over": 6,
            "dates": [day],
            "event": {"name": EVENT_NAME},
            "gender": "male",
            "match_type": "T20" if state["format"]["overs"] <= _T20_OVERS else "ODM",
            "officials": {"umpires": umpires},
            "outcome": _outcome(events, teams),
            "overs": state["format"]["overs"],
            "players": {teams[seat]: _names(state, seat, came) for seat in teams},
            "registry": {"people": {name: person(name) for seat in teams for name in _names(state, seat, came)}},
            "season": day[:4],
            "team_type": "club",
            "teams": list(teams.values()),
            "toss": _toss(events, teams),
            "venue": f"{teams['home']} Ground (simulated)",
        },
        "innings": [_innings(part, state, teams, umpires) for part in _by_innings(events)],
    }


def export_tactics(events: Events, header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the captains' choices and the outcomes, keyed as Cricsheet orders balls: innings, over, index."""
    innings = []
    for part in _by_innings(events):
        overs: dict[int, list[dict[str, Any]]] = {}
        for kind, data in part:
            if kind == "BallBowled":
                row = {name: data[name] for name in ("aim", "landed", "variation", "intent", "shot", "played", "kmh")}
                row |= {name: data[name] for name in ("pitch", "hit", "zone", "fielder", "free_hit", "noball_for")}
                overs.setdefault(_over(data), []).append(row)
        innings.append({"overs": [{"over": over, "deliveries": balls} for over, balls in overs.items()]})
    return {"about": "Tactics of a simulated match, beside its Cricsheet document", "innings": innings}


def person(name: str) -> str:
    """Return an invented id in the format of Cricsheet: eight hexadecimal digits."""
    return blake2b(f"grandstand/{name}".encode(), digest_size=4).hexdigest()


def _names(state: Mapping[str, Any], seat: str, came: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the eleven and the impact player, if one came in."""
    eleven = [player["name"] for player in state["teams"][seat]["players"]]
    return [*eleven, *(data["player"] for data in came if data["seat"] == seat)]


def _original(events: Events, part: str) -> Mapping[str, Any] | None:
    """Return the first part of this kind of the document that was imported, if one was."""
    parts = (data for kind, data in events if kind == "CricsheetPartRead" and data["part"] == part)
    first = next(parts, None)
    return None if first is None else first["original"]


def _umpires(teams: Mapping[str, str]) -> list[str]:
    first = sum(map(ord, "".join(teams.values()))) % len(_UMPIRES)
    return [_UMPIRES[first], _UMPIRES[(first + 2) % len(_UMPIRES)]]


def _toss(events: Events, teams: Mapping[str, str]) -> dict[str, str]:
    toss = next(data for kind, data in events if kind == "TossMade")
    return {"decision": toss["decision"], "winner": teams[toss["winner"]]}


def _outcome(events: Events, teams: Mapping[str, str]) -> dict[str, Any]:
    decided = next((data for kind, data in events if kind == "MatchDecided"), None)
    if decided is None:
        return {"result": "no result"}
    out: dict[str, Any] = {}
    by = {name: decided["by"][name] for name in ("runs", "wickets") if name in decided["by"]}
    if by:
        out = {"winner": teams[decided["winner"]], "by": by}
    elif decided["winner"] is not None:
        out = {"result": "tie", "eliminator": teams[decided["winner"]]}
    else:
        out = {"result": "tie" if "tied" in decided["result"] else "no result"}
    if decided["method"] is not None:
        out["method"] = "D/L"
    return out


def _by_innings(events: Events) -> list[list[tuple[str, Mapping[str, Any]]]]:
    parts: list[list[tuple[str, Mapping[str, Any]]]] = []
    for kind, data in events:
        if kind == "InningsStarted":
            parts.append([])
        if parts:
            parts[-1].append((kind, data))
    return parts


def _over(ball: Mapping[str, Any]) -> int:
    return int(ball["ball"].partition(".")[0])


def _innings(
    part: Events, state: Mapping[str, Any], teams: Mapping[str, str], umpires: Sequence[str]
) -> dict[str, Any]:
    started = part[0][1]
    number = started["innings"]
    overs: dict[int, list[dict[str, Any]]] = {}
    review: dict[str, Any] | None = None
    pending: list[dict[str, Any]] = []
    last: dict[str, Any] | None = None
    last_is_original = False
    for kind, data in part:
        if kind == "ReviewTaken" and data["kind"] not in REVIEWED_EXTRAS:  # the format records reviews of wickets alone
            review = _review(data, teams, umpires)
        elif kind == "BatterRetired":
            if last is None:
                pending.append(_retired(data))
            elif not last_is_original:
                last.setdefault("wickets", []).append(_retired(data))
        elif kind == "CricsheetPartRead" and data["part"] == "delivery" and last is not None:
            last.clear()
            last.update(data["original"])
            last_is_original = True
        elif kind == "BallBowled":
            last, last_is_original = delivery_of(data), False
            if review is not None:
                last["review"], review = {**review, "batter": data["batter"]}, None
            if pending:
                last["wickets"], pending = [*last.get("wickets", []), *pending], []
            overs.setdefault(_over(data), []).append(last)
    _add_replacements(part, teams, [ball for balls in overs.values() for ball in balls])
    if (original := _original(part, "innings")) is not None:
        return {**original, **({"overs": _listed(overs)} if overs else {})}
    out: dict[str, Any] = {"team": teams[started["batting"]], "overs": _listed(overs)}
    if number > 2:
        return {**out, "super_over": True}
    powerplay = _powerplay(part, state["format"]["conditions"])
    if powerplay is not None:
        out["powerplays"] = [powerplay]
    if (target := _target(part)) is not None:
        out["target"] = target
    return out


def _add_replacements(part: Events, teams: Mapping[str, str], balls: Sequence[dict[str, Any]]) -> None:
    """Add the impact players to the deliveries before which they came in, where a recorded one lacks them."""
    bowled = 0
    for kind, data in part:
        bowled += kind == "BallBowled"
        if kind == "PlayerReplaced" and bowled < len(balls):
            team = teams[data["seat"]]
            change = {"in": data["player"], "out": data["replaces"], "team": team, "reason": IMPACT_PLAYER}
            if change not in (match := balls[bowled].setdefault("replacements", {}).setdefault("match", [])):
                match.append(change)


def _listed(overs: Mapping[int, Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    return [{"over": over, "deliveries": balls} for over, balls in overs.items()]


def _retired(retirement: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": retirement["kind"], "player_out": retirement["batter"]}


def _target(part: Events) -> dict[str, int] | None:
    started = part[0][1]
    if started["target"] is None:
        return None
    target = {"overs": started["overs"], "runs": started["target"]}
    for kind, data in part:
        if kind == "PlayInterrupted":
            target = {"overs": data["overs"], "runs": data["target"]}
    return target


def _powerplay(part: Events, conditions: str) -> dict[str, Any] | None:
    """Return the first and last delivery with the restriction on, counting every delivery as Cricsheet does."""
    overs = part[0][1]["overs"]
    legal, delivered, over_now, last = 0, 0, 0, None
    for kind, data in part:
        if kind == "PlayInterrupted":
            overs = data["overs"]
        if kind != "BallBowled":
            continue
        if _over(data) != over_now:
            over_now, delivered = _over(data), 0
        delivered += 1
        if format_rules(overs, conditions).in_powerplay(legal):
            last = float(f"{over_now}.{delivered}")
        legal = data["score"][2]
    return None if last is None else {"from": 0.1, "to": last, "type": "mandatory"}


def delivery_of(ball: Mapping[str, Any], retirements: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Return a delivery as Cricsheet writes it, without a review; `retirements` are those that follow the ball."""
    out: dict[str, Any] = {
        "batter": ball["batter"],
        "bowler": ball["bowler"],
        "non_striker": ball["non_striker"],
        "runs": {"batter": ball["runs"], "extras": ball["total"] - ball["runs"], "total": ball["total"]},
    }
    if ball["extras"]:
        out["extras"] = dict(ball["extras"])
    if ball["wicket"] is not None:
        wicket = {"kind": ball["wicket"]["kind"], "player_out": ball["wicket"]["out"]}
        if wicket["kind"] != "caught and bowled" and ball["wicket"]["fielders"]:
            wicket["fielders"] = [{"name": name} for name in ball["wicket"]["fielders"]]
        out["wickets"] = [wicket]
    if retirements:
        out["wickets"] = [*out.get("wickets", []), *map(_retired, retirements)]
    return out


def _review(review: Mapping[str, Any], teams: Mapping[str, str], umpires: Iterable[str]) -> dict[str, Any]:
    out: dict[str, Any] = {
        "by": teams[review["seat"]],
        "umpire": next(iter(umpires)),
        "decision": "upheld" if review["upheld"] else "struck down",
        "type": "wicket",
    }
    if review["umpires_call"]:
        out["umpires_call"] = True
    return out

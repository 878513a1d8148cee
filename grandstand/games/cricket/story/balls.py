"""The facts of a ball, and its line of commentary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grandstand.games.base import Json, SeatId
from grandstand.games.cricket.story.memory import Data, InningsSoFar, Memory
from grandstand.games.cricket.story.outlook import COLLAPSE, hands, recent_wickets, score
from grandstand.games.cricket.story.wording import Wording, capital, counted, plural, runs_text
from grandstand.games.story import Comment, Fact

FIFTY = 50
HAUL = (3, 5)
"""Numbers of wickets by a bowler that are facts."""
RATES = (10, 12, 15, 18, 24)
"""Asking rates, in runs an over, that are noted when a chase passes them."""
DECIDING_BALLS = 12
"""The number of last legal balls of a chase among which a ball may be deciding."""

DOTS = {
    "left": "dot_left",
    "ducked": "dot_left",
    "beaten": "dot_beaten",
    "defended": "dot_defended",
    "pad": "dot_pad",
    "body": "dot_pad",
}
"""Contact -> the kind of line on a ball without a run."""
EXTRAS = {"wides": "wide", "noballs": "no-ball", "byes": "bye", "legbyes": "leg bye", "penalty": "penalty run"}


def read_ball(innings: InningsSoFar, data: Data, seq: int) -> None:
    """Count a delivery."""
    runs, wickets, balls = data["score"]
    legal = balls > innings.balls
    innings.runs, innings.wickets, innings.balls = runs, wickets, balls
    batter, bowler = data["batter"], data["bowler"]
    _read_row(innings, data, legal)
    duel = innings.duels.setdefault((batter, bowler), [0, 0])
    duel[0] += data["runs"]
    duel[1] += data["batter_card"][1] > innings.batters.get(batter, (0, 0))[1]
    innings.batters[batter], innings.bowlers[bowler] = data["batter_card"], data["bowler_card"]
    wicket = data["wicket"]
    if wicket is not None:
        innings.falls.append((balls, seq))
        innings.retired = False
    if wicket is not None and wicket["kind"] not in ("run out", "retired out", "obstructing the field", "timed out"):
        innings.wickets_in_a_row[bowler] = [*innings.wickets_in_a_row.get(bowler, ()), seq]
    elif legal:
        innings.wickets_in_a_row[bowler] = []


def _read_row(innings: InningsSoFar, data: Data, legal: bool) -> None:
    """Count the dot balls and boundaries in a row, the balls since a boundary, and the runs of the over."""
    innings.waited = innings.dry + legal if data["boundary"] else 0
    innings.dry = 0 if data["boundary"] else innings.dry + legal
    innings.dots = 0 if data["total"] or data["wicket"] else innings.dots + 1
    innings.ropes = innings.ropes + 1 if data["boundary"] and data["runs"] in (4, 6) else 0
    innings.over_runs += data["total"]


def ball_facts(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Fact | Comment]:
    """Yield the facts of a delivery that `read_ball` has counted, and their lines."""
    innings = memory.innings
    assert innings is not None
    if data["wicket"] is not None:
        yield from _wicket(memory, wording, data, seq)
    yield from _milestones(memory, wording, data, seq)
    if innings.need is not None:
        yield from _chase(memory, innings, wording, seq)


def noted(
    wording: Wording,
    kind: str,
    weight: float,
    rests_on: Sequence[int],
    seats: Sequence[SeatId],
    about: Mapping[str, Json],
    slots: Mapping[str, str],
) -> Iterator[Fact | Comment]:
    """Yield a fact, and its line, which follows the line on its ball."""
    text, spoken = wording.fact(kind, **slots)
    yield Fact(kind, text, weight, rests_on, seats, about)
    yield Comment(spoken, weight, rests_on, "moment", seats=seats, kind=kind)


def _wicket(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Fact | Comment]:
    wicket, innings = data["wicket"], memory.innings
    assert innings is not None
    side = memory.names[innings.batting]
    seats = (innings.bowling, innings.batting)
    text = f"{memory.player(wicket['out'])} {how_out(memory, data)}, for {made(wicket['card'])}."
    weight = 0.4 + 0.2 * memory.progress + min(0.2, wicket["card"][0] / 250)
    yield Fact("wicket", capital(text), round(weight, 3), [seq], seats, {"batter": wicket["out"]})
    row = innings.wickets_in_a_row.get(data["bowler"], [])
    about: dict[str, Json] = {"bowler": data["bowler"]}
    bowler = memory.player(data["bowler"])
    if len(row) == 3:
        yield from noted(wording, "hat-trick", 1.0, row, seats, about, {"bowler": bowler})
    if recent_wickets(innings) == COLLAPSE and innings.hands > 0:
        falls = [number for _, number in innings.falls[-COLLAPSE:]]
        yield from noted(wording, "collapse", 0.7, falls, seats[::-1], {}, {"side": side, "score": score(innings)})
    taken = data["bowler_card"][3]
    if taken in HAUL and row and row[-1] == seq:
        weight = 0.45 if taken == HAUL[0] else 0.8
        slots = {"bowler": bowler, "wickets": str(taken), "runs": str(data["bowler_card"][2])}
        yield from noted(wording, "haul", weight, [seq], seats, about, slots)


def _milestones(memory: Memory, wording: Wording, data: Data, seq: int) -> Iterator[Fact | Comment]:
    innings = memory.innings
    assert innings is not None
    seats = (innings.batting, innings.bowling)
    runs, balls, fours, sixes = data["batter_card"]
    if (runs - data["runs"]) // FIFTY < runs // FIFTY:
        mark = runs // FIFTY * FIFTY
        rope = " and ".join(plural(count, noun) for count, noun in ((fours, "four"), (sixes, "six")) if count)
        slots = {"batter": memory.player(data["batter"]), "mark": str(mark), "balls": plural(balls, "ball")}
        slots["rope"] = f", with {rope}" if rope else ""
        weight = 0.55 if mark == FIFTY else 0.85
        yield from noted(wording, "milestone", weight, [seq], seats, {"batter": data["batter"]}, slots)
    if innings.retired:
        return
    together = data["partnership"][0]
    if data["wicket"] is None and (together - data["total"]) // FIFTY < together // FIFTY and together >= FIFTY:
        first, second = (memory.player(name) for name in (data["batter"], data["non_striker"]))
        mark = together // FIFTY * FIFTY
        slots = {"batter": first, "partner": second, "runs": str(together)}
        slots["balls"] = plural(data["partnership"][1], "ball")
        yield from noted(wording, "partnership", 0.4 if mark == FIFTY else 0.6, [seq], seats, {}, slots)


def _chase(memory: Memory, innings: InningsSoFar, wording: Wording, seq: int) -> Iterator[Fact | Comment]:
    need, balls = innings.need, innings.left
    if not need or not balls or innings.hands <= 0:
        return
    side = memory.names[innings.batting]
    seats = (innings.batting, innings.bowling)
    rate = max((mark for mark in RATES if need * 6 > mark * balls), default=0)
    if rate > innings.rate_said and balls > DECIDING_BALLS:
        if innings.rate_said or innings.balls:
            about: dict[str, Json] = {"need": need, "balls": balls}
            slots = {"side": side, "rate": str(rate), "need": str(need), "left": str(balls)}
            yield from noted(wording, "asking-rate", 0.35, [seq], seats, about, slots)
        innings.rate_said = rate
    if balls in (6, 12) and innings.balls % 6 == 0 and need <= 3 * balls:
        over = "the last over" if balls == 6 else "the last two overs"
        slots = {"side": side, "need": str(need), "overs": over, "hands": hands(innings)}
        weight = 0.8 if balls == 6 else 0.6
        yield from noted(wording, "finish", weight, [seq], seats, {"need": need, "balls": balls}, slots)


def ball_line(memory: Memory, wording: Wording, data: Data) -> str:
    """Return the line of commentary on a delivery."""
    innings = memory.innings
    assert innings is not None
    wicket = data["wicket"]
    stroke = picture(data)
    slots = {
        "bowler": memory.player(data["bowler"]),
        "batter": memory.player(data["batter"]),
        "partner": memory.player(data["non_striker"]),
        "words": stroke,
        "ball": length(data),
        "side": memory.names[innings.batting],
        "score": score(innings),
    }
    if wicket is not None:
        out = {"out": memory.player(wicket["out"]), "how": how_out(memory, data), "made": made(wicket["card"])}
        return wording.line("wicket", **slots, **out)
    if data["extras"] and not data["runs"]:
        kind = "extra" if data["extras"].keys() <= {"wides", "noballs"} else "byes"
        extra = " and ".join(counted(count, EXTRAS[name]) for name, count in data["extras"].items())
        runs = runs_text(data["total"])
        return wording.line(kind, **slots, extra=extra, runs=runs)
    kind = {6: "six", 4: "four"}.get(data["runs"], "run") if data["boundary"] else "run"
    if not data["runs"]:
        kind = DOTS.get(data["contact"], "dot") if stroke else "dot"
    runs = runs_text(data["runs"])
    line = wording.line(kind if stroke else f"{kind}_plain", **slots, runs=runs)
    return f"No-ball, and a free hit to come. {line}" if data["next_free_hit"] and data["noball_for"] else line


def ball_weight(memory: Memory, data: Data, swing: float) -> float:
    """Return the importance of a delivery's line: by its result, by how much it moved the chance, and near the end of a
    chase."""
    innings = memory.innings
    assert innings is not None
    base = 0.5 if data["wicket"] else {6: 0.35, 4: 0.25}.get(data["runs"], 0.05 + 0.02 * min(3, data["total"]))
    if innings.need is not None and innings.left <= DECIDING_BALLS and innings.need <= 3 * innings.left:
        base += 0.25
    return round(min(1.0, base + 2 * abs(swing)), 3)


def picture(data: Data) -> str:
    """Return how the ball was played, in words; in older records, where it went; empty if neither is known."""
    words: str | None = data.get("words")
    if words or data["landed"] is None:
        return words or ""
    if data["zone"]:
        return f"towards {data['zone'].replace('_', ' ')}"
    return f"{length(data)}, left or missed" if not data["runs"] else length(data)


def length(data: Data) -> str:
    """Return the length of the ball in words: `good length`, `back of a length`; empty if unknown."""
    if data["landed"] is None:
        return ""
    name: str = data["landed"][0]
    return {"good": "good length", "back_of_length": "back of a length"}.get(name, name.replace("_", " "))


def made(card: Sequence[int]) -> str:
    """Return `8 off 10 balls`."""
    return f"{card[0]} off {plural(card[1], 'ball')}"


def how_out(memory: Memory, data: Data) -> str:
    """Return the dismissal in words: `caught by Kandoor off Abara`."""
    wicket = data["wicket"]
    bowler = memory.player(data["bowler"])
    fielders = [memory.player(name) for name in wicket["fielders"]]
    kind = wicket["kind"]
    match kind:
        case "caught" if fielders and fielders[0] != bowler:
            return f"is caught by {fielders[0]} off {bowler}"
        case "caught" | "caught and bowled":
            return f"is caught and bowled by {bowler}"
        case "bowled":
            return f"is bowled by {bowler}"
        case "lbw":
            return f"is lbw to {bowler}"
        case "stumped" if fielders:
            return f"is stumped by {fielders[0]} off {bowler}"
        case "run out" if fielders:
            return f"is run out by {' and '.join(fielders[:2])}"
    return f"is out, {kind.replace('_', ' ')}"

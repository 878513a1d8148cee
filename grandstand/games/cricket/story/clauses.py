"""Clauses that may follow the line on a ball: the equation, the phase, the momentum, the duel, the stand, the figures,
the pace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model.matchups import turns
from grandstand.games.cricket.story.habits import ATTACKS, LAST_FIVE
from grandstand.games.cricket.story.memory import Data, InningsSoFar, Memory
from grandstand.games.cricket.story.outlook import score
from grandstand.games.cricket.story.wording import Clause, count_text, plural

LAST_BALLS = 18
"""The number of last legal balls of a chase after each of which the equation is stated: three overs."""
SIX = 6
ROW = 3
"""Dot balls in a row from which they are mentioned."""
DUEL = 6
"""Balls of a bowler to a batter from which their duel is mentioned."""
STAND, SET, DEAR = 20, 15, 10
"""Runs from which a partnership, a batter and an over in progress are mentioned."""
MARK = 50
"""Runs of a side whose multiples are mentioned."""
DRY = 15
"""Balls since the last boundary from which the next one ends a wait."""
QUICK = 140
"""Speed in km/h from which it is mentioned."""
SETTLED = 12
"""Legal balls since the powerplay from which the runs since then are mentioned."""
WINDOW = 18
"""Legal balls over which the momentum is looked at: three overs."""
FASTER = 3.0
"""The difference in runs an over, between these and the innings before, from which they are mentioned."""
CALM = 30
"""Balls without a call to attack after which the first one is mentioned."""
TURNS = {"wrong_un": "wrong 'un", "arm_ball": "arm ball"}


def clauses(memory: Memory, data: Data) -> list[Clause]:
    """Return the possible clauses after the line on the last ball, which `read_ball` has counted."""
    innings = memory.innings
    assert innings is not None
    return [
        *_chase(memory, innings),
        *_phase(memory, innings, data),
        *_momentum(memory.names[innings.batting], innings, data),
        *_runs(memory.names[innings.batting], innings, data),
        *_players(memory, innings, data),
        *_ball(memory, data),
        *_meeting(memory, innings, data),
        *_attack(memory, innings, data),
    ]


def _chase(memory: Memory, innings: InningsSoFar) -> Iterator[Clause]:
    side, need = memory.names[innings.batting], innings.need
    if need == 0:
        yield Clause("won", {"side": side}, must=True)
    elif need is not None and innings.hands > 0 and innings.left:
        left = plural(innings.left, "ball")
        close = innings.left <= LAST_BALLS
        if close:
            yield Clause("equation", {"side": side, "need": str(need), "left": str(innings.left), "balls": left}, True)
        else:
            yield Clause("asking", {"side": side, "rate": f"{6 * need / innings.left:.1f}"})
    elif need is None and innings.balls >= LAST_BALLS:
        yield Clause("rate", {"side": side, "rate": f"{6 * innings.runs / innings.balls:.1f}"})


def _phase(memory: Memory, innings: InningsSoFar, data: Data) -> Iterator[Clause]:
    """Yield the score where the powerplay ends and the last five overs begin, and between, after an over, the runs."""
    if innings.super_over or innings.hands <= 0 or not _is_legal(data):
        return
    powerplay = format_rules(innings.overs, memory.conditions).powerplay_balls
    slots = {"side": memory.names[innings.batting], "score": score(innings)}
    if innings.balls == powerplay:
        yield Clause("powerplay", slots, must=True)
    elif innings.left == LAST_FIVE and innings.balls > powerplay:
        yield Clause("last_five", slots, must=True)
    elif (
        innings.balls >= powerplay + SETTLED
        and innings.left > LAST_FIVE
        and innings.balls % SIX == powerplay % SIX == 0
    ):
        runs = innings.runs - sum(innings.over_totals[: powerplay // SIX])
        yield Clause("middle", {"runs": str(runs), "balls": plural(innings.balls - powerplay, "ball")})


def _momentum(side: str, innings: InningsSoFar, data: Data) -> Iterator[Clause]:
    """Yield the runs of the last three overs, at their end, where the innings before them had another pace."""
    before = innings.balls - WINDOW
    if innings.super_over or not _is_legal(data) or innings.balls % WINDOW or before <= 0 or not innings.left:
        return
    runs = innings.over_runs + sum(innings.over_totals[-(WINDOW // SIX - 1) :])
    rate = SIX * (innings.runs - runs) / before
    faster = SIX * runs / WINDOW - rate
    if abs(faster) >= FASTER:
        kind = "faster" if faster > 0 else "slower_runs"
        yield Clause(kind, {"side": side, "runs": str(runs), "rate": f"{rate:.1f}"}, must=True)


def _is_legal(data: Data) -> bool:
    return not (data["extras"] or {}).keys() & {"wides", "noballs"}


def _runs(side: str, innings: InningsSoFar, data: Data) -> Iterator[Clause]:
    if innings.dots >= ROW:
        yield Clause("dots", {"count": count_text(innings.dots)})
    if innings.ropes > 1:
        yield Clause("ropes", {"count": count_text(innings.ropes)})
    if innings.over_runs >= DEAR:
        yield Clause("over", {"runs": str(innings.over_runs)})
    if innings.runs // MARK > (innings.runs - data["total"]) // MARK and innings.need != 0:
        yield Clause("total", {"side": side, "total": str(innings.runs // MARK * MARK)})
    if innings.waited >= DRY and data["runs"] in (4, 6):
        yield Clause("wait", {"count": str(innings.waited)})
    runs, balls = data["partnership"]
    if runs >= STAND and data["total"] and data["wicket"] is None and not innings.retired:
        yield Clause("stand", {"runs": str(runs), "balls": plural(balls, "ball")})


def _players(memory: Memory, innings: InningsSoFar, data: Data) -> Iterator[Clause]:
    batter, bowler = memory.player(data["batter"]), memory.player(data["bowler"])
    runs, balls = innings.duels[data["batter"], data["bowler"]]
    if balls >= DUEL and data["wicket"] is None:
        yield Clause("duel", {"batter": batter, "bowler": bowler, "runs": str(runs), "balls": plural(balls, "ball")})
    runs, balls, _, sixes = data["batter_card"]
    if data["runs"] == runs > 0 and data["wicket"] is None:
        yield Clause("off_mark", {"batter": batter})
    if data["boundary"] and data["runs"] == SIX and sixes > 1:
        yield Clause("sixes", {"batter": batter, "count": count_text(sixes)})
    if innings.balls % SIX == 0 and data["runs"] % 2 and not data["extras"] and data["wicket"] is None and innings.left:
        yield Clause("strike", {"batter": batter})
    if data["runs"] and runs >= SET and data["wicket"] is None:
        yield Clause("batter", {"batter": batter, "runs": str(runs), "balls": plural(balls, "ball")})
    taken = data["bowler_card"][3]
    if data["wicket"] is not None and taken > 1:
        yield Clause("figures", {"bowler": bowler, "figures": figures(data["bowler_card"])})


def _ball(memory: Memory, data: Data) -> Iterator[Clause]:
    bowler = memory.player(data["bowler"])
    variation, kmh = data["variation"], data["kmh"]
    if variation == "slower_ball" and kmh is not None:
        yield Clause("slower", {"kmh": f"{kmh} km/h"})
    elif kmh is not None and kmh >= QUICK:
        yield Clause("quick", {"bowler": bowler, "kmh": f"{kmh} km/h"})
    if variation in TURNS:
        yield Clause("turn", {"bowler": bowler, "name": TURNS[variation]})


def _meeting(memory: Memory, innings: InningsSoFar, data: Data) -> Iterator[Clause]:
    """Yield which way the bowler turns the ball, where the two meet for the first time."""
    batter, bowler = data["batter"], data["bowler"]
    hand = memory.sheets.get(batter, {}).get("hand")
    turn = turns(memory.sheets.get(bowler, {}).get("style"), hand)
    if hand and turn and innings.duels[batter, bowler][1] == 1 and data["variation"] not in TURNS:
        slots = {"batter": memory.player(batter), "bowler": memory.player(bowler), "hand": hand}
        yield Clause(f"turns_{turn}", slots)


def _attack(memory: Memory, innings: InningsSoFar, data: Data) -> Iterator[Clause]:
    """Yield that a captain asks for attack for the first time, after many balls without."""
    attacks = memory.captaincies[innings.batting].attacks
    captain = memory.captain(innings.batting, besides=data["batter"])
    first = data["intent"] in ATTACKS and not data["free_hit"] and attacks.times == 1
    if captain and first and attacks.chances > CALM and not innings.super_over:
        yield Clause("first_attack", {"captain": captain, "balls": str(attacks.chances - 1)}, must=True)


def figures(card: Sequence[int]) -> str:
    """Return `2 for 14`, of a bowler's balls, maidens, runs and wickets."""
    return f"{card[3]} for {card[2]}"

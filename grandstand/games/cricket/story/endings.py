"""The end of an innings and of the match: the best players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grandstand.games.base import SeatId
from grandstand.games.cricket.story.balls import made
from grandstand.games.cricket.story.clauses import figures
from grandstand.games.cricket.story.memory import InningsSoFar, Memory
from grandstand.games.cricket.story.wording import Wording
from grandstand.games.story import Comment, Fact


def innings_best(memory: Memory, wording: Wording, innings: InningsSoFar, seq: int) -> Iterator[Comment]:
    """Yield the line on the best batter and the best bowler of an innings in which a wicket was taken."""
    batter = max(innings.batters, key=lambda name: (innings.batters[name][0], -innings.batters[name][1]), default=None)
    bowler = max(innings.bowlers, key=lambda name: (innings.bowlers[name][3], -innings.bowlers[name][2]), default=None)
    if batter is None or bowler is None or not innings.batters[batter][0] or not innings.bowlers[bowler][3]:
        return
    slots = {
        "batter": memory.player(batter),
        "made": made(innings.batters[batter]),
        "bowler": memory.player(bowler),
        "figures": figures(innings.bowlers[bowler]),
    }
    yield Comment(wording.line("innings_best", **slots), 0.5, [seq], "innings")


def player_of_the_match(memory: Memory, wording: Wording, seq: int) -> Iterator[Fact | Comment]:
    """Yield the winning side's player whose balls added most to its chance of winning.

    A ball's change is the batter's for its side and the bowler's for the other. It is the measure of baseball's and
    cricket's win probability added.
    """
    side = [name for name in memory.changed if memory.winner in (None, memory.side_of.get(name))]
    if not side:
        return
    best = max(side, key=lambda name: (memory.changed[name], name))
    slots = {"player": memory.player(best), "deeds": _deeds(memory.cards[best])}
    text, spoken = wording.fact("player-of-the-match", **slots)
    seats: Sequence[SeatId] = [memory.side_of[best]]
    yield Fact("player-of-the-match", text, 0.8, [seq], seats, {"player": best})
    yield Comment(spoken, 0.8, [seq], "summary", seats=seats, kind="player-of-the-match")


def _deeds(cards: dict[str, Sequence[int]]) -> str:
    """Return `49 off 30 balls and 2 for 20`."""
    bat, bowl = cards.get("bat"), cards.get("bowl")
    return " and ".join([*([made(bat)] if bat else []), *([figures(bowl)] if bowl else [])])

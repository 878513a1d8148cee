"""Replays the deliveries of a record through the Laws, with invented players, to begin a match in its middle.

A delivery is written as on a scorer's strip, `.` `1` `4` `wd` `5wd` `nb` `4nb` `2lb`, then `W` with a letter if a
batter is out (`1Wn`), then `~` if the batters ended at other ends than the runs imply.
"""

from __future__ import annotations

import re
from typing import Final

from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import ELEVEN
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.packs import PackRecord
from grandstand.games.cricket.vocab import GROUPS

KINDS: Final = {
    "c": "caught", "b": "bowled", "l": "lbw", "s": "stumped", "k": "caught and bowled", "h": "hit wicket",
    "r": "run out", "n": "run out",
}  # fmt: skip
"""Letter -> dismissal; `n` is the non-striker's."""
_WORDS: Final = {
    "c": "caught b {}", "b": "b {}", "l": "lbw b {}", "s": "stumped b {}", "k": "c & b {}", "h": "hit wicket b {}",
    "r": "run out", "n": "run out",
}  # fmt: skip
"""The words of a dismissal; the fielders are not recorded."""
_TOKEN: Final = re.compile(r"(\.|\d)?(wd|nbb|nb|lb)?(?:W([cblskhrn]))?(~)?")


def replay(innings: Innings, record: PackRecord, bowling: Team) -> None:
    """Play the record's overs in `innings`. Raise ValueError for impossible ones."""
    players = cast_bowlers(record, bowling)
    for over in record.overs:
        number, *balls = over.split()
        bowler = players[int(number)]
        innings.give_ball(bowler)
        for token in balls:
            _send_in(innings)
            _deliver(innings, token, bowling.players[bowler].name)
        if innings.over_complete and innings.closed is None:
            innings.end_over()


def _send_in(innings: Innings) -> None:
    while innings.striker is None or innings.non_striker is None:
        innings.send_in(innings.waiting()[0])


def _deliver(innings: Innings, token: str, bowler: str) -> None:
    match = _TOKEN.fullmatch(token)
    if match is None or not token:
        raise ValueError(f"delivery {token!r}: not like `.` 1 4 wd 5wd nb 4nb 2lb 1Wn 1~")
    count, extra, out, crossed = match.groups()
    ball = _ball(int(count) if count not in (None, ".") else 0, extra)
    words = None
    if out is not None:
        leaves = innings.non_striker if out == "n" else innings.striker
        assert leaves is not None
        ball.dismissal = Dismissal(KINDS[out], leaves)
        words = _WORDS[out].format(bowler)
    innings.play(ball, words)
    innings.bouncers = 0
    if crossed:
        innings.striker, innings.non_striker = innings.non_striker, innings.striker


def _ball(runs: int, extra: str | None) -> Ball:
    """Return the ball of a token. Fours and sixes count as boundaries; the record joins byes and leg-byes."""
    if extra == "wd":
        runs = max(runs - 1, 0)
        return Ball(runs, "wides", boundary=runs == 4, wide=True)
    if extra == "lb":
        return Ball(runs, "legbyes", boundary=runs == 4)
    if extra == "nbb":
        return Ball(runs, "byes", boundary=runs == 4, noball=True)
    return Ball(runs, boundary=runs in (4, 6), noball=extra == "nb")


def cast_bowlers(record: PackRecord, side: Team) -> list[int]:
    """Return the invented player for each recorded bowler: of the same group if possible, front-line bowlers first."""
    free = [i for i, player in enumerate(side.players[:ELEVEN]) if player.style is not None]
    free.sort(key=lambda i: (not side.players[i].front_line, i))
    cast = []
    for group in record.bowlers:
        same = [i for i in free if side.players[i].group == GROUPS["ps".index(group)] and side.players[i].front_line]
        player = (same or free)[0]
        free.remove(player)
        cast.append(player)
    return cast

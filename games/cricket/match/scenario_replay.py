"""Begin a match in the middle: the deliveries of a record go through the Laws once more, with invented players.

A delivery is written as on a scorer's strip, `.` `1` `4` `wd` `5wd` `nb` `4nb` `2lb`, then `W` with a letter where
somebody is out (`1Wn`), then `~` where the batters ended up the other way round than the runs say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.match.results import target
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.packs import Record, Scenario
from grandstand.games.cricket.vocab import GROUPS

if TYPE_CHECKING:
    from grandstand.games.cricket.match.contest import Contest

KINDS: Final = {
    "c": "caught", "b": "bowled", "l": "lbw", "s": "stumped", "k": "caught and bowled", "h": "hit wicket",
    "r": "run out", "n": "run out",
}  # fmt: skip
"""Letter -> dismissal; `n` is the non-striker's."""
_WORDS: Final = {
    "c": "caught b {}", "b": "b {}", "l": "lbw b {}", "s": "stumped b {}", "k": "c & b {}", "h": "hit wicket b {}",
    "r": "run out", "n": "run out",
}  # fmt: skip
"""The fielders are not on record."""
_TOKEN: Final = re.compile(r"(\.|\d)?(wd|nbb|nb|lb)?(?:W([cblskhrn]))?(~)?")


def begin(match: Contest, scenario: Scenario) -> None:
    """Take a fresh match to where the scenario leaves off. Home bats in the innings that goes on."""
    for number, record in enumerate(scenario.innings, 1):
        side = (len(scenario.innings) - number) % 2
        match.start_innings(side, target(match) if number == 2 else None)
        replay(match.now, record, match.teams[1 - side])
        if match.now.closed is not None and match.now.bowler is not None:
            match.now.end_over()


def replay(innings: Innings, record: Record, bowling: Team) -> None:
    """Play the record's overs into `innings`. Raises ValueError where they cannot have happened."""
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
    found = _TOKEN.fullmatch(token)
    if found is None or not token:
        raise ValueError(f"delivery {token!r}: not like `.` 1 4 wd 5wd nb 4nb 2lb 1Wn 1~")
    count, extra, out, crossed = found.groups()
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
    """Fours and sixes are taken for boundaries; the record does not tell byes from leg-byes."""
    if extra == "wd":
        runs = max(runs - 1, 0)
        return Ball(runs, "wides", boundary=runs == 4, wide=True)
    if extra == "lb":
        return Ball(runs, "legbyes", boundary=runs == 4)
    if extra == "nbb":
        return Ball(runs, "byes", boundary=runs == 4, noball=True)
    return Ball(runs, boundary=runs in (4, 6), noball=extra == "nb")


def cast_bowlers(record: Record, side: Team) -> list[int]:
    """Who of the invented side bowls the overs of each bowler on record: the same group where there is one left, the
    front-line bowlers first."""
    free = [i for i, player in enumerate(side.players) if player.style is not None]
    free.sort(key=lambda i: (not side.players[i].front_line, i))
    cast = []
    for group in record.bowlers:
        same = [i for i in free if side.players[i].group == GROUPS["ps".index(group)] and side.players[i].front_line]
        player = (same or free)[0]
        free.remove(player)
        cast.append(player)
    return cast

"""Score less luck and score of ten unusual captains: a table of docs/evaluation.md.

    python -m benchmarks.cricket_captains --matches 600 [--overs 20] [--only NAME ...]

A NAME may also be a built-in captain's.

Each plays the natural captain from both seats of every match seed and departs from natural play in one respect. `score
less luck` must have the mean of `score`, whatever a captain does: `difference` is the mean luck. Then come the parts:
what the decisions were worth, the captain's less the opponent's, and the matchups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from statistics import fmean
from typing import Annotated, Final

import typer

from benchmarks.report import Cell, Out, mean, progress, publish, table
from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent.measures import measures
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import Captain, play_match
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.match import event_data

Rank = Callable[[CricketGame, int, int, Random], float]
"""(game, side, player) -> the rank of a player; the highest is chosen."""


def _call(tool: str, **arguments: object) -> Action:
    return {"tool": tool, "arguments": arguments}


def bowler_by(rank: Rank) -> Captain:
    """Return the captain that gives each over to the bowler who ranks highest."""

    def captain(game: CricketGame, seat: SeatId, rng: Random) -> Action:
        state = game.state
        if state.stage == "play" and state.now.bowling_side == SEATS.index(seat) and state.now.bowler is None:
            team = state.teams[state.now.bowling_side]
            free = [i for i in range(11) if state.now.may_bowl(i, team.keeper) is None]
            best = max(free, key=lambda i: rank(game, state.now.bowling_side, i, rng))
            return _call("choose_bowler", bowler=team.players[best].name)
        return neutral(game, seat, rng)

    return captain


def batter_by(rank: Rank) -> Captain:
    """Return the captain that sends in the batter who ranks highest."""

    def captain(game: CricketGame, seat: SeatId, rng: Random) -> Action:
        state = game.state
        if state.stage == "play" and seat == SEATS[state.now.batting_side]:
            innings = state.now
            if None in (innings.striker, innings.non_striker) and state.next_in[innings.batting_side] is None:
                best = max(innings.waiting(), key=lambda i: rank(game, innings.batting_side, i, rng))
                return _call("choose_batter", batter=state.teams[innings.batting_side].players[best].name)
        return neutral(game, seat, rng)

    return captain


def always(stage: str, bats: bool | None, action: Action, field: str | None = None) -> Captain:
    """Return the captain that always makes the one call at a stage, in a field if one is named."""

    def captain(game: CricketGame, seat: SeatId, rng: Random) -> Action:
        state = game.state
        if state.stage != stage or (bats is not None and bats != (seat == SEATS[state.now.batting_side])):
            return neutral(game, seat, rng)
        if field is not None and state.field_choice != field and not state.field_locked:
            return _call("set_field", preset=field)
        return action

    return captain


def _known(game: CricketGame, side: int, player: int, rng: Random) -> float:
    return sum(game.state.teams[side].estimates[player].bowling)


CAPTAINS: Final[Mapping[str, Captain]] = {
    "worst bowler": bowler_by(lambda game, side, i, rng: -_known(game, side, i, rng)),
    "random bowler": bowler_by(lambda game, side, i, rng: rng.random()),
    "best bowler": bowler_by(_known),
    "order reversed": batter_by(lambda game, side, i, rng: float(i)),
    "random order": batter_by(lambda game, side, i, rng: rng.random()),
    "bats first": always("toss", None, _call("set_toss", decision="bat")),
    "no reviews": always("review", None, _call("review", take=False)),
    "reviews all": always("review", None, _call("review", take=True)),
    "attacks": always("play", True, _call("play_delivery", intent="attack")),
    "yorkers, ring": always("play", False, _call("bowl_delivery", length="yorker", line="stumps"), "pp_ring"),
}


def measured(captain: Captain, seed: int, overs: int) -> list[dict[str, float]]:
    """Return the measures of the captain in a match from either seat, with its score."""
    out = []
    for seat in SEATS:
        home, away = (captain, neutral) if seat == "home" else (neutral, captain)
        game, emitted = play_match(CricketOptions(overs=overs), seed, home, away)
        assert game.outcome is not None
        events = [(type(event).__name__, event_data(event)) for event in emitted]
        out.append({**measures(events, seat), "score": game.outcome.scores[seat]})
    return out


def main(
    matches: Annotated[int, typer.Option(min=2, help="Of each captain; half of them from either seat.")] = 600,
    overs: Annotated[int, typer.Option(min=1, max=50)] = 20,
    first: Annotated[int, typer.Option(min=0, help="The first match seed.")] = 0,
    only: Annotated[list[str] | None, typer.Option(help="A captain; the ten odd ones by default.")] = None,
    out: Out = None,
) -> None:
    """Report a row for each captain, with 95 % intervals over match seeds, and the mean over captains."""
    rows, every = list[list[Cell]](), list[float]()
    for name in progress(only or list(CAPTAINS), description="captains"):
        pairs = [measured(CAPTAINS.get(name) or BOTS[name], seed, overs) for seed in range(first, first + matches // 2)]
        columns = {
            key: [fmean(match[key] for match in pair) for pair in pairs]
            for key in ("score", "score_less_luck", "luck", "decisions", "matchups")
        }
        every += columns["luck"]
        rows.append([name, *(mean(values) for values in columns.values())])
    rows.append(["all", "", "", mean(every), "", ""])
    section = table("Means", ["captain", "score", "score less luck", "difference", "decisions", "matchups"], rows)
    publish("Captains", f"{matches} matches of each, of {overs} overs", [section], out)


if __name__ == "__main__":
    typer.run(main)

"""The rewards by hand-computed events, and their sums over whole matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from grandstand.games.cricket.agent.measures import measures
from grandstand.games.cricket.agent.rewards import REWARDS
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.match import event_data
from grandstand.games.training import Entry

Events = Sequence[tuple[int, str, dict[str, Any]]]


def started(*batting: str) -> dict[str, Any]:
    """The opening of a match with so many innings begun."""
    innings = [{"innings": number, "batting": seat, "runs": 0} for number, seat in enumerate(batting, 1)]
    return {"toss_winner": "home", "state": {"innings": innings}}


def ball(innings: int, total: int, out: bool = False) -> dict[str, Any]:
    return {"innings": innings, "total": total, "wicket": {"kind": "bowled"} if out else None}


def chance(now: float, luck: float = 0.0, /, **deltas: float) -> dict[str, Any]:
    return {
        "home": now,
        "luck": luck,
        "decisions": [{"seat": seat, "choice": {}, "delta": delta} for seat, delta in deltas.items()],
    }


EVENTS: Events = (
    (4, "MatchStarted", started("away")),
    (5, "ChanceChanged", chance(0.5)),
    (9, "BallBowled", ball(1, 4)),
    (10, "ChanceChanged", chance(0.25, -0.0625, away=0.125, home=-0.0625)),
    (14, "BallBowled", ball(1, 0, out=True)),
    (15, "ChanceChanged", chance(0.375, away=-0.25, home=0.5)),
    (17, "BatterRetired", {"innings": 1, "kind": "retired out"}),
    (18, "BatterRetired", {"innings": 1, "kind": "retired hurt"}),
    (20, "InningsStarted", {"innings": 2, "batting": "home"}),
    (23, "BallBowled", ball(2, 1, out=True)),
    (24, "ChanceChanged", chance(0.75)),
)


def judged(events: Events, seat: str) -> list[Entry]:
    return list(REWARDS.ledger(events, seat, REWARDS.settings))


def total(entries: Sequence[Entry], component: str) -> float:
    return sum(entry.amount for entry in entries if entry.component == component)


def test_what_a_captain_is_given_by_hand() -> None:
    assert judged(EVENTS, "away") == [
        Entry(9, "runs", 4),
        Entry(10, "win_chance", 0.25),
        Entry(10, "luck", 0.0625),
        Entry(10, "choice", 0.125),
        Entry(14, "wickets", -1),
        Entry(15, "win_chance", -0.125),
        Entry(15, "choice", -0.25),
        Entry(17, "wickets", -1),
        Entry(23, "runs", -1),
        Entry(23, "wickets", 1),
        Entry(24, "win_chance", -0.375),
        Entry(24, "result", 0.25),
    ]


def test_the_other_captain_is_given_the_opposite() -> None:
    home, away = judged(EVENTS, "home"), judged(EVENTS, "away")
    for component in ("runs", "wickets", "win_chance", "luck"):
        assert total(home, component) == -total(away, component) != 0
    assert total(home, "choice") == 0.4375
    assert total(home, "result") == 0.75


@pytest.mark.parametrize(("winner", "home", "away"), [("home", 1, 0), ("away", 0, 1), (None, 0.5, 0.5)])
def test_the_result_stands_over_the_chance(winner: str | None, home: float, away: float) -> None:
    events = (*EVENTS, (30, "MatchDecided", {"winner": winner}))
    assert (total(judged(events, "home"), "result"), total(judged(events, "away"), "result")) == (home, away)


def test_where_no_chance_is_told_a_match_that_stopped_is_even() -> None:
    events = [event for event in EVENTS if event[1] != "ChanceChanged"]
    assert total(judged(events, "home"), "result") == total(judged(events, "away"), "result") == 0.5


def test_a_toss_that_pays_is_the_winners_choice() -> None:
    events: Events = (
        (0, "MatchStarted", started()),
        (1, "ChanceChanged", chance(0.5)),
        (3, "ChanceChanged", chance(0.53125, away=-0.03125)),
    )
    assert judged(events, "away")[:2] == [Entry(3, "win_chance", -0.03125), Entry(3, "choice", -0.03125)]


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "options",
    [{"overs": 2}, {"overs": 3, "rain": "random"}, {"pack": "chase-30"}, {"pack": "five-over"}],
    ids=["2 overs", "rain", "a chase", "5 overs"],
)
@pytest.mark.parametrize("seed", range(2))
def test_the_sums_over_a_match(options: dict[str, Any], seed: int) -> None:
    game, emitted = play_match(CricketOptions(**options), seed, BOTS["heuristic"], BOTS["random"])
    data = [(type(event).__name__, event_data(event)) for event in emitted]
    events = [(seq, *event) for seq, event in enumerate(data)]
    chances = [fields["home"] for name, fields in data if name == "ChanceChanged"]
    assert game.state.result is not None
    assert set(REWARDS.components) == {"runs", "wickets", "win_chance", "luck", "choice", "result"}
    for seat, sign in (("home", 1), ("away", -1)):
        entries = judged(events, seat)
        assert [entry.seq for entry in entries] == sorted(entry.seq for entry in entries)
        assert {entry.component for entry in entries} <= set(REWARDS.components)
        assert total(entries, "win_chance") == pytest.approx(sign * (chances[-1] - chances[0]))
        assert total(entries, "result") == game.state.result.scores[seat]
        told_of = measures(data, seat)
        other = judged(events, "away" if seat == "home" else "home")
        assert total(entries, "choice") - total(other, "choice") == pytest.approx(told_of["decisions"])
        assert total(entries, "luck") == pytest.approx(told_of["luck"])
        if len(game.state.innings) == 2:
            assert total(entries, "runs") == told_of["runs"]


def test_a_part_of_a_match_is_judged_by_its_events_alone() -> None:
    """Entries up to a moment are the same whatever comes later, but for how it ends."""
    _, emitted = play_match(CricketOptions(overs=2), 9, BOTS["neutral"], BOTS["heuristic"])
    events = [(seq, type(event).__name__, event_data(event)) for seq, event in enumerate(emitted)]
    whole = [entry for entry in judged(events, "away") if entry.component != "result"]
    for stop in range(2, len(events), 7):
        part = judged(events[:stop], "away")
        assert [entry for entry in part if entry.component != "result"] == [e for e in whole if e.seq < stop]
        assert part[-1].component == "result"
        assert part[-1].seq == stop - 1


@pytest.mark.few(3)
@pytest.mark.parametrize("options", [{"overs": 2}, {"overs": 3, "rain": "random"}, {"pack": "chase-30"}])
@pytest.mark.parametrize("seed", range(4))
def test_results_are_the_runs_made_and_the_win_once_it_is_decided(options: dict[str, Any], seed: int) -> None:
    game, emitted = play_match(CricketOptions(**options), seed, BOTS["heuristic"], BOTS["random"])
    events = [(seq, type(event).__name__, event_data(event)) for seq, event in enumerate(emitted)]
    assert game.state.result is not None
    cards = events[-1][2]["state"]["innings"]
    for seat in ("home", "away"):
        made = sum(card["runs"] for card in cards if card["batting"] == seat and not card["super_over"])
        assert REWARDS.results(events, seat) == {"runs": made, "win": game.state.result.scores[seat]}
    decided = next(seq for seq, name, _ in events if name == "MatchDecided")
    assert set(REWARDS.results(events[:decided], "home")) == {"runs"}

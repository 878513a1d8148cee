"""Moves tried from a moment of a record, in every registered game."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from grandstand.events import EpisodeCreated, SeatInfo, SeedSet
from grandstand.games.base import IllegalAction
from grandstand.games.catalog import GAMES
from grandstand.games.choices import drawn
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event
from grandstand.play.drafts import applied, game_draft, turn_started
from grandstand.play.sandbox import SandboxStart, SecretPosition, edited, sandbox_start, tried
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint

ANALYST = Viewpoint("analyst")
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "cricket": {"overs": 1, "win_probability": False},
    "diplomacy": {"last_year": 1902},
    "openspiel": {"game": "backgammon"},
}
MOVES = 60
SEED = 11


def played(game: str, options: Mapping[str, Any], moves: int = MOVES) -> tuple[list[Event], list[Match]]:
    """The events of random play, and the position after each of them."""
    spec = game_spec(game)
    match = Match(spec, options, SEED)
    seats = [SeatInfo(seat=seat, player="random", kind="bot") for seat in match.seats]
    created = EpisodeCreated(
        game=game, rules=spec.rules.version, title="", options=dict(options), seats=seats, origin="cli"
    )
    drafts = [Draft.of(created), Draft.of(SeedSet(seed=SEED), "operator"), *map(game_draft, match.opening())]
    drafts.append(turn_started(match))
    positions = [match.fork() for _ in drafts]
    for _ in range(moves):
        if match.over:
            break
        seat = match.waiting[0]
        action = match.standing(seat) or match.game.action(seat, answer(match, seat))
        events = applied(match, seat, action, "heuristic")
        drafts += events
        positions += [match.fork()] * len(events)
    log = [
        Event(episode_id="random", epoch=1, seq=seq, at=0, type=draft.type, audience=draft.audience, data=draft.data)
        for seq, draft in enumerate(drafts)
    ]
    return log, positions


def answer(match: Match, seat: str) -> Mapping[str, Any]:
    """A random answer that is the same for the same position."""
    return drawn(lambda chosen: match.game.choices(seat, chosen), match.rng(seat))


def start(log: list[Event], seq: int, view: Viewpoint = ANALYST, *, whole: bool = True, draw: int = 0) -> SandboxStart:
    return sandbox_start(log, seq, view, whole=whole, draw=draw)


def on(match: Match, moves: int) -> list[list[Draft]]:
    """Try moves for every seat that is asked; the events of each."""
    events: list[list[Draft]] = []
    while len(events) < moves and not match.over:
        seat = (match.asked or match.waiting)[0]
        events.append(tried(match, seat, match.game.action(seat, answer(match, seat))))
    return events


@pytest.mark.few(3)
@pytest.mark.parametrize("game", GAMES)
def test_any_moment_of_any_game_is_a_position_to_try_moves_in(game: str) -> None:
    log, positions = played(game, OPTIONS.get(game, {}))
    rng = Random(game)
    begins = next(event.seq for event in log if event.type == "TurnStarted")
    for seq in sorted(rng.sample(range(begins, len(log)), min(8, len(log) - begins))):
        opened = start(log, seq)
        assert opened.event.seq <= seq
        begun = positions[opened.event.seq]
        assert opened.match.index == begun.index == positions[seq].index
        assert opened.match.asked == begun.asked
        assert opened.match.game.turn == begun.game.turn
        for seat in begun.asked:
            assert opened.match.game.choices(seat, {}) == begun.game.choices(seat, {})
        first, again = opened.match.fork(), start(log, seq).match
        assert on(first, 6) == on(again, 6)
        assert first.game.digest() == again.game.digest()


@pytest.mark.parametrize("game", GAMES)
def test_the_decisions_of_the_record_are_moves_of_the_sandbox(game: str) -> None:
    log, positions = played(game, OPTIONS.get(game, {}), 12)
    turns = [event.seq for event in log if event.type == "TurnStarted"]
    opened = start(log, turns[0])
    assert {seat for seat, _ in opened.decided} == set(positions[turns[0]].waiting)
    for seat, action in opened.decided:
        opened.match.apply(seat, action)
    assert opened.match.index > positions[turns[0]].index or opened.match.over


def test_chance_is_drawn_anew_and_the_same_for_a_number() -> None:
    log, _ = played("openspiel", {"game": "backgammon"}, 1)

    def rolls(draw: int) -> list[Draft]:
        return [event for events in on(start(log, 4, draw=draw).match, 4) for event in events]

    assert rolls(0) == rolls(0)
    assert len({str(rolls(draw)) for draw in range(4)}) > 1


def test_of_a_live_match_only_what_everybody_knows_can_be_tried() -> None:
    log, _ = played("werewolf", {}, 6)
    with pytest.raises(SecretPosition):
        start(log, len(log) - 1, SPECTATOR, whole=False)
    log, _ = played("openspiel", {"game": "leduc_poker"}, 2)
    with pytest.raises(SecretPosition):
        start(log, len(log) - 1, SPECTATOR, whole=False)


def test_orders_that_are_not_resolved_stay_secret() -> None:
    log, _ = played("diplomacy", OPTIONS["diplomacy"], 5)
    opened = start(log, len(log) - 1, SPECTATOR, whole=False)
    assert opened.decided == []
    assert len(opened.match.asked) == 7
    assert opened.match.game.to_json()["submitted"] == {}
    with_them = start(log, len(log) - 1)
    assert len(with_them.decided) == 5


def test_letters_are_not_in_the_position_of_a_live_match() -> None:
    match = Match(game_spec("diplomacy"), {}, SEED)
    secret = "the-fleet-goes-to-BUL"
    letter = {"message": {"to": ["ITALY"], "text": secret}, "notes": {"text": secret}}
    log, _ = played("diplomacy", {}, 0)
    written = applied(match, "TURKEY", letter, "heuristic")
    events = [
        Event(episode_id="random", epoch=1, seq=len(log) + at, at=0, **draft._asdict())
        for at, draft in enumerate(written)
    ]
    assert secret in str(events)
    public = start([*log, *events], len(log) + len(events) - 1, SPECTATOR, whole=False).match.game
    assert secret not in str(public.to_json())
    for seat in match.seats:
        assert secret not in str(public.observation(seat)) + public.text(seat)


def test_a_position_of_diplomacy_is_changed_by_hand() -> None:
    log, _ = played("diplomacy", OPTIONS["diplomacy"], 2)
    match = start(log, len(log) - 1).match
    match.apply("FRANCE", {"orders": []})
    events = edited(match, {"province": "MUN", "unit": "FRANCE A MUN", "owner": "FRANCE"})
    assert [event.type for event in events] == ["PhaseAdvanced", "TurnStarted"]
    state = events[0].data["state"]
    assert "A MUN" in state["units"]["FRANCE"]
    assert "A MUN" not in state["units"]["GERMANY"]
    assert "MUN" in state["centers"]["FRANCE"]
    assert "FRANCE" in match.asked
    edited(match, {"province": "MUN", "unit": "none"})
    assert "A MUN" not in match.game.to_json()["state"]["units"]["FRANCE"]
    on(match, 30)


@pytest.mark.parametrize("change", [{"province": "SWI"}, {"province": "MUN", "unit": "FRANCE F MUN"}, {}])
def test_a_change_that_no_position_allows_is_refused(change: dict[str, str]) -> None:
    log, _ = played("diplomacy", OPTIONS["diplomacy"], 0)
    match = start(log, len(log) - 1).match
    before = match.game.digest()
    with pytest.raises(IllegalAction):
        edited(match, change)
    assert match.game.digest() == before


def test_other_games_are_changed_by_moves_alone() -> None:
    log, _ = played("werewolf", {}, 0)
    with pytest.raises(IllegalAction, match="a position of Werewolf is changed by moves alone"):
        edited(start(log, len(log) - 1).match, {"province": "MUN"})

"""Seats played from outside: asked, answered, refused, and timed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from grandstand.games.base import IllegalAction
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import SeatDraft
from grandstand.players.errors import PlayerError
from grandstand.players.external import MAX_ACTION, ExternalPlayer, NotAsked
from tests.support.players.press_player import message


def person(turn: float | None = 30.0, press: float = 30.0) -> ExternalPlayer:
    return ExternalPlayer("person", "human", turn_seconds=turn, press_seconds=press, fallback=None)


def diplomacy() -> Match:
    return Match(game_spec("diplomacy"), {"message_length": 20}, 1)


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), 10))


def test_waits_for_the_action_and_says_whose_it_is() -> None:
    async def scene() -> None:
        seated = person()
        assert seated.asked is None
        choosing = asyncio.ensure_future(seated.choose(diplomacy(), "FRANCE"))
        await asyncio.sleep(0)
        assert seated.asked == "choose"
        assert seated.deadline is not None
        assert 0 < seated.deadline - time.time() <= 30
        seated.submit({"orders": ["A PAR - BUR"]})
        choice = await choosing
        assert (choice.action, choice.source) == ({"orders": ["A PAR - BUR"]}, "human")
        assert choice.report is not None
        assert seated.deadline is None

    run(scene)


def test_what_breaks_the_rules_is_refused_and_waited_on() -> None:
    async def scene() -> None:
        seated = person()
        choosing = asyncio.ensure_future(seated.choose(diplomacy(), "FRANCE"))
        await asyncio.sleep(0)
        with pytest.raises(IllegalAction, match=r"orders\[0\]"):
            seated.submit({"orders": ["A LON - MOS"]})
        assert seated.asked == "choose"
        seated.submit({"orders": []})
        await choosing

    run(scene)


def test_answers_are_taken_once_and_only_when_asked() -> None:
    async def scene() -> None:
        seated = person()
        with pytest.raises(NotAsked):
            seated.submit({"orders": []})
        with pytest.raises(NotAsked):
            seated.say([])
        choosing = asyncio.ensure_future(seated.choose(diplomacy(), "FRANCE"))
        await asyncio.sleep(0)
        with pytest.raises(NotAsked):
            seated.say([])
        seated.submit({"orders": []})
        assert (seated.asked, seated.deadline) == (None, None), "the match has not gone on yet"
        with pytest.raises(NotAsked):
            seated.submit({"orders": ["A PAR - BUR"]})
        assert (await choosing).action == {"orders": []}

    run(scene)


def test_an_expired_clock_is_a_timeout() -> None:
    async def scene() -> None:
        seated = person(turn=0.05)
        with pytest.raises(PlayerError) as caught:
            await seated.choose(diplomacy(), "FRANCE")
        assert caught.value.boundary == "timeout"
        assert caught.value.report is not None
        assert caught.value.report.usage.seconds >= 0.05
        with pytest.raises(NotAsked):
            seated.submit({"orders": []})

    run(scene)


def test_a_turn_may_have_no_clock() -> None:
    async def scene() -> None:
        seated = person(turn=None)
        choosing = asyncio.ensure_future(seated.choose(diplomacy(), "FRANCE"))
        await asyncio.sleep(0.05)
        assert seated.deadline is None
        seated.submit({"orders": []})
        await choosing

    run(scene)


def test_speaks_in_a_round_of_press() -> None:
    async def scene() -> None:
        seated = person()
        talking = asyncio.ensure_future(seated.negotiate(diplomacy(), "FRANCE", 1, 2))
        await asyncio.sleep(0)
        assert seated.asked == "negotiate"
        with pytest.raises(IllegalAction, match=r"message\.text"):
            seated.say([message(["ITALY"], "x" * 21)])
        seated.say([message(["ITALY"], "Peace?")])
        talk = await talking
        assert (list(talk.messages), talk.source) == ([message(["ITALY"], "Peace?")], "human")

    run(scene)


def test_silence_is_an_answer() -> None:
    async def scene() -> None:
        talk = await person(press=0.05).negotiate(diplomacy(), "FRANCE", 1, 2)
        assert list(talk.messages) == []

    run(scene)


def test_a_player_that_is_let_go_no_longer_listens() -> None:
    async def scene() -> None:
        seated = person()
        choosing = asyncio.ensure_future(seated.choose(diplomacy(), "FRANCE"))
        await asyncio.sleep(0)
        choosing.cancel()
        await asyncio.gather(choosing, return_exceptions=True)
        with pytest.raises(NotAsked):
            seated.submit({"orders": []})

    run(scene)


def test_an_answer_of_several_actions_is_given_one_after_another_while_the_turn_lasts() -> None:
    async def scene() -> None:
        match = Match(game_spec("cricket"), {"overs": 1}, 3)
        seated = person()
        toss = asyncio.ensure_future(seated.choose(match, "away"))
        await asyncio.sleep(0)
        assert (seated.asks, seated.awaited.is_set()) == (1, True)
        with pytest.raises(IllegalAction):
            seated.submit({"tool": "analyze_situation"}, {"tool": "fly"})
        seated.submit({"tool": "analyze_situation"}, {"tool": "set_toss", "arguments": {"decision": "bat"}})
        assert not seated.awaited.is_set()
        match.apply("away", (await toss).action)
        match.apply("away", (await seated.choose(match, "away")).action)
        assert seated.asks == 1
        assert match.game.turn != "Toss"

    run(scene)


def test_of_an_answer_whose_turn_is_past_the_rest_is_dropped() -> None:
    async def scene() -> None:
        match = Match(game_spec("cricket"), {"overs": 1}, 3)
        seated = person()
        first = asyncio.ensure_future(seated.choose(match, "away"))
        await asyncio.sleep(0)
        seated.submit({"tool": "analyze_situation"}, {"tool": "set_toss", "arguments": {"decision": "bat"}})
        await first
        match.apply("away", {"tool": "set_toss", "arguments": {"decision": "field"}})
        again = asyncio.ensure_future(seated.choose(match, "away"))
        await asyncio.sleep(0)
        assert seated.asked == "choose"
        again.cancel()

    run(scene)


def test_where_nobody_is_the_answer_is_a_fault_at_once_until_somebody_comes() -> None:
    async def scene() -> None:
        match, seated = diplomacy(), person()
        choosing = asyncio.ensure_future(seated.choose(match, "FRANCE"))
        await asyncio.sleep(0)
        seated.detach()
        for asked in (choosing, seated.choose(match, "FRANCE")):
            with pytest.raises(PlayerError, match="nobody plays this seat") as caught:
                await asked
            assert caught.value.boundary == "player"
        assert (await seated.negotiate(match, "FRANCE", 1, 1)).messages == ()
        seated.attach()
        choosing = asyncio.ensure_future(seated.choose(match, "FRANCE"))
        await asyncio.sleep(0)
        seated.submit({"orders": []})
        assert (await choosing).action == {"orders": []}

    run(scene)


def test_an_action_has_a_largest_size() -> None:
    async def scene() -> None:
        seated = person()
        choosing = asyncio.ensure_future(seated.choose(diplomacy(), "FRANCE"))
        await asyncio.sleep(0)
        with pytest.raises(IllegalAction, match=f"^action: has .* the maximum is {MAX_ACTION}"):
            seated.submit({"orders": ["A PAR - BUR"] * 9_000})
        seated.submit({"orders": []})
        await choosing
        talking = asyncio.ensure_future(seated.negotiate(diplomacy(), "FRANCE", 1, 1))
        await asyncio.sleep(0)
        with pytest.raises(IllegalAction, match=r"^messages: has"):
            seated.say([message("ITALY", "x" * MAX_ACTION)])
        seated.say([])
        await talking

    run(scene)


def test_a_decision_is_held_until_it_is_released_and_a_draft_takes_it_back() -> None:
    async def scene() -> None:
        match, seated = diplomacy(), person()
        seated.on_ready = lambda: None
        choosing = asyncio.ensure_future(seated.choose(match, "FRANCE"))
        await asyncio.sleep(0)
        seated.submit({"orders": ["A PAR - BUR"]})
        assert (seated.ready, seated.asked, seated.awaited.is_set()) == (True, "choose", False)
        seated.save(0, {"orders": ["A PAR - PIC"]})
        assert (seated.ready, seated.awaited.is_set()) == (False, True)
        seated.release()
        assert not choosing.done()
        seated.submit({"orders": ["A PAR - PIC"]})
        seated.release()
        assert (await choosing).action == {"orders": ["A PAR - PIC"]}

    run(scene)


def test_what_was_submitted_is_no_draft_of_the_next_decision_of_a_turn() -> None:
    """A captain asks the scorer, and the turn goes on; a message leaves the orders that were saved."""

    async def scene() -> None:
        game = Match(game_spec("cricket"), {"overs": 1}, 4)
        seated, captain = person(), person()
        choosing = [captain.choose(game, game.waiting[0]), seated.choose(diplomacy(), "FRANCE")]
        asking = asyncio.gather(*choosing)
        await asyncio.sleep(0)
        asks = {"tool": "analyze_situation", "arguments": {}}
        captain.save(game.index, asks)
        captain.submit(asks)
        assert captain.draft is None
        seated.save(0, {"orders": ["A PAR - BUR"]})
        seated.submit({"message": {"to": ["ITALY"], "text": "Peace?"}})
        assert seated.draft is not None
        await asking

    run(scene)


def test_a_program_is_never_held() -> None:
    async def scene() -> None:
        program = ExternalPlayer("agent", "remote", turn_seconds=None, press_seconds=None, fallback=None)
        program.on_ready = lambda: None
        choosing = asyncio.ensure_future(program.choose(diplomacy(), "FRANCE"))
        await asyncio.sleep(0)
        program.submit({"orders": []})
        assert (await choosing).source == "remote"

    run(scene)


def test_a_draft_of_another_turn_is_refused_and_one_that_cannot_be_stored_too() -> None:
    async def scene() -> None:
        match, seated = diplomacy(), person()
        with pytest.raises(NotAsked):
            seated.save(0, {"orders": []})
        choosing = asyncio.ensure_future(seated.choose(match, "FRANCE"))
        await asyncio.sleep(0)
        with pytest.raises(NotAsked, match=r"^index: the turn 3 has passed"):
            seated.save(3, {"orders": []})
        with pytest.raises(IllegalAction, match="maximum"):
            seated.save(0, {"orders": ["A PAR - BUR"] * 9_000})
        seated.save(0, None)
        assert seated.draft is None
        choosing.cancel()

    run(scene)


def test_a_decision_that_was_ready_before_a_restart_is_ready_again_unless_the_rules_refuse_it() -> None:
    async def scene() -> None:
        for orders, ready in ((["A PAR - BUR"], True), (["A PAR - MOS"], False)):
            seated = person()
            seated.on_ready = lambda: None
            seated.draft = SeatDraft(0, {"orders": orders}, ready=True)
            choosing = asyncio.ensure_future(seated.choose(diplomacy(), "FRANCE"))
            await asyncio.sleep(0)
            assert seated.ready is ready
            choosing.cancel()

    run(scene)


def test_missed_turns_are_counted_until_the_person_does_something() -> None:
    async def scene() -> None:
        seated = person(turn=0.01)
        for missed in (1, 2):
            with pytest.raises(PlayerError):
                await seated.choose(diplomacy(), "FRANCE")
            seated._clock = None  # the next turn
            assert seated.missed == missed
        seated.turn_seconds = 30.0
        choosing = asyncio.ensure_future(seated.choose(diplomacy(), "FRANCE"))
        await asyncio.sleep(0)
        seated.save(0, {"orders": []})
        assert seated.missed == 0
        choosing.cancel()

    run(scene)

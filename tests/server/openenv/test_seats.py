"""Seats played from outside: whole matches, sharing, leaving, coming back, capacity, and secrets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games import catalog
from grandstand.games.base import OptionError
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.registry import game_spec
from grandstand.models import MatchAction, flat
from grandstand.play.verification import verify
from grandstand.server.auth import Unauthorized
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.matches.steering import CommandError, Full
from grandstand.server.openenv import seats
from grandstand.server.openenv.connection import Connection
from grandstand.server.purse import RESET, CannotAfford
from tests.support.server.environment_services import (
    WAIT_NOT,
    EnvironmentServices,
    act,
    choice,
    dumped,
    orders,
    play_out,
    run,
)
from tests.support.server.match_services import until

QUICK = {"diplomacy": {"last_year": 1902}, "cricket": {"overs": 1}}
TWO: dict[str, Any] = {"opponents": {"GERMANY": "remote"}, "seat": "FRANCE", "max_turns": 4, "wait": 0}
"""A match of two sessions."""


@pytest.mark.long
@settings(max_examples=12)
@given(st.sampled_from([("diplomacy", "TURKEY"), ("cricket", "home"), ("cricket", "away")]), st.integers(0, 2**32 - 1))
def test_rewards_are_nothing_until_the_end_and_the_score_then(where: tuple[str, str], seed: int) -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        game, name = where
        seat, first = await services.begin(game=game, seat=name, seed=seed, opponents="random", options=QUICK[game])
        every = await play_out(seat, first, Random(seed))
        rewards = [observation.reward for observation in every]
        assert all(type(reward) is float and 0 <= reward <= 1 for reward in rewards)
        assert not any(rewards[:-1])
        last = every[-1]
        assert last.outcome is not None
        assert last.status == "over"
        assert rewards[-1] == pytest.approx(last.outcome.scores[name])
        again = await seat.step(MatchAction(reply="{}"))
        assert (again.done, again.reward) == (True, 0.0)
        assert again.error.startswith("the match is over")

    run(scene)


def test_a_sessions_match_is_an_ordinary_episode() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, first = await services.begin(
            game="cricket", seat="home", seed=5, opponents="random", options={"overs": 1}
        )
        assert first.watch == f"/episode/{first.match_id}"
        await play_out(seat, first, Random(1))
        summary = services.recorder.summary(first.match_id)
        assert (summary.origin, summary.status) == ("openenv", "finished")
        assert [(info.seat, info.player, info.kind) for info in summary.seats] == [
            ("home", "remote", "remote"),
            ("away", "random", "bot"),
        ]
        events = services.history.events(first.match_id)
        assert verify(events).over
        chosen = [event.data for event in flat(events) if event.type == "ActionChosen"]
        assert {data["source"] for data in chosen if data["seat"] == "home"} == {"remote"}

    run(scene)


def test_a_match_can_end_after_so_many_turns_and_then_the_standing_counts() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, _ = await services.begin(seat="FRANCE", opponents="hold", max_turns=1)
        observation = await seat.step(orders("A PAR - PIC", "A MAR - SPA"))
        assert (observation.done, observation.status, observation.message) == (True, "over", "after 1 turns")
        assert observation.reward == pytest.approx(observation.scores["FRANCE"])

    run(scene)


def test_what_the_rules_refuse_is_named_and_changes_nothing() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, first = await services.begin(seat="FRANCE", opponents="hold")
        for message, field in [
            (orders("A PAR - MOS"), "orders[0]"),
            (act(orders="no"), "orders"),
            (MatchAction(reply="I would rather not."), "reply"),
            (MatchAction(reply='{"orders": ["A PAR - MOS"]}'), "orders[0]"),
            (MatchAction(reply="{}", action={"orders": []}), "reply"),
        ]:
            observation = await seat.step(message)
            assert (observation.status, observation.index, observation.error_field, observation.reward) == (
                "choose",
                0,
                field,
                0.0,
            )
            assert observation.error
        observation = await seat.step(MatchAction(messages=[]))
        assert "no round of press" in observation.error
        observation = await seat.step(MatchAction(reply='<think>hm</think>```json\n{"orders": ["A PAR - PIC"]}\n```'))
        assert (observation.index, observation.error) == (1, "")
        assert "A PIC" in observation.view["state"]["units"]["FRANCE"]
        assert first.view["state"]["units"]["FRANCE"] != observation.view["state"]["units"]["FRANCE"]

    run(scene)


def test_a_reply_can_hold_several_actions_of_one_turn() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        words: dict[str, Any] = {
            "game": "cricket",
            "options": {"pack": "death-overs"},
            "seed": 1,
            "opponents": "random",
        }
        seat, observation = await services.begin(seat="away", **words)
        while (observation.legal["must"], observation.legal["tools"][0]["name"]) != ("bowl_delivery", "bowl_delivery"):
            observation = await seat.step(MatchAction(action=dict(choice(seat))))
        calls = [
            {"tool": "set_field", "arguments": {"preset": "standard"}},
            {"tool": "bowl_delivery", "arguments": {"length": "yorker"}},
        ]
        turn = observation.turn
        observation = await seat.step(MatchAction(reply=json.dumps({"calls": calls})))
        assert observation.error == ""
        assert observation.turn != turn
        made = [
            event.data["action"]["tool"]
            for event in flat(services.history.events(observation.match_id))
            if event.type == "ActionChosen" and event.data["seat"] == "away"
        ]
        assert made[-2:] == ["set_field", "bowl_delivery"]

    run(scene)


def test_two_sessions_share_a_match_without_blocking_each_other() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        france, first = await services.begin(options={"press": "none"}, **TWO)
        assert first.status == "choose"
        germany = await services.take(
            match=first.match_id, seat="GERMANY", seat_token=first.open_seats["GERMANY"], wait=0
        )
        assert (await germany.first()).status == "choose"
        observation = await france.step(orders("A PAR - BUR"))
        assert (observation.status, observation.index, observation.reward, observation.legal) == (
            "waiting",
            0,
            0.0,
            None,
        )
        assert (await france.step(WAIT_NOT)).status == "waiting"
        assert "does not wait" in (await france.step(orders("A PAR - PIC"))).error
        waiting = asyncio.create_task(france.step(MatchAction(wait=20)))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        await germany.step(orders("A MUN - TYR"))
        observation = await waiting
        assert (observation.status, observation.index) == ("choose", 1)
        assert "A BUR" in observation.view["state"]["units"]["FRANCE"]
        assert (await germany.step(MatchAction())).index == 1

    run(scene)


def test_a_wait_ends_when_it_is_said_to() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        france, first = await services.begin(options={"press": "none"}, **{**TWO, "wait": 5})
        assert first.status == "choose", "it waited until the seat was asked"
        await france.step(orders(), 0)
        began = asyncio.get_running_loop().time()
        observation = await france.step(MatchAction(wait=0.2))
        assert asyncio.get_running_loop().time() - began > 0.15
        assert observation.status == "waiting"

    run(scene)


def test_sessions_talk_in_rounds_of_press() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        france, first = await services.begin(options={"negotiation_rounds": 1}, **{**TWO, "wait": 5})
        germany = await services.take(
            match=first.match_id, seat="GERMANY", seat_token=first.open_seats["GERMANY"], wait=5
        )
        assert first.status == "negotiate"
        assert "messages" in first.system_prompt
        message = {"message": {"to": ["GERMANY"], "text": "Burgundy is mine."}}
        text = asyncio.create_task(france.step(MatchAction(messages=[message])))
        reply = await germany.step(MatchAction(reply='{"messages": []}'))
        assert (await text).status == reply.status == "choose"
        assert [report["text"] for report in reply.view["messages"]] == ["Burgundy is mine."]
        assert "Burgundy is mine." in reply.text

    run(scene)


@pytest.mark.long
def test_a_session_negotiates_with_built_in_characters() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        cast = {"GERMANY": "Bismarck", "ENGLAND": "Cavour"}
        others = {seat: cast.get(seat, "hold") for seat in POWERS if seat != "FRANCE"}
        france, first = await services.begin(seat="FRANCE", opponents=others, seed=3, wait=20, max_turns=1)
        assert first.status == "negotiate"
        letter = {"message": {"to": ["GERMANY"], "text": "Would you support A PAR - BUR from Munich?"}}
        observation = await france.step(MatchAction(messages=[letter]))
        assert observation.status == "negotiate"
        for status in ("negotiate", "choose"):
            observation = await france.step(MatchAction(messages=[]))
            assert observation.status == status
        assert "GERMANY" in {message["sender"] for message in observation.view["messages"]}

    run(scene)


def test_nothing_of_another_seat_is_shown() -> None:
    """Secrets are planted everywhere a seat can put one, and looked for in everything that another session sees."""

    async def diplomacy() -> None:
        services = EnvironmentServices()
        three: dict[str, Any] = {
            "opponents": {"GERMANY": "remote", "ITALY": "remote"},
            "seat": "FRANCE",
            "seed": 424242424242,
        }
        france, first = await services.begin(options={"negotiation_rounds": 1}, wait=0, max_turns=3, **three)
        germany, italy = [
            await services.take(match=first.match_id, seat=name, seat_token=first.open_seats[name], wait=0)
            for name in ("GERMANY", "ITALY")
        ]
        secret = {"message": {"to": ["GERMANY"], "text": "XYZZY-1", "promises": ["A PAR H"]}}
        await france.step(MatchAction(messages=[secret]))
        await germany.step(MatchAction(messages=[]))
        observations = [await italy.step(MatchAction(messages=[], wait=5))]
        assert observations[0].status == "choose"
        assert (await france.step(WAIT_NOT)).status == "choose"
        assert not (await france.step(orders("A MAR - PIE"))).error
        observations += [await italy.step(WAIT_NOT)]
        assert "MAR - PIE" not in json.dumps(observations[-1].view)
        assert (await germany.step(orders())).error.startswith("too late: something else has been asked")
        await germany.step(orders())
        observations += [await italy.step(orders()), await italy.step(WAIT_NOT)]
        assert observations[-1].index == 1
        tokens = [str(first.seat_token), *first.open_seats.values()]
        for item in observations:
            for hidden in ("XYZZY", "424242424242", *tokens):
                assert hidden not in dumped(item)
        state = italy.state("e", 1).model_dump_json()
        assert not any(hidden in state for hidden in ("XYZZY", "424242424242", *tokens))

    async def cricket() -> None:
        services = EnvironmentServices()
        words: dict[str, Any] = {
            "game": "cricket",
            "seat": "home",
            "opponents": {"away": "remote"},
            "seed": 424242424242,
            "wait": 1,
        }
        home, first = await services.begin(options={"overs": 1}, **words)
        away = await services.take(match=first.match_id, seat="away", seat_token=first.open_seats["away"], wait=1)
        shown = {"home": first, "away": await away.first()}
        for _ in range(40):
            for seat in (home, away):
                observation = shown[seat.seat]
                if observation.status == "choose" and "choose_next_over_plan" in str(observation.legal):
                    plan = {"tool": "choose_next_over_plan", "arguments": {"note": f"XYZZY-{seat.seat}"}}
                    observation = await seat.step(MatchAction(action=plan, wait=0))
                if observation.status == "choose":
                    observation = await seat.step(MatchAction(action=dict(choice(seat)), wait=0))
                shown[seat.seat] = observation = await seat.step(WAIT_NOT)
                assert "424242424242" not in dumped(observation)
                assert f"XYZZY-{'home' if seat.seat == 'away' else 'away'}" not in dumped(observation)
        assert "XYZZY-home" in dumped(shown["home"]) or shown["home"].done

    run(diplomacy)
    run(cricket)


def test_an_answer_to_what_is_past_is_not_taken_for_one_to_what_is_asked_now() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, first = await services.begin(seat="FRANCE", opponents="hold", clock=1)
        assert first.deadline is not None
        await until(lambda: seat.match.live.runner.match.index > 0)
        await until(lambda: seat.status == "choose")
        late = await seat.step(orders("A PAR - PIC"))
        assert late.error.startswith("too late")
        events = services.recorder.events(first.match_id)
        decisions = [
            event.data for event in flat(events) if event.type == "ActionChosen" and event.data["seat"] == "FRANCE"
        ]
        assert decisions
        assert {decision["source"] for decision in decisions} == {"fallback"}
        assert (await seat.step(orders())).error == ""

    run(scene)


def test_a_tool_that_is_called_again_with_its_number_acts_once() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, first = await services.begin(
            game="cricket", seat="home", seed=1, opponents="random", options=QUICK["cricket"]
        )
        tool = seat.tools()[0]
        assert tool["parameters"]["properties"]["number"]["type"] == "integer"
        then = await seat.call(tool["name"], {"number": first.number})
        assert (then.error, then.number) == ("", first.number + 1)
        assert tool["name"] not in [each["name"] for each in seat.tools()], "the tool is of that moment alone"
        again = await seat.call(tool["name"], {"number": first.number})
        assert (again.error, again.number, again.index) == ("", then.number, then.index)

    run(scene)


def test_a_tool_with_another_number_is_refused_and_without_one_acts_each_time() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, _ = await services.begin(seat="FRANCE", opponents="hold")
        late = await seat.call("act", {"A_PAR": "A PAR - PIC", "number": 7})
        assert (late.error, late.number) == ("number: 7 is not due; the seat's next decision has the number 0", 0)
        for number in (-1, "0", True):
            wrong = await seat.call("act", {"number": number})
            assert (wrong.error_field, wrong.error) == ("number", "must be a whole number, 0 or more")
        for index in range(2):
            assert (await seat.call("act", {})).index == index + 1

    run(scene)


def test_a_games_own_argument_of_that_name_stays_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        monkeypatch.setitem(catalog.GAMES, "ring", "tests.support.games.ring")
        seat, _ = await EnvironmentServices().begin(game="ring", seat="north", opponents="random")
        (tool,) = seat.tools()
        assert tool["parameters"]["properties"]["number"]["maximum"] == 9
        over = await seat.call("act", {"number": 7})
        assert (over.error, over.status) == ("", "over")
        assert seat.match.live.runner.match.game.to_json()["numbers"]["north"] == 7

    run(scene)


def test_a_seat_is_taken_up_again_by_its_token_and_the_older_session_has_lost_it() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, first = await services.begin(seat="FRANCE", opponents="hold")
        await seat.step(orders("A PAR - PIC"))
        again = await services.take(match=first.match_id, seat="FRANCE", seat_token=first.seat_token)
        observation = await again.first()
        assert (observation.status, observation.index, observation.seat_token) == ("choose", 1, None)
        with pytest.raises(CommandError, match="another session has taken it up"):
            await seat.step(WAIT_NOT)
        seat.leave(0)
        await asyncio.sleep(0.01)
        assert (await again.step(orders())).index == 2

    run(scene)


def test_a_token_opens_its_own_seat_only() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        _, first = await services.begin(**TWO)
        with pytest.raises(PermissionError, match="does not play GERMANY"):
            await services.take(match=first.match_id, seat="GERMANY", seat_token=first.seat_token)
        with pytest.raises(Unauthorized):
            await services.take(match=first.match_id, seat="FRANCE", seat_token="guess")
        with pytest.raises(PermissionError, match="does not play FRANCE in none"):
            await services.take(match="none", seat="FRANCE", seat_token=first.seat_token)

    run(scene)


def test_a_match_that_nobody_plays_any_more_is_stopped() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, first = await services.begin(seat="FRANCE", opponents="hold")
        seat.leave(0.02)
        await asyncio.sleep(0.005)
        assert services.recorder.summary(first.match_id).status == "live"
        await services.ended(first.match_id)
        summary = services.recorder.summary(first.match_id)
        assert (summary.status, summary.message) == ("stopped", "stopped by a player who left")
        with pytest.raises(CommandError, match="has ended"):
            await services.take(match=first.match_id, seat="FRANCE", seat_token=first.seat_token)

    run(scene)


def test_who_has_no_token_of_the_seat_is_not_told_whether_the_match_goes_on() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, first = await services.begin(seat="FRANCE", opponents="hold")
        reports = []
        for ended in (False, True):
            if ended:
                seat.leave(0)
                await services.ended(first.match_id)
            for match in (first.match_id, "none"):
                with pytest.raises(Unauthorized) as caught:
                    await services.take(match=match, seat="FRANCE", seat_token="junk")
                reports.append(str(caught.value))
        assert len(set(reports)) == 1

    run(scene)


def test_who_leaves_others_is_stood_in_for_until_he_is_back() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        france, first = await services.begin(options={"press": "none"}, **TWO)
        germany = await services.take(
            match=first.match_id, seat="GERMANY", seat_token=first.open_seats["GERMANY"], wait=5
        )
        await germany.first()
        france.leave(0.01)
        assert (await germany.step(MatchAction(action={"orders": []}, wait=5))).index == 1
        sources = {
            event.data["source"]
            for event in flat(services.history.events(first.match_id))
            if event.type == "ActionChosen" and event.data["seat"] == "FRANCE"
        }
        assert sources == {"fallback"}
        back = await services.take(match=first.match_id, seat="FRANCE", seat_token=first.seat_token, wait=5)
        assert (await germany.step(MatchAction(action={"orders": []}, wait=0))).status == "waiting"
        assert (await back.step(MatchAction())).status == "choose"

    run(scene)


def test_room_is_bounded_and_those_who_left_make_room() -> None:
    async def scene() -> None:
        services = EnvironmentServices(matches=2)
        seat, first = await services.begin(opponents="hold")
        await services.begin(opponents="hold")
        with pytest.raises(Full, match="all 2 matches of OpenEnv sessions"):
            await services.take(opponents="hold")
        seat.leave(60)
        _, third = await services.begin(opponents="hold")
        await services.ended(first.match_id)
        assert services.recorder.summary(third.match_id).status == "live"
        with pytest.raises(Full):
            await services.take(opponents="hold")

    run(scene)


def test_matches_of_sessions_take_no_slot_of_others() -> None:
    async def scene() -> None:
        services = EnvironmentServices(matches=4)
        for _ in range(4):
            await services.begin(opponents="hold")
        assert not services.driver.queued
        ordinary = (await services.driver.start(StartEpisode(game="diplomacy", options={"last_year": 1901}))).episode_id
        await services.ended(ordinary)

    run(scene)


def test_a_visitor_plays_free_players_at_a_bounded_pace_and_rate() -> None:
    async def scene() -> None:
        services = EnvironmentServices(host="0.0.0.0", token="sesame", credits=2 * RESET)
        visitor = Connection(visitor="192.0.2.1")
        with pytest.raises(PermissionError, match="built-in players only, not person"):
            await services.take(visitor, opponents={"ITALY": "person"})
        seat, first = await services.begin(visitor, opponents="hold", seat="FRANCE")
        assert (await seat.step(orders())).index == 1
        commands = {
            event.data["command"]: event.data["value"]
            for event in services.history.events(first.match_id)
            if event.type == "ControlChanged"
        }
        assert commands == {"pace": 0.5, "turns": 400}
        await services.take(visitor, opponents="hold")
        with pytest.raises(CannotAfford, match=r"a match: it takes 0\.25"):
            await services.take(visitor, opponents="hold")
        with pytest.raises(Unauthorized):
            await services.take(visitor, opponents="hold", token="guess")
        operator = await services.take(visitor, opponents={"ITALY": "person"}, token="sesame")
        assert operator.status != "over"

    run(scene)


def test_a_roster_without_remote_players_is_named() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        services.seats._roster._entries.clear()
        with pytest.raises(OptionError, match="no available player of kind `remote`"):
            await services.take()

    run(scene)


def test_after_a_restart_a_seat_is_taken_up_again(tmp_path: Path) -> None:
    async def before() -> str:
        services = EnvironmentServices(tmp_path / "log.db")
        seat, first = await services.begin(seat="FRANCE", opponents="hold")
        await seat.step(orders("A PAR - PIC"))
        await services.driver.close()
        services.recorder.close()
        return f"{first.match_id} {first.seat_token}"

    async def after() -> None:
        services = EnvironmentServices(tmp_path / "log.db")
        resumed = services.driver.resume_all()
        await services.driver.resumed()
        services.seats.resumed(resumed)
        seat = await services.take(match=match_id, seat="FRANCE", seat_token=token)
        observation = await seat.first()
        assert (observation.status, observation.index) == ("choose", 1)
        seat.leave(0.01)
        await services.ended(match_id)

    match_id, token = asyncio.run(before()).split()
    asyncio.run(after())


def test_every_end_of_the_wire_of_every_game_fits_a_frame() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        for game in QUICK:
            for name in game_spec(game).seats()[:2]:
                _, first = await services.begin(game=game, seat=name, opponents="random", options=QUICK[game])
                assert len(dumped(first)) < 200_000

    run(scene)


def test_a_seat_is_not_told_what_cannot_be_recorded() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, first = await services.begin(seat="FRANCE", opponents="hold", game="diplomacy", wait=1)
        (pages,) = services.recorder._db.execute("PRAGMA page_count").fetchone()
        services.recorder._db.execute(f"PRAGMA max_page_count={pages}")

        async def play_on() -> None:
            while True:
                await seat.step(orders())

        with pytest.raises(CommandError, match="waits until the record can be written"):
            await play_on()
        services.recorder._db.execute("PRAGMA max_page_count=1000000")
        await until(lambda: not services.driver.storage_faults)
        later = await seat.step(WAIT_NOT)
        assert later.index > first.index

    run(scene)


def test_the_match_of_a_visitor_whose_program_is_gone_makes_room_for_its_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        services = EnvironmentServices(each=1)
        visitor, other = Connection(visitor="192.0.2.1"), Connection(visitor="192.0.2.2")
        words = {"seat": "FRANCE", "opponents": "hold", "wait": 0}
        first, _ = await services.begin(visitor, **words)
        first.leave(600)
        with pytest.raises(Full, match="this address has 1 sessions and matches already"):
            await services.take(visitor, **words)
        theirs, _ = await services.begin(other, **words)
        monkeypatch.setattr(seats, "GRACE", 0.0)
        await services.take(visitor, **words)
        await until(lambda: services.recorder.summary(first.match_id).status == "stopped")
        summary = services.recorder.summary(first.match_id)
        assert summary.ended_at is not None
        assert services.recorder.summary(theirs.match_id).ended_at is None

    run(scene)


def test_a_session_that_missed_two_turns_takes_its_seat_back_with_its_next_step() -> None:
    async def scene() -> None:
        services = EnvironmentServices()
        seat, _ = await services.begin(**{**TWO, "clock": 1, "max_turns": 400, "options": {"press": "none"}})
        live = seat.match.live
        await until(lambda: live.steering.left == {"FRANCE", "GERMANY"})
        observation = await seat.step(orders("A PAR - PIC"))
        assert observation.error.startswith("your turns were missed")
        assert live.steering.left == {"GERMANY"}
        observation = await seat.step(MatchAction(action={"orders": []}, number=observation.number, wait=20))
        assert observation.error == ""

    run(scene)

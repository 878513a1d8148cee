"""The table: rounds of press, faults and fallbacks, reports, and seats that change hands in the middle of a turn."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from grandstand.events import Attempt, PlayerReport, Usage
from grandstand.games.base import Action
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import Event, flat, flat_drafts
from grandstand.play.runner import MatchRunner, rounds_held
from grandstand.players.base import AnswerProgress, Choice, Player
from grandstand.players.bot import BotPlayer
from grandstand.players.errors import PlayerError
from tests.support.games import ring
from tests.support.players.press_player import PressPlayer, message, of_kind, play_to_end
from tests.support.waiting import PATIENCE

SEATS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def runner(players: dict[str, Player], **options: Any) -> MatchRunner:
    """A match of one year; seats that are not named hold."""
    match = Match(game_spec("diplomacy"), {"last_year": 1901, **options}, 1)
    return MatchRunner(match, {seat: players.get(seat) or BotPlayer(match.spec, "hold") for seat in SEATS})


def test_what_is_said_in_a_round_is_delivered_after_it_and_only_to_those_it_is_for() -> None:
    talkers = {seat: PressPlayer() for seat in SEATS}
    asyncio.run(play_to_end(runner(dict(talkers), negotiation_rounds=2), turns=1))
    france = talkers["FRANCE"].received
    assert [(turn, round) for turn, round, _ in france] == [("S1901M", 1), ("S1901M", 2)]
    assert france[0][2] == []  # though AUSTRIA and ENGLAND, in order before it, had spoken
    public = [f"{seat} to all in S1901M/1" for seat in SEATS]
    own = ["ENGLAND to FRANCE in S1901M/1", "FRANCE to GERMANY in S1901M/1"]
    assert sorted(france[1][2]) == sorted([*public, *own])


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_the_match_says_how_many_rounds_are_held(rounds: int) -> None:
    drafts = asyncio.run(play_to_end(runner({seat: PressPlayer() for seat in SEATS[:2]}, negotiation_rounds=rounds)))
    held = [(draft.data["index"], draft.data["round"]) for draft in of_kind(drafts, "NegotiationHeld")]
    assert held == [(turn, round) for turn in (0, 1) for round in range(1, rounds + 1)]
    assert len(of_kind(drafts, "MessageSent")) == 2 * 2 * 2 * rounds


def test_private_messages_are_for_their_seats_and_public_ones_for_all() -> None:
    drafts = asyncio.run(
        play_to_end(runner({seat: PressPlayer() for seat in SEATS[:2]}, negotiation_rounds=1), turns=1)
    )
    audiences = [draft.audience for draft in of_kind(drafts, "MessageSent")]
    assert audiences == [["AUSTRIA", "ENGLAND"], ["ENGLAND", "FRANCE"], "public", "public"]
    assert {
        tuple(draft.audience) for draft in of_kind(drafts, "ActionChosen") if "message" in draft.data["action"]
    } == {
        ("AUSTRIA",),
        ("ENGLAND",),
    }


@pytest.mark.parametrize("press", ["none", "public"])
def test_press_that_the_match_does_not_have_is_not_held(press: str) -> None:
    drafts = asyncio.run(play_to_end(runner({seat: PressPlayer() for seat in SEATS}, press=press), turns=1))
    sent = of_kind(drafts, "MessageSent")
    if press == "none":
        assert not sent
        assert not of_kind(drafts, "NegotiationHeld")
    else:
        assert sent
        assert all(draft.audience == "public" for draft in sent)
        assert len(of_kind(drafts, "ActionRejected")) == len(sent)  # the private half of what they wanted to say


def test_nobody_negotiates_alone() -> None:
    alone = PressPlayer()
    drafts = asyncio.run(play_to_end(runner({"FRANCE": alone})))
    assert alone.received == []
    assert not of_kind(drafts, "NegotiationHeld")


def test_a_seat_whose_player_fails_in_press_is_silent_and_still_plays() -> None:
    players: dict[str, Player] = {"FRANCE": PressPlayer(broken=True), "ITALY": PressPlayer()}
    drafts = asyncio.run(play_to_end(runner(players, negotiation_rounds=1), turns=1))
    (fault,) = of_kind(drafts, "PlayerFault")
    assert fault.data == {"seat": "FRANCE", "boundary": "player", "message": "it cannot write"}
    orders = {draft.data["seat"]: draft.data["source"] for draft in of_kind(drafts, "ActionChosen")}
    assert orders["FRANCE"] == "heuristic"


def test_broken_promises_are_told_to_those_who_had_the_word() -> None:
    players: dict[str, Player] = {"ITALY": PressPlayer(["A VEN - TRI"]), "AUSTRIA": PressPlayer(silent=True)}
    drafts = asyncio.run(play_to_end(runner(players, negotiation_rounds=1), turns=1))
    (broken,) = of_kind(drafts, "PromiseBroken")
    assert (broken.data["power"], broken.data["promise"], broken.data["order"]) == ("ITALY", "A VEN H", "A VEN - TRI")
    assert broken.audience == ["ITALY", "RUSSIA"]


def test_a_match_that_goes_on_knows_which_rounds_were_held() -> None:
    async def first() -> list[Any]:
        begun = runner({seat: PressPlayer() for seat in SEATS[:2]}, negotiation_rounds=2)
        drafts = [*begun.started()]
        async for piece in begun.play_round():
            drafts += piece
        return drafts

    drafts = asyncio.run(first())
    events = [
        Event(episode_id="e", epoch=0, seq=seq, at=0, type=draft.type, audience=draft.audience, data=draft.data)
        for seq, draft in enumerate(drafts)
    ]
    assert rounds_held(events) == (0, 1)
    match = Match(game_spec("diplomacy"), {"last_year": 1901, "negotiation_rounds": 2}, 1)
    for event in flat(events):
        if event.type == "ActionChosen":
            match.apply(event.data["seat"], event.data["action"])
    again = PressPlayer()
    players = {
        seat: again if seat == "ENGLAND" else PressPlayer() if seat == "AUSTRIA" else BotPlayer(match.spec, "hold")
        for seat in SEATS
    }
    asyncio.run(play_to_end(MatchRunner(match, players, rounds_held(events)), turns=1))
    assert [(turn, round) for turn, round, _ in again.received] == [("S1901M", 2)]
    assert rounds_held([]) == (0, 0)


class Scripted(Player):
    """Answers with what it is given; waits where that is None."""

    name = "scripted"
    kind = "test"
    resumable = True

    def __init__(self, answer: Choice | PlayerError | None, fallback: Any = None) -> None:
        self.answer = answer
        self.fallback = fallback
        self.asked = asyncio.Event()
        self.cancelled = False

    async def choose(self, match: Match, seat: str) -> Choice:
        self.asked.set()
        if self.answer is None:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                self.cancelled = True
                raise
        if isinstance(self.answer, PlayerError):
            raise self.answer
        assert self.answer is not None
        return self.answer


REPORT = PlayerReport(usage=Usage(seconds=1.0, calls=2, tokens_in=10, tokens_out=5), attempts=[Attempt(reply="hm")])


def test_a_fault_is_recorded_and_the_named_fallback_acts() -> None:
    def stand_in(game: Any, seat: str, random: Random) -> Action:
        return {"orders": ["A PAR - BUR"]}

    player = Scripted(PlayerError("provider", "the model's endpoint failed", REPORT), stand_in)
    drafts = asyncio.run(play_to_end(runner({"FRANCE": player}), turns=1))
    assert of_kind(drafts, "PlayerFault")[0].data["boundary"] == "provider"
    chosen = {draft.data["seat"]: draft.data for draft in of_kind(drafts, "ActionChosen")}["FRANCE"]
    assert (chosen["source"], chosen["action"]) == ("fallback", {"orders": ["A PAR - BUR"]})
    (report,) = of_kind(drafts, "PlayerReported")
    assert report.audience == "analyst"
    assert report.data["source"] == "fallback"
    assert report.data["report"]["usage"]["tokens_in"] == 10


def test_an_illegal_action_falls_back_too() -> None:
    player = Scripted(Choice({"orders": ["A LON - MOS"]}, "remote", REPORT))
    drafts = asyncio.run(play_to_end(runner({"FRANCE": player}), turns=1))
    assert of_kind(drafts, "ActionRejected")[0].audience == ["FRANCE"]
    assert of_kind(drafts, "PlayerFault")[0].data["boundary"] == "rules"
    assert of_kind(drafts, "PlayerReported")[0].data["source"] == "remote"
    chosen = {draft.data["seat"]: draft.data for draft in of_kind(drafts, "ActionChosen")}["FRANCE"]
    assert (chosen["source"], chosen["action"]) == ("fallback", {"orders": []})


def test_progress_is_published_while_the_others_think() -> None:
    async def scene() -> None:
        players: dict[str, Player] = {"FRANCE": Scripted(None), "ITALY": Scripted(None)}
        playing = runner(players)
        published: list[Any] = []
        playing.publish = published.extend
        round = asyncio.ensure_future(anext(_after_bots(playing)))
        await asyncio.sleep(0.01)
        players["FRANCE"].watch(AnswerProgress("choosing", 1.5, 40, 1))
        (thinking,) = published
        assert thinking.type == "PlayerThinking"
        assert thinking.data == {
            "seat": "FRANCE",
            "index": 0,
            "stage": "choosing",
            "seconds": 1.5,
            "tokens": 40,
            "retries": 1,
        }
        round.cancel()
        await asyncio.gather(round, return_exceptions=True)

    asyncio.run(scene())


async def _after_bots(playing: MatchRunner) -> Any:
    """The log's pieces after those of the five seats that hold."""
    number = 0
    async for piece in playing.play_round():
        number += 1
        if number > 5:
            yield piece


def test_a_seat_that_changes_hands_is_asked_again_and_the_old_player_let_go() -> None:
    async def scene() -> None:
        old, new = Scripted(None), Scripted(Choice({"orders": ["A PAR - BUR"]}, "human"))
        playing = runner({"FRANCE": old})
        playing_on = asyncio.ensure_future(play_to_end(playing, turns=1))
        await old.asked.wait()
        playing.reseat("FRANCE", new)
        playing.reseat("FRANCE", new)
        drafts = await asyncio.wait_for(playing_on, PATIENCE)
        chosen = {draft.data["seat"]: draft.data for draft in of_kind(drafts, "ActionChosen")}["FRANCE"]
        assert (chosen["source"], chosen["action"]) == ("human", {"orders": ["A PAR - BUR"]})
        assert old.cancelled

    asyncio.run(scene())


def test_stopping_the_match_lets_every_player_go() -> None:
    async def scene() -> None:
        players = {seat: Scripted(None) for seat in SEATS}
        playing_on = asyncio.ensure_future(play_to_end(runner(dict(players))))
        await asyncio.gather(*(player.asked.wait() for player in players.values()))
        playing_on.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing_on
        await asyncio.sleep(0)
        assert all(player.cancelled for player in players.values())

    asyncio.run(scene())


def test_a_player_that_breaks_takes_nobody_along() -> None:
    class Broken(Scripted):
        async def choose(self, match: Match, seat: str) -> Choice:
            await asyncio.sleep(0)
            raise ZeroDivisionError("our bug")

    async def scene() -> None:
        waiting = Scripted(None)
        with pytest.raises(ZeroDivisionError):
            await play_to_end(runner({"FRANCE": Broken(None), "ITALY": waiting}))
        await asyncio.sleep(0)
        assert waiting.cancelled

    asyncio.run(scene())


def test_messages_can_be_sent_outside_the_rounds() -> None:
    playing = runner({})
    drafts = playing.play("FRANCE", Choice(message(["ITALY"], "Psst"), "human"))
    assert [draft.type for draft in drafts] == ["PrivateBatch"]
    assert [draft.type for draft in flat_drafts(drafts)] == ["ActionChosen", "MessageSent"]


def test_what_a_seat_sees_follows_the_picture_that_it_is_over() -> None:
    spec: GameSpec[Any] = ring.GAME
    table = MatchRunner(Match(spec, {}, 1), {seat: BotPlayer(spec, "random") for seat in spec.seats()})
    assert [draft.type for draft in table.started()] == ["EpisodeStarted", "PictureShown", "TurnStarted"]
    drafts = table.play("north", Choice({"number": 7}, "human"))
    assert [[part.type for part in flat_drafts([draft])] for draft in drafts] == [
        ["ActionChosen", "NumberWritten"],
        ["PictureShown"],
        ["PictureSeen"],
        ["TurnStarted"],
    ]
    assert [draft.type for draft in drafts].count("PrivateBatch") == 2
    last = table.play("east", Choice({"number": 3}, "human"))
    assert [draft.type for draft in last].count("PrivateBatch") == 2, "an empty one is there as well"

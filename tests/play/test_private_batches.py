"""Private content of a round of press or a decision takes one event number, whatever was written and to whom."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.events import PlayerReport
from grandstand.games.base import Action, SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event, flat
from grandstand.play.runner import MatchRunner
from grandstand.play.verification import verify
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.bot import BotPlayer
from grandstand.players.recorded import RecordedPlayer
from grandstand.server.bodies.matches import Command
from grandstand.server.matches.forking import replayed_drafts
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.steering import Steering
from grandstand.spectator.frames import EventFrame
from grandstand.spectator.viewpoint import OPERATOR, Viewpoint, redact
from tests.support.players.press_player import message, play_to_end
from tests.support.server.match_services import MatchServices, until

SEATS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
OUTSIDERS = (*map(Viewpoint.parse, ("spectator", "seat:TURKEY")),)
WRITERS = SEATS[:5]

notes = st.tuples(
    st.sampled_from(WRITERS),
    st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=40),
    st.booleans(),
)
written = st.dictionaries(st.sampled_from(WRITERS), st.lists(notes, max_size=4), max_size=5)
"""Messages of each round by sender and recipients, and whether each makes a promise that will be broken."""


class Writer(Player):
    """Says one thing to all, and some things to some; thinks aloud to analysts about as much as it writes."""

    name, kind, resumable, talks = "writer", "test", True, True

    def __init__(self, private: Sequence[tuple[SeatId, str, bool]]) -> None:
        self.private = private

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        return Choice({"orders": []}, "policy", PlayerReport(thought="about " * len(self.private)))

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        unit = match.game.choices(seat, {})[0].name
        promises = [f"{unit} - {'BOH' if unit == 'A VIE' else 'NTH'}"]
        words_sent: list[Action] = [
            message([to], text, promises if breaks else []) for to, text, breaks in self.private if to != seat
        ]
        words_sent.append(message([seat], "to myself, which the rules refuse")) if self.private else None
        return PressReply(
            [*words_sent, message("all", "peace")], "policy", PlayerReport(thought="x" * len(self.private))
        )


def runner(private: Mapping[SeatId, Sequence[tuple[SeatId, str, bool]]]) -> MatchRunner:
    match = Match(game_spec("diplomacy"), {"last_year": 1901, "negotiation_rounds": 2}, 1)
    players: dict[SeatId, Player] = {seat: Writer(private.get(seat, ())) for seat in WRITERS}
    return MatchRunner(match, players | {seat: BotPlayer(match.spec, "hold") for seat in SEATS[5:]})


def log(drafts: Sequence[Draft]) -> list[Event]:
    return [
        Event(episode_id="e", epoch=1, seq=seq, at=0, type=item.type, audience=item.audience, data=item.data)
        for seq, item in enumerate(drafts)
    ]


def frames(events: Sequence[Event], viewpoint: Viewpoint) -> list[str]:
    return [redact(event, viewpoint).model_dump_json() for event in events]


@settings(max_examples=25, deadline=None)
@given(written, written)
def test_outsiders_cannot_tell_who_wrote_to_whom_nor_how_much(
    some: dict[SeatId, list[Any]], other: dict[SeatId, list[Any]]
) -> None:
    first, second = (log(asyncio.run(play_to_end(runner(private)))) for private in (some, other))
    for viewpoint in OUTSIDERS:
        assert frames(first, viewpoint) == frames(second, viewpoint)


def test_a_reader_receives_what_is_for_it_and_cannot_count_the_rest() -> None:
    to_france = ("FRANCE", "only you", False)
    quiet = log(asyncio.run(play_to_end(runner({"ITALY": [to_france]}))))
    loud = log(asyncio.run(play_to_end(runner({"ITALY": [to_france], "ENGLAND": [("GERMANY", "psst", True)] * 3}))))
    france = Viewpoint("seat", "FRANCE")
    assert frames(quiet, france) == frames(loud, france)
    texts = [e.data["text"] for e in flat(_known(loud, france)) if e.type == "MessageSent" and not e.data["public"]]
    assert texts == ["only you"] * 4
    assert all("psst" not in frame for frame in frames(loud, france))
    assert any("psst" in frame for frame in frames(loud, OPERATOR))


def _known(events: Sequence[Event], viewpoint: Viewpoint) -> list[Event]:
    frames = [redact(event, viewpoint) for event in events]
    return [frame.event for frame in frames if isinstance(frame, EventFrame)]


def test_a_decision_has_one_private_number_and_the_end_of_a_turn_another() -> None:
    drafts = asyncio.run(play_to_end(runner({}), turns=1))
    after = [draft.type for draft in drafts][-18:]
    assert after == [
        *["PrivateBatch", "OrdersSubmitted"] * 7,
        "OrdersResolved",
        "PhaseAdvanced",
        "PrivateBatch",
        "TurnStarted",
    ]


def test_a_record_with_batches_and_one_without_say_the_same() -> None:
    events = log(asyncio.run(play_to_end(runner({"ITALY": [("FRANCE", "peace?", True)]}))))
    opened = [
        *log([*runner({}).created({"last_year": 1901, "negotiation_rounds": 2}, title="", origin="cli")]),
        *events,
    ]
    whole = [event.model_copy(update={"seq": seq}) for seq, event in enumerate(opened)]
    older = [event.model_copy(update={"seq": seq}) for seq, event in enumerate(flat(whole))]
    assert "PrivateBatch" not in {event.type for event in older}
    assert verify(whole).game.digest() == verify(older).game.digest()
    for record in (whole, older):
        again = RecordedPlayer("then", record, "ITALY", None)
        assert [len(messages) for messages in again._messages.values()] == [2, 2, 2, 2]


def test_held_messages_and_what_became_of_them_do_not_show_in_the_numbering() -> None:
    async def play(private: dict[SeatId, list[Any]]) -> list[Event]:
        services = MatchServices()
        playing = runner(private)
        services.bus.open("held", 1)
        options = {"last_year": 1901, "negotiation_rounds": 2}
        services.bus.publish("held", playing.created(options, title="held", origin="api", approve=True))
        live = LiveMatch("held", playing, services.bus, Steering(0, turns=1), clock=None, approve=True)
        running = asyncio.create_task(live.play())
        for number in (1, 2):
            await until(partial(_came, _rounds, services, number))
            for id, action in live.approvals.waiting.items():
                private_one = action["message"]["to"] != "all"
                text = "edited" if private_one else None
                await live.command(Command(command="approve", message=id, text=text), "operator")
            await until(partial(_came, _held, services, number))
        await running
        return [event.model_copy(update={"at": 0.0}) for event in services.history.events("held")]

    def _came(count: Callable[[MatchServices], int], services: MatchServices, number: int) -> bool:
        return count(services) >= number

    def _rounds(services: MatchServices) -> int:
        return sum(
            event.type == "PrivateBatch" and all(p["type"] == "MessageHeld" for p in event.data["events"])
            for event in services.history.events("held")
        )

    def _held(services: MatchServices) -> int:
        return sum(event.type == "NegotiationHeld" for event in services.history.events("held"))

    silent = asyncio.run(play({}))
    busy = asyncio.run(play({"ITALY": [("FRANCE", "peace?", False)] * 3}))
    for viewpoint in OUTSIDERS:
        assert frames(silent, viewpoint) == frames(busy, viewpoint)
    decided = [event for event in flat(busy) if event.type == "ControlChanged"]
    assert decided
    assert {event.audience for event in decided} == {"operator"}


def test_a_fork_tells_no_more_of_the_press_before_it_than_its_parent() -> None:
    """The choices of the parent are played again one by one, and their batches are merged."""

    def forked(private: dict[SeatId, list[Any]]) -> list[str]:
        events = log([*runner(private).created({}, title="", origin="cli"), *asyncio.run(play_to_end(runner(private)))])
        again = replayed_drafts(runner({}), events)
        return [frame for viewpoint in OUTSIDERS for frame in frames(log(again), viewpoint)]

    busy = {"ITALY": [("FRANCE", "peace?", True)] * 3, "ENGLAND": [("ITALY", "psst", False)]}
    assert forked({}) == forked(busy)

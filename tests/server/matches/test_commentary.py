"""Matches whose commentary a model of the roster words: they end whatever it does, and the record names the faults."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from grandstand.events import CommentatorReported
from grandstand.games.base import OptionError
from grandstand.models import Event
from grandstand.play.verification import verify
from grandstand.players.roster import Roster
from grandstand.server.bodies.matches import Command, ForkEpisode, StartEpisode
from tests.support.players.chat_server import FAULTS, Answer, ChatServer, Request, delta, hangs, resets, says, streams
from tests.support.server.match_services import MatchServices, until

ENTRIES = """
[[player]]
name = "poet"
kind = "llm"
[player.options]
base_url = "{url}"
model = "poet"
retries = 0
stall_seconds = 0.3
price_in = 1.0
price_out = 2.0

[[player]]
name = "dead"
kind = "llm"
[player.options]
base_url = "http://127.0.0.1:9/v1"
model = "dead"
retries = 0

[[player]]
name = "keyless"
kind = "llm"
key_env = "NO_SUCH_KEY"
[player.options]
base_url = "{url}"
model = "poet"
"""


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with ChatServer(says("{}")) as running:
        yield running


async def retells(request: Request) -> None:
    """Word each line in a true way."""
    await _answer(request, "And so it is: ")


async def lies(request: Request) -> None:
    """Add a place, a name and a number that no line has."""
    await _answer(request, "In Atlantis, Napoleon saw 99 of them. ")


async def _answer(request: Request, prefix: str) -> None:
    lines = json.loads(request.body["messages"][1]["content"])["lines"]
    texts = [{"line": line["line"], "text": prefix + line["text"]} for line in lines]
    await says(json.dumps({"lines": texts}))(request)


def services(server: ChatServer, answer: Answer, tmp_path: Path) -> MatchServices:
    server.answer = answer
    server.requests.clear()
    file = tmp_path / "players.toml"
    file.write_text(ENTRIES.format(url=server.url))
    return MatchServices(roster=Roster.load(file, {}))


def request(commentator: str = "poet", **more: object) -> StartEpisode:
    fields: dict[str, object] = {"seed": 3, "pace": 0, "options": {"last_year": 1901, "press": "none"}, **more}
    return StartEpisode.model_validate({"commentator": commentator, **fields})


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scene())  # type: ignore[arg-type]


def of_type(events: list[Event], *types: str) -> list[Event]:
    return [event for event in events if event.type in types]


def commented(events: list[Event]) -> list[Event]:
    """Return the lines of the commentator; the analyst's are not worded by a model."""
    return [event for event in of_type(events, "CommentAdded") if not event.data["speaker"]]


async def stepped(own: MatchServices, start: StartEpisode) -> list[Event]:
    """Play a match turn by turn: each begins when the lines of the last one are out. Return its events."""
    episode = (await own.driver.start(start.model_copy(update={"paused": True}))).episode_id
    await own.begun(episode)

    def idle() -> bool:
        match = own.driver.match(episode)
        return match.commentary is not None and not match.commentary.waits

    while not own.recorder.summary(episode).ended_at:
        turns = len(of_type(list(own.recorder.events(episode)), "TurnStarted"))
        await own.driver.command(episode, Command(command="step", value=1), key=None, by="operator")

        def played(turns: int = turns) -> bool:
            if own.recorder.summary(episode).ended_at:
                return True
            return len(of_type(list(own.recorder.events(episode)), "TurnStarted")) > turns and idle()

        await until(played)
    return list(own.recorder.events(episode))


def test_true_lines_of_a_whole_match_are_the_models(server: ChatServer, tmp_path: Path) -> None:
    async def scene() -> None:
        own = services(server, retells, tmp_path)
        events = await stepped(own, request())
        lines = commented(events)
        closing = [event for event in lines if event.data["by"] == ""]
        assert [event.data["text"] for event in lines if event not in closing]
        assert all(event.data["text"].startswith("And so it is: ") for event in lines if event not in closing)
        assert all(event.seq > lines[-len(closing) - 1].seq for event in closing)  # those that end the match
        assert of_type(events, "CommentatorFault") == []
        reports = [CommentatorReported.model_validate(e.data) for e in of_type(events, "CommentatorReported")]
        assert sum(report.used for report in reports) == len(lines) - len(closing)
        assert sum(report.report.usage.dollars or 0 for report in reports) > 0
        verify(events)

    run(scene)


WAYS: dict[str, tuple[str, Answer]] = {
    "lies": ("poet", lies),
    "slow": ("poet", hangs),
    "cut": ("poet", streams(delta('{"lines": [{"line": 1'), end=False)),
    "reset": ("poet", resets),
    "refusal": ("poet", FAULTS["refusal"]),
    "rate limit": ("poet", FAULTS["rate limit for an hour"]),
    "dead": ("dead", hangs),
    "keyless": ("keyless", hangs),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("way", WAYS)
def test_a_match_ends_with_all_its_lines_and_names_the_fault(server: ChatServer, tmp_path: Path, way: str) -> None:
    name, answer = WAYS[way]

    async def scene() -> None:
        own = services(server, answer, tmp_path)
        plain = (await own.driver.start(request(commentator=""))).episode_id
        events = await stepped(own, request(name))
        await own.ended(plain)
        lines = commented(events)
        assert {event.data["by"] for event in lines} == {""}
        assert own.recorder.summary(plain).commentator == ""
        plain_lines = commented(list(own.recorder.events(plain)))
        assert [event.data["beat"] for event in lines] == [event.data["beat"] for event in plain_lines]
        faults = of_type(events, "CommentatorFault")
        expected = {"lies": "facts", "slow": "timeout", "refusal": "reply"}.get(way, "provider")
        assert faults
        assert {(event.data["commentator"], event.data["boundary"]) for event in faults} == {(name, expected)}
        assert of_type(events, "PlayerFault") == []
        assert events[-1].type == "EpisodeEnded"
        assert events[-1].data["status"] == "finished"

    run(scene)


@pytest.mark.long
def test_at_full_speed_the_match_waits_for_nothing(server: ChatServer, tmp_path: Path) -> None:
    async def scene() -> None:
        own = services(server, hangs, tmp_path)
        episode = (await own.driver.start(request(options={"last_year": 1905, "press": "none"}))).episode_id
        await own.ended(episode)
        events = list(own.recorder.events(episode))
        assert len(server.requests) <= 6
        places = [max(event.data["rests_on"]) for event in commented(events)]
        assert places == sorted(places)
        assert {event.data["boundary"] for event in of_type(events, "CommentatorFault")} <= {"timeout"}

    run(scene)


def test_a_match_that_is_stopped_says_so_after_all_lines_that_wait(server: ChatServer, tmp_path: Path) -> None:
    async def scene() -> None:
        own = services(server, hangs, tmp_path)
        episode = (await own.driver.start(request(paused=True))).episode_id
        await own.begun(episode)
        await own.driver.command(episode, Command(command="step", value=1), key=None, by="operator")
        await until(lambda: of_type(list(own.recorder.events(episode)), "OrdersResolved"))
        await own.driver.command(episode, Command(command="stop"), key=None, by="operator")
        await own.ended(episode)
        lines = [event.data["text"] for event in commented(list(own.recorder.events(episode)))]
        assert len(lines) > 2
        assert "fall 1901" in lines[-1]
        assert list(own.recorder.events(episode))[-1].type == "EpisodeEnded"

    run(scene)


@pytest.mark.parametrize(
    ("name", "message"),
    [("nobody", "commentator: 'nobody' is no language model"), ("person", "there are poet, dead, keyless")],
)
def test_an_entry_that_is_no_language_model_is_refused(
    server: ChatServer, tmp_path: Path, name: str, message: str
) -> None:
    async def scene() -> None:
        with pytest.raises(OptionError, match=message):
            await services(server, hangs, tmp_path).driver.start(request(name))

    run(scene)


@pytest.mark.long
def test_a_fork_keeps_its_commentator_and_asks_it_about_the_new_turns_only(server: ChatServer, tmp_path: Path) -> None:
    async def scene() -> None:
        own = services(server, retells, tmp_path)
        parent = await stepped(own, request(options={"last_year": 1902, "press": "none"}))
        at = of_type(parent, "OrdersResolved")[1].seq
        server.requests.clear()
        child = await own.driver.fork(parent[0].episode_id, ForkEpisode(seq=at, pace=0), key=None, by="operator")
        await own.ended(child.episode_id)
        events = list(own.recorder.events(child.episode_id))
        fork = of_type(events, "EpisodeStarted")[-1].seq
        before = [event for event in commented(events) if event.seq < fork]
        assert before
        assert {event.data["by"] for event in before} == {""}
        prompts = [json.loads(each.body["messages"][1]["content"]) for each in server.requests]
        asked = {line["text"] for prompt in prompts for line in prompt["lines"]}
        assert asked
        assert not asked & {event.data["text"] for event in before}
        assert own.recorder.summary(child.episode_id).commentator == "poet"

    run(scene)


@pytest.mark.long
def test_a_match_goes_on_where_the_roster_has_its_commentator_no_longer(server: ChatServer, tmp_path: Path) -> None:
    async def scene() -> None:
        own = services(server, retells, tmp_path)
        parent = await stepped(own, request(options={"last_year": 1902, "press": "none"}))
        own.driver._roster = Roster.load()
        child = await own.driver.fork(
            parent[0].episode_id,
            ForkEpisode(seq=of_type(parent, "OrdersResolved")[0].seq, pace=0.02),
            key=None,
            by="operator",
        )
        await own.ended(child.episode_id)
        events = list(own.recorder.events(child.episode_id))
        assert {event.data["message"] for event in of_type(events, "CommentatorFault")} == {
            "the model is not available"
        }

    run(scene)

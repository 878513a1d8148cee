"""The commentator: a game's story among the events of the match, with what is secret kept secret."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from grandstand.events import EpisodeEnded, EpisodeStarted, TurnStarted
from grandstand.games.story import Comment, Fact, Names, Outlook, StoryEvent, Telling
from grandstand.models import Draft, Event, PrivateBatch, flat
from grandstand.play.commentator import Commentator
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import StorageError
from grandstand.spectator.recorder import Recorder

MATCH = "m"


class MoveStory:
    """A story that notes every move, and one that is secret for its seat alone."""

    def __init__(self) -> None:
        self.received: list[StoryEvent] = []

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        self.received += events
        telling: list[Telling] = []
        for event in events:
            if event.type == "Moved":
                text = f"{event.data['by']} moved."
                telling.append(Fact("move", text, 0.5, [event.seq], [event.data["by"]], audience=event.audience))
            if event.type == "EpisodeEnded":
                telling.append(Comment("It is over.", 1.0, [event.seq], "summary"))
        if telling:
            telling.append(Outlook({"A": 0.5}, 0.25, "Level."))
        return telling

    def names(self) -> Names:
        return Names({"A": (), "B": ()})


class FailingStory:
    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        raise RuntimeError("a fault of the story")

    def names(self) -> Names:
        return Names({})


class Episode:
    """A bus with one episode that is narrated."""

    def __init__(self, story: MoveStory | FailingStory, *, secrets: bool = True) -> None:
        self.recorder = Recorder(":memory:")
        self.bus = Bus(self.recorder)
        self.bus.open(MATCH, 1, narrator=Commentator(story, secrets=secrets))

    def publish(self, *drafts: Draft) -> Sequence[Event]:
        return self.bus.publish(MATCH, list(drafts))


def created() -> Draft:
    seats = [{"seat": "A", "player": "p", "kind": "bot"}]
    data = {"game": "chess", "title": "t", "options": {}, "seats": seats, "origin": "cli", "delay": 0.0}
    return Draft("EpisodeCreated", data)


def moved(by: str, audience: list[str] | None = None) -> Draft:
    return Draft("Moved", {"by": by}, audience or "public")


def turn(number: int) -> Draft:
    return Draft.of(TurnStarted(index=number, turn=str(number), to_act=["A"], scores={}))


def types(events: Sequence[Event]) -> list[str]:
    return [event.type for event in events]


def test_what_follows_from_a_turn_is_recorded_with_it() -> None:
    story = MoveStory()
    episode = Episode(story, secrets=False)
    episode.publish(created(), Draft.of(EpisodeStarted()), turn(0))
    events = episode.publish(moved("A"), turn(1))
    assert types(events) == ["Moved", "TurnStarted", "FactNoted", "OutlookUpdated"]
    assert [event.seq for event in events] == [3, 4, 5, 6]
    assert events[2].data["rests_on"] == [3]
    assert [event.seq for event in story.received] == [0, 1, 2, 3, 4]
    summary = episode.recorder.summary(MATCH)
    assert summary.outlook is not None
    assert summary.outlook.headline == "Level."


def test_the_end_of_the_episode_stays_its_last_event() -> None:
    episode = Episode(MoveStory(), secrets=False)
    episode.publish(created(), turn(0))
    events = episode.publish(moved("A"), Draft.of(EpisodeEnded(status="finished")))
    assert types(events)[-3:] == ["CommentAdded", "OutlookUpdated", "EpisodeEnded"]
    assert next(event for event in events if event.type == "CommentAdded").data["rests_on"] == [2]


def test_nobody_can_count_private_facts() -> None:
    """The log of a match with secret facts has the same public shape as that of one without."""
    shapes = []
    for secret in ([], [moved("A", ["A"])], [moved("A", ["A"]), moved("B", ["A", "B"])]):
        episode = Episode(MoveStory())
        episode.publish(created(), turn(0))
        batch = Draft.of(PrivateBatch.model_validate({"events": [draft._asdict() for draft in secret]}), "private")
        events = episode.publish(batch, moved("A"), turn(1))
        shapes.append([(event.seq, event.type, str(event.audience)) for event in events])
        facts = [event for event in flat(events) if event.type == "FactNoted" and event.audience != "public"]
        assert [event.audience for event in facts] == [draft.audience for draft in secret]
    assert shapes[0] == shapes[1] == shapes[2]


def test_every_turn_of_one_batch_is_followed_by_its_own_facts() -> None:
    episode = Episode(MoveStory(), secrets=False)
    events = episode.publish(created(), turn(0), moved("A"), turn(1), moved("B"), turn(2))
    assert types(events) == [
        *("EpisodeCreated", "TurnStarted"),
        *("Moved", "TurnStarted", "FactNoted", "OutlookUpdated"),
        *("Moved", "TurnStarted", "FactNoted", "OutlookUpdated"),
    ]
    assert [event.data["rests_on"] for event in events if event.type == "FactNoted"] == [[2], [6]]


def test_a_story_is_told_once_where_the_record_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    story = MoveStory()
    episode = Episode(story, secrets=False)
    episode.publish(created(), turn(0))
    drafts = [moved("A"), turn(1)]
    with monkeypatch.context() as patch:
        patch.setattr("grandstand.spectator.recorder.transaction", _full)
        with pytest.raises(StorageError):
            episode.publish(*drafts)
    events = episode.publish(*drafts)
    assert types(events) == ["Moved", "TurnStarted", "FactNoted", "OutlookUpdated"]
    assert [event.seq for event in story.received] == [0, 1, 2, 3]


def _full(_: object) -> None:
    raise StorageError("disk full")


def test_a_story_that_fails_does_not_end_the_match(caplog: pytest.LogCaptureFixture) -> None:
    episode = Episode(FailingStory(), secrets=False)
    assert types(episode.publish(created(), moved("A"), turn(0))) == ["EpisodeCreated", "Moved", "TurnStarted"]
    assert types(episode.publish(moved("B"), turn(1))) == ["Moved", "TurnStarted"]
    assert caplog.text.count("its story cannot be told") == 1


def test_a_match_that_is_taken_up_tells_nothing_twice() -> None:
    first = Episode(MoveStory())
    events = [*first.publish(created(), turn(0)), *first.publish(moved("A"), turn(1))]
    story = MoveStory()
    again = Commentator(story, secrets=True)
    asyncio.run(again.catch_up(events))
    assert [event.seq for event in story.received if event.type == "Moved"] == [3]
    assert {event.type for event in story.received} == {"EpisodeCreated", "TurnStarted", "Moved"}


def test_others_are_served_between_the_turns_of_a_story_that_is_taken_up() -> None:
    first = Episode(MoveStory())
    events = [*first.publish(created(), turn(0)), *first.publish(moved("A"), turn(1)), *first.publish(moved("B"))]
    story = MoveStory()
    received: list[int] = []

    async def scene() -> None:
        reading = asyncio.create_task(Commentator(story, secrets=True).catch_up(events))
        while not reading.done():
            received.append(len(story.received))
            await asyncio.sleep(0)

    asyncio.run(scene())
    assert received == [0, 2, 4, 5]

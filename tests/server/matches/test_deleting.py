"""Episodes that can be deleted, those that cannot, and the matches that are deleted with them."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Literal

import pytest

from grandstand.campaign_events import TOURNAMENT, PairingBegan
from grandstand.events import EpisodeCreated, EpisodeEnded, SeatInfo, TrainingMatch
from grandstand.models import Draft, Event
from grandstand.server.matches.deleting import Deletion
from grandstand.server.matches.steering import CommandError
from grandstand.server.reference.episodes import ReferencedRecorder, ReferenceEpisodes
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from tests.support.server.reference import reference_folder
from tests.support.spectator.logs import EPISODE, finished_log

Origin = Literal["api", "publisher", "tournament"]


class Kept:
    """A record of made-up episodes, and which of them were deleted."""

    def __init__(self) -> None:
        self.recorder = Recorder(":memory:")
        self.history = History(self.recorder)
        self.forgotten: list[str] = []
        self._deletion = Deletion(self.recorder, self.history, self.forgotten.append)

    def add(
        self,
        name: str,
        *played: str,
        game: str = "diplomacy",
        origin: Origin = "api",
        ended: bool = True,
        run: str = "",
        delay: float = 0.0,
    ) -> str:
        """Add an episode; a tournament names the matches that it has `played`."""
        created = EpisodeCreated(
            game=game,
            title=f"The {name}",
            options={},
            seats=[SeatInfo(seat="NORTH", player="bot", kind="bot")],
            origin=origin,
            delay=delay,
            training=TrainingMatch(run=run, stage="training", step=1) if run else None,
        )
        drafts = [Draft.of(created)]
        drafts += [Draft.of(PairingBegan(number=number, episode_id=match)) for number, match in enumerate(played)]
        if ended:
            drafts.append(Draft.of(EpisodeEnded(status="finished")))
        events = [
            Event(episode_id=name, epoch=1, seq=seq, at=time.time(), type=kind, audience=audience, data=data)
            for seq, (kind, data, audience) in enumerate(drafts)
        ]
        self.recorder.on_events(events)
        self.history.on_events(events)
        return name

    def delete(self, name: str) -> list[str]:
        """Delete an episode, and return what was deleted, in order."""
        asyncio.run(self._deletion.delete(name))
        return self.forgotten

    def refuses(self, name: str, reason: str) -> None:
        """Check that an episode is not deleted, and nothing else is either."""
        before = self.recorder.episode_ids()
        with pytest.raises(CommandError, match=reason):
            self.delete(name)
        assert (self.recorder.episode_ids(), self.forgotten) == (before, [])


@pytest.fixture
def kept() -> Kept:
    return Kept()


def test_an_ended_match_is_deleted_alone(kept: Kept) -> None:
    kept.add("other")
    assert kept.delete(kept.add("match")) == ["match"]
    assert kept.recorder.episode_ids() == ["other"]
    assert list(kept.recorder.events("match")) == []
    with pytest.raises(UnknownEpisode):
        kept.delete("match")


def test_a_match_that_is_played_is_not_deleted(kept: Kept) -> None:
    kept.refuses(kept.add("match", ended=False), "match has not ended; stop it")


def test_a_match_whose_end_spectators_have_not_seen_is_not_deleted(kept: Kept) -> None:
    kept.refuses(kept.add("match", delay=300.0), "match is shown 300 s late")


@pytest.mark.parametrize("origin", ["tournament", "publisher"])
def test_a_tournament_is_deleted_after_its_matches(kept: Kept, origin: Origin) -> None:
    matches = [kept.add(f"match{number}", origin=origin) for number in range(3)]
    parent: Origin = "publisher" if origin == "publisher" else "api"
    kept.add("cup", *matches, "a match that is gone", game=TOURNAMENT, origin=parent)
    assert kept.delete("cup") == [*matches, "cup"]


def test_a_match_that_a_tournament_still_needs_is_not_deleted(kept: Kept) -> None:
    kept.add("cup", kept.add("match", origin="tournament"), game=TOURNAMENT, ended=False)
    kept.refuses("match", "stop 'The cup' first")


def test_a_tournament_with_a_match_that_is_played_is_not_deleted(kept: Kept) -> None:
    matches = kept.add("first", origin="tournament"), kept.add("last", origin="tournament", ended=False)
    kept.refuses(kept.add("cup", *matches, game=TOURNAMENT), "last has not ended")


def test_a_published_tournament_takes_no_match_of_others_with_it(kept: Kept) -> None:
    kept.add("of a user")
    kept.add("of the server", origin="tournament")
    kept.add("false", "of a user", "of the server", game=TOURNAMENT, origin="publisher", ended=False)
    kept.add("false and over", "of a user", "of the server", game=TOURNAMENT, origin="publisher")
    assert kept.delete("false and over") == ["false and over"]
    assert kept.delete("of a user")[1:] == ["of a user"]


def test_a_training_run_is_deleted_after_its_matches_and_no_others(kept: Kept) -> None:
    kept.add("run", game="training", origin="publisher")
    kept.add("other run", game="training", origin="publisher")
    matches = {kept.add(f"match{number}", origin="publisher", run="run") for number in range(3)}
    kept.add("match of another", origin="publisher", run="other run")
    *deleted, last = kept.delete("run")
    assert (set(deleted), last) == (matches, "run")
    assert set(kept.recorder.episode_ids()) == {"other run", "match of another"}


def test_a_match_of_a_run_that_goes_on_can_be_deleted(kept: Kept) -> None:
    kept.add("run", game="training", origin="publisher", ended=False)
    assert kept.delete(kept.add("match", origin="publisher", run="run")) == ["match"]


def test_an_episode_that_cannot_be_read_is_deleted_too(kept: Kept) -> None:
    kept.add("damaged")
    kept.recorder._db.execute("UPDATE episodes SET summary='{}' WHERE episode_id='damaged'")
    with pytest.raises(RecordError):
        kept.recorder.summary("damaged")
    assert kept.delete("damaged") == ["damaged"]
    kept.add("damaged")
    assert kept.recorder.summary("damaged").title == "The damaged"


def test_what_came_with_the_installation_stays(tmp_path: Path) -> None:
    log = finished_log()
    reference = ReferenceEpisodes((log[0].data["game"],), reference_folder(tmp_path / "reference", [log]))
    recorder = ReferencedRecorder(":memory:", reference)
    deletion = Deletion(recorder, History(recorder), lambda _: None)
    with pytest.raises(CommandError, match="came with the installation"):
        asyncio.run(deletion.delete(EPISODE))
    assert recorder.summary(EPISODE).reference

"""What comes with the package is small, whole, told and replayed, and fills the leaderboards of a new installation."""

from __future__ import annotations

import asyncio
from collections import defaultdict

import pytest

from grandstand.campaign_events import CAMPAIGNS
from grandstand.events import CommentAdded
from grandstand.play.exchange.importing import is_imported_document, verify_import
from grandstand.play.ratings.leaderboard import league
from grandstand.play.verification import verify
from grandstand.server.reference.episodes import FOLDER, ReferenceEpisodes
from grandstand.server.reference.results import ReferenceResults
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.replay import complete
from grandstand.spectator.summary import summary_of

GAMES = ("diplomacy", "cricket", "werewolf")
LARGEST = 12 * 1024**2
EPISODES = ReferenceEpisodes(GAMES)
MATCHES = [summary for summary in EPISODES.summaries.values() if summary.game not in CAMPAIGNS]
KINDS: dict[str, list[EpisodeSummary]] = defaultdict(list)
for _summary in MATCHES:
    KINDS[_summary.episode_id.split("-")[1]].append(_summary)


def test_it_is_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.rglob("*") if file.is_file()) <= LARGEST


def test_there_are_whole_matches_of_every_kind_and_the_thirteen_experiments() -> None:
    assert len(MATCHES) >= 24
    assert {*KINDS} == {"diplomacy", "gunboat", "people", "cricket", "t20", "werewolf"}
    assert len(EPISODES.summaries) - len(MATCHES) == 13
    assert all(summary.reference for summary in EPISODES.summaries.values())
    files = {file.name.partition(".")[0] for file in (FOLDER / "episodes").iterdir()}
    assert files == {*EPISODES.summaries}


@pytest.mark.long
def test_every_episode_is_whole_and_its_summary_is_that_of_its_events() -> None:
    for episode_id, summary in EPISODES.summaries.items():
        events = complete(EPISODES.events(episode_id)).events
        assert summary_of(events).model_copy(update={"reference": True}) == summary


def replays(summary: EpisodeSummary) -> None:
    events = EPISODES.events(summary.episode_id)
    assert sum(event.type == CommentAdded.__name__ for event in events) >= 20, "it is told"
    if is_imported_document(events):
        assert summary.source, "its licence is named"
        verify_import(events)
    else:
        verify(events)


@pytest.mark.parametrize(
    "kind", [kind if kind == "werewolf" else pytest.param(kind, marks=pytest.mark.long) for kind in sorted(KINDS)]
)
def test_one_match_of_each_kind_is_told_and_replays(kind: str) -> None:
    replays(KINDS[kind][0])


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_match_is_told_and_replays(kind: str) -> None:
    for summary in KINDS[kind]:
        replays(summary)


@pytest.mark.long
def test_a_new_installation_has_a_full_leaderboard() -> None:
    matches = asyncio.run(ReferenceResults(GAMES).matches()).matches
    assert all(match.reference for match in matches)
    recorded = {match.episode_id for match in matches if match.recorded}
    assert recorded == {summary.episode_id for summary in MATCHES if summary.origin != "imported"}
    for game in GAMES:
        by_options = defaultdict(list)
        for match in matches:
            if match.match.options.game == game:
                by_options[match.match.options].append(match.match)
        most = max(by_options.values(), key=len)
        assert len(most) >= 200
        assert len(league(most).ratings) >= 5


def test_moments_lead_to_records_that_are_here() -> None:
    matches = asyncio.run(ReferenceResults(GAMES).matches()).matches
    moments = [moment for match in matches for moment in match.moments.values()]
    assert moments
    assert {moment.episode_id for moment in moments} <= {*EPISODES.summaries}
    assert all(moment.reference for moment in moments)


def test_the_characters_have_stabbed_each_other() -> None:
    matches = asyncio.run(ReferenceResults(("diplomacy",)).matches()).matches
    assert sum(deeds.times for match in matches for deeds in match.deeds) >= 20

"""The tournament's own episode: every event in order, nothing secret, and a summary for the lobby."""

from __future__ import annotations

import json

import numpy as np
import pytest

from grandstand.campaign_events import CAMPAIGN_EVENTS
from grandstand.campaigns.tournament.episode import TournamentEpisode, TournamentState, report
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.events import CORE_EVENTS
from grandstand.models import Draft, Event
from grandstand.spectator.replay import complete
from grandstand.spectator.summary import summary_of
from tests.support.campaigns.published import figure, last_report
from tests.support.play.leagues import plan, record, won_by

SEED = 73_146_559


def events_of(stopped: str = "", *, tournament: Tournament | None = None, **fields: object) -> list[Event]:
    tournament = tournament or Tournament(plan(seed=SEED, **fields))
    episode = TournamentEpisode(tournament, {"a": "llm"})
    random = np.random.default_rng(4)
    drafts: list[Draft] = episode.created(origin="cli", reveal="live")
    while pairings := tournament.draw():
        drafts += episode.drawn(pairings)
        for pairing in pairings:
            drafts += episode.began(pairing.number, f"match-{pairing.number}")
            results = won_by({"a": 9.0, "b": 0.0, "c": 0.0})(pairing, random)
            records = [record(seat, name, results[seat], faults=1) for seat, name in pairing.players.items()]
            tournament.add(pairing.number, f"match-{pairing.number}", "finished", "", records)
            drafts += episode.ended(pairing.number)
    drafts += episode.over(stopped)
    return [
        Event(episode_id="cup", epoch=0, seq=seq, at=1.0 + seq, type=item.type, audience=item.audience, data=item.data)
        for seq, item in enumerate(drafts)
    ]


def test_an_episode_from_its_creation_to_its_outcome() -> None:
    events = list(complete(events_of(matches=60)).events)
    for event in events:
        {**CORE_EVENTS, **CAMPAIGN_EVENTS}[event.type].model_validate(event.data)
        assert event.audience == "public"
    kinds = [event.type for event in events]
    assert kinds[:4] == ["EpisodeCreated", "EpisodeStarted", "PairingsDrawn", "ReportUpdated"]
    assert kinds[-2:] == ["ReportUpdated", "EpisodeEnded"]
    assert kinds.count("PairingBegan") == kinds.count("PairingPlayed") == 60
    assert kinds.count("TurnStarted") < 40
    first = next(event.data for event in events if event.type == "PairingPlayed")
    assert first["faults"] == {"home": 1, "away": 1}
    assert first["counted"] == ["home", "away"]
    summary = summary_of(events)
    assert (summary.game, summary.status, summary.turn) == ("tournament", "finished", "60 of 60")
    assert [(info.seat, info.kind) for info in summary.seats] == [("a", "llm"), ("b", "bot"), ("c", "bot")]
    assert summary.outcome is not None
    assert summary.outcome.winners == ["a"]
    assert summary.scores.keys() == {"a", "b", "c"}


def test_no_event_has_a_seed() -> None:
    text = "\n".join(event.model_dump_json() for event in events_of(matches=6))
    tournament = Tournament(plan(seed=SEED))
    seeds = {tournament.match_of(pairing).seed for pairing in tournament.draw()}
    for secret in (SEED, *seeds):
        assert str(secret) not in text


def test_a_stopped_tournament_has_no_outcome_and_says_why() -> None:
    end = events_of("the budget is spent", matches=6)[-1].data
    assert (end["status"], end["outcome"], end["message"]) == ("stopped", None, "the budget is spent")


def test_many_pairings_are_drawn_in_several_events() -> None:
    tournament = Tournament(plan(matches=600))
    drafts = TournamentEpisode(tournament).drawn(tournament.draw())
    drawn = [draft.data for draft in drafts if draft.type == "PairingsDrawn"]
    assert [len(data["pairings"]) for data in drawn] == [200, 200, 200]
    assert {data["planned"] for data in drawn} == {600}


def test_the_last_report_is_that_of_the_tournament() -> None:
    tournament = Tournament(plan(matches=60))
    events = events_of(matches=60, tournament=tournament)
    assert last_report(events) == report(tournament, TournamentState({}, ""))


def test_the_log_tells_each_match_and_marks_a_change_of_the_lead_and_a_failure() -> None:
    tournament = Tournament(plan(matches=6))
    episode = TournamentEpisode(tournament)
    drawn = tournament.draw()
    drafts = episode.drawn(drawn)
    for pairing, winner in zip(drawn, ("a", "c", ""), strict=False):
        drafts += episode.began(pairing.number, "")
        records = [record(seat, name, float(name == winner)) for seat, name in pairing.players.items()]
        status, message = ("finished", "") if winner else ("error", "it broke")
        tournament.add(pairing.number, "", status, message, records)  # type: ignore[arg-type]
        drafts += episode.ended(pairing.number)
    updates = [draft.data for draft in drafts if draft.type == "ReportUpdated"]
    assert [(data["text"], data["mark"]) for data in updates] == [
        ("6 matches drawn.", False),
        ("Match 1 began: a, b.", False),
        ("Match 1: a 1, b 0. a takes the lead.", False),
        ("Match 2 began: a, c.", False),
        ("Match 2: c 1, a 0. c takes the lead.", True),
        ("Match 3 began: b, a.", False),
        ("Match 3 failed: it broke.", True),
    ]


@pytest.mark.long
def test_a_report_of_a_change_has_its_rows_alone_and_all_together_grow_as_the_matches_do() -> None:
    sizes: dict[int, int] = {}
    for matches in (60, 240):
        data = [event.data for event in events_of(matches=matches) if event.type == "ReportUpdated"]
        began = [update for update in data if " began: " in update["text"]]
        assert all(
            len(part["rows"]) == 1 for update in began[1:] for part in update["rows"] if part["section"] == "matches"
        )
        assert all("matches" not in [part["id"] for part in update["report"]["sections"]] for update in began)
        sizes[matches] = sum(len(json.dumps(update)) for update in data)
    assert sizes[240] < 4.5 * sizes[60]


def test_it_continues_after_the_reports_that_were_published() -> None:
    tournament = Tournament(plan(matches=60))
    events = events_of(matches=60, tournament=tournament)
    reports = [event.data for event in events if event.type == "ReportUpdated"][:-1]
    later = TournamentEpisode(tournament)
    later.continue_after(reports, {}, 9, 57, 0.0)
    update, ended = later.over()
    assert [part["id"] for part in update.data["report"]["sections"]] == ["figures", "separated"]
    assert ended.type == "EpisodeEnded"


def test_the_time_left_is_that_of_the_pace_so_far() -> None:
    now = 1000.0
    tournament = Tournament(plan(matches=6))
    episode = TournamentEpisode(tournament, clock=lambda: now)
    drafts = episode.drawn(tournament.draw())
    for pairing in tournament.pairings[:2]:
        now += 30.0
        records = [record(seat, name, 0.5) for seat, name in pairing.players.items()]
        tournament.add(pairing.number, "", "finished", "", records)
        drafts += episode.ended(pairing.number)
    progress = last_report(drafts).progress
    assert progress is not None
    assert progress.seconds == 4 * 30.0
    assert figure(last_report(drafts), "Time").value.value == 60.0

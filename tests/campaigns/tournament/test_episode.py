"""The tournament's own episode: every event in order, nothing secret, and a summary for the lobby."""

from __future__ import annotations

import numpy as np

from grandstand.campaign_events import CAMPAIGN_EVENTS
from grandstand.campaigns.tournament.episode import TournamentEpisode
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.models import CORE_EVENTS, Draft, Event
from grandstand.spectator.replay import complete
from grandstand.spectator.summary import summary_of
from tests.support.play.leagues import plan, record, won_by

SEED = 73_146_559


def events_of(stopped: str = "", **fields: object) -> list[Event]:
    tournament = Tournament(plan(seed=SEED, **fields))
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
    assert kinds[:3] == ["EpisodeCreated", "EpisodeStarted", "PairingsDrawn"]
    assert kinds[-2:] == ["StandingsUpdated", "EpisodeEnded"]
    assert kinds.count("PairingBegan") == kinds.count("PairingPlayed") == 60
    assert kinds.count("StandingsUpdated") < 40
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
    drawn = [event.data for event in events_of(matches=600) if event.type == "PairingsDrawn"]
    assert [len(data["pairings"]) for data in drawn] == [200, 200, 200]
    assert {data["planned"] for data in drawn} == {600}

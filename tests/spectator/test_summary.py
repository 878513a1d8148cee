"""The lobby's view is folded from public events, and from nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given

from grandstand.events import ControlChanged, EpisodeEnded, EpisodeStarted
from grandstand.models import Draft, Event, OutcomeData
from grandstand.report import Report, ReportLog
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.summary import fold, summary_of
from tests.support.server.stream_server import turn
from tests.support.spectator.logs import logs, short_log, stamp


def folded(events: list[Event]) -> EpisodeSummary:
    summary = None
    for event in events:
        summary = fold(summary, event)
    assert summary is not None
    return summary


def test_it_follows_an_episode_from_queue_to_end() -> None:
    log = short_log()
    assert folded(log[:1]).status == "queued"
    live = folded(log)
    assert (live.status, live.turn, live.started_at, live.ended_at) == ("live", "turn 1", 1001.0, None)
    outcome = OutcomeData(reason="mate", winners=["NORTH"], scores={"NORTH": 1.0, "SOUTH": 0.0}, text="North won.")
    ended = folded(short_log(Draft.of(EpisodeEnded(status="finished", outcome=outcome))))
    assert (ended.status, ended.ended_at, ended.scores, ended.outcome) == ("finished", 1007.0, outcome.scores, outcome)


def test_the_headline_of_a_campaign_is_that_of_its_last_report() -> None:
    log = ReportLog()
    drafts = [draft for headline in ("Undecided", "heron-2 won") for draft in log.drafts(Report(headline=headline))]
    assert folded(short_log(*drafts)).headline == "heron-2 won"


def test_a_new_epoch_shows() -> None:
    log = short_log()
    log += stamp([Draft.of(EpisodeStarted(resumed="turn 1"))], first=len(log), epoch=2)
    assert (folded(log).epoch, folded(log).status) == (2, "live")
    assert folded(log).started_at == folded(short_log()).started_at


def steered(*commands: tuple[str, object]) -> EpisodeSummary:
    changes = [Draft.of(ControlChanged(command=command, value=value, by="ana")) for command, value in commands]
    return folded(short_log(*changes))


def test_a_paused_match_is_told_from_one_that_goes_on() -> None:
    assert not steered().paused
    assert steered(("pause", None)).paused
    assert not steered(("pause", None), ("resume", None)).paused


def test_seats_that_a_person_took_over_are_told() -> None:
    assert steered(("take_over", "NORTH"), ("take_over", "NORTH")).taken == ["NORTH"]
    assert steered(("take_over", "NORTH"), ("hand_back", "NORTH")).taken == []
    assert steered(("take_over", "NOBODY"), ("take_over", {"a": 1})).taken == []


def test_seats_that_a_person_left_are_told_until_the_person_is_back() -> None:
    left = steered(("leave", "NORTH"), ("leave", "NORTH"))
    assert (left.left, left.taken) == (["NORTH"], [])
    back = steered(("leave", "NORTH"), ("take_over", "NORTH"))
    assert (back.left, back.taken) == ([], [])
    returned = steered(("take_over", "NORTH"), ("leave", "NORTH"))
    assert (returned.left, returned.taken) == ([], [])


def test_a_fork_is_queued_until_it_goes_on() -> None:
    forked = short_log(Draft.of(ControlChanged(command="fork", value="x/9", by="ana")))
    assert folded(forked).status == "queued"
    forked += stamp([Draft.of(EpisodeStarted(resumed="turn 1"))], first=len(forked))
    assert folded(forked).status == "live"


def test_an_episode_must_begin_at_its_beginning() -> None:
    with pytest.raises(ValueError, match="starts with EpisodeStarted, not EpisodeCreated"):
        fold(None, short_log()[1])


def test_what_is_not_public_changes_nothing_but_the_number() -> None:
    log = short_log()
    hidden = turn(9)._replace(audience=["NORTH"])
    after = folded([*log, *stamp([hidden], first=len(log))])
    assert after == folded(log).model_copy(update={"last_seq": len(log)})


@given(logs)
def test_secrets_never_reach_it(log: list[Event]) -> None:
    blank = [event if event.audience == "public" else event.model_copy(update={"data": {}}) for event in log]
    assert folded(log) == folded(blank)


@given(logs)
def test_the_summary_of_a_log_is_the_fold_of_its_events(log: list[Event]) -> None:
    for stop in range(1, len(log) + 1):
        assert summary_of(log[:stop]) == folded(log[:stop])


def test_a_summary_costs_few_folds_however_long_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    log = short_log()
    log += stamp([turn(number) for number in range(5000)], first=len(log))
    calls: list[Event] = []

    def counted(summary: EpisodeSummary | None, event: Event) -> EpisodeSummary:
        calls.append(event)
        return fold(summary, event)

    monkeypatch.setattr("grandstand.spectator.summary.fold", counted)
    assert summary_of(log).turn == "turn 4999"
    assert len(calls) < 10

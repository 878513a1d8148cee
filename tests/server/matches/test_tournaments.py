"""Tournaments of the server: played in slots, steered, within a budget, and resumed after a kill."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from grandstand.campaign_events import TOURNAMENT
from grandstand.campaigns.tournament.episode import TournamentEpisode
from grandstand.games.base import OptionError
from grandstand.models import Draft, Event
from grandstand.play.ratings.seat_records import COUNTED, seat_records
from grandstand.players.llm.budget import DAY
from grandstand.players.roster import Roster
from grandstand.report import Report, Section
from grandstand.server.bodies.matches import Command
from grandstand.server.matches.steering import CommandError, Full
from grandstand.server.matches.tournaments import AT_ONCE
from grandstand.spectator.errors import StorageError
from tests.support.campaigns.published import cell, column, figure, last_report
from tests.support.live_server import LiveServer, live_server
from tests.support.players.chat_server import ChatServer, says
from tests.support.server.match_services import until
from tests.support.server.tournaments import Services, played, request
from tests.support.waiting import until as until_so

OPERATOR_TOKEN = "canary of the operator"

MODEL = """
[[player]]
name = "talker"
kind = "llm"
[player.options]
base_url = "{url}"
model = "talker"
retries = 0
max_tokens = 200
price_in = 1.0
price_out = 2.0
"""


def test_every_match_is_an_ordinary_episode_and_the_table_is_that_of_their_results() -> None:
    async def scene() -> None:
        services = Services()
        assert (await services.tournaments.forecast(request())).matches == 6
        episode = await services.start(slots=2)
        await services.ended(episode)
        results = played(services.events(episode))
        assert sorted(result["number"] for result in results) == list(range(6))
        assert sorted(result["episode_id"] for result in results) == sorted(services.matches())
        for result in results:
            summary = services.recorder.summary(result["episode_id"])
            assert (summary.origin, summary.status, summary.scores) == ("tournament", "finished", result["scores"])
        report = last_report(services.events(episode))
        assert report.progress is not None
        assert (report.progress.done, report.progress.failed) == (6, 0)
        for player in ("heuristic", "random"):
            won = sum(_score(services, result, player) for result in results) / 6
            assert cell(report, "standings", player, "score").value == pytest.approx(won)
        links = [value.link.episode_id for value in column(report, "matches", "match") if value.link]
        assert links == [result["episode_id"] for result in sorted(results, key=lambda result: result["number"])]
        assert services.recorder.summary(episode).status == "finished"
        assert services.driver.live == 0

    asyncio.run(scene())


def _score(services: Services, result: dict[str, Any], player: str) -> float:
    seats = {info.seat: info.player for info in services.recorder.summary(result["episode_id"]).seats}
    return sum((float(score) for seat, score in result["scores"].items() if seats[seat] == player), 0.0)


def test_matches_of_one_opening_have_the_same_seed_and_seeds_are_for_operators() -> None:
    async def scene() -> None:
        services = Services()
        episode = await services.start(matches=4)
        await services.ended(episode)
        openings = {pairing["number"]: pairing["opening"] for pairing in _drawn(services.events(episode))}
        seeds: dict[int, set[int]] = {}
        for result in played(services.events(episode)):
            (seed,) = services.events(result["episode_id"], "SeedSet")
            seeds.setdefault(openings[result["number"]], set()).add(seed.data["seed"])
        assert [len(of_opening) for of_opening in seeds.values()] == [1, 1]
        assert len(set.union(*seeds.values())) == 2
        public = json.dumps([event.data for event in services.events(episode) if event.audience == "public"])
        assert not any(str(seed) in public for seed in set.union(*seeds.values()))

    asyncio.run(scene())


def _drawn(events: list[Event]) -> list[dict[str, Any]]:
    return [pairing for event in events if event.type == "PairingsDrawn" for pairing in event.data["pairings"]]


@pytest.mark.long
def test_no_more_matches_are_played_at_a_time_than_it_has_slots() -> None:
    async def scene() -> None:
        services = Services(slots=4)
        episode = await services.start(slots=2)
        await services.ended(episode)
        running = most = 0
        for event in services.events(episode):
            running += (event.type == "PairingBegan") - (event.type == "PairingPlayed")
            most = max(most, running)
        assert most == 2

    asyncio.run(scene())


def test_a_match_that_fails_does_not_stop_the_rest() -> None:
    async def scene() -> None:
        services = Services()
        episode = await services.start(pace=0.05)
        await until(lambda: services.events(episode, "PairingBegan"))
        first = services.events(episode, "PairingBegan")[0].data["episode_id"]
        await services.driver.command(first, Command(command="stop"), key=None, by="operator")
        await services.driver.command(episode, Command(command="pace", value=0), key=None, by="operator")
        await services.ended(episode)
        results = {result["episode_id"]: result for result in played(services.events(episode))}
        assert results[first]["status"] == "stopped"
        assert results[first]["scores"] == {}
        assert results[first]["message"] == "stopped by operator"
        assert Counter(result["status"] for result in results.values()) == {"finished": 5, "stopped": 1}
        assert figure(last_report(services.events(episode)), "Failed").value.value == 1

    asyncio.run(scene())


def test_a_pause_holds_its_matches_and_begins_no_more() -> None:
    async def scene() -> None:
        services = Services()
        episode = await services.start(pace=0.02)
        await until(lambda: services.events(episode, "PairingBegan"))
        await services.driver.command(episode, Command(command="pause"), key="once", by="operator")
        await services.driver.command(episode, Command(command="pause"), key="once", by="operator")
        (match,) = services.tournaments._live[episode].running
        assert services.recorder.summary(match).paused
        assert services.recorder.summary(episode).paused
        assert [event.data["command"] for event in services.events(episode, "ControlChanged")].count("pause") == 1
        await services.driver.command(episode, Command(command="pace", value=0), key=None, by="operator")
        await services.driver.command(episode, Command(command="resume"), key=None, by="operator")
        await services.ended(episode)
        assert len(played(services.events(episode))) == 6

    asyncio.run(scene())


def test_a_tournament_that_begins_paused_begins_no_match() -> None:
    async def scene() -> None:
        services = Services()
        episode = await services.start(paused=True)
        other = await services.start(matches=2)
        await services.ended(other)
        assert services.events(episode, "PairingBegan") == []
        await services.driver.command(episode, Command(command="stop"), key=None, by="operator")
        await services.ended(episode)
        assert services.recorder.summary(episode).status == "stopped"

    asyncio.run(scene())


def test_a_stop_ends_its_matches_and_keeps_the_standings() -> None:
    async def scene() -> None:
        services = Services()
        episode = await services.start(pace=0.02, slots=2)
        await until(lambda: played(services.events(episode)))
        await services.driver.command(episode, Command(command="stop"), key=None, by="operator")
        await services.ended(episode)
        summary = services.recorder.summary(episode)
        assert (summary.status, summary.message) == ("stopped", "stopped by operator")
        assert all(services.recorder.summary(match).ended_at for match in services.matches())
        began = {event.data["number"] for event in services.events(episode, "PairingBegan")}
        assert {result["number"] for result in played(services.events(episode))} == began
        assert services.events(episode)[-2].type == "ReportUpdated"
        assert last_report(services.events(episode)).headline == "Not finished"

    asyncio.run(scene())


@pytest.mark.parametrize("command", ["step", "extend", "take_over"])
def test_a_command_that_a_tournament_does_not_have_names_those_that_it_has(command: Any) -> None:
    async def scene() -> None:
        services = Services()
        episode = await services.start(paused=True)
        with pytest.raises(CommandError, match="pause, resume, pace or stop it"):
            await services.driver.command(episode, Command(command=command, value=1), key=None, by="operator")
        await services.tournaments.close()

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": ["random"]}, "players: a tournament has at least two players"),
        ({"players": ["random", "nobody"]}, "players: cricket has no player 'nobody'; there are"),
        ({"players": ["random", "person"]}, "players: person is a human player; name bots and language models"),
        ({"players": ["random", "gpt-5-mini"]}, "players: gpt-5-mini is not available: "),
        ({"matches": 0}, "matches: set either the number of matches or `until`"),
        ({"matches": 9000}, "matches: 9000 are more than the 2000 of a tournament here; set fewer"),
        ({"options": {"overs": -3}}, "options.overs: must be a whole number from 1 to 50"),
        ({"format": "fixed"}, "pairings: the format 'fixed' needs them"),
    ],
)
def test_a_request_that_cannot_be_played_names_the_field_and_the_remedy(
    fields: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    async def scene() -> None:
        services = Services(roster=Roster.load(environment={}))
        with pytest.raises(OptionError) as refusal:
            await services.start(**fields)
        assert str(refusal.value).startswith(message)
        with pytest.raises(OptionError):
            await services.tournaments.forecast(request(**fields))
        assert services.recorder.episode_ids() == []

    asyncio.run(scene())


def test_the_number_of_tournaments_is_bounded() -> None:
    async def scene() -> None:
        services = Services()
        for _ in range(AT_ONCE):
            await services.start(paused=True)
        with pytest.raises(Full):
            await services.start()
        await services.tournaments.close()

    asyncio.run(scene())


def test_a_tournament_that_cannot_be_recorded_is_not_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    services = Services()
    refused: list[str] = []

    def full(events: Sequence[Event], request: object) -> None:
        assert services.bus.numbers(events[0].episode_id)
        refused.append(events[0].episode_id)
        raise StorageError("the disk is full")

    monkeypatch.setattr(services.recorder, "on_events", full)
    with pytest.raises(StorageError):
        asyncio.run(services.start())
    assert [services.bus.numbers(episode) for episode in refused] == [False]


def test_the_same_key_starts_one_tournament() -> None:
    async def scene() -> None:
        services = Services()
        first = await services.tournaments.start(request(paused=True), key="once")
        again = await services.tournaments.start(request(paused=True), key="once")
        assert first.episode_id == again.episode_id
        with pytest.raises(OptionError, match="Idempotency-Key"):
            await services.tournaments.start(request(), key="once")
        await services.tournaments.close()

    asyncio.run(scene())


@pytest.fixture(scope="module")
def model() -> Iterator[ChatServer]:
    with ChatServer(says("no action", usage=(300, 50))) as running:
        yield running


@pytest.mark.long
def test_the_budget_of_tokens_holds_for_all_matches_together(model: ChatServer, tmp_path: Path) -> None:
    file = tmp_path / "players.toml"
    file.write_text(MODEL.format(url=model.url))
    limit = 60_000

    async def scene() -> None:
        services = Services(roster=Roster.load(file, {}))
        episode = await services.start(players=["talker", "random"], max_tokens=limit, slots=2, matches=200)
        await services.ended(episode)
        summary = services.recorder.summary(episode)
        assert summary.status == "stopped"
        assert summary.message.startswith("budget: ")
        assert "raise max_tokens" in summary.message
        report = last_report(services.events(episode))
        assert 0 < _tokens(report) <= limit
        assert report.progress is not None
        assert report.progress.done < 200
        assert all(services.recorder.summary(match).ended_at for match in services.matches())

    asyncio.run(scene())


@pytest.mark.long
@pytest.mark.parametrize("stops", ["with the server", "before a beginning is told"])
def test_what_was_spent_before_a_restart_counts_against_the_budget(
    model: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stops: str
) -> None:
    file = tmp_path / "players.toml"
    file.write_text(MODEL.format(url=model.url))
    store, limit = tmp_path / "record.db", 30_000

    async def begin() -> str:
        services = Services(store, roster=Roster.load(file, {}))
        episode = await services.start(players=["talker", "random"], max_tokens=limit, matches=200)
        await until(lambda: played(services.events(episode)))
        if stops == "before a beginning is told":
            with monkeypatch.context() as patch:
                patch.setattr(TournamentEpisode, "began", interrupted)
                await asyncio.wait([services.tournaments._tasks[episode]])
            await until(lambda: not services.driver.live)
        await services.tournaments.close()
        await services.driver.close()
        services.recorder.close()
        return episode

    async def go_on(episode: str) -> None:
        services = Services(store, roster=Roster.load(file, {}))
        services.tournaments.begin()
        services.driver.resume_all()
        await services.ended(episode)
        assert services.recorder.summary(episode).message.startswith("budget: ")
        assert _tokens(last_report(services.events(episode))) <= limit

    go_on_with = asyncio.run(begin())
    asyncio.run(go_on(go_on_with))


def interrupted(*_: object) -> list[Draft]:
    raise asyncio.CancelledError


@pytest.mark.long
def test_a_ladder_keeps_its_budget_of_a_day_and_goes_on_the_next(model: ChatServer, tmp_path: Path) -> None:
    file = tmp_path / "players.toml"
    file.write_text(MODEL.format(url=model.url))
    limit, now = 20_000, [10 * DAY - 0.05]

    async def scene() -> None:
        services = Services(roster=Roster.load(file, {}), clock=lambda: now[0])
        names = ["talker", "random", "heuristic"]
        episode = await services.start(players=names, anchors=["random"], format="ladder", matches=0, max_tokens=limit)

        def spent() -> int:
            return sum(
                record.spent.tokens_in + record.spent.tokens_out
                for match in services.matches()
                for record in seat_records([e for e in services.events(match) if e.type in COUNTED])
            )

        def is_spent() -> bool:
            said = [event.data["text"] for event in services.events(episode, "ReportUpdated")]
            return not services.driver.live and "The budget of today is spent" in " ".join(said)

        await until(is_spent)
        today, matches = spent(), len(services.matches())
        assert 0 < today <= limit
        assert services.recorder.summary(episode).status == "live"
        now[0] += DAY
        await until(lambda: len(services.matches()) > matches + 1 and spent() > today)
        await services.driver.command(episode, Command(command="stop"), key=None, by="operator")
        await services.ended(episode)
        assert today < spent() <= 2 * limit

    asyncio.run(scene())


@pytest.mark.long
def test_a_killed_server_plays_nothing_twice_and_loses_nothing(tmp_path: Path) -> None:
    """Killed again and again, wherever that hits."""
    body = request(matches=12, slots=3, pace=0, options={"overs": 2}).model_dump()
    episode = ""
    for kill_after in (1, 4, 7):
        with live_server(tmp_path) as server:
            if not episode:
                episode = server.post("/api/tournaments", body).raise_for_status().json()["episode_id"]
            _wait_for_results(server, episode, kill_after)
            server.kill()
    with live_server(tmp_path) as server:
        server.wait_for(episode, status="finished")
        results = _results(server, episode)
        assert sorted(result["number"] for result in results) == list(range(12))
        assert {result["status"] for result in results} == {"finished"}
        listed = server.get("/api/episodes", limit=200)["episodes"]
        matches = [summary["episode_id"] for summary in listed if summary["origin"] == "tournament"]
        assert sorted(matches) == sorted(result["episode_id"] for result in results)
        report = last_report(Draft(event["type"], event["data"]) for event in _events(server, episode))
        assert report.progress is not None
        assert (report.progress.done, report.progress.failed) == (12, 0)
        board = server.get("/api/leaderboard")
        assert (board["setting"]["matches"], board["unread"]) == (12, 0)


@pytest.mark.long
def test_a_tournament_without_a_break_has_the_same_results_as_one_with_restarts(tmp_path: Path) -> None:
    whole = asyncio.run(_whole())
    store = tmp_path / "record.db"

    async def begin() -> str:
        services = Services(store)
        episode = await services.start(slots=2)
        await until(lambda: len(played(services.events(episode))) >= 2)
        await services.tournaments.close()
        await services.driver.close()
        services.recorder.close()
        return episode

    async def go_on(episode: str) -> list[Section]:
        services = Services(store)
        services.tournaments.begin()
        services.driver.resume_all()
        await services.ended(episode)
        turns = [event.data["index"] for event in services.events(episode, "TurnStarted")]
        assert turns == list(range(len(turns)))
        events = services.events(episode)
        resumed = next(event.seq for event in events if event.type == "EpisodeStarted" and event.data["resumed"])
        later = [event.data for event in events[resumed:] if event.type == "ReportUpdated"]
        sent = {section["id"] for data in later for section in data["report"]["sections"]}
        assert "standings" in sent
        assert "plan" not in sent, "the report goes on where it was"
        return _results_in(last_report(events))

    assert asyncio.run(go_on(asyncio.run(begin()))) == whole


async def _whole() -> list[Section]:
    services = Services()
    episode = await services.start(slots=2)
    await services.ended(episode)
    return _results_in(last_report(services.events(episode)))


def _results_in(report: Report) -> list[Section]:
    """Return the sections without times and episodes."""
    return [section for section in report.sections if section.id not in ("figures", "matches")]


def _tokens(report: Report) -> float:
    return sum(value.value for value in column(report, "cost", "all_tokens") if isinstance(value.value, float))


def test_only_operators_start_tournaments(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=OPERATOR_TOKEN) as server:
        body = request().model_dump()
        for path in ("/api/tournaments", "/api/tournaments/forecast"):
            assert server.post(path, body).status_code == 403
        headers = {"Authorization": f"Bearer {OPERATOR_TOKEN}"}
        forecast = server.post("/api/tournaments/forecast", body, **headers)
        assert forecast.json() == {"matches": 6, "per_opening": 2, "openings": 3, "models": []}
        started = server.post("/api/tournaments", body, **headers)
        assert started.status_code == 201
        assert started.headers["location"].endswith(f"/api/episodes/{started.json()['episode_id']}")


@pytest.mark.long
def test_lists_can_leave_out_its_matches_and_no_player_is_rated_by_it(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.post("/api/tournaments", request(matches=2).model_dump()).json()["episode_id"]
        server.wait_for(episode, status="finished")
        everything = server.get("/api/episodes")
        assert everything["total"] == 3
        rest = server.get("/api/episodes", without="tournament")
        assert [summary["episode_id"] for summary in rest["episodes"]] == [episode]
        assert rest["total"] == 1
        assert {record["game"] for record in server.get("/api/players")} == {"cricket"}
        assert server.get(f"/api/episodes/{episode}")["game"] == TOURNAMENT
        assert server.get("/api/moments") == []


def _wait_for_results(server: LiveServer, episode: str, count: int) -> None:
    assert until_so(lambda: len(_results(server, episode)) >= count)


def _events(server: LiveServer, episode: str) -> list[dict[str, Any]]:
    frames = server.get(f"/api/episodes/{episode}/events")["frames"]
    return [frame["event"] for frame in frames if frame["frame"] == "event"]


def _results(server: LiveServer, episode: str) -> list[dict[str, Any]]:
    return [event["data"] for event in _events(server, episode) if event["type"] == "PairingPlayed"]

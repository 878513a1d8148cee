"""The spending of a day: its limit, its sums, midnight, and a restart."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.events import EpisodeCreated, PlayerReport, PlayerReported, SeatInfo, Usage
from grandstand.models import Event, PrivateBatch, PrivateEvent
from grandstand.players.llm.budget import DAY, Budget, BudgetSpent, DayBudget, day_of
from grandstand.players.roster import Roster
from grandstand.server.bodies.health import DaySpending
from grandstand.server.settings import Settings, SettingsError
from grandstand.server.spending import Spending, open_spending
from grandstand.spectator.recorder import Recorder
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.players.chat_server import ChatServer, says
from tests.support.server.own_models import OPERATOR, TOKEN
from tests.support.server.postgres import Postgres
from tests.support.server.private_batches import visible_events
from tests.support.spectator.stores import new_postgres_store
from tests.support.waiting import until

MIDNIGHT = 20_000 * DAY


class Clock:
    """A clock that is moved by hand."""

    def __init__(self, now: float = MIDNIGHT + 100) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


Step = tuple[int, int, int, float]
STEPS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 400), st.integers(0, 400), st.sampled_from([0.0, 1.0, 30_000.0])),
    max_size=60,
)


@given(STEPS, st.integers(100, 1500))
def test_no_day_spends_more_than_its_limit_and_every_call_is_counted_once(steps: list[Step], limit: int) -> None:
    clock = Clock()
    day = DayBudget("the server's daily", tokens=limit, clock=clock, counted=True)
    seats = [Budget("this seat's", within=Budget("the episode's", within=day)) for _ in range(4)]
    calls: list[tuple[Budget, int, int]] = []
    spent: dict[int, int] = {}
    for seat, most, cost, seconds in steps:
        clock.now += seconds
        held = sum(reserved for _, reserved, _ in calls)
        if spent.get(day_of(clock.now), 0) + held + most > limit:
            with pytest.raises(BudgetSpent):
                seats[seat].hold(most, 0.0)
        else:
            seats[seat].hold(most, 0.0)
            calls.append((seats[seat], most, min(cost, most)))
        if len(calls) > 2:
            budget, reserved, paid = calls.pop(0)
            budget.settle((reserved, 0.0), (paid, 0.0))
            spent[day_of(clock.now)] = spent.get(day_of(clock.now), 0) + paid
    day.roll()
    assert day.tokens_spent == spent.get(day_of(clock.now), 0)
    assert all(total <= limit for total in spent.values())
    assert sum(seat.tokens_spent for seat in seats) == sum(spent.values())


def test_at_midnight_the_limit_begins_anew() -> None:
    clock = Clock(MIDNIGHT - 1)
    day = DayBudget("the server's daily", tokens=100, dollars=1.0, clock=clock, counted=True)
    seat = Budget("this seat's", within=day)
    seat.hold(90, 0.9)
    seat.settle((90, 0.9), (90, 0.9))
    with pytest.raises(BudgetSpent, match="the server's daily budget of 100 tokens has 10 left; a call may take 20"):
        seat.hold(20, 0.0)
    seat.hold(10, 0.0)
    clock.now = MIDNIGHT
    seat.settle((10, 0.0), (10, 0.0))
    assert (day.tokens_spent, day.dollars_spent) == (10, 0.0)  # a call counts on the day on which it ends
    with pytest.raises(BudgetSpent, match="a call may take 91"):
        seat.hold(91, 0.0)
    seat.hold(90, 1.0)


def test_until_the_record_is_counted_calls_wait() -> None:
    day = DayBudget("the server's daily", tokens=100)
    with pytest.raises(BudgetSpent) as refused:
        day.hold(1, 0.0)
    assert refused.value.wait
    DayBudget("the server's daily").hold(1, 0.0)


def reported(episode: str, seq: int, at: float, seat: str, tokens: int, dollars: float | None = None) -> Event:
    usage = Usage(tokens_in=tokens, dollars=dollars)
    data = PlayerReported(seat=seat, index=0, task="choose", source="policy", report=PlayerReport(usage=usage))
    batch = PrivateBatch(events=[PrivateEvent(type="PlayerReported", audience="analyst", data=data.model_dump())])
    return event(episode, seq, at, "PrivateBatch", batch.model_dump(), "private")


def event(episode: str, seq: int, at: float, kind: str, data: dict[str, Any], audience: Any = "public") -> Event:
    return Event(episode_id=episode, epoch=0, seq=seq, at=at, type=kind, audience=audience, data=data)


def created(episode: str, at: float, origin: Any = "api", **players: str) -> Event:
    seats = [SeatInfo(seat=seat, player=player, kind="llm") for seat, player in players.items()]
    data = EpisodeCreated(game="diplomacy", title="A match", options={}, seats=seats, origin=origin)
    return event(episode, 0, at, "EpisodeCreated", data.model_dump())


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    opened = Recorder(tmp_path / "grandstand.db")
    opened.on_events(
        [
            created("m-1", MIDNIGHT - 50, FRANCE="gpt", ITALY="own:local:m"),
            reported("m-1", 1, MIDNIGHT - 10, "FRANCE", 1000, 1.0),
            reported("m-1", 2, MIDNIGHT + 10, "FRANCE", 30, 0.25),
            reported("m-1", 3, MIDNIGHT + 20, "ITALY", 400),
        ]
    )
    opened.on_events([created("m-2", MIDNIGHT + 30, FRANCE="gpt"), reported("m-2", 1, MIDNIGHT + 40, "FRANCE", 5)])
    opened.on_events(
        [created("m-3", MIDNIGHT + 30, "publisher", FRANCE="gpt"), reported("m-3", 1, MIDNIGHT + 40, "FRANCE", 7777)]
    )
    yield opened
    opened.close()


def test_a_new_process_counts_what_the_record_reports_of_today(recorder: Recorder) -> None:
    clock = Clock()

    async def count() -> Spending:
        spending = Spending(recorder, 1000, None, clock)
        assert not spending.today().counted
        spending.begin()
        await spending.counted()
        return spending

    spending = asyncio.run(count())
    today = spending.today()
    assert (today.tokens, today.dollars, today.counted) == (35, 0.25, True)
    assert (today.begins, today.ends) == (MIDNIGHT, MIDNIGHT + DAY)
    by_player = {item.player: (item.own_key, item.answers, item.tokens, item.dollars) for item in today.players}
    assert by_player == {"gpt": (False, 2, 35, 0.25), "own:local:m": (True, 1, 400, None)}
    spending.on_events([reported("m-2", 2, clock.now, "FRANCE", 100)])
    assert {item.player: item.tokens for item in spending.today().players} == {"own:local:m": 400, "gpt": 135}
    clock.now = MIDNIGHT + DAY + 1
    tomorrow = spending.today()
    assert (tomorrow.tokens, tomorrow.players) == (0, [])


def test_dollars_are_limited_only_where_every_price_is_known(tmp_path: Path, recorder: Recorder) -> None:
    settings = Settings.model_validate({"daily_dollars": 1.0})
    roster = Roster.load(environment={"HF_TOKEN": "k"})
    with pytest.raises(SettingsError, match="DAILY_DOLLARS: gpt-oss, qwen of the roster has no prices"):
        open_spending(settings, recorder, roster)
    open_spending(settings, recorder, Roster.load(environment={}))


ROSTER = """
[[player]]
name = "gpt"
kind = "llm"
[player.options]
base_url = "{url}"
model = "m"
max_tokens = 500
"""


@pytest.mark.long
def test_a_server_stops_calling_at_its_limit_also_after_a_restart(tmp_path: Path) -> None:
    (tmp_path / "players.toml").write_text("")
    data = tmp_path / "data"
    env: Any = {"GRANDSTAND_DAILY_TOKENS": "8000", "GRANDSTAND_OPERATOR_TOKEN": TOKEN}
    with ChatServer(says('{"orders": []}', usage=(900, 100))) as endpoint:
        env["GRANDSTAND_ROSTER"] = str(tmp_path / "players.toml")
        (tmp_path / "players.toml").write_text(ROSTER.format(url=endpoint.url))
        with live_server(data, **env) as server:
            assert "budget" in _boundaries(server, _play(server))
            today = _today(server)
            calls = len(endpoint.requests)
            assert today["tokens"] == calls * 1000 <= 8000
            assert today["token_limit"] == 8000
            assert [(item["player"], item["tokens"]) for item in today["players"]] == [("gpt", calls * 1000)]
            server.kill()
        with live_server(data, **env) as server:
            assert until(lambda: _today(server)["counted"])
            assert _today(server) == today
            assert _boundaries(server, _play(server)) == {"budget"}
            assert len(endpoint.requests) == calls
            assert server.post("/api/spending", None).status_code == 405


def test_what_another_server_of_the_record_spends_counts_once(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grandstand.server.spending.OTHERS_EVERY", 0.1)
    store = new_postgres_store(postgres)

    async def spend() -> list[DaySpending]:
        servers = [Spending(store, 1000, None) for _ in range(2)]
        for server in servers:
            server.shared = True
            server.begin()
            await server.counted()
        now = time.time()
        match = [created("m-1", now, FRANCE="gpt"), reported("m-1", 1, now, "FRANCE", 30)]
        store.on_events(match)
        servers[0].on_events(match)
        servers[0].budget.tokens_spent += 30  # as its own model did
        for _ in range(100):
            await asyncio.sleep(0.1)
            if servers[1].budget.tokens_spent:
                break
        await asyncio.sleep(0.3)
        for server in servers:
            await server.close()
        return [server.today() for server in servers]

    for today in asyncio.run(spend()):
        assert today.tokens == 30
        assert [(item.player, item.tokens, item.answers) for item in today.players] == [("gpt", 30, 1)]
    store.close()


def _play(server: LiveServer) -> str:
    body = {"game": "diplomacy", "players": {"FRANCE": "gpt"}, "options": {"press": "none", "last_year": 1905}}
    started = server.post("/api/episodes", body | {"pace": 0}, **OPERATOR).raise_for_status().json()
    server.wait_for(started["episode_id"], status="finished")
    return str(started["episode_id"])


def _boundaries(server: LiveServer, episode: str) -> set[str]:
    frames = server.get(f"/api/episodes/{episode}/events", **{"as": "spectator"})["frames"]
    faults = [item["data"] for item in visible_events(frames) if item["type"] == "PlayerFault"]
    messages = {fault["message"] for fault in faults}
    assert messages <= {"the server's daily budget is spent; the next day begins at midnight UTC"}
    return {fault["boundary"] for fault in faults}


def _today(server: LiveServer) -> Any:
    return http.get(f"{server.url}/api/spending", headers=OPERATOR).raise_for_status().json()

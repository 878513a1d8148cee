"""Hostile text in every field of every event that has text: the page shows it, runs none of it, and goes on."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from pydantic import BaseModel, ValidationError

from grandstand.events import EpisodeEnded
from grandstand.games.catalog import BUILT_IN
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft
from grandstand.play.event_schema import event_schemas
from grandstand.play.runner import MatchRunner
from grandstand.players.roster import Roster
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.metrics import StepMetrics
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.page.screen import Screen
from tests.support.play.tournament_run import MadeUpTournament
from tests.support.server.example_batches import CREATED, EXAMPLES
from tests.support.trainer import experiment_record, training_run
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.browser

HOSTILE = (
    " '\"><img src=//evil.invalid/x onerror=taken=1><svg onload=taken=1></script><script>taken=1</script>"
    "<a href='javascript:taken=1'>[x](javascript:taken=1)</a>{{taken=1}}${taken=1}<style>*{display:none}</style>"
)
FIRST = 120
"""The first drafts of a match, among which are those of every type of its game."""


Place = tuple[Any, Any]
"""An object or a list, and the name or number of a part of it."""


def texts(part: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Place]]:
    """Yield the place of every string in `part`, and its path without numbers."""
    for name, item in list(part.items() if isinstance(part, dict) else enumerate(part)):
        below = (*path, name if isinstance(part, dict) else "*")
        if isinstance(item, str):
            yield below, (part, name)
        elif isinstance(item, dict | list):
            yield from texts(item, below)


def tainted(schema: type[BaseModel] | None, data: Mapping[str, Any], takes: dict[Any, bool]) -> dict[str, Any]:
    """Return `data` with hostile text behind every string where its type takes it.

    `takes` remembers of each path whether it is taken there.
    """
    whole = copy.deepcopy(dict(data))

    def valid() -> bool:
        try:
            return schema is None or bool(schema.model_validate(whole) or True)
        except ValidationError:
            return False

    for path, (within, name) in texts(whole):
        text, within[name] = within[name], within[name] + HOSTILE
        if not _remembered(takes, (schema, path), valid):
            within[name] = text
    assert valid()
    return whole


def _remembered(known: dict[Any, bool], key: Any, find: Callable[[], bool]) -> bool:
    if key not in known:
        known[key] = find()
    return known[key]


def spoiled(game: str, drafts: Iterable[Draft]) -> Iterator[Draft]:
    schemas = event_schemas(game)
    takes: dict[Any, bool] = {}
    for draft in drafts:
        if draft.type == "PrivateBatch":
            parts = [
                part | {"data": tainted(schemas.get(part["type"]), part["data"], takes)}
                for part in draft.data["events"]
            ]
            yield draft._replace(data={"events": parts})
        else:
            yield draft._replace(data=tainted(schemas.get(draft.type), draft.data, takes))


def match(game: str) -> list[Draft]:
    """Return the beginning of a match of random players, and an end."""

    async def played() -> list[Draft]:
        spec = game_spec(game)
        seating = Roster.load().episode(spec)
        runner = MatchRunner(Match(spec, {}, 3), {seat: seating.player("random", seat) for seat in spec.seats()})
        drafts = [*runner.created({}, title=game, origin="cli"), *runner.started()]
        while not runner.match.over and len(drafts) < FIRST:
            async for piece in runner.play_round():
                drafts += piece
        return [draft for draft in drafts if draft.type != EpisodeEnded.__name__]

    with ThreadPoolExecutor(1) as thread:  # a test with a browser runs in an event loop of its own
        return [*thread.submit(asyncio.run, played()).result(), ENDED]


ENDED = Draft("EpisodeEnded", EXAMPLES["EpisodeEnded"])
COMMENTS = [Draft(kind, EXAMPLES[kind]) for kind in ("FactNoted", "CommentAdded", "OutlookUpdated", "CommentatorFault")]


def episodes() -> dict[str, tuple[str, list[Draft]]]:
    """Return the drafts of an episode of every kind by its id, with its game."""
    named = json.loads(json.dumps(EXAMPLES).replace('"A"', json.dumps(f"A{HOSTILE}")))
    every = [Draft(kind, data, "private" if kind == "PrivateBatch" else "public") for kind, data in named.items()]
    cup = MadeUpTournament()
    run: list[Draft | StepMetrics] = [*training_run.opening(count=5), *training_run.steps(5)]
    experiment = experiment_record.episodes()
    return {
        "unknown-game": ("chess", [Draft("EpisodeCreated", CREATED | {"origin": "cli", "delay": 0.0}), *every]),
        **{f"{game}-match": (game, [*(made := match(game))[:-1], *COMMENTS, made[-1]]) for game in BUILT_IN},
        "tournament-cup": ("tournament", [*cup.opening(), *cup.matches(5), *cup.ending("stopped by somebody")]),
        "training-run": ("training", list(training_run.with_report([*run, training_run.ending(5)]))),
        "experiment-over": ("experiment", experiment["experiment-over"]),
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose record has an episode of every kind, full of hostile text."""
    data = tmp_path_factory.mktemp("hostile")
    recorder = Recorder(data / "grandstand.db")
    bus = Bus(recorder)
    for name, (game, drafts) in episodes().items():
        bus.open(name, epoch=1)
        bus.publish(name, list(spoiled(game, drafts)))
    recorder.close()
    # Their moments are shown, however little happened in them.
    with live_server(data, constants={"grandstand.server.lobby.moments.LEAST": 0.0}) as server:
        yield server


MATCHES = ("unknown-game", *(f"{game}-match" for game in BUILT_IN))
PAGES = [
    *("/", "/tv", "/campaigns", "/cockpit", "/leaderboard"),
    *(f"/{page}/{name}" for name in MATCHES for page in ("episode", "embed")),
    *(f"/episode/{name}?as=operator" for name in MATCHES),
    *(f"/cockpit?match={name}" for name in MATCHES),
    *("/campaign/tournament-cup", "/campaign/training-run", "/campaign/experiment-over"),
]


def exported(server: LiveServer, folder: Path) -> Iterator[str]:
    """Save each match as one file, and yield its address."""
    for name in MATCHES:
        file = folder / f"{name}.html"
        answer = http.get(f"{server.url}/api/episodes/{name}/export/html", timeout=PATIENCE)
        file.write_bytes(answer.raise_for_status().content)
        yield file.as_uri()


@pytest.mark.long
def test_hostile_text_is_shown_and_never_run(screen: Screen, server: LiveServer, tmp_path: Path) -> None:
    page = screen.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    shown = 0
    for path in [*(server.url + path for path in PAGES), *exported(server, tmp_path)]:
        page.goto(path)
        expect(page.get_by_role("main").first).to_be_visible()
        tabs = page.get_by_role("tab")
        for place in range(tabs.count()):
            tabs.nth(place).click()
            shown += "<img src=" in page.locator("body").inner_text()
        assert page.evaluate("window.taken") is None, path
        planted = (
            "img[src*=evil], svg[onload], [onerror], a[href^='javascript'], body script:not([src]):has-text('taken')"
        )
        assert page.locator(planted).count() == 0, path
        assert page.locator("body").is_visible(), path
    assert shown > len(MATCHES)
    assert [url for url in asked if "evil" in url] == []
    # The outline of a place is text too, and the browser says of text that it is no outline.
    assert all(error.startswith("Error: <path> attribute d:") for error in screen.errors), screen.errors
    screen.errors.clear()

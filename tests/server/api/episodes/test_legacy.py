"""`POST /custom/start_episode`: what each field of the older form starts, and who learns of the match that goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grandstand.games.cricket.packs import PACKS, pack
from tests.support.live_server import LiveServer, live_server

TOKEN = "an operator's token"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
PATH = "/custom/start_episode"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("legacy")) as running:
        yield running


def options(server: LiveServer, **request: Any) -> dict[str, Any]:
    """Start a match, stop it, and return its options."""
    started = server.post(PATH, request)
    assert started.status_code == 201, started.text
    episode = started.json()["episode_id"]
    server.command(episode, "stop")
    return dict(server.wait_for(episode, status="stopped")["options"])


@pytest.mark.long
@pytest.mark.parametrize("name", PACKS)
def test_every_pack_starts_with_its_own_overs(server: LiveServer, name: str) -> None:
    for more in ({}, {"max_overs": 5}, {"max_overs": pack(name).overs}):
        assert options(server, eval_pack_id=name, **more) in ({"pack": name}, {"pack": name, "overs": pack(name).overs})


def test_a_match_without_a_pack_begins_with_the_toss(server: LiveServer) -> None:
    assert options(server) == {"overs": 5}
    assert options(server, max_overs=2) == {"overs": 2}


def test_overs_that_a_pack_does_not_have_and_unknown_packs_are_refused_by_the_field_that_was_sent(
    server: LiveServer,
) -> None:
    for request, field, why in (
        ({"eval_pack_id": "death-overs", "max_overs": 7}, "max_overs", "the situations of death-overs are of 20 overs"),
        ({"eval_pack_id": "nets"}, "eval_pack_id", "unknown 'nets'; there are default, powerplay"),
    ):
        refused = server.post(PATH, request)
        assert (refused.status_code, refused.json()["field"]) == (422, field)
        assert why in refused.json()["detail"]


def test_only_who_may_start_a_match_learns_of_the_one_that_goes_on(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as guarded:
        episode = guarded.post(PATH, {}, **OPERATOR).raise_for_status().json()["episode_id"]
        stranger = guarded.post(PATH, {})
        assert stranger.status_code == 403
        assert episode not in stranger.text
        again = guarded.post(PATH, {}, **OPERATOR)
        assert (again.status_code, again.json()["current"]["episode_id"]) == (409, episode)

"""Everything that a visitor asks for is paid from one purse, over real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx2
import pytest

from grandstand.server.api.files.imports import IMPORTS
from grandstand.server.api.seats.completions import REPLIES
from grandstand.server.purse import CALL, MATCH, TAKE
from tests.support import http
from tests.support.live_server import LiveServer, live_server

VIEWER = "0" * 32
SHORT: dict[str, Any] = {"game": "diplomacy", "options": {"last_year": 1901, "press": "none"}, "pace": 0}


EMPTY = "10.0.0.1"
"""The address of a visitor whose purse is empty."""


class House(NamedTuple):
    """A server that anybody reaches, with a match that has ended, and one in which a visitor plays FRANCE.

    Nothing comes back to a purse.
    """

    server: LiveServer
    ended: str
    live: str
    token: str

    def ask(self, visitor: str, method: str, path: str, **request: Any) -> httpx2.Response:
        headers = {"X-Forwarded-For": visitor, **request.pop("headers", {})}
        return http.request(method, self.server.url + path, headers=headers, **request)

    def purse(self, visitor: str) -> dict[str, float]:
        return dict(self.ask(visitor, "GET", "/api/session").json()["purse"])

    def through(self, door: str, visitor: str) -> httpx2.Response:
        """Ask for what is behind `door`."""
        ended, seat = f"/api/episodes/{self.ended}", f"/api/episodes/{self.live}/seats/FRANCE"
        seated = {"Authorization": f"Bearer {self.token}"}
        last = self.server.get(ended)["last_seq"]
        reaction = {"viewer": VIEWER, "seq": 1, "reaction": "bravo"}
        doors: dict[str, tuple[str, str, dict[str, Any]]] = {
            "match": ("POST", "/api/episodes", {"json": {"game": "cricket"}}),
            "seat": ("POST", "/api/play", {"json": {"game": "diplomacy"}}),
            "older client": ("POST", "/custom/start_episode", {"json": {}}),
            "take": ("POST", f"{seat}/take", {"headers": seated}),
            "reply": ("POST", "/v1/chat/completions", {"json": self._prompt(seat, seated), "headers": seated}),
            "card": ("GET", f"{ended}/card?seq={last}", {}),
            "clip": ("GET", f"{ended}/clip?first=0&last={last}", {}),
            "export": ("GET", f"{ended}/export/jsonl", {}),
            "sandbox": ("POST", f"{ended}/sandbox", {"json": {"seq": last}}),
            "reaction": ("POST", f"{ended}/audience/reactions", {"json": reaction}),
            "name": ("PUT", "/api/viewers/name", {"json": {"viewer": VIEWER, "name": "Ada"}}),
            "import": ("POST", "/api/imports", {"content": b"{}"}),
        }
        method, path, request = doors[door]
        return self.ask(visitor, method, path, **request)

    def _prompt(self, seat: str, seated: dict[str, str]) -> dict[str, Any]:
        view = http.get(f"{self.server.url}{seat}?wait=20", headers=seated).json()
        return {"model": "hold", "messages": [{"role": "user", "content": view["text"]}]}


PROCESSES = (("card", 0), ("clip", 0), ("sandbox", 0), ("import", IMPORTS.cost))
"""The doors behind which a process is started."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    env: Any = {"GRANDSTAND_VISITOR_IMPORTS": "true", "GRANDSTAND_VISITOR_PACE": "0", "GRANDSTAND_SHOWCASE": "none"}
    env["constants"] = {"grandstand.server.parts.REFILL": 1e9}
    with live_server(tmp_path_factory.mktemp("purse"), "--host", "0.0.0.0", "--slots", "16", **env) as server:
        server.url = server.url.replace("0.0.0.0", "127.0.0.1")
        ended = server.post("/api/episodes", {**SHORT, "reveal": "after"}).raise_for_status().json()["episode_id"]
        played = server.post("/api/play", {"game": "diplomacy", "seat": "FRANCE"}).raise_for_status().json()
        server.wait_for(ended, status="finished")
        house = House(server, ended, played["episode_id"], played["token"])
        for _ in range(6):
            house.through("seat", EMPTY).raise_for_status()
        yield house


@pytest.mark.parametrize(
    ("door", "least"),
    [
        *(("match", MATCH), ("seat", MATCH), ("older client", MATCH), ("take", TAKE), ("reply", REPLIES.cost)),
        *(("export", 0), ("reaction", CALL), ("name", CALL)),  # work costs what it uses
        *(pytest.param(*work, marks=pytest.mark.long) for work in PROCESSES),
    ],
)
def test_every_door_is_paid_from_one_purse(house: House, door: str, least: float) -> None:
    refused = house.through(door, EMPTY)
    assert (refused.status_code, refused.json()["title"]) == (429, "Not enough credits")
    assert "not enough credits for " in refused.json()["detail"]
    assert int(refused.headers["retry-after"]) > 0
    fresh = door.replace(" ", "-")
    house.through(door, fresh)
    assert 0 < house.purse(fresh)["balance"] < 60 - least + 1e-3


def test_the_session_says_what_is_left_and_when_there_is_enough(house: House) -> None:
    full, empty = house.purse("10.0.2.1"), house.purse(EMPTY)
    assert (full["balance"], full["credits"], full["match"], full["wait"]) == (60, 60, MATCH, 0)
    assert empty["balance"] < 1e-3 < empty["wait"]

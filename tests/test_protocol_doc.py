"""docs/protocol.md says what the code does: every event, message, close code and route, and examples that parse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.routing import APIWebSocketRoute
from pydantic import TypeAdapter

from grandstand.campaign_events import CAMPAIGN_EVENTS
from grandstand.events import CORE_EVENTS
from grandstand.models import Event
from grandstand.server.main import ROUTERS
from grandstand.server.parts import LISTED
from grandstand.server.transport import observers
from grandstand.server.transport.sockets import PING_EVERY, PING_TIMEOUT
from grandstand.spectator.channel import CHUNK
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.frames import Frame
from grandstand.spectator.hub import SLOW_AFTER
from tests.support.live_server import live_server

DOC = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()


def rows(start: str) -> dict[str, list[str]]:
    """The table whose header begins with `start`: first cell, without backticks, to the other cells."""
    lines = iter(DOC.splitlines())
    next(line for line in lines if line.startswith(f"| {start} |"))
    next(lines)
    result: dict[str, list[str]] = {}
    for line in lines:
        if not line.startswith("|"):
            return result
        first, *others = (cell.strip() for cell in line.strip("|").split("|"))
        result[first.strip("`")] = others
    return result


def test_every_core_event_with_its_fields() -> None:
    table = rows("type")
    known = {**CORE_EVENTS, **CAMPAIGN_EVENTS}
    assert table.keys() == known.keys()
    for name, (_, fields, _) in table.items():
        assert re.findall(r"`(\w+)`", fields) == list(known[name].model_fields), name


def test_every_field_of_an_event() -> None:
    assert "{" + ", ".join(Event.model_fields) + "}" in DOC


def test_every_close_code_and_whether_to_come_back() -> None:
    table = rows("code")
    assert {int(code): cells[0].strip("`") for code, cells in table.items()} == {int(c): c.name for c in CloseCode}
    for code, cells in table.items():
        assert ("resume" in cells[2]) == CloseCode(int(code)).reconnect


def test_every_message_with_an_example_that_parses() -> None:
    adapter: TypeAdapter[Frame] = TypeAdapter(Frame)
    examples = [adapter.validate_json(block) for block in re.findall(r"```json\n(.*?)```", DOC, re.DOTALL)]
    assert [example.frame for example in examples] == list(rows("message"))


@pytest.mark.parametrize(
    "bound",
    [
        f"no bytes for {SLOW_AFTER:.0f} seconds",
        f"at most {CHUNK // 1024} KB",
        f"pings every {PING_EVERY:.0f} seconds",
        f"within {PING_TIMEOUT:.0f} more",
        f"1009 above {observers.MAX_RECEIVED // 1024} KB",
        f"at most {observers.OBSERVERS} such connections, {observers.OBSERVERS_EACH} from one address and "
        f"{observers.MATCHES_EACH} matches on one connection",
        f"the newest {LISTED} matches",
    ],
)
def test_bounds_are_those_of_the_code(bound: str) -> None:
    assert bound in " ".join(DOC.split())


def test_every_route(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        paths = server.get("/api/openapi.json")["paths"]
    served = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    sockets = {
        f"WS {prefix}{route.path}"
        for prefix, router in ROUTERS
        for route in router.routes
        if isinstance(route, APIWebSocketRoute)
    }
    assert served | sockets == set(rows("route"))

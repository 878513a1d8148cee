"""A game that the page does not know, drawn by the pictures that it publishes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

import pytest
from playwright.sync_api import expect

from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.games.picture import Picture, PictureFigure, Thing, grid, hand, seen
from grandstand.models import Draft
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from tests.support.live_server import LiveServer, live_server
from tests.support.page.browser import Open
from tests.support.page.screen import Screen

pytestmark = pytest.mark.browser

SEATS = ("ANN", "BOB")


def _picture(place: str) -> Picture:
    cards = [Thing(f"card{number}", "card", "held", state="hidden", owner="BOB") for number in range(3)]
    return Picture(
        [*grid(4, 4, size=18.0, at=(14.0, 4.0)), hand("held", 50.0, 90.0, owner="BOB", label="Bob")],
        [Thing("rook", "piece", place, label="R", name="Ann's rook", owner="ANN"), *cards],
        f"Ann's rook is at {place}",
        [PictureFigure("Ann", "1", "ANN"), PictureFigure("Bob", "3 cards", "BOB")],
    )


def _drafts() -> list[Draft]:
    seats = [SeatInfo(seat=seat, player="bot", kind="bot") for seat in SEATS]
    created = EpisodeCreated(game="rooks", title="Rooks and cards", options={}, seats=seats, origin="cli")
    drafts = [Draft.of(created), Draft.of(EpisodeStarted())]
    for index, place in enumerate(("a4", "a1", "d1")):
        public = _picture(place)
        faces = [
            Thing(f"card{n}", "card", "held", label=label, owner="BOB") for n, label in enumerate(("K♥", "7♠", "10♦"))
        ]
        own = seen("BOB", public, replace(public, things=[public.things[0], *faces], describe="Bob holds three cards"))
        assert own is not None
        scores = dict.fromkeys(SEATS, float(index))
        drafts += [
            Draft("PictureShown", {"state": asdict(public)}),
            Draft("PictureSeen", asdict(own), ["BOB"]),
            Draft("RookMoved", {"seat": "ANN", "to": place}),
            Draft.of(TurnStarted(index=index, turn=f"Move {index + 1}", to_act=["BOB"], scores=scores)),
        ]
    return [*drafts, Draft.of(EpisodeEnded(status="finished", message="Ann stops."))]


@pytest.fixture(scope="module")
def rooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose record holds a match of a game with pictures."""
    data = tmp_path_factory.mktemp("rooks")
    recorder = Recorder(data / "grandstand.db")
    bus = Bus(recorder)
    bus.open("rooks", epoch=1)
    bus.publish("rooks", _drafts())
    recorder.close()
    with live_server(data) as server:
        yield server


@pytest.mark.long
def test_the_pieces_move_as_they_are_looked_at_and_the_cards_of_a_seat_are_its_own(
    rooks: LiveServer, screen: Screen
) -> None:
    page = screen.page
    page.goto(f"{rooks.url}/episode/rooks?seq=4")
    board = page.get_by_role("main", name="Board")
    expect(board.get_by_role("img", name="Ann's rook is at a4")).to_be_visible()
    expect(board.get_by_text("K♥")).to_have_count(0)
    expect(board.get_by_text("3 cards")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(board.get_by_role("img", name="Ann's rook is at a1")).to_be_visible()
    page.goto(f"{rooks.url}/episode/rooks?seq=4&as=analyst")
    expect(board.get_by_role("img", name="Bob holds three cards")).to_be_visible()
    expect(board.get_by_text("K♥")).to_be_visible()


@pytest.mark.long
def test_the_lobby_draws_the_picture_and_the_phone_too(rooks: LiveServer, new_page: Open) -> None:
    screen = Screen(new_page({"width": 390, "height": 844}))
    screen.page.goto(rooks.url)
    expect(screen.page.get_by_role("img", name="Ann's rook is at d1").first).to_be_attached()
    screen.page.goto(f"{rooks.url}/episode/rooks")
    expect(screen.page.get_by_role("main", name="Board").get_by_role("img", name="Ann's rook is at d1")).to_be_visible()
    assert screen.errors == []

"""Prices by date: the one of the day, of the model and of the endpoint, from a file that says where it has it from."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pytest

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.players import prices
from grandstand.players.errors import PlayerError
from grandstand.players.llm.commentator import LLMCommentator
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.prices import DATED_DAYS, PriceFileError, PriceList, price_list, today
from grandstand.players.roster import Roster
from grandstand.players.roster_file import RosterError
from tests.support.players.chat_server import ChatServer, says
from tests.support.players.models import HOLD

OPENAI = "https://api.openai.com/v1"
DIPLOMACY = game_spec("diplomacy")

HOSTS = ("api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "api.mistral.ai")

ENTRY = """
[[price]]
provider = "127.0.0.1"
models = ["m", "m-20??"]
from = 2026-01-01
input = 1.0
output = 10.0
cached = 0.1
source = "https://example.org/prices"
retrieved = 2026-01-01
"""


def listed(folder: Path, text: str = ENTRY) -> PriceList:
    file = folder / "prices.toml"
    file.write_text(text)
    price_list.cache_clear()
    return price_list(file)


def test_the_price_of_the_day_is_the_latest_that_holds(tmp_path: Path) -> None:
    later = ENTRY.replace("2026-01-01\ninput = 1.0", "2026-06-01\ninput = 2.0")
    both = listed(tmp_path, later + ENTRY)
    expected = {date(2025, 12, 31): None, date(2026, 1, 1): 1.0, date(2026, 5, 31): 1.0, date(2026, 6, 1): 2.0}
    for day, amount in expected.items():
        price = both.find("http://127.0.0.1:9/v1", "m", day)
        assert (price and price.input) == amount, day


@pytest.mark.parametrize(
    ("url", "model", "known"),
    [
        ("http://127.0.0.1:9/v1", "m", True),
        ("http://127.0.0.1:9/v1", "m-2026", True),
        ("http://127.0.0.1:9/v1", "m-2", False),
        ("http://127.0.0.1:9/v1", "M", False),
        ("http://127.0.0.2:9/v1", "m", False),
    ],
)
def test_a_price_is_for_a_model_at_an_endpoint(url: str, model: str, known: bool, tmp_path: Path) -> None:
    assert (listed(tmp_path).find(url, model, date(2026, 7, 1)) is not None) == known


def test_the_built_in_file_answers_for_models_that_the_own_one_does_not_have(tmp_path: Path) -> None:
    day = date(2026, 12, 1)
    assert listed(tmp_path).find(OPENAI, "gpt-5-mini", day) == price_list().find(OPENAI, "gpt-5-mini", day)
    own = listed(tmp_path, ENTRY.replace("127.0.0.1", "api.openai.com").replace('"m"', '"gpt-5-mini"'))
    price = own.find(OPENAI, "gpt-5-mini", day)
    assert price is not None
    assert price.input == 1.0


def test_every_built_in_price_has_a_source_and_is_plausible() -> None:
    entries = price_list().prices
    assert len(entries) >= 12
    assert len({(price.provider, model, price.since) for price in entries for model in price.models}) == sum(
        len(price.models) for price in entries
    )
    for price in entries:
        assert price.provider in HOSTS
        assert 0 < price.input < price.output
        assert price.cached is None or price.cached < price.input
        assert price.cache_write is None or price.cache_write > price.input
        assert price.retrieved <= today()


def test_a_price_is_dated_after_some_weeks(tmp_path: Path) -> None:
    (price,) = listed(tmp_path).prices
    assert not price.dated(price.retrieved + timedelta(days=DATED_DAYS))
    assert price.dated(price.retrieved + timedelta(days=DATED_DAYS + 1))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (ENTRY.replace("2026-01-01\ninput", '"2026-01-01"\ninput'), "price.no. 1.from: must be a date such as"),
        (ENTRY.replace("output = 10.0", ""), "price.no. 1.output: Field required"),
        (ENTRY.replace("input = 1.0", "input = -1.0"), "price.no. 1.input: Input should be greater"),
        (ENTRY.replace('"https://example.org/prices"', '"somewhere"'), "price.no. 1.source: "),
        (
            ENTRY.replace("cached =", "cache ="),
            "price.no. 1.cache: there is no such setting; there are provider, models",
        ),
        ("price = ", "is not valid TOML"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_field(wrong: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PriceFileError) as caught:
        listed(tmp_path, wrong)
    assert str(caught.value).startswith(str(tmp_path / "prices.toml"))
    assert message in str(caught.value)


# --- in a roster ------------------------------------------------------------------------------------------------------

ROSTER = """
{head}
[[player]]
name = "model"
kind = "llm"
{budget}
[player.options]
base_url = "{url}"
model = "m"
max_tokens = 100
retries = 0
"""


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(says(HOLD, usage=(1000, 100))) as running:
        yield running


def roster(folder: Path, url: str, head: str = 'prices = "own.toml"', budget: str = "", entries: str = ENTRY) -> Roster:
    """Return a roster beside a price file, to which it refers by its name alone."""
    (folder / "own.toml").write_text(entries)
    file = folder / "players.toml"
    file.write_text(ROSTER.format(head=head, url=url, budget=budget))
    price_list.cache_clear()
    return Roster.load(file)


def answer(listing: Roster) -> tuple[float | None, LLMPlayer]:
    """Return the cost of one answer of the model, and the player."""
    player = listing.episode(DIPLOMACY).player("model", "FRANCE")
    assert isinstance(player, LLMPlayer)
    choice = asyncio.run(player.choose(Match(game_spec("diplomacy"), {}, 1), "FRANCE"))
    assert choice.report is not None
    return choice.report.usage.dollars, player


def test_an_answer_costs_what_the_file_says(server: ChatServer, tmp_path: Path) -> None:
    dollars, _ = answer(roster(tmp_path, server.url))
    assert dollars == pytest.approx((1000 * 1.0 + 100 * 10.0) / 1e6)


def test_a_model_without_a_price_has_an_unknown_cost(server: ChatServer, tmp_path: Path) -> None:
    listing = roster(tmp_path, server.url, head="")
    assert listing.price("model") is None
    assert answer(listing)[0] is None


def test_the_price_of_the_match_is_that_of_its_day(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server runs for months: a match that begins after a change has the new price, one before it keeps its own."""
    later = ENTRY.replace("2026-01-01\ninput = 1.0", "2027-01-01\ninput = 3.0")
    listing = roster(tmp_path, server.url, entries=ENTRY + later)
    for day, price in ((date(2026, 12, 31), 1.0), (date(2027, 1, 1), 3.0), (date(2026, 12, 31), 1.0)):
        monkeypatch.setattr("grandstand.players.roster.today", partial(lambda now: now, day))
        assert answer(listing)[0] == pytest.approx((1000 * price + 100 * 10.0) / 1e6)
    monkeypatch.setattr("grandstand.players.roster.today", lambda: date(2025, 12, 31))
    assert answer(listing)[0] is None


def test_a_price_of_the_roster_comes_first(server: ChatServer, tmp_path: Path) -> None:
    listing = roster(tmp_path, server.url)
    file = tmp_path / "players.toml"
    file.write_text(file.read_text() + "price_in = 5.0\nprice_out = 0.0\n")
    listing = Roster.load(file)
    price = listing.price("model")
    assert price is not None
    assert (price.input, price.output, price.listed) == (5.0, 0.0, None)
    assert answer(listing)[0] == pytest.approx(0.005)


def test_a_budget_in_dollars_works_with_a_price_of_the_file(server: ChatServer, tmp_path: Path) -> None:
    _, player = answer(roster(tmp_path, server.url, budget="budget = { dollars = 0.5 }"))
    assert player._budget.dollars_spent == pytest.approx(0.002)
    listing = roster(tmp_path, server.url, budget="budget = { dollars = 0.0001 }")
    refused = listing.episode(DIPLOMACY).player("model", "FRANCE")
    before = len(server.requests)
    with pytest.raises(PlayerError, match="the budget of the match or of the seat is spent"):
        asyncio.run(refused.choose(Match(game_spec("diplomacy"), {}, 1), "FRANCE"))
    assert len(server.requests) == before, "a call that might exceed the budget is not made"
    with pytest.raises(
        RosterError, match="a budget in dollars needs the endpoint's prices, and the price file does not"
    ):
        roster(tmp_path, server.url, head="budget = { dollars = 1.0 }")


def test_the_endpoint_is_shared_as_long_as_the_price_holds(server: ChatServer, tmp_path: Path) -> None:
    """Seats share what was detected about an endpoint, whatever its price is from."""
    seating = roster(tmp_path, server.url).episode(DIPLOMACY)
    first, second = (seating.player("model", seat) for seat in ("FRANCE", "ITALY"))
    assert isinstance(first, LLMPlayer)
    assert isinstance(second, LLMPlayer)
    assert first._model is second._model


def test_a_commentator_has_the_price_too(server: ChatServer, tmp_path: Path) -> None:
    model = roster(tmp_path, server.url).episode(DIPLOMACY).commentator("model")
    assert isinstance(model, LLMCommentator)
    assert model._endpoint.options.price_in == 1.0


def test_the_day_is_one_in_utc() -> None:
    assert abs((prices.today() - date.today()).days) <= 1

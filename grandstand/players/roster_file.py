"""Reader of roster files: TOML to validated tables, or one line that names file, entry, field and remedy.

A value may be a misplaced key, so no error quotes one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from grandstand.players.base import KINDS
from grandstand.players.options import ExternalOptions, LLMOptions, Options, PromptVariant
from grandstand.players.prices import PriceFileError, PriceList, price_list, today

DEFAULT = Path(__file__).parent / "players.toml"
"""The built-in roster."""


class RosterError(ValueError):
    """An invalid roster; the message names file, entry, field and remedy."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Limits(_Table):
    """Spending limits of one episode."""

    tokens: int | None = Field(default=None, gt=0)
    dollars: float | None = Field(default=None, gt=0)


class PlayerTable(_Table):
    """A `[[player]]` table of the file. `budget` limits the spending of one seat."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$")
    kind: str
    description: str = Field(default="", max_length=200)
    games: list[str] | None = None
    key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    budget: Limits = Limits()
    options: dict[str, Any] = {}

    @field_validator("kind")
    @classmethod
    def _known(cls, kind: str) -> str:
        if kind not in KINDS:
            raise ValueError(f"there is no such kind; there are {', '.join(KINDS)}")
        return kind


class RosterFile(_Table):
    """The whole file. `budget` limits the spending of all seats of an episode together; `prices` is a price file."""

    budget: Limits = Limits()
    prices: Path | None = None
    player: list[PlayerTable] = []


def read_file(path: Path) -> RosterFile:
    """Return the tables of a roster file, and after them those of people and programs. Raises RosterError.

    A table of the file replaces a built-in one of the same name, or of the same kind if it is for every game.
    """
    file = _tables(path)
    names = {entry.name for entry in file.player}
    kinds = {entry.kind for entry in file.player if entry.games is None}
    added = [entry for entry in _outside() if entry.name not in names and entry.kind not in kinds]
    return file.model_copy(update={"player": [*file.player, *added]})


@cache
def _outside() -> Sequence[PlayerTable]:
    """Return the tables of the built-in roster for people and programs, which every roster has."""
    return [entry for entry in _tables(DEFAULT).player if KINDS[entry.kind].options is ExternalOptions]


def _tables(path: Path) -> RosterFile:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RosterError(f"{path}: cannot be read: {error.strerror}. Name a readable roster file.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RosterError(f"{path}: is not valid TOML: {error}") from None
    entries = data.get("player")
    tables = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    names = [str(entry.get("name", f"no. {number}")) for number, entry in enumerate(tables, 1)]
    with _explained(f"{path}: ", RosterFile, names):
        return RosterFile(**data)


def read_prices(file: RosterFile, where: str) -> PriceList:
    """Return the prices that the file names, relative to its own folder, or the built-in ones. Raises RosterError."""
    try:
        return price_list(None if file.prices is None else Path(where).parent / file.prices)
    except PriceFileError as error:
        raise RosterError(f"{where}: prices: {error}") from None


def read_options(file: RosterFile, entry: PlayerTable, where: str, prices: PriceList) -> Options:
    """Return the entry's options as the options type of its kind. Raises RosterError."""
    at = f"{where}: player {entry.name!r}: options"
    kind = KINDS[entry.kind].options
    with _explained(f"{at}.", kind):
        options = kind(**entry.options)
    limited = file.budget.dollars is not None or entry.budget.dollars is not None
    if limited and isinstance(options, LLMOptions) and priced(options, prices, today()).price_in is None:
        raise RosterError(
            f"{at}.price_in: a budget in dollars needs the endpoint's prices, and the price file does not have them; "
            "0 for a free one"
        )
    return options


def priced(options: LLMOptions, prices: PriceList, day: date) -> LLMOptions:
    """Return the options with the prices that hold on `day`, unless they have their own; unchanged if none is known."""
    price = None if options.price_in is not None else prices.find(options.base_url, options.model, day)
    if price is None:
        return options
    listed = {
        "price_in": price.input,
        "price_out": price.output,
        "price_cached": price.cached,
        "price_cache_write": price.cache_write,
    }
    return options.model_copy(update=listed)


@contextmanager
def _explained(where: str, model: type[BaseModel], names: Sequence[str] = ()) -> Iterator[None]:
    """Replace a pydantic error with a RosterError of one line. `names` are the names of the entries, by number."""
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        path = ""
        for part in first["loc"]:
            path += f" {names[part]!r}" if isinstance(part, int) and part < len(names) else f".{part}"
        message = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            tables: dict[str | int, type[BaseModel]] = {
                "player": PlayerTable,
                "budget": Limits,
                "prompt": PromptVariant,
            }
            for part in first["loc"][:-1]:
                model = tables.get(part, model)
            message = f"there is no such setting; there are {', '.join(model.model_fields)}"
        named = f"{path.lstrip('.')}: " if path else ""  # the message of a check of several fields names them
        raise RosterError(f"{where}{named}{message}") from None

"""Prices of models, from a file: for a million tokens at an endpoint, each with its first day and its source."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

DEFAULT = Path(__file__).parent / "prices.toml"

DATED_DAYS = 60
"""Days after which a price counts as dated: providers change theirs several times a year."""


class PriceFileError(ValueError):
    """A price file that cannot be used; the message names the file, the entry and the field."""


class _PriceTable(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ListedPrice(_PriceTable):
    """A `[[price]]` table: US dollars for a million tokens of these models, from a day on."""

    provider: str = Field(min_length=1, description="Host of the endpoint; * stands for any characters.")
    models: list[str] = Field(min_length=1, description="The provider's names of the models; * and ? as above.")
    since: date = Field(alias="from", description="First day on which the price is known to hold.")
    input: float = Field(ge=0, description="For tokens read.")
    output: float = Field(ge=0, description="For tokens written, those of reasoning included.")
    cached: float | None = Field(default=None, ge=0, description="For tokens read from the cache; default: input.")
    cache_write: float | None = Field(default=None, ge=0, description="For tokens written to the cache.")
    source: str = Field(pattern=r"^https?://\S+$", description="The page with the price.")
    retrieved: date = Field(description="Day on which that page was read.")

    @field_validator("since", "retrieved", mode="before")
    @classmethod
    def _day(cls, value: object) -> object:
        if not isinstance(value, date) or isinstance(value, datetime):
            raise ValueError("must be a date such as 2026-09-07, without quotation marks")
        return value

    def is_for(self, host: str, model: str) -> bool:
        """Return whether this is a price of a model at an endpoint."""
        return fnmatchcase(host, self.provider) and any(fnmatchcase(model, pattern) for pattern in self.models)

    def dated(self, today: date) -> bool:
        """Return whether the price was read more than DATED_DAYS ago, so that it may have changed."""
        return (today - self.retrieved).days > DATED_DAYS


class _PriceFile(_PriceTable):
    price: list[ListedPrice] = []


@dataclass(frozen=True)
class PriceList:
    """The prices of a file, and those of the built-in file for models that it does not have."""

    prices: Sequence[ListedPrice] = ()
    others: PriceList | None = None

    def find(self, base_url: str, model: str, day: date) -> ListedPrice | None:
        """Return the price of a model at an endpoint that holds on `day`, the latest one; None if it is unknown."""
        host = urlsplit(base_url).hostname or ""
        prices = [price for price in self.prices if price.is_for(host, model)]
        if not prices and self.others is not None:
            return self.others.find(base_url, model, day)
        return max((price for price in prices if price.since <= day), key=lambda price: price.since, default=None)


@cache
def price_list(path: Path | None = None) -> PriceList:
    """Return the prices of a file, by default the built-in one, read once in a process. Raises PriceFileError."""
    prices = _read(path or DEFAULT)
    return PriceList(prices, None if path is None else price_list())


def today() -> date:
    """Return the day in UTC."""
    return datetime.now(UTC).date()


def _read(path: Path) -> list[ListedPrice]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        return _PriceFile(**data).price
    except OSError as error:
        raise PriceFileError(f"{path}: cannot be read: {error.strerror}; name a readable price file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PriceFileError(f"{path}: is not valid TOML: {error}") from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(f"no. {part + 1}" if isinstance(part, int) else part for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            names = (field.alias or name for name, field in ListedPrice.model_fields.items())
            message = f"there is no such setting; there are {', '.join(names)}"
        raise PriceFileError(f"{path}: {place}: {message}") from None

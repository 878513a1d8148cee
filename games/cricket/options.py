"""What can be set for a match."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from games.base import OptionError
from games.cricket.model import ERAS
from games.cricket.rules import CONDITIONS

_RAIN: Final = re.compile(r"([12])@(\d{1,2})->(\d{1,2})")


class Rain(NamedTuple):
    """After `after` overs of `innings` it is cut to `overs` in all; where that is `after` itself, no more is played."""

    innings: int
    after: int
    overs: int


@dataclass(frozen=True)
class CricketOptions:
    """Options of a match. Raises OptionError naming the field and the remedy."""

    overs: int = field(default=20, metadata={"help": "overs a side, 1 to 50 (5 and 20 are the named formats)"})
    era: str = field(
        default="modern", metadata={"help": f"level of scoring: {' or '.join(ERAS)}", "choices": tuple(ERAS)}
    )
    conditions: str = field(
        default="icc",
        metadata={"help": f"playing conditions: {' or '.join(CONDITIONS)}", "choices": tuple(CONDITIONS)},
    )
    rain: str = field(
        default="none", metadata={"help": "none, random, or INNINGS@AFTER->OVERS such as 2@8->14 (D/L Standard)"}
    )

    def __post_init__(self) -> None:
        if not isinstance(self.overs, int) or isinstance(self.overs, bool) or not 1 <= self.overs <= 50:
            raise OptionError(f"overs: must be a whole number from 1 to 50, not {self.overs!r}")
        if self.era not in ERAS:
            raise OptionError(f"era: unknown {self.era!r}; there are {', '.join(ERAS)}")
        if self.conditions not in CONDITIONS:
            raise OptionError(f"conditions: unknown {self.conditions!r}; there are {', '.join(CONDITIONS)}")
        if self.rain not in ("none", "random"):
            found = _RAIN.fullmatch(str(self.rain))
            if found is None:
                raise OptionError(f"rain: {self.rain!r} is not none, random, or like 2@8->14")
            _, after, overs = map(int, found.groups())
            if not 0 < after <= overs < self.overs:
                raise OptionError(f"rain: {self.rain!r} needs 0 < after <= overs < {self.overs}")

    def weather(self, rng: Random) -> Rain | None:
        """The interruption of this match, if any; `rng` decides a random one (one match in four)."""
        if self.rain == "none":
            return None
        if self.rain != "random":
            found = _RAIN.fullmatch(self.rain)
            assert found is not None
            return Rain(*map(int, found.groups()))
        if self.overs < 3 or rng.random() >= 0.25:
            return None
        after = rng.randint(1, self.overs - 2)
        return Rain(rng.choice((1, 2)), after, rng.randint(after, self.overs - 1))

"""The options of a match."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from grandstand.games.base import OptionError
from grandstand.games.cricket.laws.rules import CONDITIONS
from grandstand.games.cricket.model.ball_model import ERAS
from grandstand.games.cricket.packs import NO_PACK, PACKS, Scenario, pack

_OVERS: Final = 20
DECISIONS: Final = ("ball", "over")
_RAIN: Final = re.compile(r"([12])@(\d{1,2})->(\d{1,2})")


class Rain(NamedTuple):
    """After `after` overs, innings `innings` is cut to `overs` in all; if that equals `after`, it ends."""

    innings: int
    after: int
    overs: int


@dataclass(frozen=True)
class CricketOptions:
    """Options of a match. Construction raises OptionError naming the field and the remedy."""

    overs: int = field(default=_OVERS, metadata={"help": "overs a side, 1 to 50 (5 and 20 are the named formats)"})
    era: str = field(
        default="modern", metadata={"help": f"level of scoring: {' or '.join(ERAS)}", "choices": tuple(ERAS)}
    )
    conditions: str = field(
        default="icc",
        metadata={"help": f"playing conditions: {', '.join(CONDITIONS)}", "choices": tuple(CONDITIONS)},
    )
    rain: str = field(
        default="none", metadata={"help": "none, random, or INNINGS@AFTER->OVERS such as 2@8->14 (D/L Standard)"}
    )

    decisions: str = field(
        default="ball",
        metadata={
            "help": "what the captains decide: every ball, or a plan for each over, which they may change after a "
            "boundary, a wicket or a review",
            "choices": DECISIONS,
        },
    )
    pack: str = field(
        default=NO_PACK,
        metadata={
            "help": f"begin in a situation of an evaluation pack: {', '.join(PACKS)}",
            "choices": (NO_PACK, *PACKS),
        },
    )
    scenario: str = field(default="", metadata={"help": "which situation of the pack; drawn by the seed where empty"})
    random_start: bool = field(
        default=False,
        metadata={"help": "begin in a situation drawn by the seed, of the default pack unless one is named"},
    )
    win_probability: bool = field(
        default=True, metadata={"help": "announce the chance of winning after every ball; off, simulation is faster"}
    )

    def __post_init__(self) -> None:
        self._check_match()
        self._check_start()

    def _check_match(self) -> None:
        if not isinstance(self.overs, int) or isinstance(self.overs, bool) or not 1 <= self.overs <= 50:
            raise OptionError(f"overs: must be a whole number from 1 to 50, not {self.overs!r}")
        if self.era not in ERAS:
            raise OptionError(f"era: unknown {self.era!r}; there are {', '.join(ERAS)}")
        if self.conditions not in CONDITIONS:
            raise OptionError(f"conditions: unknown {self.conditions!r}; there are {', '.join(CONDITIONS)}")
        if self.decisions not in DECISIONS:
            raise OptionError(f"decisions: unknown {self.decisions!r}; there are {', '.join(DECISIONS)}")
        if self.rain not in ("none", "random"):
            match = _RAIN.fullmatch(str(self.rain))
            if match is None:
                raise OptionError(f"rain: {self.rain!r} is not none, random, or like 2@8->14")
            _, after, overs = map(int, match.groups())
            if not 0 < after <= overs < self.overs:
                raise OptionError(f"rain: {self.rain!r} needs 0 < after <= overs < {self.overs}")

    def _check_start(self) -> None:
        for name in ("random_start", "win_probability"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"{name}: must be true or false, not {getattr(self, name)!r}")
        if self.pack == NO_PACK:
            if self.scenario:
                raise OptionError(f"scenario: {self.scenario!r} needs a pack; name the one it is of")
            if not self.random_start:
                return
            object.__setattr__(self, "pack", PACKS[0])
        source = pack(self.pack)
        if self.scenario:
            source.scenario(self.scenario)
        if self.overs not in (_OVERS, source.overs):
            raise OptionError(f"overs: the situations of {self.pack} are of {source.overs} overs; leave it out")
        object.__setattr__(self, "overs", source.overs)
        if self.rain != "none":
            raise OptionError(f"rain: must be none in a situation of {self.pack}, not {self.rain!r}")

    def start(self, seed: int) -> Scenario | None:
        """Return the situation to begin in; None for the toss."""
        if self.pack == NO_PACK:
            return None
        source = pack(self.pack)
        return source.scenario(self.scenario) if self.scenario else source.drawn(seed)

    def weather(self, rng: Random) -> Rain | None:
        """Return the interruption of this match, if any; `rng` decides a random one (one match in four)."""
        if self.rain == "none":
            return None
        if self.rain != "random":
            match = _RAIN.fullmatch(self.rain)
            assert match is not None
            return Rain(*map(int, match.groups()))
        if self.overs < 3 or rng.random() >= 0.25:
            return None
        after = rng.randint(1, self.overs - 2)
        return Rain(rng.choice((1, 2)), after, rng.randint(after, self.overs - 1))


def option_words(options: CricketOptions) -> dict[str, str]:
    """Return the length of the match, its situation, era and rain in words."""
    situation = "" if options.pack == NO_PACK else f"situations of {options.pack}"
    if options.scenario:
        situation = f"situation {options.scenario} of {options.pack}"
    return {
        "overs": f"{options.overs} {'over' if options.overs == 1 else 'overs'} a side",
        "pack": situation,
        "scenario": "",
        "random_start": "drawn by the seed" if options.random_start else "",
        "era": "" if options.era == "modern" else f"{options.era} scoring",
        "conditions": "" if options.conditions == "icc" else f"{options.conditions.replace('ipl', 'IPL')} conditions",
        "rain": "" if options.rain == "none" else f"rain {options.rain}",
        "decisions": "a plan an over" if options.decisions == "over" else "",
        "win_probability": "" if options.win_probability else "without win probabilities",
    }

"""The plan of a tournament: its players, format, openings, length and limits, as read from a file or a request."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from hashlib import blake2b
from math import isfinite
from random import Random
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from grandstand.campaigns.campaign import PILOT
from grandstand.games.base import OptionError, SeatId
from grandstand.games.registry import game_spec
from grandstand.games.spec import game_options
from grandstand.models import MAX_NUMBER
from grandstand.players.errors import OnFault
from grandstand.players.llm.budget import Budget, Clock, DayBudget

Format = Literal["round-robin", "one-against-all", "swiss", "fixed", "ladder"]
"""In order: all pairs (or groups) equally often; one player against copies of another; groups of players with
similar standings, round by round; the pairings that the plan names; the most informative pairings, without end."""

Goal = Literal["scores", "lead"]
"""The quantity that `until` bounds: every player's score, or the leader's lead over each other player."""

MOST_PLAYERS = 40
MOST_MATCHES = 100_000
FIRST_LOOK = 5
"""Openings before results may first end a tournament."""
SECRET = ("seed", "openings")
"""Fields from which matches can be predicted, so viewers do not see them."""


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament. Construction raises OptionError naming the field and the remedy."""

    game: str
    players: tuple[str, ...]
    title: str = ""
    format: Format = "round-robin"
    pairings: tuple[tuple[str, ...], ...] = ()
    """For the format `fixed`: the players of each match in seat order. All are played from every opening."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Match options."""
    pack: str = ""
    """A set of situations of the game; each opening is one of them."""
    openings: tuple[int, ...] = ()
    """Seeds of the openings, used in turn; by default they are derived from `seed`."""
    seed: int = 0
    matches: int = 0
    """The number of matches, rounded up to whole openings."""
    until: float = 0.0
    """Half the width of an interval at which the tournament ends, instead of `matches`."""
    goal: Goal = "scores"
    max_matches: int = 0
    """With `until`: the most matches."""
    on_fault: OnFault = "fallback"
    max_tokens: int | None = None
    max_dollars: float | None = None
    anchors: tuple[str, ...] = ()
    """For the format `ladder`: players whom a new player meets first; by default, all that are no longer new."""
    pilot: int = PILOT
    """Matches that are played before the cost of the others is estimated; they count."""

    def __post_init__(self) -> None:
        spec = game_spec(self.game)
        game_options(spec, self.options)
        self._check_players()
        self._check_format()
        if self.pack and self.pack not in spec.learning.tasks:
            raise OptionError(
                f"pack: {spec.name} has no {self.pack!r}; there are {', '.join(spec.learning.tasks) or 'none'}"
            )
        for situation in self.situations:
            game_options(spec, {**self.options, **situation})
        self._check_numbers()
        self._check_length()

    @classmethod
    def of(cls, data: Mapping[str, object]) -> TournamentPlan:
        """Return the plan in `data`, the content of a file or a request. Raises OptionError naming the field."""
        names = [item.name for item in fields(cls)]
        for name in data:
            if name not in names:
                raise OptionError(f"{name}: a tournament has no such field; there are {', '.join(names)}")
        for name in ("game", "players"):
            if name not in data:
                raise OptionError(f"{name}: is missing; set it")
        try:
            return _READER.validate_python(dict(data))
        except ValidationError as error:
            problem = error.errors()[0]
            cause = problem.get("ctx", {}).get("error")
            if isinstance(cause, OptionError):
                raise cause from None
            name = ".".join(str(part) for part in problem["loc"])
            message = (
                problem["msg"].replace("valid tuple", "list").replace("valid dictionary", "table of names and values")
            )
            raise OptionError(f"{name}: {message}, not {problem['input']!r}") from None

    def to_json(self) -> dict[str, Any]:
        """Return the plan as data: `of` returns an equal plan."""
        return {name: _plain(value) for name, value in asdict(self).items()}

    def public(self) -> dict[str, Any]:
        """Return the public part of the plan: everything but the seeds."""
        return {name: value for name, value in self.to_json().items() if name not in SECRET}

    @property
    def seats(self) -> tuple[SeatId, ...]:
        """Return the seats of the game."""
        return game_spec(self.game).seats(self.options)

    @cached_property
    def situations(self) -> Sequence[Mapping[str, Any]]:
        """Return the options of the pack's situations in the order of play; without a pack, one empty situation."""
        if not self.pack:
            return [{}]
        tasks = game_spec(self.game).learning.tasks[self.pack]()
        situations = list({json.dumps(task.options, sort_keys=True): task.options for task in tasks}.values())
        Random(f"{self.seed}/situations").shuffle(situations)
        return situations

    @property
    def endless(self) -> bool:
        """Return whether the tournament has no last match: a ladder without a number of matches."""
        return self.format == "ladder" and not self.matches

    def budget(self, within: Budget | None = None, clock: Clock = time.time) -> Budget:
        """Return the budget of all matches; that of a ladder is for a day."""
        if self.format == "ladder":
            return DayBudget("the ladder's daily", self.max_tokens, self.max_dollars, within, clock=clock, counted=True)
        return Budget("the tournament's", self.max_tokens, self.max_dollars, within, patient=True)

    @property
    def per_opening(self) -> int:
        """Return the number of matches of an opening; in the Swiss format, of a round."""
        players, seats = len(self.players), len(self.seats)
        match self.format:
            case "round-robin":
                return players * (players - 1) if seats == 2 else players
            case "one-against-all":
                return players * (players - 1) * seats
            case "swiss":
                return players // seats * seats
            case "fixed":
                return len(self.pairings)
            case "ladder":
                return seats

    @property
    def last_opening(self) -> int:
        """Return the most openings that the tournament may play."""
        if self.endless:
            return MOST_MATCHES // self.per_opening
        return self.max_matches // self.per_opening if self.until else -(-self.matches // self.per_opening)

    @property
    def planned(self) -> int:
        """Return the most matches that the tournament may play."""
        return self.last_opening * self.per_opening

    def match_options(self, opening: int) -> dict[str, Any]:
        """Return the options of every match of an opening."""
        return {**self.options, **self.situations[opening % len(self.situations)]}

    def match_seed(self, opening: int) -> int:
        """Return the seed of every match of an opening."""
        if self.openings:
            return self.openings[opening % len(self.openings)]
        return int.from_bytes(blake2b(f"{self.seed}/opening/{opening}".encode(), digest_size=4).digest(), "big")

    def _check_players(self) -> None:
        if len(self.players) < 2:
            raise OptionError(f"players: a tournament has at least two players, not {len(self.players)}; name more")
        if len(self.players) > MOST_PLAYERS:
            raise OptionError(f"players: at most {MOST_PLAYERS}, not {len(self.players)}; name fewer")
        for name in self.players:
            if not name.strip():
                raise OptionError("players: a name is empty; leave it out")
            if self.players.count(name) > 1:
                raise OptionError(f"players: {name!r} is named twice; name it once, or add an entry to the roster")

    def _check_format(self) -> None:
        players, seats = len(self.players), len(self.seats)
        if self.format == "one-against-all" and seats == 2:
            raise OptionError("format: one-against-all needs more than two seats; use round-robin")
        if self.format == "swiss" and players < seats:
            raise OptionError(
                f"format: swiss needs a player for each of the {seats} seats of {self.game}, not {players}; use"
                " round-robin, in which a player takes several seats"
            )
        if self.format == "fixed" and not self.pairings:
            raise OptionError("pairings: the format 'fixed' needs them; list the players of each match in seat order")
        for name in self.anchors:
            if self.format != "ladder":
                raise OptionError(f"anchors: they are for the format 'ladder', not {self.format!r}; leave them out")
            if name not in self.players:
                raise OptionError(f"anchors: {name!r} is none of the players; add it to `players`")
        if self.format != "fixed" and self.pairings:
            raise OptionError(f"pairings: they are for the format 'fixed', not {self.format!r}; leave them out")
        for number, names in enumerate(self.pairings):
            if len(names) != seats:
                raise OptionError(
                    f"pairings.{number}: {len(names)} players for {seats} seats; name one for each of"
                    f" {', '.join(self.seats)}"
                )
            for name in names:
                if name not in self.players:
                    raise OptionError(f"pairings.{number}: {name!r} is none of the players; add it to `players`")

    def _check_numbers(self) -> None:
        whole = {"seed": self.seed, "matches": self.matches, "max_matches": self.max_matches, "pilot": self.pilot}
        whole |= {f"openings.{number}": seed for number, seed in enumerate(self.openings)}
        for name, value in whole.items():
            if not 0 <= value <= MAX_NUMBER:
                raise OptionError(f"{name}: must be a whole number from 0 to {MAX_NUMBER}, not {value!r}")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise OptionError(f"max_tokens: must be at least 1, not {self.max_tokens!r}; leave it out for no limit")
        if self.max_dollars is not None and not (self.max_dollars >= 0 and isfinite(self.max_dollars)):
            raise OptionError(f"max_dollars: must be 0 or more, not {self.max_dollars!r}; leave it out for no limit")
        if not 0 <= self.until < 1:
            raise OptionError(f"until: must be a half-width below 1, such as 0.05, not {self.until!r}")

    def _check_length(self) -> None:
        if self.format == "ladder":
            if self.until or self.max_matches:
                raise OptionError("until: a ladder ends by its matches alone, or never; leave `until` out")
            return
        if bool(self.matches) == bool(self.until):
            raise OptionError("matches: set either the number of matches or `until` with `max_matches`")
        if self.until:
            least = FIRST_LOOK * self.per_opening
            if self.format == "swiss":
                raise OptionError("until: pairings of the Swiss format depend on results; set matches instead")
            if self.max_matches < least:
                raise OptionError(
                    f"max_matches: {self.max_matches} are too few for an interval: {FIRST_LOOK} openings of"
                    f" {self.per_opening} matches need {least}"
                )
        elif self.max_matches:
            raise OptionError("max_matches: belongs to `until`; leave it out, or set `until` instead of `matches`")
        if self.planned > MOST_MATCHES:
            raise OptionError(f"matches: {self.planned} are more than {MOST_MATCHES}; set fewer")


def _plain(value: Any) -> Any:
    """Replace tuples by lists, which JSON has."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


_READER = TypeAdapter(TournamentPlan)

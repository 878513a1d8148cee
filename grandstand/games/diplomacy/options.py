"""The options of a match of Diplomacy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from grandstand.games.base import OptionError
from grandstand.games.diplomacy.rules.map import START_YEAR
from grandstand.games.diplomacy.rules.position import read_start
from grandstand.games.diplomacy.rules.scoring import SCORINGS
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.tactics.positions import tactic, tactics

PRESS = ("none", "public", "full")


def _option(default: Any, help_text: str, choices: tuple[str, ...] = (), **more: Any) -> Any:
    return field(default=default, metadata={"help": help_text, "choices": choices, **more})


@dataclass(frozen=True, slots=True)
class DiplomacyOptions:
    """The options of a match. Raises OptionError, naming the option and the remedy, for a value that it cannot take."""

    press: str = _option(
        "full", "who may write to whom: none, public (to all only) or full (to anyone, in private too)", PRESS
    )
    negotiation_rounds: int = _option(
        3, "how many rounds of negotiation talkative players hold before each movement phase"
    )
    messages_per_phase: int = _option(16, "how many messages a power may send in one phase")
    message_length: int = _option(1000, "how many characters a message may have")
    last_year: int = _option(1920, "the match ends after the fall of this year, if it has not ended before")
    stalemate_years: int = _option(5, "draw after so many years in which no centre changed hands; 0 for never")
    draw_votes: bool = _option(True, "whether the match is drawn when every power still in it votes for a draw")
    scoring: str = _option("sum-of-squares", f"how the result is scored: {', '.join(SCORINGS)}", tuple(SCORINGS))
    start: Mapping[str, Any] | None = _option(
        None,
        "a position to begin with: phase, units, centers and retreats, as in docs/diplomacy-rules.md",
        takes_object=True,
    )
    tactic: str = _option(
        "", "a position of the tactics set to play instead of a match: one power, one answer", ("", *tactics())
    )

    def __post_init__(self) -> None:
        _one_of("press", self.press, PRESS)
        _one_of("scoring", self.scoring, tuple(SCORINGS))
        _whole("negotiation_rounds", self.negotiation_rounds, 0, 10)
        _whole("messages_per_phase", self.messages_per_phase, 1, 1000)
        _whole("message_length", self.message_length, 1, 100_000)
        _whole("last_year", self.last_year, START_YEAR, 9998)
        _whole("stalemate_years", self.stalemate_years, 0, 9999)
        if not isinstance(self.draw_votes, bool):
            raise OptionError(f"draw_votes: must be true or false, not {self.draw_votes!r}")
        if self.tactic:
            tactic(self.tactic)
            if self.start is not None:
                raise OptionError("tactic: brings its own position; leave out start, or this")
        if self.start is not None:
            read_start(self.start, self.last_year)

    def opening(self) -> State:
        """Return the position in which the match begins."""
        if self.tactic:
            return tactic(self.tactic).state
        return State.start() if self.start is None else read_start(self.start, self.last_year)

    @property
    def scoring_sentence(self) -> str:
        """Return a sentence on the scoring for the players."""
        if self.tactic:
            return "Scoring: orders that reach the aim take 1 point, others none."
        return SCORINGS[self.scoring].sentence

    def to_json(self) -> dict[str, Any]:
        """Return the options as data. A start position or a tactic is left out if there is none."""
        return {name: value for name, value in asdict(self).items() if value or name not in ("start", "tactic")}


def option_words(options: DiplomacyOptions) -> dict[str, str]:
    """Return the length of the match and its press in words."""
    if options.tactic:
        return {"tactic": f"tactics: {options.tactic}", "last_year": "", "press": ""}
    start = "Spring 1901" if options.start is None else f"{options.start.get('phase', 'a position')}"
    press = {"none": "no press", "public": "public press", "full": "full press"}[options.press]
    return {"start": f"{start} to {options.last_year}", "last_year": "", "press": press}


def _one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(f"{name}: {value!r} is unknown; choose one of {', '.join(choices)}")


def _whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise OptionError(f"{name}: must be a whole number from {low} to {high}, not {value!r}")

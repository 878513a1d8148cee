"""The parts of a prompt for a language model, and the settings that decide what a game puts into them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

PartName = Literal["rules", "position", "history", "analysis", "legal", "notes", "task"]
"""The kinds of part: the game and its aim; the moment; earlier play and messages; facts computed from the position; the
legal choices; the player's notes for itself; and the task, which no template moves."""

PLACED: tuple[PartName, ...] = tuple(name for name in get_args(PartName) if name != "task")
"""The parts that a template may place."""


class PromptPart(NamedTuple):
    """A passage of a prompt. Several passages may be of one kind; an empty one is left out."""

    name: PartName
    text: str


@dataclass(frozen=True, slots=True)
class PromptSettings:
    """The settings of a prompt variant that a game follows in its parts."""

    legal: bool = True
    """True if the legal choices are listed. Without them, a prompt still has the form of an answer."""
    history: int | None = None
    """The length of the history, in units of the game (`PromptForm.unit`); None for the game's default."""


@dataclass(frozen=True, slots=True)
class PromptForm:
    """The prompts of a game: their version, and the settings that they can follow."""

    version: int = 1
    """Raise it with every change of the prompts. Statistics keep the versions apart."""
    unit: str = ""
    """The unit of `PromptSettings.history`, in the plural; empty if the length cannot be set."""
    longest: int = 0
    """The longest history that can be set."""
    default: int | None = None
    """The length of history equivalent to None, if there is one."""


def joined(parts: Sequence[PromptPart]) -> str:
    """Return the parts in order as one text."""
    return "\n\n".join(part.text for part in parts if part.text)


def ended(parts: Sequence[PromptPart]) -> list[PromptPart]:
    """Return the parts that are not empty, the last one with a newline at its end."""
    *others, last = (part for part in parts if part.text)
    return [*others, PromptPart(last.name, f"{last.text}\n")]

"""The phrases of the commentator's lines of Werewolf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

LINES: Final[Mapping[str, Sequence[str]]] = {
    "night": (
        "Night {day} falls over the village.",
        "The lights go out. Night {day} begins.",
        "All close their eyes for night {day}.",
    ),
    "attacked": (
        "At dawn one seat is empty: {of}, who was {a_role}.",
        "The wolves came for {of}, {a_role}.",
        "Day {day} begins without {of}. {of} was {a_role}.",
    ),
    "unharmed": (
        "Day {day} begins, and nobody is missing.",
        "All wake up on day {day}. Somebody was lucky.",
        "The wolves came home with nothing: all are there on day {day}.",
    ),
    "exiled good": (
        "The village exiles {of}, and {of} was {a_role}. That was no wolf.",
        "{of} has to go, and was {a_role} after all.",
        "A mistake: {of} was {a_role}.",
    ),
    "exiled wolf": (
        "The village exiles {of}, and {of} was a wolf!",
        "A wolf! {of} is found and exiled.",
        "They have one: {of} was a wolf.",
    ),
    "shot": (
        "The hunter takes {of} along, who was {a_role}.",
        "A last shot, and {of} is out: {a_role}.",
    ),
    "tie": (
        "{names} are level, and speak once more.",
        "A tie between {names}. There will be a run-off.",
        "The votes cannot part {names}.",
    ),
    "nobody": (
        "No majority: nobody is exiled.",
        "The village cannot agree, and goes to bed with its wolves.",
        "Nobody has to go today.",
    ),
}
"""Kind of a line -> its phrases."""

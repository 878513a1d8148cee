"""The characters of the talking bots, after statesmen of the century before the game: parameters and a line each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["courtly", "blunt", "wry", "warm", "grand", "exact"]
"""The manner of speaking, which chooses the openings and endings of messages."""


@dataclass(frozen=True, slots=True)
class Character:
    """A talking bot. Every parameter is from 0 to 1."""

    name: str
    line: str
    """One sentence about it, for users."""
    tone: Tone
    honesty: float
    """Reluctance to make promises that it does not mean."""
    loyalty: float
    """The gain that it forgoes rather than betray a friend."""
    aggression: float
    """Readiness to open a war and to threaten."""
    talkativeness: float
    """The share of possible statements that it makes."""
    forgiveness: float
    """Speed at which it forgets an attack or a broken promise."""


_ALL = (
    Character(
        "Talleyrand",
        "Has served every government and means to outlive this one; charming to all, loyal to the winner.",
        "wry", honesty=0.25, loyalty=0.2, aggression=0.4, talkativeness=0.9, forgiveness=0.9,
    ),
    Character(
        "Metternich",
        "Wants a balance in which nobody is large but himself; writes to everybody against whoever leads.",
        "courtly", honesty=0.5, loyalty=0.5, aggression=0.3, talkativeness=1.0, forgiveness=0.7,
    ),
    Character(
        "Bismarck",
        "Keeps a treaty exactly as long as it pays, and picks the day on which it stops.",
        "blunt", honesty=0.6, loyalty=0.4, aggression=0.7, talkativeness=0.6, forgiveness=0.6,
    ),
    Character(
        "Cavour",
        "A small power with large friends: asks for support, gives it back, and remembers who did.",
        "warm", honesty=0.75, loyalty=0.8, aggression=0.5, talkativeness=0.8, forgiveness=0.6,
    ),
    Character(
        "Castlereagh",
        "Stiff, exact and dull company, but what he signs he does.",
        "exact", honesty=1.0, loyalty=0.9, aggression=0.3, talkativeness=0.5, forgiveness=0.5,
    ),
    Character(
        "Gorchakov",
        "Proud and patient: forgives nothing, and waits years for the bill to be paid.",
        "grand", honesty=0.7, loyalty=0.7, aggression=0.5, talkativeness=0.7, forgiveness=0.05,
    ),
    Character(
        "Palmerston",
        "Has no eternal friends, only interests, and a gunboat for every argument.",
        "blunt", honesty=0.55, loyalty=0.25, aggression=0.9, talkativeness=0.7, forgiveness=0.5,
    ),
    Character(
        "Disraeli",
        "Sees that everything is a game and cannot resist a good line, or a good bargain.",
        "wry", honesty=0.45, loyalty=0.45, aggression=0.5, talkativeness=1.0, forgiveness=0.8,
    ),
    Character(
        "Andrassy",
        "Generous to friends, furious with traitors, and quick to change his mind about both.",
        "warm", honesty=0.7, loyalty=0.6, aggression=0.6, talkativeness=0.9, forgiveness=0.3,
    ),
    Character(
        "Reshid",
        "Polite, patient and outnumbered; grants every request that costs nothing.",
        "courtly", honesty=0.8, loyalty=0.6, aggression=0.2, talkativeness=0.7, forgiveness=0.9,
    ),
    Character(
        "Crispi",
        "Talks of glory, sees insults everywhere and attacks before his friends have read the letter.",
        "grand", honesty=0.4, loyalty=0.3, aggression=1.0, talkativeness=0.8, forgiveness=0.2,
    ),
    Character(
        "Salisbury",
        "Prefers to be left alone, says no more than he must, and breaks no word that he gave in writing.",
        "exact", honesty=0.9, loyalty=0.6, aggression=0.2, talkativeness=0.35, forgiveness=0.6,
    ),
)  # fmt: skip

CHARACTERS = {character.name: character for character in _ALL}
"""By name."""

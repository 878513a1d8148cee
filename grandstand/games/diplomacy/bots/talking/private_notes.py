"""The notes of a talking bot for its own seat: its trust in the others, and its intentions in words."""

from __future__ import annotations

from grandstand.games.base import Json
from grandstand.games.diplomacy.bots.talking.board import listed, power_words
from grandstand.games.diplomacy.bots.talking.mind import Attitude, Mind
from grandstand.games.diplomacy.press.note_rules import TRUST
from grandstand.games.diplomacy.rules.map import POWERS

GRADES = 2.5
"""Grades of trust per unit of it."""
_WORDS: tuple[tuple[Attitude, str], ...] = (
    ("ally", "Friends: {}."),
    ("victim", "The door of {} stands open; I go through it."),
    ("target", "Next: {}."),
    ("enemy", "At war with {}."),
)


def notes_of(mind: Mind) -> Json:
    """Return the notes of the seat in the form in which an action takes them."""
    sentences = []
    for attitude, words in _WORDS:
        powers = [power_words(other) for other in mind.others if mind.attitudes[other] == attitude]
        if powers:
            sentences.append(words.format(listed(powers)))
    if mind.leader not in (None, mind.power):
        assert mind.leader is not None
        sentences.append(f"{power_words(mind.leader)} grows too large.")
    broken = [at for at, order in mind.promised.items() if mind.pledged.get(at) != order]
    if broken:
        sentences.append(
            f"{len(broken)} of my promises of this season {'is' if len(broken) == 1 else 'are'} not meant."
        )
    trust = {POWERS[other]: min(TRUST[-1], max(TRUST[0], round(GRADES * mind.trust[other]))) for other in mind.others}
    return {"text": " ".join(sentences), "trust": trust}

"""The notes of a talking bot for its own seat: its trust in the others, its aims, and its intentions in words."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.base import Action, Json
from grandstand.games.diplomacy.bots.talking.board import listed, power_words
from grandstand.games.diplomacy.bots.talking.mind import Attitude, Mind
from grandstand.games.diplomacy.press.note_rules import TRUST, aims_in
from grandstand.games.diplomacy.rules.map import POWERS

GRADES = 2.5
"""Grades of trust per unit of it."""
_WORDS: tuple[tuple[Attitude, str], ...] = (
    ("ally", "Friends: {}."),
    ("victim", "The door of {} stands open; I go through it."),
    ("target", "Next: {}."),
    ("enemy", "At war with {}."),
)


_AIMS: tuple[Attitude, ...] = ("victim", "target")


def notes_of(mind: Mind) -> dict[str, Json]:
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
    return {"text": " ".join(sentences), "trust": trust, "aims": [*aims_of(mind)]}


def aims_of(mind: Mind) -> list[str]:
    """Return the powers that the seat means to attack or betray in this phase."""
    return [POWERS[other] for other in sorted(mind.others) if mind.attitudes[other] in _AIMS]


def with_notes(mind: Mind, actions: Sequence[Action]) -> Sequence[Action]:
    """Return the messages; the first has the notes of the seat if it aims at others than it has noted in this phase."""
    if not actions or aims_of(mind) == aims_in(mind.state.name, mind.game.notes.get(mind.power)):
        return actions
    return [{**actions[0], "notes": notes_of(mind)}, *actions[1:]]

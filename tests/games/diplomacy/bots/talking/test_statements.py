"""The composition of messages from statements."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.statements import CONTRASTS, Statement, messages
from grandstand.games.diplomacy.bots.talking.tones import AFTER
from grandstand.games.diplomacy.bots.talking.trust import accords
from grandstand.games.diplomacy.bots.talking.voice import PHRASES, kinds_of, skeleton, split, wordings
from grandstand.games.diplomacy.rules.map import POWER
from grandstand.games.match import Match

ENGLAND, ITALY = POWER["ENGLAND"], POWER["ITALY"]
SLOTS = {"place": "Trieste", "power": "Russia", "promise": "your army in Rome would stay there", "number": "nine"}
SLOTS |= {"mine": "army in Paris", "theirs": "army in Venice", "reason": "my army in Paris has other orders"}


def written(*statements: Statement, seed: int = 0, name: str = "Castlereagh") -> list[dict[str, Any]]:
    """Return the messages of France in a match without any before."""
    mind = Mind(Match(GAME, {}, 1).game, "FRANCE", CHARACTERS[name], "key")
    return [action["message"] for action in messages(mind, statements, 9, Random(seed))]


def letter(*kinds: str, seed: int = 0, name: str = "Castlereagh") -> str:
    """Return the text of a message to Italy made of these kinds, the weightiest first."""
    (message,) = written(
        *(Statement(kind, ITALY, 9.0 - at, SLOTS) for at, kind in enumerate(kinds)), seed=seed, name=name
    )
    return str(message["text"])


@pytest.mark.parametrize("grievance", ["reproach_broken", "protest_attack", "threat"])
@pytest.mark.parametrize(
    "kindness", ["thank_kept", "thank_support", "condole", "excuse", "propose_ally", "propose_peace"]
)
def test_a_grievance_and_a_kindness_make_no_letter_together(grievance: str, kindness: str) -> None:
    for seed in range(5):
        assert kindness not in kinds_of(letter(grievance, kindness, seed=seed))
        assert grievance not in kinds_of(letter(kindness, grievance, seed=seed))


def test_a_truce_is_offered_in_spite_of_a_grievance() -> None:
    for seed in range(8):
        text = letter("protest_attack", "propose_truce", seed=seed)
        assert {"protest_attack", "propose_truce"} <= kinds_of(text)
        assert any(link in text for link in CONTRASTS), text


def test_nothing_is_asked_twice_in_a_letter() -> None:
    text = letter("ask_support", "ask_support", "ask_leave")
    assert {"ask_support", "ask_leave"} <= kinds_of(text)


def test_notice_is_given_in_a_letter_of_its_own() -> None:
    assert not {"ask_leave", "propose_peace"} & kinds_of(letter("give_notice", "ask_leave", "propose_peace"))


def test_what_has_happened_comes_first() -> None:
    for seed in range(8):
        text = letter("ask_support", "condole", seed=seed)
        kinds = [kinds_of(sentence) for sentence in split(text) if kinds_of(sentence)]
        assert "condole" in kinds[0], text
        assert "ask_support" in kinds[-1], text


@pytest.mark.parametrize(("first", "second"), [("no_support", "yes_ally"), ("yes_ally", "no_support")])
def test_an_acceptance_beside_a_refusal_is_marked_as_a_contrast(first: str, second: str) -> None:
    for seed in range(8):
        text = letter(first, second, seed=seed)
        assert any(link in text for link in CONTRASTS), text
        assert "yes_ally" in kinds_of(text), text


def test_a_refused_support_does_not_undo_the_alliance_in_the_same_letter() -> None:
    match = Match(GAME, {}, 1)
    match.apply("ITALY", {"message": {"to": ["FRANCE"], "text": "Shall we be allies?"}})
    match.apply("FRANCE", {"message": {"to": ["ITALY"], "text": letter("no_support", "yes_ally")}})
    assert accords(match.game, ITALY)[POWER["FRANCE"]] == 0
    other = Match(GAME, {}, 1)
    other.apply("ITALY", {"message": {"to": ["FRANCE"], "text": "Shall we be allies?"}})
    other.apply("FRANCE", {"message": {"to": ["ITALY"], "text": letter("no_ally")}})
    assert accords(other.game, ITALY)[POWER["FRANCE"]] is None


@pytest.mark.parametrize(("kind", "situation"), [("propose_ally", "asking"), ("no_leave", "refusing")])
def test_a_letter_ends_as_it_was_meant(kind: str, situation: str) -> None:
    endings = {
        where: {skeleton(wording) for phrase in phrases for wording in wordings(phrase) if "{" not in wording}
        for where, phrases in AFTER["blunt"].items()
    }
    last = set()
    for seed in range(60):
        last.add(skeleton(split(letter(kind, seed=seed, name="Bismarck"))[-1]))
    assert last & endings[situation]  # type: ignore[index]
    for where, wording in endings.items():
        assert where == situation or not last & (wording - endings[situation])  # type: ignore[index]


def test_the_reasons_of_a_refusal_name_the_unit() -> None:
    for phrase in PHRASES["no_support"]:
        assert "{reason}" in phrase
    text = written(Statement("no_support", ENGLAND, 9, SLOTS))[0]["text"]
    assert "my army in Paris has other orders" in text

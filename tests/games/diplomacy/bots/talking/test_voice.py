"""The wording of messages."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from grandstand.games.diplomacy.bots.talking.reader import moods_of
from grandstand.games.diplomacy.bots.talking.tones import AFTER, BEFORE
from grandstand.games.diplomacy.bots.talking.voice import PHRASES, Voice, kinds_of, skeleton, split, wordings

SLOTS = {"you": "France", "me": "Italy", "season": "spring", "Season": "Spring", "year": "1903", "Year": "1903"}
SLOTS |= {"next": "the autumn of 1903", "power": "Turkey", "place": "the North Sea", "number": "ten"}
SLOTS |= dict.fromkeys(("mine", "theirs"), "army in Rome")
SLOTS |= dict.fromkeys(("deed", "deeds", "Deed", "Deeds", "reason", "promise"), "my army in Rome stays where it is")


def test_a_phrase_gives_every_combination_of_its_alternatives() -> None:
    assert wordings("[a|b [c|]]d") == ["ad", "b cd", "b d"]
    assert wordings("plain") == ["plain"]
    with pytest.raises(AssertionError, match="closed"):
        wordings("a]b")


def test_every_phrase_can_be_said() -> None:
    tones = [phrase for table in (BEFORE, AFTER) for phrases in table.values() for phrase in phrases]
    for phrase in [*tones, *(phrase for phrases in PHRASES.values() for phrase in phrases)]:
        for wording in wordings(phrase):
            text = " ".join(wording.format_map(SLOTS).split())
            assert text[-1] in ".?!", text
            assert not set("[]{}|") & set(text)
            assert " ," not in text
            assert " ." not in text
            assert "a autumn" not in wording.replace("{season}", "autumn"), wording


def test_the_sentences_of_a_tone_say_nothing_that_asks_for_an_answer() -> None:
    for table in (BEFORE, AFTER):
        for phrases in table.values():
            for phrase in phrases:
                for wording in wordings(phrase):
                    assert not moods_of(wording.format_map(SLOTS)), wording


def test_nothing_is_said_twice_and_every_wording_gets_its_turn() -> None:
    voice = Voice((), (), Random(1))
    messages = [voice.statement("propose_peace", {**SLOTS, "year": str(1901 + number)}) for number in range(12)]
    sentences = [sentence for text in messages for sentence in split(text)]
    assert len(sentences) == len(set(sentences))
    assert max(Counter(skeleton(sentence) for sentence in sentences).values()) <= 3


def test_who_has_said_everything_is_silent() -> None:
    phrases = ["[One|Two], {you}."]
    voice = Voice(["One, France. Hello."], [], Random(0))
    assert voice.sentence(phrases, SLOTS) == "Two, France."
    assert voice.sentence(phrases, SLOTS) == ""
    assert voice.sentence(phrases, SLOTS | {"you": "Italy"}) in ("One, Italy.", "Two, Italy.")


def test_letters_received_count_too() -> None:
    assert Voice([], ["Two, France."], Random(0)).sentence(["[One|Two], {you}."], SLOTS) == "One, France."


def test_a_statement_is_recognized_by_its_wording() -> None:
    assert kinds_of("I propose a truce, at least until the end of 1907.") == {"propose_peace"}
    assert "answer_threat_defy" in kinds_of("Come, then, Germany. You will find me at home.")
    assert kinds_of("Shall we dance?") == frozenset()

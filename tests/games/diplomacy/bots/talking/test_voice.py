"""The wording of messages."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from grandstand.games.diplomacy.bots.talking.reader import moods_of
from grandstand.games.diplomacy.bots.talking.tones import AFTER, BEFORE
from grandstand.games.diplomacy.bots.talking.voice import (
    LINKS,
    PHRASES,
    Voice,
    kinds_of,
    linked,
    skeleton,
    split,
    wordings,
)
from grandstand.games.diplomacy.rules.map import POWERS

SLOTS = {"you": "France", "me": "Italy", "season": "spring", "Season": "Spring", "year": "1903", "Year": "1903"}
SLOTS |= {"name": "Cavour", "next": "the autumn of 1903", "power": "Turkey", "place": "the North Sea", "number": "ten"}
SLOTS |= dict.fromkeys(("mine", "theirs"), "army in Rome")
SLOTS |= dict.fromkeys(
    ("deed", "deeds", "Deed", "Deeds", "reason", "promise", "deal", "later"), "my army in Rome stays where it is"
)
SLOTS |= {"Deal": "My army in Rome stays where it is", "until": "the spring of 1904"}
SLOTS |= {"line": "Vienna and Moscow", "mine_at": "Warsaw"}

TONES = [phrase for phrases in BEFORE.values() for phrase in phrases]
TONES += [phrase for table in AFTER.values() for phrases in table.values() for phrase in phrases]


def test_a_phrase_gives_every_combination_of_its_alternatives() -> None:
    assert wordings("[a|b [c|]]d") == ["ad", "b cd", "b d"]
    assert wordings("plain") == ["plain"]
    with pytest.raises(AssertionError, match="closed"):
        wordings("a]b")


def test_every_phrase_can_be_said() -> None:
    for phrase in [*TONES, *(phrase for phrases in PHRASES.values() for phrase in phrases)]:
        for wording in wordings(phrase):
            text = " ".join(wording.format_map(SLOTS).split())
            assert text[-1] in ".?!", text
            assert not set("[]{}|") & set(text)
            assert " ," not in text
            assert " ." not in text
            assert "a autumn" not in wording.replace("{season}", "autumn"), wording


def test_the_sentences_of_a_tone_say_nothing_that_asks_for_an_answer() -> None:
    for phrase in TONES:
        for wording in wordings(phrase):
            assert not moods_of(wording.format_map(SLOTS)), wording


def test_nothing_is_said_twice_and_every_wording_gets_its_turn() -> None:
    voice = Voice((), (), Random(1))
    messages = [voice.statement("propose_peace", {**SLOTS, "year": str(1901 + number)}) for number in range(12)]
    sentences = [sentence for text in messages for sentence in split(text)]
    assert len(sentences) == len(set(sentences))
    assert max(Counter(skeleton(sentence) for sentence in sentences).values()) <= 3


def test_who_has_said_everything_is_silent() -> None:
    phrase = "[One|Two], {you}."
    voice = Voice(["One, France. Hello."], [], Random(0))
    assert voice.sentence(phrase, SLOTS) == "Two, France."
    assert voice.sentence(phrase, SLOTS) == ""
    assert voice.sentence(phrase, SLOTS | {"you": "Italy"}) in ("One, Italy.", "Two, Italy.")


def test_letters_received_count_too() -> None:
    assert Voice([], ["Two, France."], Random(0)).sentence("[One|Two], {you}.", SLOTS) == "One, France."


def test_every_phrase_has_its_turn_and_seats_begin_with_different_ones() -> None:
    count = len(PHRASES["propose_ally"])
    firsts = set()
    for seat in POWERS:
        voice = Voice((), (), Random(1), seat)
        texts = [voice.statement("propose_ally", SLOTS) for _ in range(count)]
        used = [{skeleton(sentence) for sentence in split(text)} for text in texts]
        assert all(first.isdisjoint(second) for first, second in combinations(used, 2)), texts
        firsts.add(skeleton(texts[0]))
    assert len(firsts) > 3


def test_a_flourish_is_used_once_whatever_the_names_in_it() -> None:
    voice = Voice(["Well, well, Italy."], ["So, Turkey."], Random(0))
    assert voice.flourish(["[Well, well, {you}|So, {you}]."], SLOTS) == ""
    assert voice.flourish(["How do you do, {you}?"], SLOTS) == "How do you do, France?"
    assert voice.flourish(["How do you do, {you}?"], SLOTS | {"you": "Italy"}) == ""


def test_a_link_keeps_proper_names_and_is_no_part_of_the_wording() -> None:
    assert linked("Still, ", "Peace suits me.") == "Still, peace suits me."
    assert linked("Still, ", "The Black Sea stays empty.") == "Still, the Black Sea stays empty."
    for text in ("I accept.", "St Petersburg is mine.", "Germany first.", "North Sea."):
        assert linked("Even so, ", text) == f"Even so, {text}"
    for link in LINKS:
        assert skeleton(linked(link, "Peace suits me.")) == "Peace suits me."
    assert linked("", "Peace suits me.") == "Peace suits me."


def test_a_statement_is_recognized_by_its_wording() -> None:
    assert kinds_of("I propose a truce, at least until the end of 1907.") == {"propose_truce"}
    assert "answer_threat_defy" in kinds_of("Come, then, Germany. You will find me at home.")
    assert kinds_of("Shall we dance?") == frozenset()

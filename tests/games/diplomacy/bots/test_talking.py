"""The characters that talk, in whole matches: what they write, and what they may know."""

from __future__ import annotations

import random as global_random
import re
from dataclasses import replace
from random import Random
from statistics import median

import pytest

from grandstand.games.base import MessageSent
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import TALKING, TALKS
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.voice import split
from grandstand.games.diplomacy.events import LieNoted, PromiseBroken, PromiseKept
from grandstand.games.diplomacy.rules.map import POWER, PROVINCES, UNITS
from grandstand.games.match import Match
from tests.support.diplomacy import talkers
from tests.support.diplomacy.talkers import TalkingMatch

NOTATION = re.compile(rf"\b(?:{'|'.join(PROVINCES)}|[AF] [A-Z]{{3}}|VIA)\b|/[NSEW]C|[A-Z]{{2}}| - |[{{}}\[\]|]|_")
"""Signs of order notation, or of a phrase that was not filled in."""


def messages(seed: int = 3) -> list[MessageSent]:
    _, events = talkers.played(seed)
    return [event for event in events if isinstance(event, MessageSent)]


def midway(seed: int = 3, phases: int = 3) -> TalkingMatch:
    """Return a match after some phases, before the second round of press."""
    match: TalkingMatch = Match(GAME, {}, seed)
    names = talkers.cast(seed)
    for _ in range(phases):
        if match.game.turn.endswith("M"):
            talkers.hold_round(match, names, 1)
            talkers.hold_round(match, names, 2)
        turn = match.game.turn
        while match.game.turn == turn:
            talkers.order(match, names)
    while not match.game.turn.endswith("M"):
        talkers.order(match, names)
    talkers.hold_round(match, names, 1)
    return match


def test_every_character_is_a_bot_with_a_line() -> None:
    assert set(TALKING) == set(TALKS) == set(CHARACTERS)
    assert 10 <= len(CHARACTERS) <= 14
    for name, bot in TALKING.items():
        assert (bot.__doc__ or "").startswith(f"{name}: ")
        assert len(bot.__doc__ or "") <= 200


@pytest.mark.long
def test_no_message_is_illegal_and_none_is_in_notation() -> None:
    for message in messages():  # `apply` would have raised IllegalAction
        assert not NOTATION.search(message.text), message.text
        assert message.text[0].isupper() or message.text[0].isdigit()
        assert message.text[-1] in ".!?"
        assert "  " not in message.text


def test_the_check_for_notation_knows_notation_and_spares_words() -> None:
    for text in ("A PAR - BUR", "your unit in BUR", "F STP/SC holds", UNITS[0], "Agreed: {deed}."):
        assert NOTATION.search(text)
    assert not NOTATION.search("I hope that France holds St Petersburg; the Mid-Atlantic is mine. I am Italy's friend.")


@pytest.mark.long
@pytest.mark.parametrize("seed", [3, 8])
def test_no_seat_says_a_sentence_twice(seed: int) -> None:
    written = messages(seed)
    for seat in GAME.seats():
        sentences = [sentence for message in written if message.sender == seat for sentence in split(message.text)]
        assert len(sentences) == len(set(sentences))


@pytest.mark.long
def test_a_match_has_press_that_is_kept_and_broken() -> None:
    results = [talkers.played(seed)[1] for seed in (3, 8, 12)]

    def count(kind: type) -> float:
        return median(sum(isinstance(event, kind) for event in events) for events in results)

    assert count(MessageSent) >= 100
    assert count(PromiseKept) >= 12
    assert count(PromiseBroken) >= 1
    assert count(LieNoted) >= 1


@pytest.mark.long
def test_the_same_seed_gives_the_same_match_and_another_seed_another() -> None:
    first, _ = talkers.play(21, 1902)
    assert talkers.play(21, 1902)[0].game.digest() == first.game.digest()
    openings = {tuple(message.text for message in messages(seed)[:5]) for seed in (3, 8, 12)}
    assert len(openings) == 3


def test_a_bot_draws_from_its_stream_alone_and_changes_nothing() -> None:
    match = midway()
    before, digest = global_random.getstate(), match.game.digest()
    for name, seat in zip(list(TALKS)[:7], GAME.seats(), strict=True):
        first = TALKS[name](match.game, seat, Random(5), 2, 2)
        assert TALKS[name](match.game, seat, Random(5), 2, 2) == first
        TALKING[name](match.game, seat, Random(5))
    assert (global_random.getstate(), match.game.digest()) == (before, digest)


@pytest.mark.parametrize("seat", ["AUSTRIA", "FRANCE", "RUSSIA"])
def test_a_bot_knows_only_what_its_seat_may_know(seat: str) -> None:
    """The same messages and orders, whatever others wrote to each other, promised each other, lied about or ordered."""
    match = midway()
    other = match.fork()
    game = other.game
    hidden = [message for message in game.messages if seat not in (message.sender, *message.recipients)]
    assert hidden
    game.messages = [
        replace(message, text="We attack together. Agreed?", promises=["A PAR H"]) if message in hidden else message
        for message in game.messages
        if message not in hidden[:4]
    ]
    game.verdicts = [
        PromiseBroken(verdict.power, verdict.phase, verdict.promise, verdict.order, verdict.recipients, False, "A X H")
        if seat not in (verdict.power, *verdict.recipients)
        else verdict
        for verdict in game.verdicts
    ]
    game.lies = [lie for lie in game.lies if lie.power == seat] + [LieNoted("ITALY", game.turn, "A VEN H", [seat])]
    rival = "ENGLAND" if seat != "ENGLAND" else "ITALY"
    name = talkers.cast(3)[seat]
    for _ in range(2):
        assert TALKS[name](game, seat, Random(7), 2, 2) == TALKS[name](match.game, seat, Random(7), 2, 2)
        assert TALKS[name](game, seat, Random(7), 1, 2) == TALKS[name](match.game, seat, Random(7), 1, 2)
        assert TALKING[name](game, seat, Random(7)) == TALKING[name](match.game, seat, Random(7))
        game.submitted.setdefault(POWER[rival], ())


def test_letters_from_others_do_make_a_difference() -> None:
    match = midway()
    other = match.fork()
    other.apply("GERMANY", {"message": {"to": ["FRANCE"], "text": "You broke your word, liar. War, then."}})
    name = talkers.cast(3)["FRANCE"]
    assert TALKS[name](other.game, "FRANCE", Random(7), 2, 2) != TALKS[name](match.game, "FRANCE", Random(7), 2, 2)


def test_promises_that_are_meant_are_kept() -> None:
    """Castlereagh and Salisbury do not lie; of the rest, a promise not noted as a lie is broken in the fall only."""
    for seed in (3, 8, 12):
        match, events = talkers.played(seed)
        lies = {(lie.power, lie.phase, lie.promise, tuple(lie.recipients)) for lie in match.game.lies}
        for event in events:
            if isinstance(event, PromiseBroken):
                noted = (event.power, event.phase, event.promise, tuple(event.recipients)) in lies
                assert noted or event.phase.startswith("F")
                assert noted or talkers.cast(seed)[event.power] not in ("Castlereagh", "Salisbury")


def test_a_match_without_press_is_played_in_silence() -> None:
    match: TalkingMatch = Match(GAME, {"press": "none", "last_year": 1901}, 1)
    assert GAME.talk.press is not None
    assert list(GAME.talk.press.speakers(match.game)) == []
    while not match.over:
        talkers.order(match, talkers.cast(1))


def test_public_press_is_public() -> None:
    match: TalkingMatch = Match(GAME, {"press": "public", "last_year": 1903}, 2)
    names = talkers.cast(2)
    while not match.over:
        if match.game.turn.endswith("M"):
            assert all(event.public for event in talkers.hold_round(match, names, 1) if isinstance(event, MessageSent))
        talkers.order(match, names)


def test_the_limits_of_the_match_hold() -> None:
    match: TalkingMatch = Match(GAME, {"messages_per_phase": 1, "message_length": 60}, 2)
    names = talkers.cast(2)
    for round in (1, 2):
        for event in talkers.hold_round(match, names, round):
            if isinstance(event, MessageSent):
                assert len(event.text) <= 60


def test_no_unit_is_promised_two_orders_in_a_phase() -> None:
    for seed in (3, 8, 12):
        promised: dict[tuple[str, str, str], str] = {}
        for message in messages(seed):
            for promise in message.promises:
                unit = message.sender, message.turn, promise[:5]
                assert promised.setdefault(unit, promise) == promise

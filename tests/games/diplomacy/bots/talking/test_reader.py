"""The reader of messages: from people, in notation, and from the bots themselves."""

from __future__ import annotations

import time
from random import Random

import pytest

from grandstand.games.diplomacy.bots.talking.board import place_words, unit_words
from grandstand.games.diplomacy.bots.talking.reader import Reading, moods_of, read
from grandstand.games.diplomacy.bots.talking.voice import PHRASES, wordings
from grandstand.games.diplomacy.rules.map import POWER, PROVINCE
from grandstand.games.diplomacy.rules.orders import SUPPORT, SUPPORT_MOVE, order_text
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import State

FRANCE, GERMANY = POWER["FRANCE"], POWER["GERMANY"]
POSITION = read_state(
    {
        "phase": "S1902M",
        "units": {
            "FRANCE": ["A PAR", "F BRE", "A BUR", "F MAO"],
            "GERMANY": ["A MUN", "A RUH", "F KIE", "F HOL"],
            "ENGLAND": ["F NTH"],
        },
        "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "KIE"], "ENGLAND": ["LON"]},
    }
)


def reading_of(text: str, state: State = POSITION) -> Reading:
    """A message from France to Germany."""
    return read(text, state, FRANCE, GERMANY)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Could your fleet in Holland support my army in Burgundy into Belgium?", "F HOL S A BUR - BEL"),
        ("please support burgundy to belgium from the Ruhr", "A RUH S A BUR - BEL"),
        ("F HOL S A BUR - BEL please", "F HOL S A BUR - BEL"),
        ("A RUH S A BUR - BEL", "A RUH S A BUR - BEL"),
        ("Help me into Belgium!", "F HOL S A BUR - BEL"),
        ("I go from Burgundy to Belgium. Will you support my army in Burgundy into Belgium?", "F HOL S A BUR - BEL"),
        ("Can you support my army in Burgundy where it is?", "A MUN S A BUR"),
    ],
)
def test_a_request_for_support(text: str, order: str) -> None:
    assert [order_text(asked) for asked in reading_of(text).asked] == [order]
    assert reading_of(text).offered == ()


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("My army in Burgundy can support your fleet in Holland into Belgium.", "A BUR S F HOL - BEL"),
        ("If you go to Belgium with the Ruhr army, I will support it from Burgundy.", "A BUR S A RUH - BEL"),
        ("I'll support you into Belgium: A BUR S A RUH - BEL", "A BUR S A RUH - BEL"),
    ],
)
def test_an_offer_of_support(text: str, order: str) -> None:
    assert [order_text(offered) for offered in reading_of(text).offered] == [order]
    assert reading_of(text).asked == ()


def test_an_announcement() -> None:
    assert [order_text(order) for order in reading_of("My army in Paris goes to Picardy.").announced] == ["A PAR - PIC"]
    assert [order_text(order) for order in reading_of("I will hold in Brest.").announced] == ["F BRE H"]
    assert reading_of("Your army in Munich goes to Tyrolia.").announced == ()


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("Want to be allies?", "ally"),
        ("How about a truce until 1904?", "peace"),
        ("Let's keep Burgundy a DMZ", "leave"),
        ("you lied to me, you promised to hold", "reproach"),
        ("What are your plans this turn?", "ask"),
        ("Watch out for Russia", "warn"),
        ("lets call it a draw", "draw"),
        ("Thanks!", "thanks"),
        ("No, I can't do that.", "refuse"),
        ("ok, agreed", "accept"),
        ("You idiot", "insult"),
        ("hello there", "greet"),
    ],
)
def test_the_mood_of_a_message(text: str, mood: str) -> None:
    assert mood in moods_of(text)


def test_what_means_nothing_is_read_as_nothing() -> None:
    for text in ("lol", "The weather is fine.", "🙂", "\x00\n\t", "...", "colorless green ideas"):
        assert reading_of(text).empty
        assert reading_of(text).places == ()


def test_ordinary_words_are_no_places() -> None:
    assert reading_of("Let us den the war gas par pic nap").places == ()
    assert reading_of("STOP THE WAR").places == ()
    assert reading_of("WAR and Den").places == (PROVINCE["WAR"], PROVINCE["DEN"])
    assert reading_of("Den war").places == ()


def test_long_and_hostile_text_is_read_in_little_time() -> None:
    began = time.process_time()
    for text in ("support " * 20_000, "your army in " * 10_000, "Paris " * 20_000, "." * 100_000, "leave " * 20_000):
        reading_of(text)
    assert time.process_time() - began < 20  # a runaway pattern takes hours; no measure of speed


def slots(state: State) -> dict[str, str]:
    ruhr, burgundy = (state.units[PROVINCE[name]][1] for name in ("RUH", "BUR"))
    words = {"theirs": unit_words(ruhr), "mine": unit_words(burgundy), "place": place_words(PROVINCE["BEL"])}
    rest = {
        "name": "Cavour",
        "you": "Germany",
        "me": "France",
        "power": "Italy",
        "season": "spring",
        "Season": "Spring",
        "number": "two",
    }
    years = {"year": "1902", "Year": "1902", "next": "the autumn of 1902"}
    deed = "my army in Burgundy stays where it is"
    clauses = {"deed": deed, "deeds": deed, "Deed": deed, "Deeds": deed, "reason": "it has other orders"}
    return words | rest | years | clauses | {"promise": "your army in Munich would stay there"}


def wordings_of(kind: str) -> list[str]:
    """Every wording of a kind of statement, from France to Germany."""
    return [wording.format_map(slots(POSITION)) for phrase in PHRASES[kind] for wording in wordings(phrase)]


ASK = frozenset(("draw", "break", "reproach", "protest", "threat", "insult", "ally", "peace", "ask", "greet"))
"""Moods that call for an answer."""
READ_AS: dict[str, tuple[set[str], set[str]]] = {
    "propose_ally": ({"ally"}, {"accept", "refuse", "break"}),
    "propose_pact": ({"ally"}, {"accept", "refuse", "break"}),
    "propose_peace": ({"peace"}, {"accept", "refuse", "break"}),
    "propose_truce": ({"peace"}, {"accept", "refuse", "break"}),
    "ask_leave": ({"leave"}, {"accept", "refuse", "threat", "protest"}),
    "assure": (set(), {"accept", "refuse", *ASK}),
    "offer_support": ({"support"}, {"accept", "refuse", *ASK}),
    "ask_support": ({"support"}, {"accept", "refuse", *ASK}),
    "ask_support_hold": ({"support"}, {"accept", "refuse", *ASK}),
    "thank_support": ({"thanks"}, {"refuse", *ASK}),
    "thank_kept": ({"thanks"}, {"refuse", *ASK}),
    "reproach_broken": ({"reproach"}, {"break"}),
    "protest_attack": ({"protest"}, {"break"}),
    "threat": ({"threat"}, {"break", "ally"}),
    "own_up": ({"sorry"}, set(ASK)),
    "excuse": ({"sorry"}, set(ASK)),
    "give_notice": ({"break"}, set()),
    "warn_friend": ({"warn"}, set(ASK)),
    "warn_all": ({"warn"}, set(ASK)),
    "congratulate": ({"congratulate"}, set(ASK)),
    "condole": ({"condole"}, set(ASK)),
    "plea": ({"peace"}, {"accept", "refuse", "break"}),
}
"""Kind of statement -> (the moods that every wording shows, those that none shows)."""
READ_AS |= {kind: ({"accept"}, {"refuse", "break"}) for kind in PHRASES if kind.startswith(("yes_", "take_"))}
READ_AS |= {kind: ({"refuse"}, {"accept", "break"}) for kind in PHRASES if kind.startswith("no_")}


@pytest.mark.parametrize("kind", READ_AS)
def test_every_wording_of_ours_is_read_as_it_was_meant(kind: str) -> None:
    needed, forbidden = READ_AS[kind]
    for text in wordings_of(kind):
        moods = moods_of(text)
        assert needed <= moods, text
        assert not forbidden & moods, text


def test_every_request_and_offer_of_ours_is_understood() -> None:
    for text in wordings_of("ask_support"):
        assert [order_text(order) for order in reading_of(text).asked] == ["A RUH S A BUR - BEL"], text
        assert not reading_of(text).offered, text
    for text in wordings_of("ask_support_hold"):
        assert [order[0] for order in reading_of(text).asked] == [SUPPORT], text
    turned = {**slots(POSITION), "theirs": "army in Burgundy", "mine": "army in the Ruhr"}
    for phrase in PHRASES["offer_support"]:
        for wording in wordings(phrase):
            reading = read(wording.format_map(turned), POSITION, GERMANY, FRANCE)
            assert [order_text(order) for order in reading.offered] == ["A RUH S A BUR - BEL"], wording
            assert not reading.asked, wording


def test_random_text_never_fails() -> None:
    rng = Random(0)
    words = [
        "support",
        "your",
        "my",
        "army",
        "in",
        "Paris",
        "Belgium",
        "to",
        "A",
        "MUN",
        "-",
        "the Ruhr",
        "?",
        "stay out",
    ]
    for _ in range(2000):
        reading = reading_of(" ".join(rng.choices(words, k=rng.randint(1, 14))))
        for order in (*reading.asked, *reading.offered):
            assert order[0] in (SUPPORT, SUPPORT_MOVE)

"""A conversation of six characters with a person, as text: the golden file of `test_answers.py`.

    python -m tests.support.diplomacy.conversation

Writes it again. Orders are DumbBot's, so that a change of a planner does not change the conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from grandstand.games.base import MessageSent
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import dumbbot
from grandstand.games.diplomacy.bots.stance import Plan, Stance
from grandstand.games.diplomacy.bots.talking import mind
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.match import Match
from tests.support.diplomacy import talkers
from tests.support.diplomacy.talkers import TalkingMatch

FILE = Path(__file__).parent / "conversation.txt"
CAST = {
    "AUSTRIA": "Metternich",
    "ENGLAND": "Palmerston",
    "GERMANY": "Bismarck",
    "ITALY": "Cavour",
    "RUSSIA": "Gorchakov",
    "TURKEY": "Talleyrand",
}
LETTERS: dict[tuple[str, int], list[tuple[str, str]]] = {
    ("S1901M", 1): [
        ("GERMANY", "Hello. Shall we be allies against England?"),
        ("ENGLAND", "Could we agree to leave the English Channel empty?"),
        ("ITALY", "How about a non-aggression pact?"),
    ],
    ("S1901M", 2): [("GERMANY", "Would your army in Munich support my army from Paris into Burgundy?")],
    ("F1901M", 1): [
        ("GERMANY", "A RUH S A BUR - BEL please"),
        ("ENGLAND", "You lied to me, traitor! Keep away from Brest or else."),
        ("ITALY", "What are your plans?"),
        ("RUSSIA", "the quick brown fox"),
        ("TURKEY", "shall we call it a draw"),
    ],
    ("F1901M", 2): [("GERMANY", "Thanks for everything"), ("AUSTRIA", "Watch out for Russia, they are too strong")],
    ("S1902M", 1): [
        ("AUSTRIA", "Is it true that Italy told you to attack Russia?"),
        ("ENGLAND", "I do NOT want an alliance with you any more."),
        ("GERMANY", "Can we bounce in Burgundy? Oder lieber nicht?"),
        ("ITALY", "Pourquoi as-tu attaqué ma flotte ?"),
        ("RUSSIA", "Bist du ein Mensch oder ein Computer?"),
        ("TURKEY", "you absolute clown lol"),
    ],
}
"""(turn, round) -> what the person in France writes: recipient and text."""


@contextmanager
def planned_by_dumbbot() -> Iterator[None]:
    """Have the characters plan as DumbBot does, pledged orders apart."""

    def plan(state: State, power: int, rng: Random, stance: Stance) -> Plan:
        return dumbbot.play(state, power, rng) | dict(stance.pledged)

    before, mind.PLANNER = mind.PLANNER, plan
    mind.planned.cache_clear()
    try:
        yield
    finally:
        mind.PLANNER = before
        mind.planned.cache_clear()


def conversation() -> str:
    """Return all that France and the others wrote to each other until the spring of 1902."""
    lines = []
    match: TalkingMatch = Match(GAME, {}, 6)
    with planned_by_dumbbot():
        while match.game.turn != "F1902M":
            turn = match.game.turn
            for round in (1, 2) if turn.endswith("M") else ():
                events = talkers.hold_round(match, CAST, round)
                for to, text in LETTERS.get((turn, round), ()):
                    events += match.apply("FRANCE", {"message": {"to": [to], "text": text}})
                for event in events:
                    if isinstance(event, MessageSent) and (
                        event.public or "FRANCE" in (event.sender, *event.recipients)
                    ):
                        to = "all" if event.public else ", ".join(event.recipients)
                        promises = f" [{'; '.join(event.promises)}]" if event.promises else ""
                        lines.append(f"{turn}/{round} {event.sender} to {to}: {event.text}{promises}")
            while match.game.turn == turn:
                talkers.order(match, CAST)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(conversation(), encoding="utf-8")

"""The built-in players of Werewolf: characters with beliefs and plans. Each is a pure function of what it may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from grandstand.games.base import Action, SeatId
from grandstand.games.choices import Pick
from grandstand.games.spec import Bot
from grandstand.games.werewolf.bots import choices
from grandstand.games.werewolf.bots.minds import Character, Mind
from grandstand.games.werewolf.bots.words import reason, words
from grandstand.games.werewolf.game import ABSTAIN, NOBODY, WerewolfGame

CHARACTERS: Final[Sequence[Character]] = (
    Character("ledger", "exact", "counter", bold=0.3, patient=2),
    Character("magistrate", "exact", "bus", bold=0.4, patient=2),
    Character("advocate", "exact", "bus", bold=0.2, patient=1),
    Character("hothead", "exact", "bus", bold=1.0, patient=1, acts=3),
    Character("pretender", "exact", "counter", bold=0.5, patient=2),
    Character("believer", "naive", "quiet", bold=0.3, patient=1),
    Character("firebrand", "naive", "early", bold=0.9, patient=1, acts=3),
    Character("weathercock", "crowd", "counter", bold=0.4, patient=2),
    Character("mouse", "naive", "quiet", bold=0.1, patient=3, acts=1),
)
"""Strongest first."""
BY_NAME: Final[Mapping[str, Character]] = {who.name: who for who in CHARACTERS}


def bot(who: Character) -> Bot[WerewolfGame]:
    """Return the player of that character."""

    def play(game: WerewolfGame, seat: SeatId, rng: Random) -> Action:
        mind = Mind(game.observation(seat), who, rng)
        first = game.choices(seat, {})[0]
        options = [option.word for option in first.options] if isinstance(first, Pick) else []
        among = [word for word in options if word not in (ABSTAIN, NOBODY)]
        if game.stage == "night":
            return {"target": choices.target(mind, among), "note": ""}
        if game.stage == "shot":
            return {"vote": choices.shot(mind, among) or NOBODY}
        if game.stage in ("vote", "run-off"):
            return {"vote": choices.vote(mind, among) if among else ABSTAIN}
        acts = choices.acts(mind)
        because = reason(mind, acts)
        return {"acts": acts, "because": because, "text": words(mind, acts, because)}

    return play


BOTS: Final[Mapping[str, Bot[WerewolfGame]]] = {
    **{who.name: bot(who) for who in CHARACTERS},
    "random": WerewolfGame.random_action,
}


def showcase(rng: Random) -> Sequence[str]:
    """Return eight different characters in any order."""
    return rng.sample([who.name for who in CHARACTERS], 8)

"""The built-in players of Diplomacy, and the tables they share.

`POLICIES` holds them as functions of a position, in integers: the fast way for programs that play many games.
`PLANNERS` holds those that plan by a stance towards the other powers. `BOTS` holds all as players of matches, and
after them the characters that also negotiate: they write letters, keep or break their word, and remember. Their part in
the rounds of press is `TALKS`. All are pure functions of what their seat may know: the position, the record of orders,
and the messages that it sent or received.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random

from grandstand.games.base import Action, Json, SeatId
from grandstand.games.diplomacy.bots import (
    chaos,
    coordinated,
    defensive,
    dumbbot,
    hold,
    random,
    territorial,
)
from grandstand.games.diplomacy.bots.pacts.bargaining import bargains
from grandstand.games.diplomacy.bots.pacts.coalition import coalition
from grandstand.games.diplomacy.bots.pacts.consistency import consistent
from grandstand.games.diplomacy.bots.pacts.draws import objection_to_draw
from grandstand.games.diplomacy.bots.pacts.statements import with_lines
from grandstand.games.diplomacy.bots.policy import as_bot, as_diplomat
from grandstand.games.diplomacy.bots.search import planner as search
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Planner, Policy
from grandstand.games.diplomacy.bots.talking.answers import answers
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS, Character
from grandstand.games.diplomacy.bots.talking.initiative import initiative
from grandstand.games.diplomacy.bots.talking.letters.responses import answers_to_people
from grandstand.games.diplomacy.bots.talking.mind import PLANNER, Mind
from grandstand.games.diplomacy.bots.talking.private_notes import notes_of, with_notes
from grandstand.games.diplomacy.bots.talking.statements import Statement, messages
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.map import POWER, POWERS
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.state import FALL, SPRING
from grandstand.games.spec import Bot, Negotiator

PLANNERS: Mapping[str, Planner] = {
    "coordinated": coordinated.plan,
    "search": search.plan,
    "search-fast": search.fast_plan,
}
"""Bots that plan by a stance towards the other powers, by name."""

POLICIES: Mapping[str, Policy] = {
    "coordinated": partial(coordinated.plan, stance=NEUTRAL),
    "dumbbot": dumbbot.play,
    "defensive": defensive.play,
    "territorial": territorial.play,
    "chaos": chaos.play,
    "random": random.play,
    "hold": hold.play,
    "search": partial(search.plan, stance=NEUTRAL),
    "search-fast": partial(search.fast_plan, stance=NEUTRAL),
}
"""Bots by name: those that answer at once, strongest first, then the slow ones."""

MOST = 5
"""Messages of one seat in one round of answers."""


def _bot(character: Character) -> Bot[DiplomacyGame]:
    def play(game: DiplomacyGame, seat: SeatId, rng: Random) -> Action:
        mind = Mind(game, seat, character, str(rng.random()))
        moving = game.state.phase in (SPRING, FALL)
        plan = mind.orders if moving else PLANNER(game.state, POWER[seat], rng, mind.stance)
        orders = [order_text(order) for order in plan.values()]
        action: dict[str, Json] = {"orders": orders}
        draw = game.options.draw_votes and not objection_to_draw(mind)
        if draw != (POWER[seat] in game.votes):
            action["vote"] = "draw" if draw else "none"
        return action | {"notes": notes_of(mind)} if moving else action

    play.__doc__ = f"{character.name}: {character.line[0].lower()}{character.line[1:]}"
    return play


def _talk(character: Character) -> Negotiator[DiplomacyGame]:
    def talk(game: DiplomacyGame, seat: SeatId, rng: Random, round: int, rounds: int) -> Sequence[Action]:
        mind = Mind(game, seat, character, str(rng.random()))
        left = game.options.messages_per_phase - game.sent.get(POWER[seat], 0)
        statements: list[Statement] = [*answers(mind, round, rng), *answers_to_people(mind, round, rng)]
        statements += [*bargains(mind, round, rounds, rng), *coalition(mind, round, rng)]
        most = MOST
        if round == 1:
            statements += initiative(mind, rng)
            most = int(2.5 + 2 * character.talkativeness)
        statements = consistent(mind, statements)
        return with_notes(mind, with_lines(messages(mind, statements, min(most, left), rng), statements))

    return talk


TALKING: Mapping[str, Bot[DiplomacyGame]] = {name: _bot(character) for name, character in CHARACTERS.items()}
TALKS: Mapping[str, Negotiator[DiplomacyGame]] = {name: _talk(character) for name, character in CHARACTERS.items()}
"""Bots that negotiate, by name, and their part in the rounds of press."""

SLOW = frozenset(("search", "search-fast", *TALKING))
"""Bots that compute for longer than an event loop may wait: a tenth of a second, for one seat or all seven."""

BOTS: dict[str, Bot[DiplomacyGame]] = {
    name: as_diplomat(PLANNERS[name]) if name in PLANNERS else as_bot(policy) for name, policy in POLICIES.items()
} | dict(TALKING)
"""All bots as players of matches, in the order of POLICIES, and then those that negotiate."""


def showcase(rng: Random) -> list[str]:
    """Return seven players for a match worth watching: seven characters that negotiate, in random seats."""
    return rng.sample(sorted(TALKING), len(POWERS))

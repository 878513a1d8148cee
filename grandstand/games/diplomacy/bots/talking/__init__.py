"""Built-in players that negotiate: characters that write letters, keep or break their word, and remember.

`TALKING` holds them as players of matches, `TALKS` their part in the rounds of press, both by name. They are pure
functions of what their seat may know: the position, the record of orders, and the messages that it sent or received.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from grandstand.games.base import Action, Json, SeatId
from grandstand.games.diplomacy.bots.pacts.bargaining import bargains
from grandstand.games.diplomacy.bots.pacts.coalition import coalition, objection_to_draw
from grandstand.games.diplomacy.bots.pacts.consistency import consistent
from grandstand.games.diplomacy.bots.pacts.statements import with_lines
from grandstand.games.diplomacy.bots.talking.answers import answers
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS, Character
from grandstand.games.diplomacy.bots.talking.initiative import initiative
from grandstand.games.diplomacy.bots.talking.letters.responses import answers_to_people
from grandstand.games.diplomacy.bots.talking.mind import PLANNER, Mind
from grandstand.games.diplomacy.bots.talking.private_notes import notes_of
from grandstand.games.diplomacy.bots.talking.statements import Statement, messages
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.map import POWER
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.state import FALL, SPRING
from grandstand.games.spec import Bot, Negotiator

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
        return with_lines(messages(mind, statements, min(most, left), rng), statements)

    return talk


TALKING: Mapping[str, Bot[DiplomacyGame]] = {name: _bot(character) for name, character in CHARACTERS.items()}
TALKS: Mapping[str, Negotiator[DiplomacyGame]] = {name: _talk(character) for name, character in CHARACTERS.items()}

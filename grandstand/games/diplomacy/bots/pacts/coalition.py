"""The statements with which talking bots hold a line against a leader, and agree on a draw or refuse it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from grandstand.games.diplomacy.bots.pacts.leaders import line_against, place_of
from grandstand.games.diplomacy.bots.pacts.statements import PactStatement, goals_of
from grandstand.games.diplomacy.bots.talking.board import listed, number_words, place_words, power_words, within_reach
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.statements import ALL, Statement
from grandstand.games.diplomacy.bots.talking.trust import season_of
from grandstand.games.diplomacy.bots.talking.voice import kinds_of
from grandstand.games.diplomacy.press.pacts import SEASONS, season_after
from grandstand.games.diplomacy.rules.map import CENTERS, POWER, POWERS, PROVINCES
from grandstand.games.diplomacy.rules.state import SPRING

NEAR = 15
"""Centres from which a leader that has won nothing for a year knows that it is stopped."""
BOLD = 0.45
"""Aggression from which it tries for another year."""
EARLIEST = 1908
"""The first year in which a bot votes for a draw."""
QUIET = 1914
"""The year from which a bot offers a draw where nobody leads."""


def coalition(mind: Mind, round: int, rng: Random) -> Iterator[Statement]:
    """Yield the calls to hold a line, and the offers of a draw and their answers."""
    if round == 1:
        yield from _rumours(mind, rng)
        yield from _lines(mind)
        yield from _draw_offer(mind, rng)
    elif round == 2:
        yield from _draw_answer(mind, rng)


def _rumours(mind: Mind, rng: Random) -> Iterator[Statement]:
    """Yield rumours: what others asked of the seat in the last season, told to friends whom it concerns; a liar may
    invent it."""
    last = max((pact.offer.phase for pact in mind.pacts.values()), key=season_of, default="")
    for other in mind.others:
        if mind.attitudes[other] != "ally" or rng.random() > 0.6 * mind.character.talkativeness:
            continue
        wanted = [
            (POWER[pact.offer.power], place)
            for pact in mind.pacts.values()
            if pact.offer.phase == last and pact.offer.power not in (mind.seat, POWERS[other])
            for place in goals_of(pact)
            if mind.state.centers.get(place) == other
        ]
        foe = next((power for power in mind.others if mind.attitudes[power] == "target"), None)
        if not wanted and foe is not None and rng.random() < 0.3 * (1 - mind.character.honesty):
            wanted = [(foe, place) for place in within_reach(mind.state, foe, other)]
        if wanted:
            power, place = wanted[0]
            yield Statement("pass_on", other, 4.4, {"power": power_words(power), "place": place_words(place)})


def _lines(mind: Mind) -> Iterator[Statement]:
    leader = mind.menace
    if leader is None or leader == mind.power:
        return
    line = line_against(mind.state, leader)
    own = place_of(mind.state, mind.power, line)
    if own is None or len(line) < 2:
        return
    slots = {"power": power_words(leader), "number": number_words(mind.centers[leader]), "mine_at": place_words(own)}
    others = [other for other in mind.others if other != leader]
    first = max([mind.power, *others], key=lambda power: (mind.centers[power], -power))
    if first == mind.power and not _said_lately(mind, ALL, "line_all", 4):
        yield Statement("line_all", ALL, 7.5, slots | {"line": listed(list(map(place_words, line)))})
    for other in others:
        place = place_of(mind.state, other, [at for at in line if at != own])
        if place is not None and mind.attitudes[other] == "ally" and not _said_lately(mind, other, "line_hold", 3):
            zones = tuple(f"ZONE {PROVINCES[at]}" for at in (own, place))
            lines = (*zones, f"UNTIL {season_after(mind.state.name, SEASONS - 1)}")
            yield PactStatement("line_hold", other, 5.8, slots | {"place": place_words(place)}, lines=lines)


def _said_lately(mind: Mind, to: int, kind: str, seasons: int) -> bool:
    for message in mind.game.messages:
        if message.sender == mind.seat and mind.season - season_of(message.turn) < seasons:
            addressed = message.public if to == ALL else not message.public and POWERS[to] in message.recipients
            if addressed and kind in kinds_of(message.text):
                return True
    return False


def objection_to_draw(mind: Mind) -> str:
    """Return why the seat does not vote for a draw, in words; empty if it votes for one."""
    if mind.state.year < EARLIEST:
        return "there is too much on the board"
    own, leader = mind.centers[mind.power], mind.menace
    patience = 5 + round(1.5 * mind.character.aggression)
    near = 1 + (mind.character.aggression > BOLD)
    if leader == mind.power:
        return "" if _gain(mind, near if own >= NEAR else patience) <= 0 else "I still have moves to make"
    if leader is not None:
        return "" if own <= mind.centers[leader] - 2 or _gain(mind, 2) <= 0 else "I still have moves to make"
    if mind.state.year < QUIET or _gain(mind, patience) > 0:
        return "I still have moves to make" if own > 3 else ""
    return ""


def _gain(mind: Mind, years: int) -> int:
    """Return how many centres the seat has won in the last so many years; many if the match is younger."""
    counts = mind.game.years
    last = max(counts)
    if last - years not in counts:
        return len(CENTERS)
    return counts[last][mind.power] - counts[last - years][mind.power]


def _draw_offer(mind: Mind, rng: Random) -> Iterator[Statement]:
    if not mind.game.options.draw_votes or mind.state.phase != SPRING or objection_to_draw(mind):
        return
    still = _still(mind)
    feared = mind.menace is not None and mind.menace != mind.power
    if not (still or feared) or _said_lately(mind, ALL, "draw_offer", 6) or rng.random() > 0.5:
        return
    leader = max(range(len(POWERS)), key=mind.centers.__getitem__)
    slots = {"power": power_words(leader), "number": number_words(max(2, still))}
    yield Statement("draw_offer" if still else "draw_plea", ALL, 6.8, slots)


def _still(mind: Mind) -> int:
    """Return for how many years the largest power has not grown, up to five; 0 if it has grown in the last two."""
    counts = mind.game.years
    last = max(counts)
    years = 0
    while years < 5 and last - years - 1 in counts and max(counts[last]) <= max(counts[last - years - 1]):
        years += 1
    return years if years >= 2 else 0


def _draw_answer(mind: Mind, rng: Random) -> Iterator[Statement]:
    """Yield the answer to a draw that another power offered to all in this season."""
    if not mind.game.options.draw_votes:
        return
    offers = [
        message
        for message in mind.game.messages
        if message.public
        and message.turn == mind.state.name
        and message.sender != mind.seat
        and kinds_of(message.text) & {"draw_offer", "draw_plea"}
    ]
    said = any(message.sender == mind.seat and message.public and message.turn == mind.state.name
               for message in mind.game.messages)  # fmt: skip
    if not offers or said:
        return
    reason = objection_to_draw(mind)
    if reason and (mind.menace == mind.power or rng.random() < 0.6):
        yield Statement("draw_no", ALL, 6.0, {"reason": reason})
    elif not reason and rng.random() < 0.35 * (1 + mind.character.talkativeness):
        yield Statement("draw_yes", ALL, 5.0)

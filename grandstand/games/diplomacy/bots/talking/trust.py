"""The trust of a power in the others: from attacks and supports, promises kept and broken, and words exchanged.

Everything comes from the public record and from messages that the power sent or received. It fades with the years.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from grandstand.games.diplomacy.bots.pacts.leaders import menace
from grandstand.games.diplomacy.bots.talking.characters import Character
from grandstand.games.diplomacy.bots.talking.reader import moods_of
from grandstand.games.diplomacy.bots.talking.voice import apart_from_bargains, kinds_of
from grandstand.games.diplomacy.events import PromiseKept
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.map import POWER, POWERS, START_YEAR
from grandstand.games.diplomacy.rules.state import FALL, WINTER, State

STRANGER = 0.05
"""Trust in a power without any history."""
GRUDGE = -0.6
"""Trust lost by an attack this season."""
GUILT = -0.2
"""Trust lost by an own attack: its victim will not be a friend."""
GRATITUDE = 0.5
"""Trust gained by a support this season."""
BROKEN = -0.45
"""Trust lost by a promise that was broken this season."""
KEPT = 0.09
"""Trust gained by a promise that was kept this season, up to KEPT_AT_MOST in all."""
KEPT_AT_MOST = 0.3
ACCORD = 0.3
"""Trust gained by an agreement in words."""
MEMORY = 6
"""Seasons after which a friendly act is forgotten."""
AFFINITY = 0.12
"""Largest effect of mere liking, drawn once for each pair and match."""
OPEN = {POWER["AUSTRIA"]: 0.52, POWER["GERMANY"]: 0.78, POWER["ITALY"]: 0.23, POWER["RUSSIA"]: 0.47}
"""Power in the middle of the map -> the trust that all others have in it, since it has most neighbours to fear. With
these numbers and the next, all powers had about five centres after thirteen years of 120 matches."""
COVERED = {POWER["ENGLAND"]: 0.2, POWER["FRANCE"]: 0.25, POWER["TURKEY"]: 0.13}
"""Power with its back to the edge -> the trust that it loses with each centre beyond SMALL: nobody is behind it."""
SMALL = 3
_FRIENDLY = frozenset(("ally", "peace", "accept"))
_PACTS = frozenset(
    ("yes_ally", "yes_peace", "yes_attack", "propose_ally", "propose_pact", "propose_peace", "propose_truce")
)
"""Kinds of own statements that offer friendship or agree to it, whatever else the message refuses."""
_SEASON = {"S": 0, "F": 1, "W": 1}


def season_of(turn: str) -> int:
    """Return the number of the season of a turn such as `F1903M`: 0 for spring 1901."""
    return 2 * (int(turn[1:5]) - START_YEAR) + _SEASON[turn[0]]


def now(state: State) -> int:
    """Return the number of the season of the position."""
    return 2 * (state.year - START_YEAR) + (state.phase >= FALL) + (state.phase == WINTER)


def trust_of(game: DiplomacyGame, power: int, character: Character, liking: str) -> list[float]:
    """Return the trust of `power` in each power, from -1 to 1. `liking` is the key of the random part."""
    season, relations = now(game.state), game.relations
    grudge_lasts = 3 + 11 * (1 - character.forgiveness)
    promises = _promises(game, power, season, grudge_lasts)
    agreements = accords(game, power)
    centers = game.state.center_counts()
    united = menace(centers) is not None
    trust = []
    for other in range(len(POWERS)):
        if other == power:
            trust.append(1.0)
            continue
        hurt = _fresh(relations.since_attack(other, power, season), grudge_lasts)
        guilt = _fresh(relations.since_attack(power, other, season), MEMORY)
        helped = _fresh(relations.since_support(other, power, season), MEMORY)
        accord = agreements[other]
        agreed = 0.0 if accord is None or hurt > 0.7 else _fresh(season - accord, MEMORY)
        drawn = Random(f"{liking}/{min(power, other)}/{max(power, other)}").uniform(-AFFINITY, AFFINITY)
        leaning = 0.0 if united else by_map(other, centers)
        total = STRANGER + leaning + drawn + GRUDGE * hurt + GUILT * guilt + GRATITUDE * helped + ACCORD * agreed
        trust.append(max(-1.0, min(1.0, total + promises[other])))
    return trust


def by_map(power: int, centers: Sequence[int]) -> float:
    """Return the trust that all others have in a power for its place on the map and its size."""
    return OPEN.get(power, 0.0) - COVERED.get(power, 0.0) * max(0, centers[power] - SMALL)


def _promises(game: DiplomacyGame, power: int, season: int, grudge_lasts: float) -> list[float]:
    kept, broken = [0.0] * len(POWERS), [0.0] * len(POWERS)
    for verdict in game.verdicts:
        if POWERS[power] not in verdict.recipients:
            continue
        since, other = season - season_of(verdict.phase), POWER[verdict.power]
        if isinstance(verdict, PromiseKept):
            kept[other] += KEPT * _fresh(since, MEMORY)
        else:
            broken[other] += BROKEN * _fresh(since, grudge_lasts)
    return [min(KEPT_AT_MOST, good) + max(-0.9, bad) for good, bad in zip(kept, broken, strict=True)]


def accords(game: DiplomacyGame, power: int) -> list[int | None]:
    """Return, per power, the latest season by which each had offered the other friendship or accepted it; None if they
    did not, or if one of them ended it since."""
    own: list[int | None] = [None] * len(POWERS)
    theirs: list[int | None] = [None] * len(POWERS)
    seat = POWERS[power]
    for message in game.messages:
        sender = POWER[message.sender]
        if message.public or (sender != power and seat not in message.recipients):
            continue
        moods = moods_of(apart_from_bargains(message.text))
        if not moods & _FRIENDLY and "break" not in moods:
            continue
        refused = "refuse" in moods and not kinds_of(message.text) & _PACTS
        friendly = None if "break" in moods or refused else season_of(message.turn)
        if sender == power:
            for recipient in message.recipients:
                own[POWER[recipient]] = friendly
                if friendly is None:
                    theirs[POWER[recipient]] = None
        else:
            theirs[sender] = friendly
            if friendly is None:
                own[sender] = None
    return [
        None if mine is None or yours is None or abs(mine - yours) > 2 else max(mine, yours)
        for mine, yours in zip(own, theirs, strict=True)
    ]


def _fresh(seasons: int | None, lasts: float) -> float:
    """Return the weight of an event: 1 in its season, falling to 0 within `lasts` seasons."""
    return 0.0 if seasons is None else max(0.0, min(1.0, 1 - (seasons - 1) / lasts))

"""The intentions of a talking bot in one phase: whom it trusts, whom it deceives, what it has promised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Literal

from grandstand.games.base import MessageSent, SeatId
from grandstand.games.diplomacy.bots import coordinated
from grandstand.games.diplomacy.bots.pacts.leaders import LATE, MENACE, menace
from grandstand.games.diplomacy.bots.stance import TRUSTED, Plan, Planner, Stance
from grandstand.games.diplomacy.bots.talking import trust
from grandstand.games.diplomacy.bots.talking.board import (
    contact,
    read_order,
    strength_at,
    target_of,
    units_of,
    within_reach,
)
from grandstand.games.diplomacy.bots.talking.characters import Character
from grandstand.games.diplomacy.bots.talking.reader import moods_of, places_of, read
from grandstand.games.diplomacy.bots.talking.voice import apart_from_bargains, split
from grandstand.games.diplomacy.events import PromiseBroken
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.press import pacts
from grandstand.games.diplomacy.rules.map import CENTERS, POWER, POWERS, PROVINCE, REACH, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import MOVE, NONE, Order, order_text
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State

PLANNER: Planner = coordinated.plan

Attitude = Literal["ally", "neutral", "target", "victim", "enemy", "far", "gone"]
"""The attitude towards another power: `target` is the power that it attacks next and to which it has promised nothing,
`victim` a friend that it is about to betray, `far` a power without contact."""

ENEMY = -0.25
"""Trust below which another power is an enemy."""
ALLIES = 2
"""Number of neighbours that can be allies at the same time."""
FEAR = 8
"""Number of centres from which the largest power is feared."""
BELIEF = 0.0
"""Trust from which promises are believed."""
BALANCE = 0.3
"""The appeal of each centre that a neighbour has more than the seat: the strong are attacked before the weak."""
FICKLE = 0.35
"""Loyalty below which a character joins the others against a menace late."""
SOLIDARITY = 0.1
"""Trust that those who stop a menace win in each other, for each of its centres."""
HATRED = -0.75
"""Trust below which not even a menace makes allies."""
CLOSED = 8
"""The number of bounces that a move into a place that was to stay empty counts as."""
PREY, PRESS_ON = -0.35, -0.7
"""The trust that makes the planner attack a target, and a victim."""


@dataclass(frozen=True)
class Mind:
    """The view of one seat at one moment, derived only from what the seat may know."""

    game: DiplomacyGame
    seat: SeatId
    character: Character
    fallback_key: str = ""
    """The key of random draws before the seat has sent a message."""

    @property
    def state(self) -> State:
        return self.game.state

    @cached_property
    def power(self) -> int:
        return POWER[self.seat]

    @cached_property
    def key(self) -> str:
        """Return the seed of draws that are made once a match: the seat's first message."""
        first = next((message.text for message in self.game.messages if message.sender == self.seat), "")
        return first or self.fallback_key

    @cached_property
    def mail(self) -> list[MessageSent]:
        """The messages that the seat sent or received."""
        seat = self.seat
        messages = self.game.messages
        return [one for one in messages if one.public or one.sender == seat or seat in one.recipients]

    @cached_property
    def centers(self) -> list[int]:
        return self.state.center_counts()

    @cached_property
    def trust(self) -> list[float]:
        return trust.trust_of(self.game, self.power, self.character, self.key)

    @cached_property
    def others(self) -> list[int]:
        """The other powers that are still in play."""
        return [other for other in range(len(POWERS)) if other != self.power and self.state.in_play(other)]

    @cached_property
    def contact(self) -> list[int]:
        """The closeness of each power."""
        return [0 if other == self.power else contact(self.state, self.power, other) for other in range(len(POWERS))]

    @cached_property
    def accords(self) -> list[int | None]:
        """Per power, the season of the last agreement in words that nobody has ended, by words or by an attack."""
        relations = self.game.relations
        agreed: list[int | None] = []
        for other, season in enumerate(trust.accords(self.game, self.power)):
            attacks = (relations.attacks.get(pair, -1) for pair in ((self.power, other), (other, self.power)))
            agreed.append(None if season is None or max(attacks) >= season else season)
        return agreed

    @cached_property
    def season(self) -> int:
        return trust.now(self.state)

    def contact_between(self, power: int, other: int) -> bool:
        """Return whether two other powers are neighbours."""
        return contact(self.state, power, other) > 1

    @cached_property
    def leader(self) -> int | None:
        """The largest power, if it is feared: large, and not smaller than any other."""
        first = max(range(len(POWERS)), key=self.centers.__getitem__)
        second = sorted(self.centers)[-2]
        return first if self.centers[first] >= FEAR and self.centers[first] > second else None

    @cached_property
    def menace(self) -> int | None:
        """The largest power, if all others have to stop it together; the seat itself, if it is the one."""
        return menace(self.centers, LATE if self.character.loyalty < FICKLE else MENACE)

    @property
    def united(self) -> bool:
        """Return whether the seat stops a menace together with all others."""
        return self.menace not in (None, self.power)

    def third(self, other: int) -> int:
        """Return a third power to mention to `other`: the leader, or the least trusted neighbour."""
        thirds = [power for power in self.others if power != other]
        if not thirds:
            return self.power
        near = [power for power in thirds if self.contact_between(other, power)]
        return self.leader if self.leader in thirds else min(near or thirds, key=self.trust.__getitem__)

    def prey(self, other: int) -> float:
        """Return the centres of `other` that could be taken now, weak ones counting whole."""
        total = 0.0
        for center in within_reach(self.state, self.power, other):
            attack = strength_at(self.state, self.power, center)
            defence = strength_at(self.state, other, center)
            total += 1.0 if attack > defence else 0.35
        return total

    @cached_property
    def attitudes(self) -> Mapping[int, Attitude]:
        """The attitude towards each other power."""
        attitudes: dict[int, Attitude] = {}
        allies: list[int] = []
        if self.united:
            return self._united()
        near = sorted(self.others, key=lambda other: -self.trust[other])
        for other in near:
            if not self.contact[other]:
                attitudes[other] = "far"
            elif self.trust[other] < ENEMY:
                attitudes[other] = "enemy"
            elif self.trust[other] >= TRUSTED and len(allies) < ALLIES and other != self.leader:
                attitudes[other] = "ally"
                allies.append(other)
            else:
                attitudes[other] = "neutral"
        self._choose_target(attitudes)
        self._choose_victim(attitudes)
        attitudes.update((other, "gone") for other in range(len(POWERS)) if other not in self.others)
        return attitudes

    def _united(self) -> dict[int, Attitude]:
        """Return the attitudes of those who stop a menace together: all others are allies, but for deep hatred."""
        united: dict[int, Attitude] = dict.fromkeys(range(len(POWERS)), "gone")
        for other in self.others:
            near: Attitude = "ally" if self.trust[other] > HATRED else "enemy"
            united[other] = "enemy" if other == self.menace else near if self.contact[other] else "far"
        return united

    def _choose_target(self, attitudes: dict[int, Attitude]) -> None:
        """Turn the most tempting neutral neighbour into the target, unless there is a war on already."""
        enemies = sum(attitude == "enemy" for attitude in attitudes.values())
        candidates = [other for other, attitude in attitudes.items() if attitude == "neutral"]
        if not candidates or enemies >= 1 + (self.character.aggression > 0.6):
            return

        def appeal(other: int) -> float:
            leading = 0.6 if other == self.leader else 0.0
            leading += BALANCE * (self.centers[other] - self.centers[self.power])
            return self.prey(other) + 0.1 * self.contact[other] - 1.5 * self.trust[other] + leading

        attitudes[max(candidates, key=appeal)] = "target"

    def _choose_victim(self, attitudes: dict[int, Attitude]) -> None:
        """Turn the most tempting friend into the victim, if it tempts the character enough."""
        if self.state.year == 1901 and self.state.phase == SPRING:
            return
        friends = [other for other, attitude in attitudes.items() if attitude == "ally"]
        friends += [
            other
            for other, attitude in attitudes.items()
            if attitude in ("neutral", "target") and self.accords[other] is not None
        ]
        tempting = [(self.temptation(other), other) for other in friends]
        if tempting and max(tempting)[0] > 0:
            attitudes[max(tempting)[1]] = "victim"

    def temptation(self, other: int) -> float:
        """Return the gain of betraying a friend less the character's reluctance; if positive, it betrays."""
        character = self.character
        gain = self.prey(other) * (1.0 if self.state.phase == FALL else 0.7)
        gain += 0.8 if other == self.leader else 0.0
        gain += 1.0 if self.centers[self.power] >= 14 else 0.0
        whim = Random(f"{self.key}/{self.state.name}/{other}").uniform(-0.6, 0.6)
        restraint = 0.1 + 1.5 * character.loyalty + 0.8 * max(0.0, self.trust[other]) - 0.5 * character.aggression
        return gain + whim - restraint

    def deceives(self, other: int) -> bool:
        """Return whether the seat lies to a victim; otherwise it says nothing or gives notice. It seldom lies to a
        power to which it lied within two years, because that power would not believe it."""
        drawn = Random(f"{self.key}/{self.state.name}/{other}/lie").random()
        return drawn > self.character.honesty + (0.3 if self._has_lied_to(other) else 0.0)

    def _has_lied_to(self, other: int) -> bool:
        return any(
            isinstance(verdict, PromiseBroken)
            and verdict.power == self.seat
            and POWERS[other] in verdict.recipients
            and self.season - trust.season_of(verdict.phase) <= 4
            for verdict in self.game.verdicts
        )

    # --- promises -----------------------------------------------------------------------------------------------------

    def _given(self) -> Iterator[tuple[int, Order, tuple[str, tuple[SeatId, ...]]]]:
        """Yield (province, order, (promise, recipients)) of what the seat has promised in messages of this phase."""
        for message in self.game.messages:
            if message.sender == self.seat and message.turn == self.state.name:
                for promise in message.promises:
                    order = read_order(promise, self.state, self.power)
                    if order is not None:
                        yield UNIT_PROVINCE[order[1]], order, (promise, tuple(message.recipients))

    @cached_property
    def pledged(self) -> dict[int, Order]:
        """The orders that the seat has promised for this phase, in messages or by pacts, and means to give."""
        lies = {(lie.promise, tuple(lie.recipients)) for lie in self.game.lies if lie.power == self.seat
                and lie.phase == self.state.name}  # fmt: skip
        false = {promise for promise, _ in lies}
        meant = {at: order for at, order, given in self._given() if given not in lies}
        return meant | {at: order for at, order in self.bound.items() if order_text(order) not in false}

    @cached_property
    def bound(self) -> dict[int, Order]:
        """The orders that pacts bind the seat to in this phase, where it is at peace with the other parties."""
        bound: dict[int, Order] = {}
        for power, text, others in pacts.bound(self.pacts, self.state):
            order = read_order(text, self.state, self.power) if power == self.seat else None
            if order is not None and not any(self.attitudes[POWER[other]] == "enemy" for other in others):
                bound[UNIT_PROVINCE[order[1]]] = order
        return bound

    @cached_property
    def pacts(self) -> dict[str, pacts.Pact]:
        """The pacts that the seat is a party of."""
        return pacts.known(self.game.pacts, self.seat)

    @cached_property
    def promised(self) -> dict[int, Order]:
        """The orders that the seat has promised for this phase, meant or not."""
        return {at: order for at, order, _ in self._given()} | self.bound

    @cached_property
    def expected(self) -> dict[int, Order]:
        """The orders that others promised the seat for this phase, as far as it believes them."""
        expected: dict[int, Order] = {}
        for message in self.mail:
            sender = POWER[message.sender]
            if message.turn != self.state.name or sender == self.power or self.trust[sender] < BELIEF:
                continue
            orders = [read_order(promise, self.state, sender) for promise in message.promises]
            if not message.promises:
                orders += read(message.text, self.state, sender, self.power).announced
            expected.update((UNIT_PROVINCE[order[1]], order) for order in orders if order is not None)
        for power, text, _ in pacts.bound(self.pacts, self.state):
            sworn = read_order(text, self.state, POWER[power]) if power != self.seat else None
            if sworn is not None and self.attitudes[POWER[power]] != "enemy":
                expected[UNIT_PROVINCE[sworn[1]]] = sworn
        return expected

    # --- orders -------------------------------------------------------------------------------------------------------

    @cached_property
    def stance(self) -> Stance:
        """The stance for the planner."""
        trusted = []
        solidarity = SOLIDARITY * (max(self.centers) - MENACE + 1) if self.united else 0.0
        for other, own in enumerate(self.trust):
            attitude = self.attitudes.get(other)
            if attitude == "ally":
                own = max(own, TRUSTED + 0.05 + solidarity)
            elif attitude == "target":
                own = min(own, PREY)
            elif attitude == "victim":
                own = PRESS_ON
            elif attitude == "neutral":
                own = min(own, TRUSTED - 0.05)
            if other == self.leader and other != self.power:
                own -= 1.0 if other == self.menace else 0.3
            trusted.append(max(-1.0, min(1.0, own)))
        avoided = {**self.game.relations.bounced, **dict.fromkeys(self._closed_moves(), CLOSED)}
        return Stance(tuple(trusted), self.pledged, self.expected, avoided, agreed_only=True)

    def _closed_moves(self) -> list[Order]:
        """Return the moves into places that the seat promised in this phase to keep out of."""
        closed = {PROVINCE[place] for pact in pacts.in_force(self.pacts, self.state.name) for place in pact.offer.zones}
        for message in self.game.messages:
            if message.sender == self.seat and message.turn == self.state.name:
                for sentence in split(apart_from_bargains(message.text)):
                    moods = moods_of(sentence)
                    if "leave" in moods and "refuse" not in moods:
                        closed.update(places_of(sentence))
        return [
            (MOVE, unit, there, NONE)
            for _, unit in units_of(self.state, self.power)
            for there in REACH[unit]
            if UNIT_PROVINCE[there] in closed
        ]

    @cached_property
    def draft(self) -> Plan:
        """Return the orders that the seat would give now."""
        return self._drafted(self.pledged)

    @property
    def orders(self) -> Plan:
        """Return the orders of a movement phase: the draft, without promises that the seat no longer wants to keep."""
        if self.state.phase != FALL or not self.pledged or self.character.honesty > 0.85:
            return self.draft
        free = self._drafted({})
        kept = {at: order for at, order in self.pledged.items() if not self._reconsiders(order, free.get(at, order))}
        return self.draft if len(kept) == len(self.pledged) else self._drafted(kept)

    def _reconsiders(self, pledged: Order, other: Order) -> bool:
        """Return whether the seat takes a centre instead of doing as it promised."""
        target = target_of(other)
        owner = None if target is None else self.state.centers.get(target)
        if other == pledged or target not in CENTERS or owner == self.power:
            return False
        if self.united and owner != self.menace:  # members of a coalition take nothing from each other
            return False
        whim = Random(f"{self.key}/{self.state.name}/{pledged}").random()
        return whim > 0.35 + 0.4 * self.character.loyalty + 0.4 * self.character.honesty

    def _drafted(self, pledged: Mapping[int, Order]) -> Plan:
        stance = self.stance
        return dict(
            planned(
                self.state,
                self.power,
                f"{self.key}/{self.state.name}/{self.power}",
                stance.trust,
                _items(pledged),
                _items(stance.expected),
                tuple(sorted(stance.bounced.items())),
            )
        )


def _items(orders: Mapping[int, Order]) -> tuple[tuple[int, Order], ...]:
    return tuple(sorted(orders.items()))


@lru_cache(maxsize=32)
def planned(
    state: State,
    power: int,
    key: str,
    trusted: tuple[float, ...],
    pledged: tuple[tuple[int, Order], ...],
    expected: tuple[tuple[int, Order], ...],
    bounced: tuple[tuple[Order, int], ...],
) -> tuple[tuple[int, Order], ...]:
    """Return the planner's orders. They are cached, because the final orders often equal the last draft."""
    stance = Stance(trusted, dict(pledged), dict(expected), dict(bounced), agreed_only=True)
    return tuple(PLANNER(state, power, Random(key), stance).items())

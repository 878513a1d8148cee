"""The bargains of a talking bot: offers of pacts in the first round, and in later rounds answers and counter-offers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from grandstand.games.diplomacy.bots.pacts.plans import SMALL, JointPlan, joint_plans, pushes, same_aim, worth
from grandstand.games.diplomacy.bots.pacts.statements import PactStatement, deal_words, goals_of
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.bots.talking.board import (
    contact,
    place_words,
    read_order,
    strength_at,
    target_of,
    unit_words,
)
from grandstand.games.diplomacy.bots.talking.deals import WILLING, grievance, is_needed, supposed
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.reader import moods_of
from grandstand.games.diplomacy.bots.talking.statements import Statement
from grandstand.games.diplomacy.press.pacts import Pact, season_after
from grandstand.games.diplomacy.rules.map import CENTERS, NEIGHBOURS, POWER, POWERS, PROVINCE, PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, Order, order_text
from grandstand.games.diplomacy.rules.state import SPRING

PARTNERS = 4
"""Powers with which a bot looks for joint plans in one season."""
LATELY = 3
"""Seasons after an attack in which its victim hears no offer."""
LONG = 2
"""Seasons after this one that an empty zone lasts."""
MODEST = 0.008
"""The most expected score that a bot asks another to give up for it."""
SACRIFICE = 0.03
"""The expected score that a wholly loyal power gives up for an ally who asks."""


def bargains(mind: Mind, round: int, rounds: int, rng: Random) -> Iterator[Statement]:
    """Yield the seat's statements about pacts in a round."""
    if mind.game.options.press != "full":
        return
    if round == 1:
        yield from _Offers(mind, rng).statements()
    else:
        yield from _Answers(mind, round < rounds, rng).statements()
        yield from _closings(mind, round)


class _Offers:
    """The offers of the first round: at most one plan and one zone to each power."""

    def __init__(self, mind: Mind, rng: Random) -> None:
        self.mind, self.rng = mind, rng
        self.taken: dict[int, Order] = dict(mind.promised)

    def statements(self) -> Iterator[Statement]:
        mind = self.mind
        partners = [other for other in mind.others if mind.attitudes[other] in ("ally", "neutral")]
        partners = [
            other
            for other in partners
            if mind.contact[other] > 1 and self._is_trusted(other) and self._may_listen(other)
        ]
        planned: set[int] = set()
        for other in sorted(partners, key=lambda other: -mind.trust[other] - 0.02 * mind.contact[other])[:PARTNERS]:
            plans = [plan for plan in joint_plans(mind, other, self.taken) if self._is_worth_a_letter(plan, other)]
            if plans:
                plan = _joined(plans) if mind.united else plans[0]
                planned.add(other)
                yield self._offer(other, plan)
                self.taken |= _own(mind, plan.orders)
        for other in partners:
            if other not in planned and not mind.united:
                yield from self._zone(other)

    def _is_trusted(self, other: int) -> bool:
        return self.mind.attitudes[other] == "ally" or self.mind.trust[other] > WILLING

    def _may_listen(self, other: int) -> bool:
        """Return whether a power may hear an offer: not if the seat attacked it lately, is everybody's menace, or is
        probably not trusted."""
        mind = self.mind
        if supposed(mind, other) < WILLING:
            return False
        attacked = mind.game.relations.since_attack(mind.power, other, mind.season)
        return mind.menace != mind.power and (attacked is None or attacked > LATELY)

    def _is_worth_a_letter(self, plan: JointPlan, other: int) -> bool:
        mind = self.mind
        if plan.ours > 2 * SMALL and plan.theirs > -MODEST:
            return True
        return mind.attitudes[other] == "ally" and plan.theirs > 4 * SMALL and plan.ours > -SMALL

    def _offer(self, other: int, plan: JointPlan) -> PactStatement:
        mind = self.mind
        one_way = "pact_ask" if mind.power in plan.help_to else "pact_give"
        kind = one_way if len(set(plan.help_to)) == 1 else "pact_swap"
        slots, lines, mentioned = _worded(mind, other, plan.orders)
        later = self._later(other, plan, kind)
        if later is not None:
            kind, more, further = later
            slots, lines = slots | more, (*lines, *further)
        weight = 6.5 + min(2.0, 30 * max(plan.ours, 0.0)) + mind.trust[other]
        return PactStatement(kind, other, weight, slots, mentioned=mentioned, lines=lines)

    def _later(self, other: int, plan: JointPlan, kind: str) -> tuple[str, dict[str, str], tuple[str, ...]] | None:
        """Return how a spring's plan, in which one helps the other, goes on in the fall, the other way round."""
        mind = self.mind
        if mind.state.phase != SPRING or kind not in ("pact_ask", "pact_give") or self.rng.random() > 0.6:
            return None
        mover = plan.help_to[0]
        helper = other if mover == mind.power else mind.power
        back = _return_favour(mind, helper, mover, plan.orders)
        if back is None:
            return None
        turn = season_after(mind.state.name, 1)
        return "pact_years", {"later": _deal(mind, other, back)}, _lines(mind, back, turn)

    def _zone(self, other: int) -> Iterator[PactStatement]:
        """Yield a proposal to keep a vacant place between two powers empty for some seasons."""
        mind, state, rng = self.mind, self.mind.state, self.rng
        if contact(state, mind.power, other) < 2 or rng.random() > 0.45 * mind.character.talkativeness:
            return
        standing = {place for pact in mind.pacts.values() if pact.state in ("open", "accepted")
                    for place in pact.offer.zones}  # fmt: skip
        zones = [
            place
            for place in range(len(NEIGHBOURS))
            if place not in state.units
            and place not in CENTERS
            and PROVINCES[place] not in standing
            and strength_at(state, mind.power, place)
            and strength_at(state, other, place)
            and not any(target_of(order) == place for order in mind.draft.values())
        ]
        if zones:
            place = rng.choice(zones)
            until = season_after(state.name, LONG)
            stern = mind.attitudes[other] == "neutral" and rng.random() < 0.6 * mind.character.aggression
            lines = (f"ZONE {PROVINCES[place]}", f"UNTIL {until}", *(("ELSE WAR",) if stern else ()))
            slots = {"place": place_words(place), "until": _turn_words(until)}
            yield PactStatement("pact_warn" if stern else "pact_zone", other, 3.6 + rng.random(), slots, lines=lines)


def _joined(plans: Sequence[JointPlan]) -> JointPlan:
    """Return the first plan with the next one that needs other units and goes elsewhere, if any."""
    first = plans[0]
    for plan in plans[1:]:
        if plan.orders.keys().isdisjoint(first.orders) and not same_aim(plan, first):
            both = first.orders | plan.orders
            return JointPlan(both, (*first.help_to, *plan.help_to), first.ours + plan.ours, first.theirs + plan.theirs)
    return first


class _Answers:
    """The answers to the offers that wait for the seat."""

    def __init__(self, mind: Mind, can_counter: bool, rng: Random) -> None:
        self.mind, self.can_counter, self.rng = mind, can_counter, rng
        self.countered: set[int] = set()
        self.taken: dict[int, Order] = dict(mind.promised)
        """Our units' orders by what is promised, and by our own offers that others may accept in this round."""
        for pact in mind.pacts.values():
            if pact.state == "open" and pact.offer.power == mind.seat:
                self.taken |= _own(mind, _orders(mind, pact))

    def statements(self) -> Iterator[Statement]:
        mind = self.mind
        waiting = [pact for pact in mind.pacts.values() if mind.seat in pact.waiting]
        for pact in sorted(waiting, key=lambda pact: -mind.trust[POWER[pact.offer.power]]):
            statement = self._answer(pact)
            if statement is not None:
                yield statement

    def _answer(self, pact: Pact) -> Statement | None:
        mind = self.mind
        other = POWER[pact.offer.power]
        orders = _orders(mind, pact)
        own = _own(mind, orders)
        lies = mind.attitudes[other] in ("victim", "target") and mind.deceives(other)
        crossed = self._crossed(pact, orders)
        if crossed == "first":
            return PactStatement("pact_first", other, 8.0, lines=(f"REFUSE {pact.offer.pact}",))
        reason, place = self._objection(pact, other, orders, own)
        if reason and not (lies and not reason.startswith(tuple(place_words(at) for at in _goals(orders)))):
            counter = None if other in self.countered else self._countered(pact, other, orders)
            if counter is None:
                return self._refused(pact, other, reason, place)
            self.countered.add(other)
            return counter
        if lies and any(at in self.taken for at in own):
            return self._refused(pact, other, f"my {unit_words(next(iter(own.values()))[1])} has other orders", place)
        self.taken |= own
        return self._accepted(pact, other, orders, own, lies, yields=crossed == "second")

    def _crossed(self, pact: Pact, orders: Plan) -> str:
        """Return which of two crossing offers of the same two powers has precedence: `first` for our own, `second` for
        theirs; empty if both can be kept. The smaller power's offer has precedence, which both can compute."""
        mind = self.mind
        other = POWER[pact.offer.power]
        for mine in mind.pacts.values():
            if mine.state == "open" and mine.offer.power == mind.seat and mine.offer.parties[1:] == [pact.offer.power]:
                clash = [at for at, order in _orders(mind, mine).items() if orders.get(at, order) != order]
                if clash:
                    ranks = [(mind.centers[power], power) for power in (mind.power, other)]
                    return "first" if ranks[0] < ranks[1] else "second"
        return ""

    def _objection(self, pact: Pact, other: int, orders: Plan, own: Plan) -> tuple[str, str]:
        """Return why the seat does not accept the pact, in words, and the place that it is about; empty if it does."""
        mind, state = self.mind, self.mind.state
        goals = _goals(orders) or [at for at, order in orders.items() if order[0] == HOLD]
        goals = goals or [PROVINCE[place] for place in pact.offer.zones]
        place = place_words(goals[0]) if goals else "it"
        if reason := grievance(mind, other):
            return reason, place
        for at, order in own.items():
            if self.taken.get(at, order) != order:
                return f"my {unit_words(order[1])} has other orders", place
        for zone in pact.offer.zones:
            if any(target_of(order) == PROVINCE[zone] for order in mind.draft.values()):
                return f"my {unit_words(next(iter(mind.draft.values()))[1])} has other orders", place_words(
                    PROVINCE[zone]
                )
        for goal in goals:
            owners = {state.centers.get(goal), state.units[goal][0] if goal in state.units else None} - {None, other}
            if mind.power in owners and orders and not _is_defended(orders, goal):
                return f"{place_words(goal)} is mine", place_words(goal)
            friends = [owner for owner in owners if owner is not None and owner != mind.power
                       and mind.attitudes.get(owner) == "ally" and not _is_defended(orders, goal)]  # fmt: skip
            if friends and mind.trust[friends[0]] >= mind.trust[other]:
                return f"I keep the peace in {place_words(goal)}", place_words(goal)
        if orders and not self._suits(other, orders):
            helping = next((order for order in own.values() if order[0] in (SUPPORT, SUPPORT_MOVE)), None)
            if helping is None:
                return "I gain nothing by it", place
            if is_needed(mind, UNIT_PROVINCE[helping[1]]):
                return f"I would leave {place_words(UNIT_PROVINCE[helping[1]])} open", place
            return f"my {unit_words(helping[1])} has other orders", place
        return "", place

    def _suits(self, other: int, orders: Plan) -> bool:
        """Return whether the plan is worth its price to the seat; a loyal friend asks for less."""
        mind = self.mind
        gain = worth(mind, other, [JointPlan(orders, ())])[0].ours
        ally = mind.attitudes[other] == "ally"
        generosity = SMALL + SACRIFICE * max(0.0, mind.trust[other]) * (0.3 + mind.character.loyalty) * (1 + ally)
        return gain > -generosity

    def _countered(self, pact: Pact, other: int, orders: Plan) -> Statement | None:
        """Return a counter-offer: the requested orders for a price, or in the next season; None if there is none."""
        mind = self.mind
        if not self.can_counter or not orders or mind.attitudes[other] not in ("ally", "neutral"):
            return None
        if pact.offer.counters is not None or mind.trust[other] < WILLING:
            return None
        lines: tuple[str, ...]
        wanted = set(orders.items())
        plans = [plan for plan in joint_plans(mind, other, self.taken)
                 if plan.ours > SMALL and plan.theirs > -SMALL and mind.power in plan.help_to]  # fmt: skip
        plan = next((plan for plan in plans if wanted <= set(plan.orders.items())), plans[0] if plans else None)
        if plan is not None:
            slots, lines, mentioned = _worded(mind, other, plan.orders)
            self.taken |= _own(mind, plan.orders)
            lines = (f"COUNTER {pact.offer.pact}", *lines)
            return PactStatement("pact_counter", other, 8.5, slots, mentioned=mentioned, lines=lines)
        goals = _goals(orders)
        if (
            mind.state.phase == SPRING
            and goals
            and not mind.united
            and mind.power not in {mind.state.centers.get(goals[0])}
        ):
            rest: Plan = {at: (HOLD, order[1], NONE, NONE) for at, order in orders.items()}
            free = all(self.taken.get(at, order) == order for at, order in _own(mind, rest).items())
            if free and all(order[0] != MOVE for order in _drafted(mind, orders)):
                turn = season_after(mind.state.name, 1)
                slots = {"later": _deal(mind, other, orders), "place": place_words(goals[0])}
                self.taken |= _own(mind, rest)
                lines = (f"COUNTER {pact.offer.pact}", *_lines(mind, rest), *_lines(mind, orders, turn))
                return PactStatement("pact_defer", other, 8.0, slots, lines=lines)
        return None

    def _refused(self, pact: Pact, other: int, reason: str, place: str) -> Statement:
        slots = {"reason": reason, "place": place}
        return PactStatement("pact_no", other, 7.5, slots, lines=(f"REFUSE {pact.offer.pact}",))

    def _accepted(self, pact: Pact, other: int, orders: Plan, own: Plan, lies: bool, yields: bool) -> Statement:
        mind = self.mind
        lines = (f"ACCEPT {pact.offer.pact}",)
        zones = [place_words(PROVINCE[place]) for place in pact.offer.zones]
        later = _read(mind, pact, season_after(mind.state.name, 1))
        meant = tuple(own.values())
        if later:
            slots = {"later": _deal(mind, other, later)}
            return PactStatement("pact_yes_years", other, 9.0, slots, meant, lies and bool(own), lines=lines)
        if not orders and zones:
            slots = {"place": zones[0], "until": _turn_words(pact.offer.until)}
            return PactStatement("pact_yes_zone", other, 7.0, slots, lines=lines)
        slots = {"deal": _deal(mind, other, orders) if orders else "I do as you ask"}
        kind = "pact_yield" if yields else "pact_yes"
        return PactStatement(kind, other, 9.0, slots, meant, lies and bool(own), lines=lines)


def _closings(mind: Mind, round: int) -> Iterator[Statement]:
    """Yield thanks or regrets to those who answered our own offers or proposals of this season."""
    turn = mind.state.name
    for other in mind.others:
        between = [message for message in mind.mail if message.turn == turn and not message.public
                   and {message.sender, *message.recipients} == {mind.seat, POWERS[other]}]  # fmt: skip
        if not between or between[-1].sender == mind.seat:
            continue
        own = ((pact.offer.phase, pact.offer.power) == (turn, mind.seat) for pact in mind.pacts.values())
        ours = [pact for pact, mine in zip(mind.pacts.values(), own, strict=True)
                if mine and POWERS[other] in pact.offer.parties]  # fmt: skip
        answered = [pact for pact in ours if pact.state in ("accepted", "refused")]
        if answered:
            glad = any(pact.state == "accepted" for pact in answered)
            goals = [place for pact in answered for place in goals_of(pact)]
            goals += [PROVINCE[zone] for pact in answered for zone in pact.offer.zones]
            goals += [at for pact in answered for at in _orders(mind, pact)]
            place = place_words(goals[0]) if goals else "the front"
            yield Statement("pact_glad" if glad else "pact_pity", other, 5.5, {"place": place})
        elif round > 2 and any(message.sender == mind.seat for message in between):
            hostile = bool(moods_of(between[-1].text) & {"refuse", "break", "threat", "reproach", "protest"})
            warm = mind.attitudes[other] in ("ally", "neutral", "victim") and not hostile
            yield Statement("glad_ally" if warm else "cool_close", other, 4.2)


def _worded(mind: Mind, other: int, orders: Plan) -> tuple[dict[str, str], tuple[str, ...], tuple[Order, ...]]:
    """Return the slots, the lines and the own orders of an offer."""
    deal = _deal(mind, other, orders)
    goals = _goals(orders) or list(orders)
    slots = {"deal": deal, "Deal": deal[:1].upper() + deal[1:], "place": place_words(goals[0])}
    return slots, _lines(mind, orders), tuple(_own(mind, orders).values())


def _deal(mind: Mind, other: int, orders: Plan) -> str:
    """Return a joint plan in words, as the seat says it to the other."""
    return deal_words(orders, {at: mind.state.units[at][0] for at in orders}, mind.power, other)


def _lines(mind: Mind, orders: Plan, turn: str = "") -> tuple[str, ...]:
    """Return the lines of a pact; those of a later turn name the powers."""
    if not turn:
        return tuple(map(order_text, orders.values()))
    return tuple(f"{turn} {POWERS[mind.state.units[at][0]]} {order_text(order)}" for at, order in orders.items())


def _goals(orders: Plan) -> list[int]:
    """Return the places that a plan's supported units move into."""
    return [UNIT_PROVINCE[order[3]] for order in orders.values() if order[0] == SUPPORT_MOVE]


def _is_defended(orders: Plan, place: int) -> bool:
    """Return whether the plan holds a place instead of attacking it."""
    return place in orders and orders[place][0] == HOLD


def _orders(mind: Mind, pact: Pact) -> dict[int, Order]:
    """Return the orders of a pact for this phase, of all parties."""
    return _read(mind, pact, mind.state.name)


def _own(mind: Mind, orders: Plan) -> Plan:
    """Return our part of a plan."""
    return {at: order for at, order in orders.items() if mind.state.units[at][0] == mind.power}


def _drafted(mind: Mind, orders: Plan) -> list[Order]:
    """Return our own orders of this season for the units that a plan needs."""
    return [mind.draft[at] for at in orders if at in mind.draft]


def _read(mind: Mind, pact: Pact, turn: str) -> dict[int, Order]:
    terms = [term for term in pact.offer.terms if term["turn"] == turn]
    orders = (read_order(term["order"], mind.state, POWER[term["power"]]) for term in terms)
    return {UNIT_PROVINCE[order[1]]: order for order in orders if order is not None}


def _return_favour(mind: Mind, mover: int, helper: int, busy: Mapping[int, Order]) -> Plan | None:
    """Return a move of one power's idle unit, in the next season, that an idle unit of the other supports."""
    state = mind.state
    for plan in pushes(mind, mover, helper, dict(busy)):
        if not busy.keys() & plan.orders.keys():
            drafted = [mind.draft.get(at) for at in plan.orders if state.units[at][0] == mind.power]
            if all(order is None or order[0] != MOVE for order in drafted):
                return plan.orders
    return None


def _turn_words(turn: str) -> str:
    """Return `the autumn of 1902`."""
    return f"the {'spring' if turn[0] == 'S' else 'autumn'} of {turn[1:5]}"

"""The true claims of Diplomacy's analyst, computed from the record by a program of its own.

Threats are tried on the board: the attacker's orders against many orders of the owner, by the adjudicator. Counts and
answers are read from units and orders by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from grandstand.games.diplomacy.rules.map import POWERS, PROVINCES, REACH, REACH_PROVINCES, SEAS, UNIT, UNITS
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.position import adjudicate_line, read_state
from grandstand.games.diplomacy.story.chances import chances
from grandstand.games.story import StoryEvent
from tests.support.diplomacy.story_truths import BORDERS, LAND, Filling, Phase, Record

Position = Mapping[str, Any]
TRIALS = 40
"""Orders of the other side against which a threat or a line is tried."""
ATTEMPTS = 400
"""Ways of support among which a line is looked for."""
SEA_CODES = {PROVINCES[sea] for sea in SEAS}


def position_at(record: Record, rests_on: Sequence[int]) -> Position:
    """Return the position at the start of the phase before whose orders something was said."""
    state: Position = {}
    for event in record.events:
        if event.type == "PhaseAdvanced" and event.seq <= rests_on[-1]:
            state = event.data["state"]
    return state


def _holders(position: Position) -> dict[str, tuple[str, str]]:
    """Return the power and the unit by province."""
    return {unit[2:5]: (power, unit) for power, units in position["units"].items() for unit in units}


def _beside(unit: str) -> set[str]:
    return {PROVINCES[there] for there in REACH_PROVINCES[UNIT[unit]]}


def _ferried(unit: str, fleets: set[str]) -> set[str]:
    """Return where a unit can get, by convoys of fleets at sea too."""
    places = _beside(unit)
    if unit[0] == "A":
        chain = {sea for sea in fleets if unit[2:5] in BORDERS[sea]}
        while more := {sea for sea in fleets - chain if any(sea in BORDERS[other] for other in chain)}:
            chain |= more
        places |= {code for sea in chain for code in BORDERS[sea] if code in LAND} - {unit[2:5]}
    return places


def _fronts(position: Position) -> Iterator[dict[str, Any]]:
    """Yield each centre of a power that one other power can enter, with the units near it."""
    holders = _holders(position)
    fleets = {code for code in holders if code in SEA_CODES}
    for owner, codes in position["centers"].items():
        for code in codes:
            held = holders.get(code)
            if held is not None and held[0] != owner:
                continue
            for attacker in POWERS:
                force = [unit for unit in position["units"].get(attacker, ()) if code in _beside(unit)]
                if attacker == owner or len(force) < 1 + (held is not None):
                    continue
                ground = {code} | ({unit[2:5] for unit in force} if len(force) > 1 else set())
                others = [unit for unit in position["units"].get(owner, ()) if unit[2:5] != code]
                hindering = [unit for unit in others if ground & _ferried(unit, fleets)]
                yield {
                    "a": attacker, "v": owner, "place": code, "strength": len(force), "force": force,
                    "defence": len(hindering) + (held is not None), "held": held is not None,
                    "unit": held[1][0] if held else "", "near": any(code in _beside(unit) for unit in others),
                    "meets": [unit for unit in others if code in _ferried(unit, fleets)],
                }  # fmt: skip


def _question(held: bool) -> Callable[[Position], Iterator[Filling]]:
    def fillings(position: Position) -> Iterator[Filling]:
        return (front for front in _fronts(position) if front["held"] is held and front["near"])

    return fillings


def _threat_open(position: Position) -> Iterator[Filling]:
    return (front for front in _fronts(position) if not front["held"] and not front["meets"])


def _threat_forced(position: Position) -> Iterator[Filling]:
    return (front for front in _fronts(position) if front["strength"] > front["defence"] and _falls(position, front))


STAKES: Mapping[str, Callable[[Position], Iterator[Filling]]] = {
    "ask_cover": _question(held=False),
    "ask_support": _question(held=True),
    "danger_open": _threat_open,
    "danger_forced": _threat_forced,
}
"""Forms of the analyst's lines on one centre -> what a position makes true of them."""


def stakes(form: str, position: Position) -> Iterator[Filling]:
    """Yield what a headline of such a form may say of the phase that begins with a position."""
    when = {"S": "this spring", "F": "this autumn"}.get(position["phase"][0])
    if position["phase"].endswith("M"):
        yield from ({**front, "when": when} for front in STAKES[form.removeprefix("headline_")](position))


def _falls(position: Position, front: Mapping[str, Any]) -> bool:
    """Return whether the attacker enters the centre against every order of the owner that is tried."""
    place, attack = front["place"], front["force"]
    # With a fleet the coast matters: the attacker goes to one that it can reach.
    mover = attack[0]
    target = next(UNITS[there][2:] for there in REACH[UNIT[mover]] if UNITS[there][2:5] == place)
    orders = [f"{mover} - {target}", *(f"{unit} S {mover} - {place}" for unit in attack[1:])]
    rng = Random(str(front))
    for replies in _replies(position, [front["v"]], rng):
        after = adjudicate_line({**position, "orders": {front["a"]: orders, **replies}})
        if not any(unit[2:5] == place for unit in after["units"][front["a"]]):
            return False
    return True


def _replies(position: Position, powers: Iterable[str], rng: Random) -> Iterator[dict[str, list[str]]]:
    legal = read_state(position).legal_orders()
    by_place = {PROVINCES[at]: [order_text(order) for order in orders] for at, orders in legal.items()}
    for _ in range(TRIALS):
        yield {power: [rng.choice(by_place[unit[2:5]]) for unit in position["units"][power]] for power in powers}


def _line(record: Record, rests_on: Sequence[int]) -> Iterator[Filling]:
    position = position_at(record, rests_on)
    holders = _holders(position)
    leader = max(POWERS, key=lambda power: len(position["centers"].get(power, ())))
    own = position["units"][leader]
    fleets = {unit[2:5] for unit in own} & SEA_CODES
    strikes = [_ferried(unit, fleets) for unit in own]
    struck = set().union(*strikes)
    foreign = {code for power, codes in position["centers"].items() if power != leader for code in codes}
    front = [code for code in struck if code in holders and holders[code][0] != leader]
    if foreign & struck - set(holders) or not front:
        return
    orders = _supports(position, leader, front, strikes)
    if orders is None:
        return
    rng = Random(str(rests_on))
    others = {code: unit for code, unit in holders.items() if unit[0] != leader}
    for reply in _replies(position, [leader], rng):
        after = adjudicate_line({**position, "orders": {**orders, **reply}})
        for code, (power, unit) in others.items():
            if unit not in after["units"][power]:
                raise AssertionError(f"{code} does not hold against {reply}: {orders}")
    yield {"a": leader, "places": set(front)}


def _supports(
    position: Position, leader: str, front: Sequence[str], strikes: Sequence[set[str]]
) -> dict[str, list[str]] | None:
    """Return supports among the others with which no place of the front can be outnumbered, by trial."""
    units = [(power, unit) for power in POWERS if power != leader for unit in position["units"].get(power, ())]
    names = {unit[2:5]: unit for _, unit in units}
    for attempt in range(ATTEMPTS):
        rng = Random(attempt)
        backing: dict[str, list[str]] = {code: [] for code in front}
        orders: dict[str, list[str]] = {}

        def short(code: str, backing: dict[str, list[str]] = backing) -> int:
            ground = {code, *backing[code]}
            return sum(bool(places & ground) for places in strikes) - 1 - len(backing[code])

        for power, unit in rng.sample(units, len(units)):
            near = [code for code in front if code in _beside(unit) and short(code) > 0]
            if near:
                code = max(near, key=lambda code: (short(code), rng.random()))
                backing[code].append(unit[2:5])
                orders.setdefault(power, []).append(f"{unit} S {names[code]}")
        if all(short(code) <= 0 for code in front):
            return orders
    return None


def _calm(record: Record, rests_on: Sequence[int]) -> Iterator[Filling]:
    if not any(True for _ in _fronts(position_at(record, rests_on))):
        yield {}


def _answers(record: Record, rests_on: Sequence[int]) -> Iterator[tuple[str, Filling]]:
    """Yield, for each centre that was asked about or could have been, the form of its answer and what it says."""
    phase = record.phase(rests_on)
    after = _holders(phase.after)
    for owner, codes in phase.before["centers"].items():
        for code in codes:
            at = phase.at(code)
            there = after.get(code)
            base = {"v": owner, "place": code, "a": there[0] if there else None}
            orders = [order for power, order in phase.units() if power == owner]
            if at is None:
                yield from _cover(base, code, orders, there is not None)
            elif at[0] == owner:
                yield _support(base, code, orders, at[1], there is not None and there[0] == owner)


def _cover(base: Filling, code: str, orders: Sequence[Mapping[str, Any]], full: bool) -> Iterator[tuple[str, Filling]]:
    moves = [order for order in orders if order["kind"] == "move" and order["to"][:3] == code]
    for order in moves:
        slots = {**base, "origin": order["from"][:3], "unit": order["unit"][0]}
        if not order["results"]:
            yield "answer_moved", slots
        elif all(other["results"] for other in moves):
            yield "answer_late" if full else "answer_stopped", slots
    if not moves:
        yield "answer_lost" if full else "answer_lucky", base


def _support(
    base: Filling, code: str, orders: Sequence[Mapping[str, Any]], own: Mapping[str, Any], stays: bool
) -> tuple[str, Filling]:
    slots = {**base, "unit": own["unit"][0]}
    if own["kind"] == "move" and not own["results"]:
        return "answer_left", slots
    helpers = {
        order["from"][:3]
        for order in orders
        if order["kind"] == "support" and order["target"][2:5] == code and "to" not in order
    }
    if helpers:
        return "answer_backed" if stays else "answer_backed_lost", {**slots, "helpers": helpers}
    return "answer_alone_held" if stays else "answer_alone_lost", slots


def _better(record: Record, rests_on: Sequence[int], origin: str, form: str) -> Iterator[Filling]:
    """Yield each other order of the unit in a province, with the chance of its power after it."""
    phase: Phase = record.phase(rests_on[:1])
    power, given = phase.at(origin) or ("", {})
    texts = {seat: [order["order"] for order in orders if "unit" in order] for seat, orders in phase.orders.items()}
    last_year = record.options["last_year"]
    before = _chance(phase, texts, power, last_year)
    unit = next(unit for unit in phase.before["units"][power] if unit[2:5] == origin)
    for order in read_state(phase.before).legal_orders()[PROVINCES.index(origin)]:
        text = order_text(order)
        words = text[len(unit) :].strip().removesuffix(" VIA")
        kind = {"H": "better_hold", "-": "better_move", "S": "better_support"}.get(words[0])
        if kind != form or text == given["order"]:
            continue
        other = {**texts, power: [text if name == given["order"] else name for name in texts[power]]}
        after = _chance(phase, other, power, last_year)
        place = {"H": None, "-": words[2:5], "S": words.split(" - ")[-1][:3] if " - " in words else words[4:7]}
        if after > before:
            yield {
                "a": power, "origin": origin, "place": place[words[0]],
                "after": round(100 * after), "before": round(100 * before),
            }  # fmt: skip


def _chance(phase: Phase, texts: Mapping[str, Sequence[str]], power: str, last_year: int) -> float:
    after = adjudicate_line({**phase.before, "orders": texts})
    return chances(read_state(after), last_year)[power]


def _event(record: Record, seq: int, *types: str) -> StoryEvent | None:
    return next((event for event in record.events if event.seq == seq and event.type in types), None)


def _others(data: Mapping[str, Any], giver: str) -> set[str]:
    return {"EVERYBODY"} if data.get("public") else set(data["recipients"]) - {giver}


def _ledger(record: Record, rests_on: Sequence[int]) -> Iterator[Filling]:
    """Yield how often each power has broken its word to each other, by what it was about."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for event in record.events:
        if event.type == "PromiseBroken" and event.seq <= rests_on[-1]:
            words = event.data["meant"].removesuffix(" VIA").split()
            about = words[-1][:3] if words[-1] != "H" else words[1][:3]
            for other in set(event.data["recipients"]) - {event.data["power"]}:
                for subject in ("", about):
                    counts.setdefault((event.data["power"], other, subject), []).append(event.seq)
    for (giver, other, about), seqs in counts.items():
        if seqs == list(rests_on):
            yield {"a": giver, "v": other, "count": len(seqs), "place": about}


Says = Callable[[str, str], bool]


def claims(
    form: str, record: Record, rests_on: Sequence[int], texts: Mapping[str, str], origin: str, says: Says
) -> Iterator[Filling]:
    """Yield all fillings of a form of the analyst that the record supports. `says` compares a clause with an order."""
    if form in STAKES:
        yield from STAKES[form](position_at(record, rests_on))
    elif form in PROSPECTS:
        yield from PROSPECTS[form](record, rests_on)
    elif form.startswith("answer_"):
        yield from (slots for kind, slots in _answers(record, rests_on) if kind == form)
    elif form.startswith("better_"):
        yield from _better(record, rests_on, origin, form)
    elif form.startswith("ledger"):
        yield from _ledger(record, rests_on)
    else:
        yield from _secrets(form, record, rests_on, texts, says)


PROSPECTS: Mapping[str, Callable[[Record, Sequence[int]], Iterator[Filling]]] = {
    "line_holds": _line,
    "calm_front": _calm,
}


def _secrets(
    form: str, record: Record, rests_on: Sequence[int], texts: Mapping[str, str], says: Says
) -> Iterator[Filling]:
    if form == "lie" and (event := _event(record, rests_on[-1], "LieNoted")):
        if says(texts["clause"], event.data["promise"]):
            yield {"a": event.data["power"], "others": _others(event.data, event.data["power"])}
    elif form == "plan" and (event := _event(record, rests_on[-1], "NotesTaken")):
        if texts["text"].split() == event.data["notes"].split():
            yield {"a": event.data["seat"]}
    elif form == "pact_bound" and (event := _event(record, rests_on[0], "PactOffered")):
        accepting = {
            other.data["power"]
            for seq in rests_on[1:]
            if (other := _event(record, seq, "PactAccepted")) and other.data["pact"] == event.data["pact"]
        }
        if accepting == set(event.data["parties"]) - {event.data["power"]}:
            yield {"powers": set(event.data["parties"]), "count": len(event.data["terms"])}
    elif form == "pact_broken" and (event := _event(record, rests_on[-1], "PactBroken")):
        yield {"a": event.data["power"], "others": set(event.data["parties"]) - {event.data["power"]}}
    elif form.startswith("deed") and (event := _event(record, rests_on[-1], "PromiseBroken")):
        yield from _deeds(form, event.data, texts, says)


def _deeds(form: str, data: Mapping[str, Any], texts: Mapping[str, str], says: Says) -> Iterator[Filling]:
    base: dict[str, Any] = {"a": data["power"], "others": _others(data, data["power"])}
    meant, done = data["meant"].removesuffix(" VIA").split(), data["order"].removesuffix(" VIA").split()
    if form == "deed":
        if says(texts["clause"], data["meant"]) and says(texts["deed"], data["order"]):
            yield base
    elif done[2] == "-":
        base |= {"unit": done[0], "origin": done[1][:3], "target": done[3][:3]}
        if form == "deed_moves" and meant[2] == "-":
            yield {**base, "place": meant[3][:3]}
        elif form == "deed_stays" and meant[2] == "H":
            yield base

"""Facts of a movement phase: attacks, standoffs, supports that were cut, landings, and moves that keep bouncing."""

from __future__ import annotations

from collections.abc import Iterator

from grandstand.games.diplomacy.rules.map import CENTERS, PROVINCES
from grandstand.games.diplomacy.story.battles import Attack, Battles
from grandstand.games.diplomacy.story.items import IMPORTANCE, Line, TurnStory
from grandstand.games.diplomacy.story.memory import Memory
from grandstand.games.diplomacy.story.words import KINDS, listed, number, ordinal, place, power

_CENTRES = {PROVINCES[center] for center in CENTERS}
REPEATED = 3
"""The number of successive seasons of a failing move from which each failure is a fact."""
_KIND_OF = {"dislodged": "dislodgement", "destroyed": "destruction"}


def conflicts(battles: Battles, seq: int, memory: Memory, items: TurnStory) -> None:
    """Add the facts of the phase, and remember what later phases need."""
    for attack in battles.attacks:
        _add_attack(attack, seq, items)
    _add_first_blood(battles, seq, memory, items)
    for standoff in battles.standoffs:
        powers = standoff.powers
        more = 0.04 * (len(powers) - 2) + (0.03 if standoff.place in _CENTRES else 0)
        slots = {"powers": listed([power(seat) for seat in powers]), "place": place(standoff.place)}
        line = _line("standoff", slots, items.weight("standoff", powers, more), (seq,), standoff.place)
        items.add("standoff", line, powers, {"place": standoff.place})
    for cut in battles.cuts:
        seats = (cut.by, cut.power)
        slots = {"a": power(cut.by), "v": power(cut.power), "place": place(cut.at), "origin": place(cut.origin)}
        line = _line("support_cut", slots, items.weight("support_cut", seats), (seq,), cut.at)
        items.add("support_cut", line, seats, {"place": cut.at, "from": cut.origin})
    _add_landings(battles, seq, items)
    _add_repeated(battles, seq, memory, items)
    if not battles.attacks and not battles.standoffs:
        moves = number(len(battles.moves)) if battles.moves else "zero"
        items.lines.append(Line("calm", {"moves": moves}, IMPORTANCE["calm"], (seq,)))


def _line(form: str, slots: dict[str, str], importance: float, rests_on: tuple[int, ...], *topics: str) -> Line:
    return Line(form, slots, importance, rests_on, frozenset(topics))


def _add_attack(attack: Attack, seq: int, items: TurnStory) -> None:
    if attack.outcome == "repelled" and not attack.defended:
        return  # The move bounced off another one: that is a standoff.
    seats = (attack.power, attack.victim)
    allies = sorted({helper.power for helper in attack.helpers} - {attack.power})
    kind = _KIND_OF.get(attack.outcome, "attack")
    more = 0.05 if allies else 0.0
    if kind == "attack":
        more += {"entered": 0.22 if attack.place in _CENTRES else 0.1}.get(attack.outcome, 0.0)
        more += 0.08 * (attack.strength - 1)
    slots = {
        "a": power(attack.power),
        "v": power(attack.victim),
        "unit": KINDS[attack.unit if attack.outcome == "entered" or not attack.defended else attack.defended],
        "place": place(attack.place),
        "origin": place(attack.origin),
        "strength": number(attack.strength),
        "defence": number(attack.defence),
        "helpers": listed([place(helper.at) for helper in attack.helpers]) if attack.helpers else "",
        "allies": listed([power(ally) for ally in allies]) if allies else "",
    }
    form = attack.outcome
    if form == "dislodged" and allies:
        form = "dislodged_jointly"
    elif form == "repelled":
        slots["unit"] = KINDS[attack.unit]
        form = "repelled_in_strength" if attack.strength > 1 else "repelled"
    line = _line(form, slots, items.weight(kind, seats, more), (seq,), attack.place)
    data = {
        "place": attack.place,
        "from": attack.origin,
        "unit": attack.unit,
        "strength": attack.strength,
        "defence": attack.defence,
        "support": [{"power": helper.power, "place": helper.at} for helper in attack.helpers],
        "outcome": attack.outcome,
    }
    items.add(kind, line, (*seats, *allies), data)


def _add_first_blood(battles: Battles, seq: int, memory: Memory, items: TurnStory) -> None:
    beaten = [attack for attack in battles.attacks if attack.outcome in _KIND_OF]
    if not beaten or not memory.bloodless:
        return
    memory.bloodless = False
    first = max(beaten, key=lambda attack: (attack.outcome == "destroyed", attack.strength))
    seats = (first.power, first.victim)
    slots = {"a": power(first.power), "v": power(first.victim), "place": place(first.place)}
    line = _line("first_blood", slots, items.weight("first_blood", seats), (seq,), first.place)
    items.add("first_blood", line, seats, {"place": first.place}, spoken=len(beaten) == 1)


def _add_landings(battles: Battles, seq: int, items: TurnStory) -> None:
    for move in battles.moves:
        if move.via and move.moved:
            slots = {"a": power(move.power), "origin": place(move.at), "place": place(move.to)}
            line = _line("landing", slots, items.weight("landing", [move.power]), (seq,), move.to)
            items.add("landing", line, [move.power], {"place": move.to, "from": move.at})


def _add_repeated(battles: Battles, seq: int, memory: Memory, items: TurnStory) -> None:
    memory.streaks = {
        key: (*memory.streaks.get(key, ()), seq)
        for move in battles.moves
        if move.bounced
        for key in [(move.power, move.at, move.to)]
    }
    for (seat, origin, target), seqs in memory.streaks.items():
        count = len(seqs)
        if count % REPEATED == 0:
            slots = {
                "a": power(seat),
                "origin": place(origin),
                "place": place(target),
                "nth": ordinal(count),
                "count": number(count),
            }
            more = 0.02 * min(count, 8)
            line = _line("repeated", slots, items.weight("repeated", [seat], more), seqs, target, "repeated")
            items.add("repeated", line, [seat], {"place": target, "from": origin, "seasons": count})


def blocked(battles: Battles) -> Iterator[str]:
    """Yield the provinces into which a move bounced and none succeeded."""
    entered = {move.to for move in battles.moves if move.moved}
    yield from sorted({move.to for move in battles.moves if move.bounced} - entered)

"""Facts between powers: supports, alliances, new fronts, stabs and promises, each with its audience."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.story.battles import Attack, Battles
from grandstand.games.diplomacy.story.items import Line, TurnStory
from grandstand.games.diplomacy.story.memory import YEAR, Deed, Memory, Pair, Turn, season_number
from grandstand.games.diplomacy.story.words import listed, place, power, promised
from grandstand.games.story import Audience, StoryEvent

NEVER = -1000


def promises(turn: Turn, memory: Memory, items: TurnStory) -> None:
    """Add the promises that were made, kept and broken, and remember those that were kept.

    The commentator is silent on them: the letters say what is promised, and the analyst which words were broken.
    """
    for message in turn.messages:
        for text in message.data.get("promises", ()):
            _add_promise("promise", message, message.data["sender"], text, items)
    for verdict in turn.verdicts:
        kept = verdict.type == "PromiseKept"
        giver = verdict.data["power"]
        text = verdict.data.get("meant") or verdict.data["promise"]
        _add_promise("promise_kept" if kept else "promise_broken", verdict, giver, text, items)
        if kept:
            deed = Deed(season_number(verdict.data["phase"]), verdict.seq, verdict.audience)
            for other in verdict.data["recipients"]:
                memory.promised.setdefault((giver, other), []).append(deed)


def _add_promise(kind: str, event: StoryEvent, giver: SeatId, text: str, items: TurnStory) -> None:
    others = [seat for seat in event.data["recipients"] if seat != giver]
    clause = promised(text)
    if clause is None or not others:
        return
    to = "everybody" if event.data.get("public") else listed([power(seat) for seat in others])
    slots = {"a": power(giver), "others": to, "clause": clause}
    line = Line(kind, slots, items.weight(kind, [giver]), (event.seq,), audience=event.audience)
    items.add(kind, line, (giver, *others), {"order": text}, spoken=False)


def relations(battles: Battles, turn: Turn, memory: Memory, items: TurnStory) -> None:
    """Add the facts that follow from the phase's orders, then remember its deeds."""
    assert turn.resolved is not None
    seq, season = turn.resolved.seq, season_number(turn.resolved.data["phase"])
    attacks = _main_attacks(battles.attacks)
    for pair, attack in attacks.items():
        _add_front(pair, attack, season, seq, memory, items)
        _add_stabs(pair, attack, season, turn, memory, items)
        if frozenset(pair) in memory.allies:
            memory.allies.discard(frozenset(pair))
            slots = _slots(pair, attack)
            line = Line("alliance_over", slots, items.weight("alliance_over", pair), (seq,), frozenset({attack.place}))
            items.add("alliance_over", line, pair, {"place": attack.place})
    _remember(battles, seq, season, memory)
    _add_help(battles, seq, items)
    _add_alliances(season, seq, memory, items)


def _main_attacks(attacks: Iterable[Attack]) -> dict[Pair, Attack]:
    """Return, for each pair of powers, the attack that gains most."""
    main: dict[Pair, Attack] = {}
    for attack in attacks:
        pair = (attack.power, attack.victim)
        if pair not in main or _force(attack) > _force(main[pair]):
            main[pair] = attack
    return main


def _force(attack: Attack) -> tuple[int, int]:
    return ("repelled", "entered", "dislodged", "destroyed").index(attack.outcome), attack.strength


def _slots(pair: Pair, attack: Attack) -> dict[str, str]:
    return {"a": power(pair[0]), "v": power(pair[1]), "place": place(attack.place)}


def _last_attack(memory: Memory, pair: Pair) -> int:
    """Return the season of the last attack between two powers, either way."""
    return max(memory.attacked.get(pair, NEVER), memory.attacked.get((pair[1], pair[0]), NEVER))


def _add_front(pair: Pair, attack: Attack, season: int, seq: int, memory: Memory, items: TurnStory) -> None:
    """Add a new front if two powers attack each other for the first time, after the first year."""
    if season >= YEAR and _last_attack(memory, pair) == NEVER:
        topics = frozenset({attack.place, "new_front"})
        line = Line("new_front", _slots(pair, attack), items.weight("new_front", pair), (seq,), topics)
        items.add("new_front", line, pair, {"place": attack.place})


def _add_stabs(pair: Pair, attack: Attack, season: int, turn: Turn, memory: Memory, items: TurnStory) -> None:
    """Add a stab: an attack after at least a year of peace, on a power that had support or a kept promise within the
    last year. It gains ground, or it breaks a promise to the victim."""
    assert turn.resolved is not None
    if season - _last_attack(memory, pair) <= YEAR:
        return
    broken = [
        event
        for event in turn.verdicts
        if event.type == "PromiseBroken" and event.data["power"] == pair[0] and pair[1] in event.data["recipients"]
    ]
    seq, slots, topics = turn.resolved.seq, _slots(pair, attack), frozenset({attack.place})
    data = {"place": attack.place, "outcome": attack.outcome}
    support = _recent(memory.helped.get(pair, ()), season)
    if support and attack.gains:
        line = Line("stab", slots, items.weight("stab", pair), (support[-1].seq, seq), topics)
        items.add("stab", line, pair, {**data, "after": "support"})
    words = _recent(memory.promised.get(pair, ()), season)
    if not words or not (attack.gains or broken):
        return
    audience = words[-1].audience
    rests_on = [words[-1].seq, seq]
    if not attack.gains:
        audience = _narrowest(audience, broken[0].audience)
        rests_on.append(broken[0].seq)
    line = Line("stab_by_word", slots, items.weight("stab", pair), tuple(sorted(set(rests_on))), topics, audience)
    items.add("stab", line, pair, {**data, "after": "promise"})


def _recent(deeds: Sequence[Deed], season: int) -> list[Deed]:
    return [deed for deed in deeds if 0 < season - deed.season <= YEAR]


def _narrowest(first: Audience, second: Audience) -> Audience:
    if first is None or second is None:
        return first if second is None else second
    return first & second


def _remember(battles: Battles, seq: int, season: int, memory: Memory) -> None:
    for attack in battles.attacks:
        for attacker in {attack.power, *(helper.power for helper in attack.helpers)} - {attack.victim}:
            memory.attacked[attacker, attack.victim] = season
    for giver, receiver, _ in battles.aid:
        deeds = memory.helped.setdefault((giver, receiver), [])
        if not deeds or deeds[-1].season != season:
            deeds.append(Deed(season, seq))


def _add_help(battles: Battles, seq: int, items: TurnStory) -> None:
    for giver, receiver, at in sorted(set(battles.aid)):
        slots = {"a": power(giver), "b": power(receiver), "place": place(at)}
        line = Line("help", slots, items.weight("help", (giver, receiver)), (seq,), frozenset({at}))
        items.add("help", line, (giver, receiver), {"place": at})


def _add_alliances(season: int, seq: int, memory: Memory, items: TurnStory) -> None:
    """Add an alliance where two powers supported each other within two years and neither attacked the other for one."""
    for giver, receiver in sorted(memory.helped):
        pair = frozenset((giver, receiver))
        if pair in memory.allies or season - _last_attack(memory, (giver, receiver)) <= YEAR or season < YEAR:
            continue
        gave = [deed for deed in memory.helped[giver, receiver] if season - deed.season < 2 * YEAR]
        got = [deed for deed in memory.helped.get((receiver, giver), ()) if season - deed.season < 2 * YEAR]
        if not gave or not got:
            continue
        memory.allies.add(pair)
        a, b = sorted(pair)
        rests_on = tuple(sorted({seq, *(deed.seq for deed in (*gave, *got))}))
        line = Line("alliance", {"a": power(a), "b": power(b)}, items.weight("alliance", (a, b)), rests_on)
        items.add("alliance", line, (a, b))

"""What not everybody knows: lies as they are told, plans, pacts, letters beside orders, counts of broken words."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE
from grandstand.games.diplomacy.rules.words import OrderError, OrderWords, order_words
from grandstand.games.diplomacy.story.items import TurnStory
from grandstand.games.diplomacy.story.memory import Memory, Turn
from grandstand.games.diplomacy.story.words import KINDS, listed, number, place, power, promised
from grandstand.games.story import Audience, StoryEvent

LONGEST_NOTES = 120
"""Characters of notes that are quoted."""


def intentions(turn: Turn, memory: Memory, items: TurnStory) -> None:
    """Add the lies, plans and pacts of the turn that have not been told."""
    events, turn.secrets = turn.secrets, []
    for event in events:
        match event.type:
            case "LieNoted":
                _add_lie(event, items)
            case "NotesTaken":
                _add_plan(event, memory, items)
            case "PactOffered":
                memory.pacts[event.data["pact"]] = event
            case "PactAccepted":
                _add_pact(event, memory, items)
            case "PactBroken":
                others = _others(event.data["parties"], event.data["power"])
                slots = {"a": power(event.data["power"]), "others": listed([power(other) for other in others])}
                seats = (event.data["power"], *others)
                items.claim("pact_broken", "pact_broken", slots, (event.seq,), seats, audience=event.audience)


def _others(seats: Sequence[SeatId], seat: SeatId) -> list[SeatId]:
    return [other for other in seats if other != seat]


def _add_lie(event: StoryEvent, items: TurnStory) -> None:
    liar, clause = event.data["power"], promised(event.data["promise"])
    others = _others(event.data["recipients"], liar)
    if clause is None or not others:
        return
    slots = {"a": power(liar), "others": _receivers(event, others), "clause": clause}
    items.claim("lie", "lie", slots, (event.seq,), (liar, *others), audience=event.audience)


def _receivers(event: StoryEvent, others: Sequence[SeatId]) -> str:
    return "everybody" if event.data.get("public") else listed([power(other) for other in others])


def _add_plan(event: StoryEvent, memory: Memory, items: TurnStory) -> None:
    seat, notes = event.data["seat"], " ".join(event.data["notes"].split())
    if notes and notes != memory.notes.get(seat) and len(notes) <= LONGEST_NOTES:
        slots = {"a": power(seat), "text": notes}
        items.claim("plan", "plan", slots, (event.seq,), [seat], audience=event.audience)
    memory.notes[seat] = notes


def _add_pact(event: StoryEvent, memory: Memory, items: TurnStory) -> None:
    """Add a pact that all parties have accepted."""
    offer = memory.pacts.get(event.data["pact"])
    accepted = memory.accepted.setdefault(event.data["pact"], [])
    accepted.append(event.seq)
    parties = event.data["parties"]
    if offer is None or len(accepted) < len(parties) - 1 or not offer.data["terms"]:
        return
    slots = {"powers": listed([power(seat) for seat in parties]), "count": number(len(offer.data["terms"]))}
    items.claim("pact", "pact_bound", slots, (offer.seq, *accepted), parties, audience=event.audience)


def deeds(turn: Turn, memory: Memory, items: TurnStory) -> None:
    """Add the letters that the orders belie, and how often a power has broken its word to another."""
    for event in turn.verdicts:
        if event.type == "PromiseBroken":
            _add_deed(event, items)
            _count(event, memory, items)


def _add_deed(event: StoryEvent, items: TurnStory) -> None:
    giver = event.data["power"]
    others = _others(event.data["recipients"], giver)
    meant, order = event.data.get("meant") or event.data["promise"], event.data["order"]
    clause, deed = promised(meant), promised(order)
    if clause is None or deed is None or not others:
        return
    slots = {"a": power(giver), "others": _receivers(event, others), "clause": clause, "deed": deed}
    form, (word, done) = "deed", (order_words(meant), order_words(order))
    if done.verb == "-" and word.verb in "-H" and PROVINCE.keys() >= {done.to[:3], word.place[:3]}:
        slots |= {"unit": KINDS[done.kind], "origin": place(done.place), "target": place(done.to)}
        form = "deed_stays"
        if word.verb == "-":
            slots["place"], form = place(word.to), "deed_moves"
    items.claim("promise_broken", form, slots, (event.seq,), (giver, *others), audience=event.audience)


def _count(event: StoryEvent, memory: Memory, items: TurnStory) -> None:
    """Remember a broken word for each that had it, and add the count if it is not the first."""
    giver, about = event.data["power"], _subject(event.data.get("meant") or event.data["promise"])
    for other in _others(event.data["recipients"], giver):
        earlier = memory.broken.setdefault((giver, other), [])
        earlier.append((about, event.seq, event.audience))
        same = [entry for entry in earlier if about and entry[0] == about]
        told = same if len(same) > 1 else earlier
        if len(told) < 2 or event.data.get("public"):
            continue
        slots = {"a": power(giver), "v": power(other), "count": number(len(told))}
        if told is same:
            slots["place"] = place(about)
        form = "ledger_place" if told is same else "ledger"
        rests_on = tuple(seq for _, seq, _ in told)
        items.claim("ledger", form, slots, rests_on, (giver, other), audience=_common(told))


def _subject(promise: str) -> str:
    """Return the province that a promise is about: where a unit was to go, or stay; empty where it is no order."""
    try:
        words: OrderWords = order_words(promise)
    except OrderError:
        return ""
    code = (words.to or words.at or words.place)[:3]
    return code if code in PROVINCE else ""


def _common(entries: Sequence[tuple[str, int, Audience]]) -> Audience:
    """Return who knows all of them."""
    known = frozenset(POWERS).intersection(*(audience for _, _, audience in entries if audience is not None))
    return None if all(audience is None for _, _, audience in entries) else known

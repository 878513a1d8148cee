"""The acts of a letter, with the orders, places and powers that each is about, in the position of the match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import get_args

from grandstand.games.diplomacy.bots.talking.letters.acts import Kind, kinds_in, thirds
from grandstand.games.diplomacy.bots.talking.letters.gloss import Gloss
from grandstand.games.diplomacy.bots.talking.letters.orders import moves, supports, written_orders
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.state import State

ORDER: tuple[Kind, ...] = get_args(Kind)
PROPOSALS = frozenset(
    ("plan", "ask_support", "offer_support", "bargain", "bounce", "leave", "ally", "peace", "draw", "offer_help")
)
"""Acts that can be agreed to."""
_MINE = ("announce", "offer_support", "plan", "bargain", "threat", "assure", "report", "unknown", "ask_third")
_SUPPORTS = (SUPPORT, SUPPORT_MOVE)
_ABOUT_POWERS: tuple[Kind, ...] = ("ally", "ask_third", "warn", "report", "offer_help", "ask_price")


@dataclass(frozen=True, slots=True)
class Act:
    """One act of a letter."""

    kind: Kind
    yours: tuple[Order, ...] = ()
    """Orders of the reader's units."""
    mine: tuple[Order, ...] = ()
    """Orders of the writer's units."""
    places: tuple[int, ...] = ()
    powers: tuple[int, ...] = ()
    """Third powers that it names."""
    words: str = ""
    """The gloss of its sentence."""


@lru_cache(maxsize=1024)
def acts_of(text: str, state: State, speaker: int, listener: int) -> tuple[Act, ...]:
    """Return the acts of a letter, the one that wants an answer most first; `unknown` alone if it has no other."""
    acts = [_act(gloss, kind, state, speaker, listener) for gloss, kind in kinds_in(text, speaker, listener)]
    joint = _joint_plan(acts)
    if joint is not None:
        acts = [joint, *(act for act in acts if act.kind not in ("plan", "ask_support", "offer_support", "announce"))]
    merged: dict[Kind, Act] = {}
    for act in acts:
        merged[act.kind] = _merged(merged[act.kind], act) if act.kind in merged else act
    for kind in _ABOUT_POWERS:
        if kind in merged and not merged[kind].powers:
            named = tuple(dict.fromkeys(power for act in acts for power in act.powers))
            merged[kind] = replace(merged[kind], powers=named)
    understood = [act for act in merged.values() if act.kind != "unknown"]
    return tuple(sorted(understood, key=lambda act: ORDER.index(act.kind))) or (merged.get("unknown", Act("unknown")),)


def _act(gloss: Gloss, kind: Kind, state: State, speaker: int, listener: int) -> Act:
    """Return the act of one sentence."""
    places = tuple(dict.fromkeys(gloss.places))
    written = written_orders(gloss.words, state)
    if re.match(r"[^@]*\bsupport\b", gloss.words) and not _backing([order for _, order in written]):
        written = []
    yours = tuple(order for power, order in written if power == listener)
    mine = tuple(order for power, order in written if power == speaker)
    if kind in ("ask_support", "announce", "unknown", "plan") and written:
        kind = _kind_by_orders(kind, yours, mine, speaker, state)
    fleet = _fleet_meant(gloss.words)
    if kind == "ask_support" and not _backing(yours):
        yours = tuple(supports(state, gloss.places, listener, speaker, fleet))
    elif kind == "offer_support" and not _backing(mine):
        yours, mine = (), tuple(supports(state, gloss.places, speaker, listener))
    elif (
        kind == "bargain"
        and "support" in gloss.words
        and not _backing(mine)
        and re.search(r"\bi (?:will )?support", gloss.words)
    ):
        mine = tuple(supports(state, gloss.places, speaker, listener))
    elif kind == "assure" and mine:
        kind = "announce"
    elif kind == "announce" and not mine:
        mine = tuple(moves(state, gloss.places, speaker))
    if kind not in _MINE and kind != "ask_support":
        mine = ()
    return Act(kind, yours, mine, places, thirds(gloss.words, speaker, listener), gloss.words)


def _fleet_meant(words: str) -> bool | None:
    """Return whether the unit of the reader that a gloss asks for is a fleet; None if it does not say."""
    match = re.search(r"\byour (?:\w+ )?(army|fleet)\b(?! (?:in|from) @)", words)
    return None if match is None else match[1] == "fleet"


def _backing(orders: Sequence[Order]) -> bool:
    return any(order[0] in _SUPPORTS for order in orders)


def _kind_by_orders(kind: Kind, yours: Sequence[Order], mine: Sequence[Order], speaker: int, state: State) -> Kind:
    """Return the kind of act of a sentence with these orders."""
    if any(order[0] in (MOVE, VIA) for order in yours):
        return "plan"
    if _backing(yours):
        return "ask_support"
    if _backing(mine) and kind != "announce":
        return "offer_support"
    if mine and kind in ("unknown", "plan"):
        return "announce"
    if any(order[0] == HOLD for order in yours) and kind == "unknown":
        return "plan"
    return kind


def _joint_plan(acts: Sequence[Act]) -> Act | None:
    """Return the plan that the orders of several sentences make, if they are orders of both."""
    parts = [
        act
        for act in acts
        if act.kind in ("plan", "ask_support", "offer_support", "announce") and (act.yours or act.mine)
    ]
    yours = tuple(dict.fromkeys(order for act in parts for order in act.yours))
    mine = tuple(dict.fromkeys(order for act in parts for order in act.mine))
    moving = any(order[0] in (MOVE, VIA, HOLD) for order in yours)
    if len(parts) < 2 or not yours or not (moving or (len(yours) > 1 and mine)):
        return None
    places = tuple(dict.fromkeys(place for act in parts for place in act.places))
    powers = tuple(dict.fromkeys(power for act in parts for power in act.powers))
    return Act("plan", yours, mine, places, powers, " ".join(act.words for act in parts))


def _merged(first: Act, second: Act) -> Act:
    return replace(
        first,
        yours=tuple(dict.fromkeys((*first.yours, *second.yours))),
        mine=tuple(dict.fromkeys((*first.mine, *second.mine))),
        places=tuple(dict.fromkeys((*first.places, *second.places))),
        powers=tuple(dict.fromkeys((*first.powers, *second.powers))),
        words=f"{first.words} {second.words}",
    )

"""A captain's plan for an over in words, and whether it worked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grandstand.games.base import SeatId
from grandstand.games.cricket.laws.field import POSITIONS
from grandstand.games.cricket.story.habits import MATTERS
from grandstand.games.cricket.story.memory import Data, InningsSoFar, Memory
from grandstand.games.cricket.story.wording import Insight, Wording, count_text, runs_text

WICKET = 6
"""The runs of a wicket beside an over's runs."""
ROPE, RING = 4, 2
"""Fielders outside the circle from which they are said to guard the rope, and up to which the others are a ring."""
RISKS = {
    "block": "block", "rotate": "rotate the strike", "build": "build", "normal": "play normally", "attack": "attack",
    "slog": "slog",
}  # fmt: skip
ZONES = {
    "wide_outside_off": "the wide line", "outside_off": "the line outside off stump", "off_channel": "the channel",
    "stumps": "the stumps", "leg": "leg stump",
}  # fmt: skip

Parts = Sequence[tuple[str, Mapping[str, str]]]
"""What a captain did: kinds of `PHRASES`, each with the words of its slots."""


def judged(memory: Memory, wording: Wording, over: Data) -> Iterator[Insight]:
    """Yield the line on the plan of the over that mattered more, if either captain planned anything."""
    innings = memory.innings
    assert innings is not None
    plans, innings.plans = innings.plans, []
    planned = [(data, seq, parts) for data, seq in plans if (parts := _parts(memory, innings, data))]
    if not planned:
        return
    data, seq, parts = max(planned, key=lambda item: abs(item[0]["delta"] or 0.0))
    seat: SeatId = data["seat"]
    if not (captain := memory.captain(seat)):
        return
    worth = data["delta"]
    slots = {
        "captain": captain,
        "side": memory.names[seat],
        "did": _joined([wording.phrase(kind, **words) for kind, words in parts]),
        "runs": _runs(over),
        "mark": _mark(innings, over),
        "worth": f"{abs(worth or 0.0):.1%}",
    }
    kind = _verdict(worth, _balance(innings, over) * (1 if seat == innings.batting else -1))
    fielded = [innings.fielders[1]] if innings.fielders is not None and parts[0][0].startswith("field") else []
    yield Insight(kind, slots, round(min(0.6, 0.27 + 5 * abs(worth or 0.0)), 3), (*fielded, seq))


def planned(plan: Data) -> bool:
    """Return whether a plan departs from the natural one."""
    if "intents" in plan:
        return "shot" in plan or any(risk != "normal" for risk in plan["intents"].values())
    return plan.get("theme", "natural") != "natural" or plan.get("zone", "natural") in ZONES


def _verdict(worth: float | None, balance: int) -> str:
    """Return the kind of the line, by the worth of a plan and by how the over went for its side."""
    if worth is None:
        return "plan_made"
    if abs(worth) < MATTERS:
        return "plan_even"
    if worth > 0:
        return "plan_unrewarded" if balance < 0 else "plan_paid"
    return "plan_forgiven" if balance > 0 else "plan_failed"


def _balance(innings: InningsSoFar, over: Data) -> int:
    """Return how much better than the rate before the over went for the batting side."""
    return _above(innings, over) - WICKET * int(over["wickets"])


def _above(innings: InningsSoFar, over: Data) -> int:
    """Return the runs of the over above the rate before it."""
    before = innings.balls - 6
    return round(over["runs"] - 6 * (innings.runs - over["runs"]) / before) if before > 0 else 0


def _mark(innings: InningsSoFar, over: Data) -> str:
    if innings.balls <= 6:
        return "the first of the innings"
    above = _above(innings, over)
    return f"{above} above the rate" if above > 0 else f"{-above} below the rate" if above else "right on the rate"


def _runs(over: Data) -> str:
    taken = over["wickets"]
    runs = runs_text(over["runs"])
    return runs if not taken else f"{runs} and {'a wicket' if taken == 1 else f'{count_text(taken)} wickets'}"


def _parts(memory: Memory, innings: InningsSoFar, data: Data) -> Parts:
    plan = data["plan"]
    return _orders(memory.captain(data["seat"]), memory, plan) if "intents" in plan else _bowling(innings, plan)


def _bowling(innings: InningsSoFar, plan: Data) -> Parts:
    theme, zone = plan.get("theme", "natural"), plan.get("zone", "natural")
    parts: list[tuple[str, Mapping[str, str]]] = []
    if innings.fielders is not None and innings.fielders[1] > innings.over_began:
        parts += _field(innings.fielders[0])
    if theme != "natural":
        parts.append((f"theme_{theme}", {}))
    if zone in ZONES:
        parts.append(("zone", {"zone": ZONES[zone]}))
    return parts if planned(plan) else ()


def _field(places: Sequence[str]) -> Parts:
    outside = sum(POSITIONS[name].outside_circle for name in places)
    if any(POSITIONS[name].depth == "close" for name in places):
        return [("field_slip", {})]
    if outside >= ROPE:
        return [("field_rope", {"count": count_text(outside)})]
    return [("field_ring", {})] if outside <= RING else []


def _orders(captain: str, memory: Memory, plan: Data) -> Parts:
    intents: Mapping[str, str] = plan["intents"]
    risks = {memory.player(name): RISKS[risk] for name, risk in intents.items() if risk != "normal"}
    parts: list[tuple[str, Mapping[str, str]]] = []
    own = risks.pop(captain, None)
    told = [{"name": name, "risk": risk} for name, risk in risks.items()]
    if own is not None:
        others = [{"risk": own, "other": each["name"], "more": each["risk"]} for each in told]
        parts.append(("told_partner", others[0]) if others else ("told_self", {"risk": own}))
    elif len(told) == 1:
        parts.append(("told_one", told[0]))
    elif told and len(set(risks.values())) == 1:
        parts.append(("told_both", told[0]))
    elif told:
        parts.append(("told_two", {**told[0], "other": told[1]["name"], "more": told[1]["risk"]}))
    if shot := plan.get("shot"):
        parts.append(("stroke", {"shot": shot.replace("_", " ")}))
    return parts


def _joined(phrases: Sequence[str]) -> str:
    *first, last = phrases
    return f"{', '.join(first)} and {last}" if first else last

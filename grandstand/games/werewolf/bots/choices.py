"""The decisions of a built-in player: answers at night, acts by day, votes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.werewolf.bots.minds import Mind
from grandstand.games.werewolf.speech import claim, result

SURE: Final = 0.45
"""The suspicion above which a villager accuses in any case."""
TRUSTED: Final = 0.08
"""The suspicion below which a villager may say that it trusts a seat."""
SEER_FIRST: Final = 0.8
"""How often the wolves attack a seat that claims to be the seer, since the doctor probably protects it."""
BUS: Final = 2
"""Number of accusations in a day from which a wolf counts as lost."""


def target(mind: Mind, among: Sequence[SeatId]) -> SeatId:
    """Return the answer at night."""
    role = mind.seen["role"]
    if role == "wolf":
        return _attacked(mind, among)
    if role == "doctor":
        return _protected(mind, among)
    if role == "seer":
        claimed = mind.made.roles
        return max(among, key=lambda seat: (mind.doubts[seat] - 0.2 * (seat in claimed), mind.rng.random()))
    return mind.worst(among)


def vote(mind: Mind, among: Sequence[SeatId]) -> SeatId:
    """Return whom to vote for."""
    if mind.seen["role"] != "wolf":
        return mind.worst(among)
    others = [seat for seat in among if seat not in mind.mates]
    if _gives_up_mate(mind) and (lost := [seat for seat in among if seat in mind.mates]):
        return lost[0]
    return mind.easiest(others or among)


def shot(mind: Mind, among: Sequence[SeatId]) -> SeatId:
    """Return whom the hunter takes along; nobody if it suspects none."""
    worst = mind.worst(among)
    return worst if mind.doubts[worst] > 2 / len(among) else ""


def acts(mind: Mind) -> list[str]:
    """Return the acts of a speech."""
    said = _as_wolf(mind) if mind.seen["role"] == "wolf" else _as_villager(mind)
    return said[:3]


def _as_villager(mind: Mind) -> list[str]:
    """Return a villager's acts: its role if that helps, suspicion, trust."""
    said = _revealed(mind)
    free = [seat for seat in mind.others if all(seat not in act.split() for act in said)]
    worst = mind.worst(free) if free else ""
    if worst and (mind.doubts[worst] > SURE or mind.rng.random() < mind.who.bold):
        said.append(f"suspect {worst}")
    trusted = [seat for seat in free if mind.doubts[seat] < TRUSTED and seat != worst]
    if trusted and len(said) < mind.who.acts and mind.rng.random() < 0.5:
        said.append(f"trust {mind.rng.choice(trusted)}")
    return said


def _revealed(mind: Mind) -> list[str]:
    """Return the claim of a special role with its results, if it is time; for an earlier claim, the new results."""
    seen, role = mind.seen, mind.seen["role"]
    claimed = mind.made.roles.get(mind.me) == role
    if role == "seer":
        told = mind.made.results[mind.me]
        new = [check for check in seen["checks"] if check["target"] not in told and check["target"] in seen["alive"]]
        new.sort(key=lambda check: not check["wolf"])
        urgent = any(check["wolf"] for check in new) or mind.in_danger or len(mind.made.of("seer")) > 0
        if claimed or urgent or seen["day"] >= mind.who.patient:
            return [*([] if claimed else [claim(role)]), *(result(c["target"], c["wolf"]) for c in new[:2])]
    if role in ("doctor", "hunter") and mind.in_danger and not claimed:
        guarded = [seat for seat in seen["guards"][-1:] if seat in mind.others]
        return [claim(role), *(f"guarded {seat}" for seat in guarded)]
    if role == "villager" and mind.me in seen["tied"]:
        return [claim(role)]
    return []


def _as_wolf(mind: Mind) -> list[str]:
    """Return a wolf's acts: a false claim if its plan has one, and an accusation of a villager."""
    said = _false_claim(mind)
    if _gives_up_mate(mind):
        said += [f"suspect {mate}" for mate in mind.mates if all(mate not in act for act in said)]
    free = [seat for seat in mind.others if seat not in mind.mates and all(seat not in act.split() for act in said)]
    if free and len(said) < mind.who.acts and (mind.heat or mind.rng.random() < mind.who.bold):
        said.append(f"suspect {mind.easiest(free)}")
    if free and not said and mind.rng.random() < 0.4:
        said.append(f"trust {mind.best(free)}")
    return said


def _false_claim(mind: Mind) -> list[str]:
    """Return the claim of a wolf to be the seer, and its invented results, or another claim in danger."""
    seen, plan = mind.seen, mind.who.plan
    if "seer" not in seen["dealt"]:
        return []
    claimed = mind.made.roles.get(mind.me) == "seer"
    told = mind.made.results[mind.me]
    rivals = [seat for seat in mind.made.of("seer") if seat != mind.me and seat not in mind.mates]
    team = [seat for seat in mind.made.of("seer") if seat == mind.me or seat in mind.mates]
    accused = any(mind.made.results[rival].get(mind.me) for rival in rivals)
    counters = plan in ("counter", "bus", "early") and rivals and not team and (accused or mind.rng.random() < 0.5)
    early = plan == "early" and not mind.made.of("seer") and seen["day"] <= 2 and not team
    if claimed and len(told) < seen["day"]:
        return _invented(mind, told)
    if not claimed and (counters or early):
        return [claim("seer"), *_invented(mind, told)]
    if mind.me in seen["tied"] and not claimed and mind.me not in mind.made.roles:
        return [claim(mind.rng.choice(["doctor", "villager"]))]
    return []


def _invented(mind: Mind, told: dict[SeatId, bool]) -> list[str]:
    """Return a false result: that a rival or the likeliest exile is a wolf, or that the other wolf is none."""
    free = [seat for seat in mind.others if seat not in told]
    rivals = [seat for seat in mind.made.of("seer") if seat in free and seat not in mind.mates]
    villagers = [seat for seat in free if seat not in mind.mates]
    if rivals:
        return [result(rivals[0], wolf=True)]
    if villagers and mind.rng.random() < 0.7:
        return [result(mind.easiest(villagers), wolf=True)]
    return [result(seat, wolf=False) for seat in free[:1]]


def _gives_up_mate(mind: Mind) -> bool:
    """Return whether a wolf turns against the other wolf, because that one is lost."""
    lost = [mate for mate in mind.mates if mate in mind.seen["alive"] and mind.heat[mate] >= BUS]
    worst = max(mind.seen["alive"], key=lambda seat: mind.looks[seat] + 0.06 * mind.heat[seat])
    return mind.who.plan == "bus" and bool(lost) and worst in mind.mates


def _attacked(mind: Mind, among: Sequence[SeatId]) -> SeatId:
    """Return the victim: a claimed seer, else a claimed doctor, else an innocent-looking accuser of wolves. Both
    wolves think the same."""
    lot = Random(f"{mind.seen['turn']}/{','.join(among)}").random()
    seers = [seat for seat in mind.made.of("seer") if seat in among]
    if seers and lot < SEER_FIRST:
        return mind.best(seers)
    doctors = [seat for seat in mind.made.of("doctor") if seat in among]
    return mind.best(doctors or [seat for seat in among if seat not in seers] or among)


def _protected(mind: Mind, among: Sequence[SeatId]) -> SeatId:
    """Return whom the doctor protects: the likeliest seer, else the most innocent-looking seat."""
    seers = [seat for seat in mind.made.of("seer") if seat in among]
    credible = [seat for seat in seers if mind.doubts[seat] < 0.5]
    return min(credible or among, key=lambda seat: (mind.doubts[seat], mind.rng.random()))

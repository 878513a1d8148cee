"""The chance that each seat is a wolf, from claims, votes and roles shown: a sum over all possible deals.

A deal is a pair of wolves and a seer: some 170 for eight seats. Observations that a deal makes unlikely lower its
weight.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.werewolf.speech import read
from grandstand.games.werewolf.types import Ballot, Death, NightCheck, Statement

FALSE_SEER: Final = 0.002
"""Weight of a villager who claims to be the seer."""
WOLF_SEER: Final = (1.0, 0.25, 0.03)
"""Weight by the number of wolves who claim to be the seer."""
SILENT_SEER: Final = 0.15
"""Weight of a seer who lets another claim stand."""
WOLF_DOCTOR: Final = 0.3
FALSE_DOCTOR: Final = 0.02
AGAINST: Final = 0.6
"""Weight of a wolf's vote or suspicion against the other."""
FOR: Final = 1.2
"""Weight of a wolf's trust in the other."""


@dataclass(frozen=True)
class PublicTable:
    """The public information of a match."""

    seats: Sequence[SeatId]
    dealt: Mapping[str, int]
    alive: Sequence[SeatId]
    out: Sequence[Death]
    speeches: Sequence[Statement]
    ballots: Sequence[Ballot]


@dataclass
class Claims:
    """The claims so far: the role of each claimant, and the results that it states."""

    roles: dict[SeatId, str] = field(default_factory=dict)
    """Seat -> the last special role that it claims."""
    results: defaultdict[SeatId, dict[SeatId, bool]] = field(default_factory=lambda: defaultdict(dict))
    guarded: defaultdict[SeatId, list[SeatId]] = field(default_factory=lambda: defaultdict(list))

    def of(self, role: str) -> list[SeatId]:
        return [seat for seat, claimed in self.roles.items() if claimed == role]


def claims(speeches: Sequence[Statement]) -> Claims:
    """Return all claims so far."""
    made = Claims()
    for speech in speeches:
        for word in speech["acts"]:
            act = read(word)
            if act.kind == "claim" and act.of != "villager":
                made.roles[speech["seat"]] = act.of
            elif act.kind == "claim":
                made.roles.pop(speech["seat"], None)
            elif act.kind in ("wolf", "clear"):
                made.results[speech["seat"]][act.of] = act.kind == "wolf"
            elif act.kind == "guarded":
                made.guarded[speech["seat"]].append(act.of)
    return made


def suspicion(
    table: PublicTable, *, own: SeatId = "", role: str = "", checks: Sequence[NightCheck] = ()
) -> dict[SeatId, float]:
    """Return the chance that each seat is a wolf, from public information, or for `own`, which is no wolf."""
    made, links = claims(table.speeches), _links(table)
    totals = dict.fromkeys(table.seats, 0.0)
    whole = 0.0
    for wolves in _pairs(table, own):
        if any((check["target"] in wolves) != check["wolf"] for check in checks):
            continue
        pair = links.get(wolves, 1.0) * _doctors(table, made, wolves)
        for seer in _seers(table, wolves, own, role):
            weight = pair * _seer(table, made, wolves, seer)
            whole += weight
            for wolf in wolves:
                totals[wolf] += weight
    if whole == 0.0:
        return {seat: 2 / len(table.seats) for seat in table.seats}
    return {seat: total / whole for seat, total in totals.items()}


def _pairs(table: PublicTable, own: SeatId) -> Iterator[tuple[SeatId, SeatId]]:
    """Yield the pairs of wolves that are possible given the roles shown."""
    shown = {death["seat"]: death["role"] for death in table.out}
    known = {seat for seat, role in shown.items() if role == "wolf"}
    possible = [seat for seat in table.seats if shown.get(seat, "wolf") == "wolf" and seat != own]
    for pair in combinations(possible, 2):
        if known <= set(pair):
            yield pair


def _seers(table: PublicTable, wolves: tuple[SeatId, SeatId], own: SeatId, role: str) -> Sequence[SeatId]:
    """Return the possible seers; one empty name if there is none."""
    if "seer" not in table.dealt:
        return [""]
    if role == "seer":
        return [own]
    for death in table.out:
        if death["role"] == "seer":
            return [death["seat"]]
    return [seat for seat in table.alive if seat not in wolves and seat != own] or [""]


def _seer(table: PublicTable, made: Claims, wolves: tuple[SeatId, SeatId], seer: SeatId) -> float:
    """Return the weight of all claimed checks if `seer` is the seer."""
    weight, lying = 1.0, 0
    claimants = {*made.of("seer"), *(seat for seat, results in made.results.items() if results)}
    for seat in claimants:
        if seat == seer:
            if any((target in wolves) != wolf for target, wolf in made.results[seat].items()):
                return 0.0
        elif seat in wolves:
            lying += 1
        else:
            weight *= FALSE_SEER
    if claimants and seer not in claimants and seer in table.alive:
        weight *= SILENT_SEER
    return weight * WOLF_SEER[lying]


def _doctors(table: PublicTable, made: Claims, wolves: tuple[SeatId, SeatId]) -> float:
    """Return the weight of the claims to be the doctor or the hunter, and of the claimed rescues."""
    weight = 1.0
    for role in ("doctor", "hunter"):
        shown = {death["seat"] for death in table.out if death["role"] == role}
        true = 0
        for seat in made.of(role):
            if seat in wolves:
                weight *= WOLF_DOCTOR
            elif seat not in shown:
                true += 1
        weight *= FALSE_DOCTOR ** max(0, true + len(shown) - 1)
    return weight


def _links(table: PublicTable) -> dict[tuple[SeatId, SeatId], float]:
    """Return, for pairs of seats, the weight of their speeches and votes about each other if both are wolves."""
    order = {seat: number for number, seat in enumerate(table.seats)}
    links: dict[tuple[SeatId, SeatId], float] = {}

    def linked(one: SeatId, two: SeatId, weight: float) -> None:
        pair = (one, two) if order[one] < order[two] else (two, one)
        links[pair] = links.get(pair, 1.0) * weight

    said: set[tuple[SeatId, str, SeatId]] = set()
    for speech in table.speeches:
        for act in map(read, speech["acts"]):
            if act.kind in ("suspect", "trust") and (speech["seat"], act.kind, act.of) not in said:
                said.add((speech["seat"], act.kind, act.of))
                linked(speech["seat"], act.of, AGAINST if act.kind == "suspect" else FOR)
    for ballot in table.ballots:
        for seat, vote in ballot["votes"].items():
            if vote in order:
                linked(seat, vote, AGAINST)
    return links

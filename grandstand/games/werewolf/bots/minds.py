"""The view that a built-in player has of the table before it decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from grandstand.games.base import SeatId
from grandstand.games.werewolf.bots.beliefs import Claims, PublicTable, claims, suspicion
from grandstand.games.werewolf.speech import read
from grandstand.games.werewolf.types import Observation


@dataclass(frozen=True)
class Character:
    """A built-in player: how it judges as a villager, what it plans as a wolf, and how it speaks."""

    name: str
    judges: str
    """`exact`: weighs all deals. `naive`: follows whoever claims to be the seer. `crowd`: follows the others."""
    plan: str
    """`quiet`: joins those who accuse a villager. `counter`: claims to be the seer when one accuses a wolf. `bus`: does
    so, and votes against the other wolf when that is lost. `early`: claims to be the seer on the first day."""
    bold: float
    """The probability of an accusation on weak grounds."""
    patient: int
    """The day on which it claims to be the seer, even if it has found no wolf."""
    acts: int = 2
    """The most acts of a speech."""


class Mind:
    """A seat's thoughts at one moment, from what it may know."""

    def __init__(self, seen: Observation, who: Character, rng: Random) -> None:
        self.seen, self.who, self.rng = seen, who, rng
        self.me = seen["seat"]
        seats = [*seen["alive"], *(death["seat"] for death in seen["out"])]
        self.table = PublicTable(
            sorted(seats), seen["dealt"], seen["alive"], seen["out"], seen["speeches"], seen["ballots"]
        )
        self.others = [seat for seat in seen["alive"] if seat != self.me]
        self.mates = [seat for seat in seen["wolves"] if seat != self.me]

    @cached_property
    def made(self) -> Claims:
        return claims(self.seen["speeches"])

    @cached_property
    def looks(self) -> dict[SeatId, float]:
        """The chance that each seat is a wolf, from public information."""
        return suspicion(self.table)

    @cached_property
    def heat(self) -> Counter[SeatId]:
        """The number of accusations today, by living seat."""
        heat: Counter[SeatId] = Counter()
        for speech in self.seen["speeches"]:
            if speech["day"] == self.seen["day"]:
                heat.update(act.of for act in map(read, speech["acts"]) if act.kind in ("suspect", "wolf"))
        return heat

    @cached_property
    def doubts(self) -> dict[SeatId, float]:
        """The chance that each seat is a wolf, for this villager."""
        if self.who.judges == "exact":
            return suspicion(self.table, own=self.me, role=self.seen["role"], checks=self.seen["checks"])
        doubts = dict.fromkeys(self.table.seats, 0.25)
        if self.who.judges == "crowd":
            doubts |= {seat: 0.25 + 0.1 * self.heat[seat] for seat in doubts}
        claimants = [seat for seat in self.made.of("seer") if seat in self.table.alive or self._shown(seat) == "seer"]
        believed = self.rng.choice(claimants[:2]) if claimants else ""
        for target, wolf in self.made.results[believed].items():
            doubts[target] = 0.9 if wolf else 0.05
        for seat in claimants:
            doubts[seat] = 0.1 if seat == believed else 0.6
        for check in self.seen["checks"]:
            doubts[check["target"]] = float(check["wolf"])
        return doubts

    def _shown(self, seat: SeatId) -> str:
        return next((death["role"] for death in self.seen["out"] if death["seat"] == seat), "")

    def worst(self, among: Sequence[SeatId]) -> SeatId:
        """Return whom a villager would exile: the likeliest wolf, of equals the most accused."""
        return max(among, key=lambda seat: (self.doubts[seat] + 0.03 * self.heat[seat], self._lot(seat)))

    def easiest(self, among: Sequence[SeatId]) -> SeatId:
        """Return the seat that a wolf tries to have exiled: the one that looks most like a wolf and is accused most."""
        return max(among, key=lambda seat: (self.looks[seat] + 0.06 * self.heat[seat], self._lot(seat)))

    def best(self, among: Sequence[SeatId]) -> SeatId:
        """Return the seat that looks least like a wolf in public."""
        return min(among, key=lambda seat: (self.looks[seat], self._lot(seat)))

    def _lot(self, seat: SeatId) -> float:
        """Return a random number for a seat, equal for all players with the same information."""
        return Random(f"{self.seen['turn'].split()[:2]}/{seat}/{len(self.seen['out'])}").random()

    @property
    def in_danger(self) -> bool:
        """Whether the table will probably exile this seat."""
        worst = max(self.seen["alive"], key=lambda seat: self.looks[seat] + 0.06 * self.heat[seat])
        return self.me in self.seen["tied"] or (worst == self.me and self.heat[self.me] > 1)

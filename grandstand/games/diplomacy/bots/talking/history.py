"""The events of the last season, and of the correspondence, as one seat knows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.reader import moods_of
from grandstand.games.diplomacy.bots.talking.trust import season_of
from grandstand.games.diplomacy.events import PromiseBroken, PromiseKept
from grandstand.games.diplomacy.rules.map import CENTERS, POWER, POWERS, PROVINCE
from grandstand.games.diplomacy.types import ResolvedOrder


@dataclass
class LastSeason:
    """The last movement phase, as it concerned one seat."""

    season: int = -1
    broken_to_us: dict[int, list[PromiseBroken]] = field(default_factory=dict)
    kept_to_us: dict[int, list[PromiseKept]] = field(default_factory=dict)
    broken_by_us: dict[int, list[PromiseBroken]] = field(default_factory=dict)
    attacked_us: dict[int, int] = field(default_factory=dict)
    """Power -> a province in which it attacked the seat."""
    helped_us: set[int] = field(default_factory=set)
    gained: dict[int, int] = field(default_factory=dict)
    """Power -> a centre that it entered in the fall and owns now."""
    lost: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Power -> (a centre from which it was driven, the power that owns it now)."""

    @classmethod
    def of(cls, mind: Mind) -> LastSeason:
        """Return the last season of the seat; an empty one before the first orders."""
        recent = mind.game.recent
        if not recent:
            return cls()
        played = recent[0]
        past = cls(season_of(played.phase))
        past._read_promises(mind, played.phase)
        past._read_attacks(mind, played.orders)
        relations = mind.game.relations
        past.helped_us = {
            other for other in mind.others if relations.since_support(other, mind.power, past.season) == 0
        }
        if played.phase[0] == "F":
            past._read_captures(mind, played.orders)
        return past

    def _read_promises(self, mind: Mind, phase: str) -> None:
        for verdict in mind.game.verdicts:
            if verdict.phase != phase:
                continue
            power = POWER[verdict.power]
            if power == mind.power:
                if isinstance(verdict, PromiseBroken):
                    for recipient in verdict.recipients:
                        self.broken_by_us.setdefault(POWER[recipient], []).append(verdict)
            elif mind.seat in verdict.recipients:
                if isinstance(verdict, PromiseBroken):
                    self.broken_to_us.setdefault(power, []).append(verdict)
                else:
                    self.kept_to_us.setdefault(power, []).append(verdict)

    def _read_attacks(self, mind: Mind, orders: Mapping[str, list[ResolvedOrder]]) -> None:
        """Record the moves of others that entered, or tried to enter, a place of the seat."""
        ours = {order["from"][:3] for order in orders.get(mind.seat, ()) if "from" in order}
        homes = {center for center, owner in mind.state.centers.items() if owner == mind.power}
        for seat, listed in orders.items():
            for order in listed:
                if seat == mind.seat or order["kind"] != "move" or "to" not in order:
                    continue
                place = order["to"][:3]
                if place in ours or PROVINCE[place] in homes:
                    self.attacked_us.setdefault(POWER[seat], PROVINCE[place])

    def _read_captures(self, mind: Mind, orders: Mapping[str, list[ResolvedOrder]]) -> None:
        centers = mind.state.centers
        for seat, listed in orders.items():
            power = POWER[seat]
            for order in listed:
                if order["kind"] == "move" and "to" in order and not order["results"]:
                    place = PROVINCE[order["to"][:3]]
                    if place in CENTERS and centers.get(place) == power:
                        self.gained.setdefault(power, place)
                if "dislodged" in order["results"] and "from" in order:
                    place = PROVINCE[order["from"][:3]]
                    if place in CENTERS and centers.get(place, power) != power:
                        self.lost.setdefault(power, (place, centers[place]))


def last_said(mind: Mind, to: int, moods: frozenset[str]) -> int | None:
    """Return the season of the seat's last message to a power (-1 for all) in one of `moods`, if any."""
    for message in reversed(mind.game.messages):
        if message.sender != mind.seat:
            continue
        addressed = message.public if to < 0 else not message.public and POWERS[to] in message.recipients
        if addressed and moods_of(message.text) & moods:
            return season_of(message.turn)
    return None

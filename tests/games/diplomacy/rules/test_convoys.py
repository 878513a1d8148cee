from __future__ import annotations

from itertools import combinations
from random import Random

from grandstand.games.diplomacy.rules.convoys import (
    SEA_NEIGHBOURS,
    chain_fleets,
    connected,
    has_chain,
    mask_of,
    provinces_of,
    routes,
)
from grandstand.games.diplomacy.rules.map import PROVINCE, SEAS, UNIT, UNIT_PROVINCE


def named(*names: str) -> int:
    return mask_of(PROVINCE[name] for name in names)


def needed_by_some_chain(origin: int, destination: int, fleets: int) -> int:
    """The definition, taken literally: the union of the smallest linking sets."""
    chains: list[int] = []
    places = provinces_of(fleets)
    for size in range(1, len(places) + 1):
        for chosen in combinations(places, size):
            mask = mask_of(chosen)
            if has_chain(origin, destination, mask) and not any(chain & mask == chain for chain in chains):
                chains.append(mask)
    result = 0
    for chain in chains:
        result |= chain
    return result


def test_a_fleet_takes_part_only_where_a_chain_needs_it() -> None:
    """DATC 6.G.19: from Marseilles to Spain the Gulf of Lyon is enough."""
    assert chain_fleets(PROVINCE["MAR"], PROVINCE["SPA"], named("LYO", "WES")) == named("LYO")
    assert chain_fleets(PROVINCE["MAR"], PROVINCE["NAF"], named("LYO", "WES")) == named("LYO", "WES")
    assert chain_fleets(PROVINCE["MAR"], PROVINCE["NAF"], named("WES")) == 0


def test_chains_are_those_of_the_definition() -> None:
    rng = Random(3)
    coasts = [place for place, beside in enumerate(SEA_NEIGHBOURS) if beside and place not in SEAS]
    for _ in range(300):
        fleets = mask_of(rng.sample(sorted(SEAS), rng.randrange(1, 8)))
        origin, destination = rng.sample(coasts, 2)
        assert chain_fleets(origin, destination, fleets) == needed_by_some_chain(origin, destination, fleets)


def test_routes_know_who_is_needed() -> None:
    results = {UNIT_PROVINCE[route.army]: route for route in routes(PROVINCE["LON"], named("ENG", "NTH"))}
    belgium = results[PROVINCE["BEL"]]
    assert belgium.army == UNIT["A BEL"]
    assert mask_of(belgium.fleets) == named("ENG", "NTH")
    assert belgium.needed == 0
    assert results[PROVINCE["BRE"]].needed == named("ENG")
    assert PROVINCE["LON"] not in results


def test_crowded_seas_are_searched_in_full() -> None:
    """A fleet in every sea: from London to every coast of the same waters, not into the Baltic or the Black Sea."""
    everywhere = {UNIT_PROVINCE[route.army] for route in routes(PROVINCE["LON"], mask_of(SEAS))}
    waters = connected(SEA_NEIGHBOURS[PROVINCE["LON"]], mask_of(SEAS))
    coasts = {place for place, beside in enumerate(SEA_NEIGHBOURS) if beside & waters and place not in SEAS}
    assert everywhere == coasts - {PROVINCE["LON"]}
    assert PROVINCE["SYR"] in everywhere
    assert PROVINCE["SEV"] not in everywhere

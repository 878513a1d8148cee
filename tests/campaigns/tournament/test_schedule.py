"""Schedules: balance of seats and meetings, determinism, and the pairs of Swiss rounds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.schedule import swiss_round
from grandstand.campaigns.tournament.tournament import Tournament
from tests.support.play.leagues import plan, played, record, won_by

SEATS = {"cricket": 2, "diplomacy": 7}


def names(count: int) -> list[str]:
    return [f"player {number}" for number in range(count)]


def drawn(**fields: object) -> list[Pairing]:
    return list(Tournament(plan(**fields)).draw())


def by_opening(pairings: list[Pairing]) -> dict[int, list[Pairing]]:
    openings: dict[int, list[Pairing]] = {}
    for pairing in pairings:
        openings.setdefault(pairing.opening, []).append(pairing)
    return openings


@settings(max_examples=40, deadline=None)
@given(
    game=st.sampled_from(("cricket", "diplomacy")),
    players=st.integers(2, 12),
    matches=st.integers(1, 60),
    seed=st.integers(0, 2**32),
)
def test_every_player_takes_every_seat_equally_often_in_every_opening(
    game: str, players: int, matches: int, seed: int
) -> None:
    pairings = drawn(game=game, players=names(players), matches=matches, seed=seed)
    assert [pairing.number for pairing in pairings] == list(range(len(pairings)))
    assert len(pairings) >= matches
    for opening in by_opening(pairings).values():
        seats = Counter((seat, player) for pairing in opening for seat, player in pairing.players.items())
        assert len(seats) == SEATS[game] * players
        assert len(set(seats.values())) == 1


@settings(max_examples=30, deadline=None)
@given(players=st.integers(2, 9), seed=st.integers(0, 2**32))
def test_with_two_seats_everyone_plays_everyone_both_ways_with_the_same_luck(players: int, seed: int) -> None:
    for opening in by_opening(drawn(players=names(players), matches=1, seed=seed)).values():
        pairs = sorted(tuple(pairing.players.values()) for pairing in opening)
        assert pairs == sorted(permutations(names(players), 2))


def test_with_more_players_than_seats_all_meet_about_equally_often() -> None:
    pairings = drawn(game="diplomacy", players=names(10), matches=300)
    met = Counter(frozenset(pair) for pairing in pairings for pair in combinations(pairing.players.values(), 2))
    assert len(met) == 45
    assert max(met.values()) - min(met.values()) <= 10  # 140 meetings on average


def test_with_fewer_players_than_seats_copies_are_spread_evenly() -> None:
    for pairing in drawn(game="diplomacy", players=names(3), matches=9):
        assert sorted(Counter(pairing.players.values()).values()) == [2, 2, 3]


def test_one_against_all_is_every_player_in_every_seat_against_every_other() -> None:
    pairings = drawn(game="diplomacy", players=names(3), matches=1, format="one-against-all")
    assert len(pairings) == 3 * 2 * 7
    alone: Counter[tuple[str, str, str]] = Counter()
    for pairing in pairings:
        counts = Counter(pairing.players.values())
        ((single, once), (other, six)) = sorted(counts.items(), key=lambda item: item[1])
        assert (once, six) == (1, 6)
        seat = next(seat for seat, player in pairing.players.items() if player == single)
        alone[single, other, seat] += 1
    assert set(alone.values()) == {1}
    assert len(alone) == 42


def test_fixed_pairings_are_played_from_every_opening() -> None:
    pairings = drawn(format="fixed", pairings=[["a", "b"], ["c", "a"]], matches=3)
    assert [(pairing.opening, *pairing.players.values()) for pairing in pairings] == [
        (0, "a", "b"),
        (0, "c", "a"),
        (1, "a", "b"),
        (1, "c", "a"),
    ]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_schedule_depends_on_its_seed_alone(seed: int) -> None:
    fields = {"game": "diplomacy", "players": names(9), "matches": 27, "seed": seed}
    assert drawn(**fields) == drawn(**fields)


@settings(max_examples=25, deadline=None)
@given(players=st.integers(2, 10), seed=st.integers(0, 2**32))
def test_swiss_players_meet_again_only_after_all_others(players: int, seed: int) -> None:
    """A search over all ways to pair a round is the oracle of whether another meeting can be avoided."""
    random = np.random.default_rng(seed)
    tournament = Tournament(plan(players=names(players), format="swiss", matches=players * players, seed=seed))
    met: set[frozenset[str]] = set()
    while pairings := tournament.draw():
        pairs = {frozenset(pairing.players.values()) for pairing in pairings}
        assert len(pairs) == players // 2
        assert len({player for pair in pairs for player in pair}) == 2 * len(pairs)
        playing = sorted({player for pair in pairs for player in pair})
        if pairs & met:
            assert not _without_rematch(playing, met)
        met |= pairs
        scores = won_by({name: 0.3 * rank for rank, name in enumerate(names(players))})
        for pairing in pairings:
            results = scores(pairing, random)
            records = [record(seat, player, results[seat]) for seat, player in pairing.players.items()]
            tournament.add(pairing.number, "", "finished", "", records)
    seats = Counter((seat, player) for pairing in tournament.pairings for seat, player in pairing.players.items())
    for name in names(players):
        assert seats["home", name] == seats["away", name]


def _without_rematch(players: list[str], met: set[frozenset[str]]) -> bool:
    if not players:
        return True
    first, *others = players
    return any(
        frozenset((first, other)) not in met and _without_rematch([name for name in others if name != other], met)
        for other in others
    )


def test_swiss_byes_go_round() -> None:
    tournament = played(
        Tournament(plan(players=names(5), format="swiss", matches=20)),
        won_by({name: float(rank) for rank, name in enumerate(names(5))}),
        np.random.default_rng(0),
    )
    rested = [
        set(names(5)) - {player for pairing in opening for player in pairing.players.values()}
        for opening in by_opening(tournament.pairings).values()
    ]
    assert sorted(name for resting in rested for name in resting) == names(5)


def test_swiss_pairs_neighbours_in_the_standings() -> None:
    strengths = {name: 12.0 * rank for rank, name in enumerate(names(8))}
    tournament = played(
        Tournament(plan(players=names(8), format="swiss", matches=24)), won_by(strengths), np.random.default_rng(3)
    )
    last = by_opening(tournament.pairings)[2]
    top = {"player 7", "player 6"}
    assert any(set(pairing.players.values()) == top for pairing in tournament.pairings)
    assert len(last) == 8


def test_a_swiss_round_of_seven_seats_has_a_match_for_every_rotation() -> None:
    whole = plan(game="diplomacy", players=names(15), format="swiss", matches=14)
    lineups = swiss_round(whole, 0, names(15), Counter(), Counter())
    assert len(lineups) == 14
    groups = {frozenset(lineup.values()) for lineup in lineups}
    assert groups == {frozenset(names(15)[:7]), frozenset(names(15)[7:14])}
    seats = Counter((seat, player) for lineup in lineups for seat, player in lineup.items())
    assert set(seats.values()) == {1}

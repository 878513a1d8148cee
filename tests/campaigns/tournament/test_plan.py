"""Plans of tournaments: reading, errors that name the field, and what viewers may know."""

from __future__ import annotations

import pytest

from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.games.base import OptionError
from tests.support.play.leagues import plan


def test_a_plan_survives_the_way_to_a_file_and_back() -> None:
    whole = plan(format="fixed", pairings=[["a", "b"], ["b", "c"]], pack="five-over", openings=[4, 5], max_tokens=9)
    assert TournamentPlan.of(whole.to_json()) == whole


def test_viewers_see_no_seed() -> None:
    public = plan(seed=731, openings=[5, 6]).public()
    assert not {"seed", "openings"} & public.keys()
    assert public["players"] == ["a", "b", "c"]


def test_matches_of_an_opening_share_seed_and_situation_and_openings_differ() -> None:
    with_pack = plan(pack="five-over", matches=60)
    setups = [(with_pack.match_seed(opening), str(with_pack.match_options(opening))) for opening in range(10)]
    assert len(set(setups)) == 10
    assert with_pack.match_options(0)["pack"] == "five-over"
    assert setups == [
        (plan(pack="five-over").match_seed(opening), str(plan(pack="five-over").match_options(opening)))
        for opening in range(10)
    ]
    assert plan(seed=1).match_seed(0) != plan(seed=2).match_seed(0)


def test_named_openings_are_used_in_turn() -> None:
    named = plan(openings=[11, 22])
    assert [named.match_seed(opening) for opening in range(3)] == [11, 22, 11]


def test_situations_of_a_pack_come_round_again_with_another_seed() -> None:
    wide = plan(pack="five-over")
    count = len(wide.situations)
    assert count == 32
    assert wide.match_options(0) == wide.match_options(count)
    assert wide.match_seed(0) != wide.match_seed(count)


@pytest.mark.parametrize(
    ("players", "fields", "matches", "planned"),
    [
        (4, {}, 25, 36),
        (4, {"game": "diplomacy"}, 25, 28),
        (3, {"game": "diplomacy", "format": "one-against-all"}, 1, 42),
        (5, {"format": "swiss"}, 9, 12),
        (3, {"format": "fixed", "pairings": [["p0", "p1"]]}, 9, 9),
        (3, {"until": 0.1, "max_matches": 100}, 0, 96),
    ],
)
def test_the_length_is_whole_openings(players: int, fields: dict[str, object], matches: int, planned: int) -> None:
    names = [f"p{number}" for number in range(players)]
    assert plan(players=names, matches=matches, **fields).planned == planned


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"rounds": 3}, "rounds: a tournament has no such field; there are game, players"),
        ({"players": ["a"]}, "players: a tournament has at least two"),
        ({"players": ["a", "a"]}, "players: 'a' is named twice"),
        ({"players": ["a", ""]}, "players: a name is empty"),
        ({"players": [f"p{number}" for number in range(41)]}, "players: at most 40"),
        ({"players": "a,b"}, "players: Input should be a list"),
        ({"format": "knockout"}, "format: Input should be 'round-robin'"),
        ({"format": "one-against-all"}, "format: one-against-all needs more than two seats"),
        ({"format": "swiss", "game": "diplomacy"}, "format: swiss needs a player for each of the 7 seats"),
        ({"format": "fixed"}, "pairings: the format 'fixed' needs them"),
        ({"pairings": [["a", "b"]]}, "pairings: they are for the format 'fixed', not 'round-robin'"),
        ({"format": "fixed", "pairings": [["a"]]}, "pairings.0: 1 players for 2 seats"),
        ({"format": "fixed", "pairings": [["a", "x"]]}, "pairings.0: 'x' is none of the players"),
        ({"options": {"overs": 99}}, "options.overs: must be a whole number from 1 to 50"),
        ({"options": {"colour": 1}}, "options.colour: cricket has no such option"),
        ({"pack": "nope"}, "pack: cricket has no 'nope'; there are default"),
        ({"pack": "five-over", "options": {"overs": 50}}, "overs: the situations of five-over"),
        ({"matches": 0}, "matches: set either the number of matches or `until`"),
        ({"matches": 5, "until": 0.1}, "matches: set either"),
        ({"matches": -1}, "matches: must be a whole number from 0"),
        ({"matches": "many"}, "matches: Input should be a valid integer"),
        ({"matches": 10**6}, "matches: 1000002 are more than 100000"),
        ({"matches": 0, "until": 0.1, "max_matches": 29}, "max_matches: 29 are too few"),
        ({"max_matches": 100}, "max_matches: belongs to `until`"),
        ({"matches": 0, "until": 1.5, "max_matches": 90}, "until: must be a half-width below 1"),
        ({"matches": 0, "until": 0.1, "max_matches": 90, "format": "swiss"}, "until: pairings of the Swiss format"),
        ({"max_tokens": 0}, "max_tokens: must be at least 1"),
        ({"max_dollars": float("nan")}, "max_dollars: must be 0 or more"),
        ({"openings": [-4]}, "openings.0: must be a whole number"),
        ({"on_fault": "cry"}, "on_fault: Input should be 'fallback'"),
    ],
)
def test_errors_name_the_field(fields: dict[str, object], complaint: str) -> None:
    with pytest.raises(OptionError) as raised:
        plan(**fields)
    assert complaint in str(raised.value)


def test_the_game_and_the_players_must_be_named() -> None:
    with pytest.raises(OptionError, match=r"^players: is missing"):
        TournamentPlan.of({"game": "cricket"})

"""Rating models: what all of them hold to, and how the pairs of seats differ from the order of all."""

from __future__ import annotations

import pytest

from grandstand.play.ratings.models import DEFAULT, MODELS, rating_model
from grandstand.play.ratings.table import RatingError, ScoredMatch


def match(*players: str, scores: tuple[float, ...], cluster: int | None = None) -> ScoredMatch:
    seats = [f"seat {number}" for number in range(len(players))]
    return ScoredMatch(dict(zip(seats, players, strict=True)), dict(zip(seats, scores, strict=True)), cluster)


DUELS = [match(*pair, scores=(1, 0)) for pair in (("a", "b"), ("b", "a"), ("a", "b"), ("b", "c"), ("a", "c"))] * 4
TABLES = [match(*order, scores=(3, 2, 1, 1)) for order in ("abcd", "bacd", "acbd", "abdc")] * 3


@pytest.mark.parametrize("name", MODELS)
def test_every_model_orders_players_with_intervals_and_pairs(name: str) -> None:
    table = rating_model(name)(DUELS)
    assert [rating.player for rating in table.ratings] == ["a", "b", "c"]
    assert all(rating.low < rating.mean < rating.high for rating in table.ratings)
    assert sum(rating.mean for rating in table.ratings) == pytest.approx(3 * 1500)
    assert {rating.player: rating.games for rating in table.ratings} == {"a": 16, "b": 16, "c": 8}
    assert all(pair.probability > 0.5 for pair in table.pairs)
    narrow = rating_model(name)(DUELS, level=0.5)
    assert narrow.ratings[0].high < table.ratings[0].high


@pytest.mark.parametrize("name", MODELS)
def test_references_have_the_mean_of_their_ratings(name: str) -> None:
    table = rating_model(name)(DUELS, {"a": 1700, "c": 1300})
    assert sum(rating.mean for rating in table.ratings if rating.player != "b") == pytest.approx(3000)


@pytest.mark.parametrize("name", MODELS)
def test_what_cannot_be_rated_is_refused(name: str) -> None:
    rate = rating_model(name)
    with pytest.raises(RatingError, match="no match with two scored seats"):
        rate([match("a", scores=(1,))])
    with pytest.raises(RatingError, match="'a' is the only player"):
        rate([match("a", "a", scores=(1, 0))])
    with pytest.raises(RatingError, match="anchor: 'z' has played no match"):
        rate(DUELS, {"z": 1500})


def test_pairs_of_two_seats_are_the_default() -> None:
    pairs, default = rating_model("pairs")(DUELS), rating_model(DEFAULT)(DUELS)
    for one, other in zip(pairs.ratings, default.ratings, strict=True):
        assert one.mean == pytest.approx(other.mean, abs=0.01)
        assert one.games == other.games


def test_a_match_of_many_seats_is_one_unit_of_its_pairs() -> None:
    """Twelve matches of five pairs are not sixty matches: the interval is no narrower than by their order."""
    pairs, default = rating_model("pairs")(TABLES), rating_model(DEFAULT)(TABLES)
    assert [rating.player for rating in pairs.ratings] == [rating.player for rating in default.ratings]
    for one, other in zip(pairs.ratings, default.ratings, strict=True):
        assert one.games == other.games == 12
        assert one.high - one.low > 0.8 * (other.high - other.low)


def test_seats_that_share_the_last_place_are_not_compared() -> None:
    table = rating_model("pairs")([match("a", "b", "c", scores=(1, 0, 0))] * 6)
    (b_c,) = [pair for pair in table.pairs if {pair.a, pair.b} == {"b", "c"}]
    assert b_c.probability == pytest.approx(0.5, abs=0.01)
    assert not b_c.differ


def test_a_match_joins_no_cluster_that_another_names() -> None:
    apart = [match("a", "b", scores=(1, 0), cluster=cluster) for cluster in (0, 1)] + DUELS
    named = [match("a", "b", scores=(1, 0), cluster=cluster) for cluster in (100, 101)] + DUELS
    assert rating_model("pairs")(apart) == rating_model("pairs")(named)

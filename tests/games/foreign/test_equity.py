"""The chances of hands are those that others have published, and those of all boards one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from grandstand.games.foreign.equity import chances


def cards(text: str) -> list[int]:
    words = text.replace(" ", "")
    return [4 * "23456789TJQKA".index(words[at]) + "cdhs".index(words[at + 1]) for at in range(0, len(words), 2)]


def value(hand: tuple[int, ...]) -> tuple[int, list[int]]:
    """Return the value of five cards by the rules."""
    counts = Counter(card // 4 for card in hand)
    order = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    shape = sorted(counts.values(), reverse=True)
    flush = len({card % 4 for card in hand}) == 1
    straight = len(counts) == 5 and (order[0] - order[4] == 4 or order == [12, 3, 2, 1, 0])
    if straight and order[0] == 12 and order[1] == 3:
        order = [3]
    kinds = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [], [], [3, 2], [4, 1]]
    kind = 8 if straight and flush else max(kinds.index(shape), 5 if flush else 0, 4 if straight else 0)
    return kind, order


def by_all_boards(hands: list[list[int]], board: list[int], dead: list[int]) -> list[float]:
    """Return the share of each hand, by the best five cards on each board."""
    known = {*board, *dead, *(card for hand in hands for card in hand)}
    shares, boards = [0.0] * len(hands), 0
    for more in combinations([card for card in range(52) if card not in known], 5 - len(board)):
        best = [max(map(value, combinations([*hand, *board, *more], 5))) for hand in hands]
        winners = [at for at, each in enumerate(best) if each == max(best)]
        for at in winners:
            shares[at] += 1 / len(winners)
        boards += 1
    return [share / boards for share in shares]


@pytest.mark.parametrize(
    ("one", "other", "win", "lose"),
    [
        ("AsAh", "KdKc", 81.06, 18.55),
        ("AsAh", "KsKh", 82.36, 17.09),
        ("AsKs", "QhQd", 46.02, 53.59),
    ],
)
def test_before_the_flop_they_are_the_published_ones(one: str, other: str, win: float, lose: float) -> None:
    first, second = chances([cards(one), cards(other)], [])
    assert (100 * first.win, 100 * second.win) == pytest.approx((win, lose), abs=0.01)
    assert first.share + second.share == pytest.approx(1)


def test_from_the_turn_on_they_are_those_of_all_boards() -> None:
    """Boards at random, and those with four and five cards of a suit, with which some have a flush already."""
    hands = [cards("Ah2c"), cards("KsKd"), cards("9h3s")]
    given = [
        (hands, cards("2h5hJhQh"), []),
        (hands, cards("2h5hJhQh7h"), []),
        (hands, cards("ThJhQhKh"), cards("8h8c")),
    ]
    for seed in range(4):
        deck = Random(seed).sample(range(52), 14)
        given.append(([deck[:2], deck[2:4], deck[4:6]], deck[6:10], deck[10:]))
    for each, board, dead in given:
        assert [chance.share for chance in chances(each, board, dead)] == pytest.approx(
            by_all_boards(each, board, dead)
        )


@pytest.mark.long
def test_with_a_flop_they_are_those_of_all_boards() -> None:
    """Flops of one suit, with straights to come, and those at random."""
    for flop in ("9h8h7h", "AhAdAc", "5s4s3d", "KcQd2h"):
        hands, board = [cards("ThJh"), cards("5h6h"), cards("As2c")], cards(flop)
        if not {*board} & {card for hand in hands for card in hand}:
            found = [each.share for each in chances(hands, board)]
            assert found == pytest.approx(by_all_boards(hands, board, []))


def test_a_card_is_dealt_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        chances([cards("AsAh"), cards("AsKd")], [])


@pytest.mark.parametrize(
    ("better", "worse", "board"),
    [
        ("AsKd", "AhQd", "7c7d7h2s3c"),
        ("AsKd", "AhQd", "7c7d9h2s3c"),
        ("AsTd", "KhQd", "7c7d9h9s2c"),
        ("KsQd", "QhJd", "7c7d7h7s2c"),
        ("9d3d", "2h2d", "7c7d7h9s2c"),
        ("QsJd", "QhTd", "AcKd9h5s2c"),
        ("6s2d", "AhTd", "2c3c4d5hKs"),
    ],
    ids=["second kicker of three", "kickers of a pair", "two pairs", "four", "full house", "high cards", "straight"],
)
def test_the_last_card_decides(better: str, worse: str, board: str) -> None:
    first, second = chances([cards(better), cards(worse)], cards(board))
    assert (first.win, second.win) == (1, 0)

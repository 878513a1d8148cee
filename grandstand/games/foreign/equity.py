"""Exact chances of hands of Texas hold'em, by all boards that can still come.

Boards that decide alike are counted together: those of the same ranks, apart from those with a suit in which somebody
can have a flush, which are told apart by the ranks in that suit. Before the flop, 1.7 million boards are some 40,000
classes. A card is the number 4 * rank + suit, with ranks from 0 (deuce) to 12 (ace).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
RANKS: Final = 13
SUITS: Final = 4
BOARD: Final = 5
BITS: Final = 1 << np.arange(RANKS)
PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH = (kind << 26 for kind in range(1, 9))
"""The kinds of hands, above the ranks that decide between two of a kind: a set of ranks in 13 bits, or two sets."""


class Chance(NamedTuple):
    """The chances of one hand."""

    win: float
    """The chance to win alone."""
    share: float
    """The expected share of the pot, ties split."""


class Classes(NamedTuple):
    """Classes of the cards that are to come."""

    counts: Numbers
    """Shape (classes, 13): the number of cards of each rank."""
    weights: Numbers
    """Shape (classes,): the number of ways to deal them."""


def chances(hands: Sequence[Sequence[int]], board: Sequence[int], dead: Sequence[int] = ()) -> list[Chance]:
    """Return the exact chances of `hands`, two cards each, with 0 to 5 cards of the board and further cards known.

    Raises ValueError if a card is there twice.
    """
    known = [*board, *dead, *(card for hand in hands for card in hand)]
    if len(set(known)) < len(known):
        raise ValueError("a card is there twice")
    left = np.array([[4 * rank + suit not in known for suit in range(SUITS)] for rank in range(RANKS)], dtype=np.int64)
    drawn = BOARD - len(board)
    plain = _plain(left.sum(axis=1), drawn)
    keys, weights = _keys(plain.counts), plain.weights.copy()
    wins, shares, total = np.zeros(len(hands)), np.zeros(len(hands)), comb(int(left.sum()), drawn)
    for suit, suited, classes in _suited(hands, board, left, drawn):
        np.subtract.at(weights, np.searchsorted(keys, _keys(classes.counts)), classes.weights)
        _add(_values(hands, board, classes.counts, suit, suited), classes.weights, wins, shares)
    _add(_values(hands, board, plain.counts), weights, wins, shares)
    return [Chance(float(win) / total, float(share) / total) for win, share in zip(wins, shares, strict=True)]


def _suited(
    hands: Sequence[Sequence[int]], board: Sequence[int], left: Numbers, drawn: int
) -> Iterator[tuple[int, Numbers, Classes]]:
    """Yield the classes with a possible flush: the suit, its new ranks in bits, and the ranks of all new cards."""
    for suit in range(SUITS):
        there = sum(card % SUITS == suit for card in board)
        most = max(sum(card % SUITS == suit for card in hand) for hand in hands)
        for new in range(max(0, BOARD - most - there), drawn + 1):
            ranks = [rank for rank in range(RANKS) if left[rank, suit]]
            sets = [*combinations(ranks, new)]
            if not sets:
                continue
            own = np.array([[rank in cards for rank in range(RANKS)] for cards in sets], dtype=np.int64)
            others = _plain(left.sum(axis=1) - left[:, suit], drawn - new)
            counts = (own[:, None] + others.counts[None]).reshape(-1, RANKS)
            weights = np.tile(others.weights, len(own))
            yield suit, np.repeat(own @ BITS, len(others.weights)), Classes(counts, weights)


def _plain(left: Numbers, drawn: int) -> Classes:
    """Return the classes by rank alone of `drawn` cards, where so many of each rank are left."""
    counts = _multisets(drawn)
    ways = np.array([[comb(int(cards), count) for count in range(SUITS + 1)] for cards in left], dtype=np.int64)
    weights = np.prod(ways[np.arange(RANKS), np.minimum(counts, SUITS)], axis=1) * (counts <= SUITS).all(axis=1)
    return Classes(counts, weights)


@cache
def _multisets(size: int) -> Numbers:
    """Return all ways to have `size` cards by ranks, as counts, in the order of their keys."""
    rows = [[combination.count(rank) for rank in range(RANKS)] for combination in _combinations(size)]
    counts = np.array(rows, dtype=np.int64).reshape(-1, RANKS)
    order: Numbers = counts[np.argsort(_keys(counts))]
    return order


def _combinations(size: int) -> Iterator[tuple[int, ...]]:
    return combinations_with_replacement(range(RANKS), size)


def _keys(counts: Numbers) -> Numbers:
    """Return a number for each row of counts."""
    keys: Numbers = counts @ 6 ** np.arange(RANKS)
    return keys


def _add(values: Sequence[Numbers], weights: Numbers, wins: NDArray[np.float64], shares: NDArray[np.float64]) -> None:
    """Add the weights of the classes that each hand wins, and its shares of them."""
    table = np.stack(values)
    best = table == table.max(axis=0)
    winners = best.sum(axis=0)
    wins += (best & (winners == 1)) @ weights
    shares += best @ (weights / winners)


def _values(
    hands: Sequence[Sequence[int]], board: Sequence[int], counts: Numbers, suit: int = -1, suited: Numbers | None = None
) -> list[Numbers]:
    """Return the values of each hand in each class of new cards: the better hand has the greater one. `suited` are the
    new ranks of the one suit in which there may be a flush."""
    dealt = [((counts >= count).astype(np.float64) @ BITS).astype(np.int64) for count in range(1, SUITS + 1)]
    values = []
    for hand in hands:
        known = [*hand, *board]
        ranks = _by_ranks(*_with(dealt, known))
        own = sum(1 << card // SUITS for card in known if card % SUITS == suit)
        values.append(ranks if suited is None else np.maximum(ranks, _flushes(suited | own)))
    return values


def _with(dealt: Sequence[Numbers], known: Sequence[int]) -> list[Numbers]:
    """Return which ranks are there at least once, twice, ... in bits, with the known cards."""
    there = list(dealt)
    for card in known:
        bit = 1 << card // SUITS
        for count in range(SUITS - 1, 0, -1):
            there[count] = there[count] | there[count - 1] & bit
        there[0] = there[0] | bit
    return there


def _flushes(flush: Numbers) -> Numbers:
    """Return the values of flushes, given the ranks of one suit in bits; 0 where there is none."""
    tables = _tables()
    straight = tables.straight[flush]
    best = np.where(straight > 0, STRAIGHT_FLUSH | straight, FLUSH | tables.top[BOARD][flush])
    return np.where(tables.size[flush] >= BOARD, best, 0)


def _by_ranks(ones: Numbers, twos: Numbers, threes: Numbers, fours: Numbers) -> Numbers:
    """Return the values of hands without flushes, given which ranks are there at least once, twice, ... in bits."""
    tables = _tables()
    top = tables.top
    pair = top[1][twos]
    second = top[1][twos & ~pair]
    three = top[1][threes]
    under = top[1][twos & ~three]
    four = top[1][fours]
    values = top[BOARD][ones]
    values = np.where(pair > 0, PAIR | pair << RANKS | top[3][ones & ~pair], values)
    both = pair | second
    values = np.where(second > 0, TWO_PAIR | both << RANKS | top[1][ones & ~both], values)
    values = np.where(three > 0, TRIPS | three << RANKS | top[2][ones & ~three], values)
    straight = tables.straight[ones]
    values = np.where(straight > 0, STRAIGHT | straight, values)
    values = np.where((three > 0) & (under > 0), FULL | three << RANKS | under, values)
    return np.where(four > 0, QUADS | four << RANKS | top[1][ones & ~four], values)


class Tables(NamedTuple):
    """Functions of a set of ranks in bits, as tables."""

    top: Sequence[Numbers]
    """By number of cards: the highest so many of the ranks, in bits."""
    straight: Numbers
    """The bit of the highest card of a straight; 1 << 3 for five high, 0 without one."""
    size: Numbers
    """The number of ranks in the set."""


@cache
def _tables() -> Tables:
    sets = np.arange(1 << RANKS)
    count = np.zeros_like(sets)
    top = [np.zeros_like(sets) for _ in range(BOARD + 1)]
    straight = np.zeros_like(sets)
    for rank in range(RANKS - 1, -1, -1):
        there = sets >> rank & 1
        for cards in range(1, BOARD + 1):
            top[cards] |= np.where(count < cards, there << rank, 0)
        count += there
    for high in range(BOARD - 2, RANKS):
        ranks = [high - below for below in range(BOARD)]
        needed = sum(1 << rank % RANKS for rank in ranks)
        straight = np.where(sets & needed == needed, 1 << high, straight)
    return Tables(top, straight, count)

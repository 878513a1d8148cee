"""The parts for a trainer of a game that has none of its own, derived from its choices and observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from grandstand.games.base import G, Game, Json, SeatId
from grandstand.games.choices import Chosen, Grammar, Many, Number, Pick, Slot, drawn
from grandstand.games.training import BYTES, Component, Entry, Rewards, Training

SAMPLE = 1000
"""Decisions of random players from which the vocabulary is gathered."""
WORDS = 2000
"""The most words in the vocabulary besides the bytes: the most frequent ones."""
NUMBERS = 100
"""The most numbers of a slot that are words."""

COMPONENTS: Mapping[str, Component] = {
    "score": Component("the score at the end, or where play stopped", final=True),
    "change": Component("change of the score in a turn"),
}


def training(name: str, new: Callable[[int], G]) -> Training[G]:
    """Return the parts for the game called `name`; `new(seed)` is a fresh match of it."""
    rewards = Rewards(COMPONENTS, {}, ledger, results)
    return Training(vocabulary=vocabulary(name, new), shorthand=shorthand, rewards=rewards)


def shorthand(game: Game, seat: SeatId) -> str:
    """Return the seat's observation in words, then the seat: `card king moves [ check bet ] play first`."""
    return " ".join([*_words(game.observation(seat)), "play", seat])


def vocabulary(name: str, new: Callable[[int], Game]) -> tuple[str, ...]:
    """Return the bytes, a word for the game, and the words of seeded random matches: always the same ones."""
    counted: Counter[str] = Counter()
    decisions = 0
    for seed in range(SAMPLE):
        game, rng = new(seed), Random(seed)
        while game.outcome is None and decisions < SAMPLE:
            seat = rng.choice(game.to_act())
            counted.update(shorthand(game, seat).split())
            game.apply(seat, game.action(seat, drawn(_counting(game, seat, counted), rng)))
            decisions += 1
        if decisions >= SAMPLE:
            break
    return (*BYTES, f"game:{name}", *sorted(word for word, _ in counted.most_common(WORDS)))


def ledger(
    events: Iterable[tuple[int, str, Mapping[str, Any]]], seat: SeatId, settings: Mapping[str, float]
) -> list[Entry]:
    """Return every change of the score of `seat`, and the last score."""
    entries: list[Entry] = []
    before: float | None = None
    seq = 0
    for seq, score in _scores(events, seat):
        if before is not None and score != before:
            entries.append(Entry(seq, "change", score - before))
        before = score
    return entries if before is None else [*entries, Entry(seq, "score", before)]


def results(events: Iterable[tuple[int, str, Mapping[str, Any]]], seat: SeatId) -> dict[str, float]:
    """Return the last score of `seat`."""
    scores = [score for _, score in _scores(events, seat)]
    return {"score": scores[-1]} if scores else {}


def _scores(events: Iterable[tuple[int, str, Mapping[str, Any]]], seat: SeatId) -> Iterator[tuple[int, float]]:
    """Yield the score of `seat` at each turn and at the end."""
    for seq, kind, data in events:
        if kind == "TurnStarted":
            yield seq, data["scores"][seat]
        elif kind == "EpisodeEnded" and data["outcome"] is not None:
            yield seq, data["outcome"]["scores"][seat]


def _counting(game: Game, seat: SeatId, counted: Counter[str]) -> Grammar:
    """Return the grammar of a seat's choices, which counts the words of every requested stage in `counted`."""

    def grammar(chosen: Chosen) -> Sequence[Slot]:
        slots = game.choices(seat, chosen)
        for slot in slots:
            if isinstance(slot, Pick | Many):
                counted.update(option.word for option in slot.options if option.word)
            if isinstance(slot, Many):
                counted.update([slot.stop])
            if isinstance(slot, Number):
                counted.update(map(str, range(slot.low, slot.high + 1, slot.step)[:NUMBERS]))
        return slots

    return grammar


def _words(value: Json) -> Iterator[str]:
    """Yield data as words. A sentence on the scoring is left out, since it never changes."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key != "scoring":
                yield from str(key).split()
                yield from _words(item)
    elif isinstance(value, list | tuple):
        yield "["
        for item in value:
            yield from _words(item)
        yield "]"
    elif isinstance(value, bool) or value is None:
        yield str(value).lower()
    elif isinstance(value, float):
        yield f"{value:.3g}"
    else:
        yield from str(value).split() or ("-",)

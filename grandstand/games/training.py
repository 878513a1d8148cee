"""The parts of a game for a trainer: the choices of policies, a short text of the position, and rewards.

A game without its own has the general ones, which follow from its choices and observations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple

from grandstand.games.base import Action, Json, SeatId
from grandstand.games.choices import Chosen, Grammar, Many, Number, Pick, Slot, Value, drawn, offers
from grandstand.games.game import G, Game

BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
"""Words for single bytes. A vocabulary that begins with them can spell any other word."""

SCORED = frozenset({"TurnStarted", "EpisodeEnded"})
"""Types of the events with scores, from which rewards are computed together with the game's own events."""
SAMPLE = 1000
"""Decisions of random players from which the vocabulary is gathered."""
WORDS = 2000
"""The most words in the vocabulary besides the bytes: the most frequent ones."""
NUMBERS = 100
"""The most numbers of a slot that are words."""


class Entry(NamedTuple):
    """A reward at event `seq`. Amounts are in the component's own units, not yet weighted."""

    seq: int
    component: str
    amount: float


@dataclass(frozen=True)
class Component:
    """One named part of the reward."""

    help: str
    final: bool = False
    """True if it rewards the final position instead of single steps."""


@dataclass(frozen=True)
class Rewards:
    """The reward components of a game, computed from a match's events for a seat."""

    components: Mapping[str, Component]
    settings: Mapping[str, float]
    """Parameters of the components with their defaults: a threshold, a bonus by rank."""
    ledger: Callable[[Iterable[tuple[int, str, Mapping[str, Any]]], SeatId, Mapping[str, float]], Sequence[Entry]]
    """(the events of the game and of `SCORED` as (seq, type, data) in order, seat, settings) -> each entry, in order of
    `seq`.

    It reads only what the events say, up to the last of them: an episode may have been stopped anywhere.
    """
    results: Callable[[Iterable[tuple[int, str, Mapping[str, Any]]], SeatId], Mapping[str, float]] = (
        lambda events, seat: {}
    )
    """(the same events, seat) -> the seat's result at the last event, as people state it. The numbers are reported with
    the training, and nothing is learned from them. A number that is not decided yet is left out."""


class Shorthand(NamedTuple):
    """An earlier shorthand of the game, for policies that were trained on it."""

    vocabulary: Sequence[str]
    write: Callable[[Any, SeatId], str]
    """(game, seat) -> the moment in these words."""


class Searched(NamedTuple):
    """The answer of a search."""

    action: Action
    thought: str = ""
    """Its grounds in full sentences, for analysts; may be empty."""


@dataclass(frozen=True)
class Search(Generic[G]):
    """A search at play time: it evaluates the proposals of a policy, and answers in its place."""

    choose: Callable[[G, SeatId, Sequence[Action], Random], Searched]
    """(game, seat, the policy's proposals, random stream) -> the seat's action and its reasons."""
    slow: bool = False
    """True if an answer takes so long that a server computes it in a process of its own."""


@dataclass(frozen=True)
class Training(Generic[G]):
    """The parts of a game for a trainer (`GameSpec.training`)."""

    vocabulary: Sequence[str]
    """Every word of the shorthand, in a fixed order. Some contain a space: a reader takes the longest match. Where it
    begins with `BYTES` and a word for the game, a policy that was saved with fewer words or others reads the same
    shorthand, and spells what it lacks."""
    shorthand: Callable[[G, SeatId], str]
    """(game, seat) -> the moment in these words: what all may know first, the seat and what it alone knows last."""
    rewards: Rewards
    features: Callable[[G, SeatId], Mapping[str, float]] = lambda game, seat: {}
    """(game, seat) -> a few numbers about the position before the choice, to group similar positions."""
    clock: Callable[[G], float] | None = None
    """(game) -> the time since the start of the match, in `unit`s; None if it is the number of turns."""
    unit: str = "turn"
    """The unit of horizons: `year`, `over`."""
    menu: Callable[[G, SeatId, Chosen], Sequence[Slot]] | None = None
    """The choices of policies, if they are fewer than the game's own: without options that no player would want."""
    spell: Callable[[G, SeatId, str, str], str] = lambda game, seat, slot, word: word
    """(game, seat, name of a slot, word of an option) -> the word of the shorthand for it."""
    older: Sequence[Shorthand] = ()
    """Earlier shorthands. Their vocabularies differ, so a saved policy's vocabulary identifies its shorthand."""
    search: Search[G] | None = None
    """The search at play time that a trained player's option `search` turns on; None where the game has none."""

    def time(self, game: G, turns: int) -> float:
        """Return the time since the start of a match that has had so many turns."""
        return turns if self.clock is None else self.clock(game)

    def grammar(self, game: G, seat: SeatId) -> Grammar:
        """Return the choices of a policy at this moment."""
        menu = self.menu
        return (lambda chosen: game.choices(seat, chosen)) if menu is None else lambda chosen: menu(game, seat, chosen)

    def chosen(self, game: G, seat: SeatId, action: Action) -> Chosen | None:
        """Return the answer of a policy with the same effect as `action`; None if it has none."""
        whole = game.chosen(seat, action)
        if whole is None or self.menu is None:
            return whole
        chosen: dict[str, Value] = {}
        while slots := self.menu(game, seat, chosen):
            if not all(slot.name in whole and offers(slot, whole[slot.name]) for slot in slots):
                return None
            chosen |= {slot.name: whole[slot.name] for slot in slots}
        return chosen if game.chosen(seat, game.action(seat, chosen)) == whole else None

    def shorthand_of(self, vocabulary: Sequence[str]) -> Callable[[G, SeatId], str] | None:
        """Return the shorthand, the present or an earlier one, for a policy with this vocabulary; None if none is."""
        forms = (Shorthand(self.vocabulary, self.shorthand), *self.older)
        write = next((form.write for form in forms if tuple(form.vocabulary) == tuple(vocabulary)), None)
        return self.shorthand if write is None and self._spells(vocabulary) else write

    def _spells(self, vocabulary: Sequence[str]) -> bool:
        """Return whether the vocabulary has the bytes, and was made for this game."""
        begin = len(BYTES) + 1
        own = tuple(self.vocabulary[:begin])
        return own[:-1] == BYTES and tuple(vocabulary[:begin]) == own


COMPONENTS: Mapping[str, Component] = {
    "score": Component("the score at the end, or where play stopped", final=True),
    "change": Component("change of the score in a turn"),
}
"""The components of a game without its own."""


def general_training(name: str, new: Callable[[int], G]) -> Training[G]:
    """Return the parts for the game called `name`; `new(seed)` is a fresh match of it."""
    rewards = Rewards(COMPONENTS, {}, score_changes, last_score)
    return Training(vocabulary=general_vocabulary(name, new), shorthand=general_shorthand, rewards=rewards)


def general_shorthand(game: Game, seat: SeatId) -> str:
    """Return the seat's observation in words, then the seat: `card king moves [ check bet ] play first`."""
    return " ".join([*_words(game.observation(seat)), "play", seat])


def general_vocabulary(name: str, new: Callable[[int], Game]) -> tuple[str, ...]:
    """Return the bytes, a word for the game, and the words of seeded random matches: always the same ones."""
    counted: Counter[str] = Counter()
    decisions = 0
    for seed in range(SAMPLE):
        game, rng = new(seed), Random(seed)
        while game.outcome is None and decisions < SAMPLE:
            seat = rng.choice(game.to_act())
            counted.update(general_shorthand(game, seat).split())
            game.apply(seat, game.action(seat, drawn(_counting(game, seat, counted), rng)))
            decisions += 1
        if decisions >= SAMPLE:
            break
    return (*BYTES, f"game:{name}", *sorted(word for word, _ in counted.most_common(WORDS)))


def score_changes(
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


def last_score(events: Iterable[tuple[int, str, Mapping[str, Any]]], seat: SeatId) -> dict[str, float]:
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

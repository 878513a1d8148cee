"""The parts of a game for a trainer: legal answers piece by piece, a short text of the position, and rewards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple

from grandstand.games.base import Action, G, SeatId


class Option(NamedTuple):
    """One thing that may be chosen in a slot."""

    word: str
    """In the game's shorthand, unique in its slot: `A PAR - BUR`."""
    text: str
    """The text that it adds to the answer's JSON, up to the next choice: `A PAR - BUR", "`. None begins another."""


Slot = Sequence[Option]
"""The legal ways to go on at one point of an answer; never empty."""


class Entry(NamedTuple):
    """A reward that came due with event `seq`. Amounts are the component's own units, not yet weighted."""

    seq: int
    component: str
    amount: float


@dataclass(frozen=True)
class Component:
    """One named part of the reward."""

    help: str
    final: bool = False
    """True if it rewards the final position, not a single step."""


@dataclass(frozen=True)
class Rewards:
    """A measure of a game's events for a seat."""

    components: Mapping[str, Component]
    settings: Mapping[str, float]
    """Names and defaults of the numbers that the components depend on: a threshold, a bonus by rank."""
    ledger: Callable[[Iterable[tuple[int, str, Mapping[str, Any]]], SeatId, Mapping[str, float]], Sequence[Entry]]
    """(the episode's game events as (seq, type, data) in order, seat, settings) -> every entry, in order of `seq`.

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
    """The reasons for it in full sentences, for analysts; may be empty."""


@dataclass(frozen=True)
class Search(Generic[G]):
    """A search at play time: it evaluates the proposals of a policy, and answers in its place."""

    choose: Callable[[G, SeatId, Sequence[Action], Random], Searched]
    """(game, seat, the policy's proposals, random stream) -> the seat's action and its reasons."""
    slow: bool = False
    """True if an answer takes so long that a server computes it in a process of its own."""


@dataclass(frozen=True)
class Training(Generic[G]):
    """The value that `GameSpec.training` returns."""

    lead: Callable[[G, SeatId], str]
    """(game, seat) -> how the JSON of every answer begins, up to the first choice."""
    slots: Callable[[G, SeatId, Sequence[str]], Sequence[Slot]]
    """(game, seat, words chosen so far) -> the slots that come next, which do not depend on each other; none where the
    answer is whole. The lead and the chosen options' texts are then JSON that the game's `ReplyForm` reads."""
    words: Callable[[G, SeatId, Action], Sequence[str] | None]
    """(game, seat, action) -> the words of the answer with the same effect, to be imitated; None if there is none."""
    vocabulary: Sequence[str]
    """Every word of the shorthand, in a fixed order. Some contain a space: a reader takes the longest match."""
    shorthand: Callable[[G, SeatId], str]
    """(game, seat) -> the moment in these words: what all may know first, the seat and what it alone knows last."""
    features: Callable[[G, SeatId], Mapping[str, float]]
    """(game, seat) -> a few numbers about the position before the choice, to group similar positions."""
    clock: Callable[[G], float]
    """(game) -> the time since the start of the match, in `unit`s."""
    unit: str
    """The unit of horizons: `year`, `over`."""
    rewards: Rewards
    older: Sequence[Shorthand] = ()
    """Earlier shorthands. Their vocabularies differ, so a saved policy's words tell which one it reads."""
    search: Search[G] | None = None
    """The search at play time that a trained player's option `search` turns on; None where the game has none."""

    def shorthand_of(self, vocabulary: Sequence[str]) -> Callable[[G, SeatId], str] | None:
        """Return the shorthand, the present one or an earlier, that has this vocabulary; None if none has it."""
        forms = (Shorthand(self.vocabulary, self.shorthand), *self.older)
        return next((form.write for form in forms if tuple(form.vocabulary) == tuple(vocabulary)), None)


def answer(training: Training[G], game: G, seat: SeatId, words: Sequence[str]) -> str:
    """Return the JSON of the answer that `words` make. Raise ValueError naming the word that cannot be chosen."""
    text, done = training.lead(game, seat), 0
    while slots := training.slots(game, seat, words[:done]):
        for slot in slots:
            if done == len(words):
                raise ValueError(f"the answer is not whole after {words!r}")
            texts = {option.word: option.text for option in slot}
            if words[done] not in texts:
                raise ValueError(f"{words[done]!r} is none of {', '.join(texts)}")
            text += texts[words[done]]
            done += 1
    if done < len(words):
        raise ValueError(f"the answer is whole before {words[done]!r}")
    return text

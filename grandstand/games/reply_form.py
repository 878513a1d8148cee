"""The prompts for a language model and the reader of its answer. All but the text follows from the choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self

from grandstand.games import offered
from grandstand.games.answers import WRAPPERS, read, value_of
from grandstand.games.base import Action, IllegalAction, Json, SeatId
from grandstand.games.choices import OBJECT, REASONING, Chosen, Grammar, Layout, Slot, Value
from grandstand.games.game import G
from grandstand.games.prompts import PromptPart, PromptSettings, joined


@dataclass(frozen=True)
class Aside(Generic[G]):
    """A field of an answer in which a model writes for itself, such as notes.

    An error in it never invalidates the answer.
    """

    system: str
    """The passage of the system prompt on it."""
    part: Callable[[G, SeatId], str]
    """(game, seat) -> the part of the next prompts."""
    schema: Callable[[Json, G, SeatId], Json]
    """(the answer's schema, game, seat) -> the schema with this field."""
    read: Callable[[G, SeatId, Mapping[str, Any], Sequence[Action]], Sequence[Action]]
    """(game, seat, answer, the actions in it) -> the actions with the field. Never raises."""
    listed: str = ""
    """The key of the answers that have it (`Layout.listed`), if only some have it; the part is in all prompts."""


@dataclass(frozen=True)
class ReplyForm(Generic[G]):
    """The prompt for an action, in play and in training, and the shape of the answer."""

    system: Callable[[G, SeatId], str]
    """(game, seat) -> the system prompt, the same for the whole match: the task, and the form of the answer."""
    parts: Callable[[G, SeatId, PromptSettings], Sequence[PromptPart]]
    """(game, seat, settings) -> the moment in named parts, in order, with the legal choices where they fit."""
    layout: Layout = OBJECT
    """The shape of an answer."""
    choices: Callable[[G, SeatId, Chosen], Sequence[Slot]] = lambda game, seat, chosen: game.choices(seat, chosen)
    """(game, seat, choices so far) -> the next slots."""
    action: Callable[[G, SeatId, Chosen], Action] = lambda game, seat, chosen: game.action(seat, chosen)
    """(game, seat, a complete answer) -> its action."""
    needless: Mapping[str, str] = field(default_factory=dict)
    """Options of the first slot that models need not choose -> why. They are not offered, and ignored in an answer."""
    least: int = 1
    """The least number of answers in a list."""
    strict: bool = True
    """True if a key that names no slot makes an answer invalid."""
    asides: tuple[Aside[G], ...] = ()

    def beside(self, aside: Aside[G]) -> Self:
        """Return the form with an aside."""
        return replace(self, asides=(*self.asides, aside))

    def grammar(self, game: G, seat: SeatId) -> Grammar:
        """Return the choices, without the needless ones."""
        return offered.without(self._whole(game, seat), self.needless)

    def _whole(self, game: G, seat: SeatId) -> Grammar:
        return lambda chosen: self.choices(game, seat, chosen)

    def system_prompt(self, game: G, seat: SeatId) -> str:
        """Return the system prompt, with the passages on the asides."""
        return "\n".join([self.system(game, seat), *(aside.system for aside in self.asides if self._asks(aside))])

    def all_parts(self, game: G, seat: SeatId, settings: PromptSettings) -> list[PromptPart]:
        """Return the parts, those of the asides first."""
        own = [PromptPart("notes", aside.part(game, seat)) for aside in reversed(self.asides)]
        return [*own, *self.parts(game, seat, settings)]

    def prompt(self, game: G, seat: SeatId) -> str:
        """Return the moment as one text, with the game's own settings."""
        return joined(self.all_parts(game, seat, PromptSettings()))

    def keys(self, game: G, seat: SeatId) -> tuple[str, ...]:
        """Return the keys of which every answer has one; a bare list is the value of the first. Without keys
        any object is an answer."""
        if not self.layout.listed:
            return ()
        names = [slot.name for slot in self.grammar(game, seat)({})]
        return (self.layout.listed, *names, *(key for key in WRAPPERS if key not in names))

    def schema(self, game: G, seat: SeatId) -> Json:
        """Return the answer's JSON schema, every property required and no others."""
        schema = offered.schema(self.grammar(game, seat), self.layout)
        for aside in filter(self._asks, self.asides):
            schema = aside.schema(schema, game, seat)
        return schema

    def legal(self, game: G, seat: SeatId) -> dict[str, Json]:
        """Return the current choices as data, in the shape of an answer."""
        return offered.legal(self._whole(game, seat), self.layout)

    def tools(self, game: G, seat: SeatId, taken: Collection[str] = ()) -> list[Json]:
        """Return the current choices as tools with names that are not `taken`."""
        return offered.tools(self._whole(game, seat), taken)

    def called(
        self, game: G, seat: SeatId, tool: str, arguments: Mapping[str, Any], taken: Collection[str] = ()
    ) -> Action:
        """Return the action of a call of one of `tools`. Raise IllegalAction naming the part at fault."""
        grammar = self._whole(game, seat)
        chosen = read(grammar, offered.called(grammar, tool, arguments, taken))
        return self.action(game, seat, chosen)

    def read(self, game: G, seat: SeatId, answer: Json) -> Sequence[Action]:
        """Return the actions in an answer, each legal after the ones before. An answer that is an action of the game is
        taken as it is; any other is read by the choices. Raise IllegalAction naming the part at fault."""
        answer = self._opened(answer)
        actions: list[Action] = []
        game_then = game.clone()
        for name, item in self._items(game, seat, answer):
            try:
                action = self._action(game_then, seat, item)
                game_then.apply(seat, action)
            except IllegalAction as error:
                raise IllegalAction(f"{name}.{error.field}" if name else error.field, error.reason) from None
            actions.append(action)
        result: Sequence[Action] = actions
        for aside in filter(self._asks, self.asides):
            result = aside.read(game, seat, answer if isinstance(answer, Mapping) else {}, result)
        return result

    def answer(self, game: G, seat: SeatId, *actions: Action) -> dict[str, Json]:
        """Return an answer that `read` reads as the actions: one, or several where the layout lists answers.

        An action that is a message is written without its key.
        """
        layout = self.layout
        if layout.listed and layout.keyed:
            return {layout.listed: [action.get("message", action) for action in actions]}
        (action,) = actions
        chosen = game.chosen(seat, action) or action
        if not layout.listed:
            return dict(chosen)
        return {**action, **{name: chosen[name] for name in layout.beside if name in chosen}}

    def _asks(self, aside: Aside[G]) -> bool:
        return aside.listed in ("", self.layout.listed)

    def _opened(self, answer: Json) -> Json:
        """Return the answer under one of WRAPPERS, which may have reasoning beside it; `answer` itself without one."""
        while isinstance(answer, Mapping) and len(others := [key for key in answer if key != REASONING]) == 1:
            inner = answer[others[0]]
            if others[0] not in WRAPPERS or not isinstance(inner, Mapping | list):
                break
            answer = inner
        return answer

    def _items(self, game: G, seat: SeatId, answer: Json) -> list[tuple[str, Json]]:
        """Return the answers in a list, each with its name in refusals, or the one answer."""
        key = self.layout.listed
        listed = answer.get(key) if isinstance(answer, Mapping) and key in answer else answer
        if not key or not self.layout.keyed or (listed is answer and not isinstance(answer, list)):
            return [("", answer)]
        if not isinstance(listed, list) or len(listed) < self.least:
            raise IllegalAction(key, f"must be a list of objects with {', '.join(self._names(game, seat))}")
        items = [(f"{key}[{at}]", item) for at, item in enumerate(listed)]
        if not self.needless:
            return items
        kept = [(name, item) for name, item in items if self._needless(game, seat, item) is None]
        if not kept:
            raise IllegalAction(key, str(self._needless(game, seat, listed[0])))
        return kept

    def _needless(self, game: G, seat: SeatId, item: Json) -> str | None:
        """Return why the answer's choice is needless; None if it is not."""
        names = self._names(game, seat)
        word = item.get(names[0]) if names and isinstance(item, Mapping) else item
        return self.needless.get(word) if isinstance(word, str) else None

    def _names(self, game: G, seat: SeatId) -> list[str]:
        names = [slot.name for slot in self.grammar(game, seat)({})]
        return [*names, self.layout.nested] if self.layout.nested else names

    def _action(self, game: G, seat: SeatId, item: Json) -> Action:
        grammar = self.grammar(game, seat)
        refusal = None
        if own := self._own(grammar, item):
            try:
                game.clone().apply(seat, own)
                return own
            except IllegalAction as error:
                refusal = error
        try:
            return self.action(game, seat, read(grammar, self._named(grammar, item), (self.layout.listed,)))
        except IllegalAction as error:
            raise refusal or error from None

    def _named(self, grammar: Grammar, item: Json) -> Json:
        """Return what is read by the choices; an object that chooses nothing is refused."""
        if not isinstance(item, Mapping):
            return item
        given = {name: value for name, value in item.items() if name != REASONING and value is not None}
        if not self.strict:
            given = {name: given[name] for name in offered.reachable(grammar) if name in given}
        if not given and grammar({}):
            raise IllegalAction(self.layout.listed or grammar({})[0].name, "is missing")
        return given

    def _own(self, grammar: Grammar, item: Json) -> Action | None:
        """Return the answer as an action in the layout's shape; None if it has another."""
        listed, nested = self.layout.listed, self.layout.nested
        slots = {slot.name: slot for slot in grammar({})}
        if not isinstance(item, Mapping) or not slots:
            return None
        if nested and (first := next(iter(slots))) in item:
            word = _valid(slots[first], item)
            if word is not None and not item.keys().isdisjoint(offered.reachable(grammar, {first: word})):
                return None
            arguments = item.get(nested) or {}
            if isinstance(arguments, Mapping):
                arguments = {name: value for name, value in arguments.items() if value is not None}
            return {first: item[first], nested: arguments}
        if self.layout.keyed or listed not in item:
            return None
        beside = {name: value for name in self.layout.beside if (value := _valid(slots.get(name), item)) is not None}
        return {listed: _listed(item[listed]), **beside}


def _valid(slot: Slot | None, item: Mapping[str, Any]) -> Value | None:
    """Return the answer's value for the slot; None if it is not possible."""
    try:
        return None if slot is None or slot.name not in item else value_of(slot, item[slot.name])
    except IllegalAction:
        return None


def _listed(words: Any) -> Any:
    """Return words as a list that are written as lines, or by the slot: `{"A PAR": "- BUR"}`."""
    if isinstance(words, Mapping):
        return [
            word if not isinstance(word, str) or word.startswith(name) else f"{name} {word}"
            for name, word in words.items()
        ]
    if isinstance(words, str):
        words = re.split(r"[;\n]", words)
        return [word for text in words if (word := text.strip(" ,;*"))]
    return [word for word in words if word != ""] if isinstance(words, list) else words

"""Checks of a game for its author's tests: whole matches, in which everything that every game must keep is tried.

```python
def test_the_game() -> None:
    check(GAME)
```
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from grandstand.games import answers, choices
from grandstand.games.base import Action, G, Game, GameEvent, IllegalAction, Json, SeatId
from grandstand.games.choices import Chosen, Grammar, Many, Pick, Slot, Text
from grandstand.games.match import Match, event_data
from grandstand.games.picture import names
from grandstand.games.spec import GameSpec

OFTEN = 0.1
"""The share of decisions at which copies and refusals are tried."""


class GameFault(AssertionError):
    """Something that no game may do; the message says when and what."""


def check(spec: GameSpec[G], options: Mapping[str, Any] | None = None, seeds: Iterable[int] = range(4)) -> None:
    """Play matches of each seed by choices drawn at random and by the built-in players, and one by default answers.

    Raises GameFault for the first thing that is wrong.
    """
    for seed in seeds:
        check_choices(spec, options or {}, seed)
        check_players(spec, options or {}, seed)
    check_defaults(spec, options or {})


def check_choices(spec: GameSpec[G], options: Mapping[str, Any], seed: int) -> None:
    """Play a match by choices drawn at random, and again by the same ones. Raises GameFault."""
    rng = Random(seed)
    match, again = Match(spec, options, seed), Match(spec, options, seed)
    _same(match, _data(match.opening(), spec), _data(again.opening(), spec))
    while not match.over:
        seat = rng.choice(match.waiting)
        chosen = choices.drawn(grammar(match.game, seat), rng)
        action = _action(match, seat, chosen)
        if rng.random() < OFTEN:
            _check_copies(match, seat, chosen)
            _check_refusals(match, seat)
        for other in (other for other in match.seats if other not in match.waiting):
            _need(match, not match.game.choices(other, {}), f"{other} has choices, and the match does not wait for it")
        twin = match.game.clone()
        before = twin.digest()
        _same(match, _data(match.apply(seat, action), spec), _data(again.apply(seat, action), spec))
        _need(match, match.game.digest() == again.game.digest(), "the same choices lead to another position")
        _need(match, twin.digest() == before, f"{action} changed a copy of the game")
    outcome = match.game.outcome
    _need(match, outcome is not None and set(outcome.scores) == set(match.seats), "the outcome scores every seat")
    _need(match, not match.waiting, f"the match is over and waits for {', '.join(match.waiting)}")


def check_defaults(spec: GameSpec[G], options: Mapping[str, Any], seed: int = 9) -> None:
    """Play a match by default answers. Raises GameFault."""
    match = Match(spec, options, seed)
    while not match.over:
        seat = match.waiting[0]
        _played(match, seat, match.game.action(seat, choices.default(grammar(match.game, seat))), "the default answer")


def check_players(spec: GameSpec[G], options: Mapping[str, Any], seed: int) -> None:
    """Play a match with a built-in player in each seat, those that answer at once in turn. Raises GameFault."""
    match = Match(spec, options, seed)
    names = [name for name in spec.bots.players if name not in spec.bots.slow]
    players = {seat: names[(number + seed) % len(names)] for number, seat in enumerate(match.seats)}
    while not match.over:
        seat, before = match.waiting[0], match.game.digest()
        action = spec.bots.players[players[seat]](match.game, seat, match.rng(seat))
        _need(match, match.game.digest() == before, f"{players[seat]} changed the game that it was asked about")
        _played(match, seat, action, players[seat])


def grammar(game: Game, seat: SeatId) -> Grammar:
    """Return the choices of `seat` as a grammar."""
    return lambda chosen: game.choices(seat, chosen)


def _action(match: Match[G], seat: SeatId, chosen: Chosen) -> Action:
    """Return the action that `chosen` makes, after checking that each can be told from the other."""
    game = match.game
    _need(match, bool(chosen), f"{seat} has no choices, and the match waits for it")
    read = answers.read(grammar(game, seat), json.loads(json.dumps(chosen)))
    _need(match, read == chosen, f"{chosen} is read as {read}")
    action = game.action(seat, chosen)
    made = game.chosen(seat, action)
    _need(match, made is not None and game.action(seat, made) == action, f"{action} chooses {made}")
    _need(match, made is not None and chosen.items() <= made.items(), f"{chosen} becomes {made}")
    observation = game.observation(seat)
    _need(match, json.loads(json.dumps(observation)) == observation, f"the observation is not JSON: {observation}")
    _need(match, bool(game.text(seat)), "text is empty")
    if match.spec.picture.draw is not None:
        drawn = names(match.spec.picture.draw(game, seat))
        for slot in (slot for stage in stages(game, seat, chosen) for slot in stage if isinstance(slot, Pick | Many)):
            for target in {place for option in slot.options for place in option.target.split()} - drawn:
                _need(match, False, f"{slot.name} is chosen at {target!r}, which is not in the picture of {seat}")
    return action


def _check_copies(match: Match[G], seat: SeatId, chosen: Chosen) -> None:
    """Check that a clone, and a game that was written and read again, offer the same."""
    game = match.game
    loaded = match.spec.rules.load(json.loads(json.dumps(game.to_json())))
    for name, copy in (("clone", game.clone()), ("load", loaded)):
        _need(match, copy.digest() == game.digest(), f"{name} gives another position")
        _need(match, stages(copy, seat, chosen) == stages(game, seat, chosen), f"{name} gives other choices")


def _check_refusals(match: Match[G], seat: SeatId) -> None:
    """Check that what is no answer is refused, and changes nothing."""
    game, before = match.game, match.game.digest()
    wrong: list[tuple[SeatId, Action]] = [(seat, {"nothing": "of this"}), (seat, {})]
    wrong += [(other, game.default_action(other)) for other in match.seats if other not in match.waiting]
    for player, action in wrong:
        try:
            game.apply(player, action)
        except IllegalAction:
            _need(match, game.digest() == before, f"{action} of {player} is refused, and changes the game")
            continue
        raise GameFault(f"{_when(match)}: {action} of {player} is not refused")
    for slot in game.choices(seat, {}):
        _need(match, isinstance(slot, Text) or not choices.offers(slot, "no such word"), f"{slot.name} takes any word")


def stages(game: Game, seat: SeatId, chosen: Chosen) -> list[list[Slot]]:
    """Return the slots of each stage on the way to an answer."""
    asked: list[list[Slot]] = []

    def recording(before: Chosen) -> list[Slot]:
        slots = list(game.choices(seat, before))
        asked.append(slots)
        return slots

    choices.fill(recording, lambda slot: chosen[slot.name])
    return asked


def _played(match: Match[G], seat: SeatId, action: Action, who: str) -> None:
    try:
        match.apply(seat, action)
    except IllegalAction as error:
        raise GameFault(f"{_when(match)}: {who} of {seat} is refused: {error}") from error


def _data(events: Sequence[GameEvent], spec: GameSpec[G]) -> list[Json]:
    """Return events as data, after checking that the game names their types and that they are JSON."""
    for event in events:
        if type(event) not in spec.events:
            raise GameFault(f"{type(event).__name__} is not among Rules.events")
    data = [event_data(event) for event in events]
    if json.loads(json.dumps(data)) != data:
        raise GameFault(f"the events are not JSON: {data}")
    return data


def _same(match: Match[G], events: Json, again: Json) -> None:
    _need(match, events == again, f"the same choices give other events: {events} and {again}")


def _need(match: Match[G], holds: bool, fault: str) -> None:
    if not holds:
        raise GameFault(f"{_when(match)}: {fault}")


def _when(match: Match[G]) -> str:
    return f"{match.spec.name}, seed {match.seed}, {match.game.turn}"

"""Checks of a game for its author's tests: whole matches, in which the requirements of every game are tested.

```python
def test_the_game() -> None:
    check(GAME)
```
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from grandstand.games import answers, choices
from grandstand.games.base import Action, GameEvent, IllegalAction, Json, SeatId
from grandstand.games.choices import Chosen, Grammar, Many, Number, Pick, Slot, Text, Value
from grandstand.games.game import G, Game
from grandstand.games.match import Match, event_data
from grandstand.games.picture import PictureSeen, names
from grandstand.games.spec import GameSpec

OFTEN = 0.1
"""The share of decisions at which copies, refusals and secrets are checked."""
DEALS = 12
"""Number of seeds that are compared with one, to find private deals of chance that leak."""


class GameFault(AssertionError):
    """A game breaks a requirement; the message says when and which."""


def check(spec: GameSpec[G], options: Mapping[str, Any] | None = None, seeds: Iterable[int] = range(4)) -> None:
    """Play matches of each seed by choices drawn at random and by the built-in players, and one by default answers.

    Raises GameFault for the first thing that is wrong.
    """
    for seed in seeds:
        check_choices(spec, options or {}, seed)
        check_players(spec, options or {}, seed)
        check_deals(spec, options or {}, seed)
    check_defaults(spec, options or {})


def check_choices(spec: GameSpec[G], options: Mapping[str, Any], seed: int) -> None:
    """Play a match by choices drawn at random, and again by the same ones. Raises GameFault."""
    rng, aside = Random(seed), Random(f"{seed}/aside")
    match, again = Match(spec, options, seed), Match(spec, options, seed)
    _same(match, _data(match.opening(), spec), _data(again.opening(), spec))
    while not match.over:
        seat = rng.choice(match.waiting)
        chosen = choices.drawn(grammar(match.game, seat), rng)
        action = _action(match, seat, chosen)
        if rng.random() < OFTEN:
            _check_copies(match, seat, chosen)
            _check_refusals(match, seat)
            _check_wrong_answers(match, seat, chosen, aside)
            _check_secrets(match, seat, action, aside)
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


def check_deals(spec: GameSpec[G], options: Mapping[str, Any], seed: int) -> None:
    """Play a match beside others of which a seat knows the same, but another seat does not: the seat is shown the same
    until it knows of a difference, or the match is over. Raises GameFault."""
    for other in range(seed + 1, seed + DEALS):
        for viewer in spec.seats(options):
            _check_deal(Match(spec, options, seed), Match(spec, options, other), viewer)


def grammar(game: Game, seat: SeatId) -> Grammar:
    """Return the choices of `seat` as a grammar."""
    return lambda chosen: game.choices(seat, chosen)


def _action(match: Match[G], seat: SeatId, chosen: Chosen) -> Action:
    """Return the action that `chosen` makes, after checking that each determines the other."""
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
    """Check that a clone, and a game restored from JSON, offer the same choices."""
    game = match.game
    loaded = match.spec.rules.load(json.loads(json.dumps(game.to_json())))
    for name, copy in (("clone", game.clone()), ("load", loaded)):
        _need(match, copy.digest() == game.digest(), f"{name} gives another position")
        _need(match, stages(copy, seat, chosen) == stages(game, seat, chosen), f"{name} gives other choices")


def _check_refusals(match: Match[G], seat: SeatId) -> None:
    """Check that malformed answers are refused and change nothing."""
    game, before = match.game, match.game.digest()
    wrong: list[tuple[SeatId, Action]] = [(seat, {"nothing": "of this"})]
    if any(not isinstance(slot, Text) and slot.default is None for slot in game.choices(seat, {})):
        wrong.append((seat, {}))
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


def _check_wrong_answers(match: Match[G], seat: SeatId, chosen: Chosen, rng: Random) -> None:
    """Check that an answer with a fault in one slot is refused, as it is and as the action that it makes."""
    game = match.game
    slot = rng.choice([slot for stage in stages(game, seat, chosen) for slot in stage])
    wrong: list[Chosen] = [{**chosen, slot.name: _not_offered(slot)}, {**chosen, "no such slot": "1"}]
    for answer in wrong:
        try:
            made = game.action(seat, answer)
        except (IllegalAction, LookupError, TypeError, ValueError):
            continue  # an incomplete answer makes no action
        if game.chosen(seat, made) is None:
            _check_refused(match, f"{made} of {seat}", partial(game.apply, seat, made))
    if not isinstance(slot, Text) and slot.default is None:
        wrong.append({name: value for name, value in chosen.items() if name != slot.name})
    for answer in wrong:
        data = json.loads(json.dumps(answer))
        _check_refused(match, f"the answer {answer}", partial(answers.read, grammar(game, seat), data))


def _not_offered(slot: Slot) -> Value:
    """Return a value that the slot does not take."""
    if isinstance(slot, Number):
        return slot.high + slot.step
    if isinstance(slot, Text):
        return "x" * (slot.limit + 1)
    return "no such word" if isinstance(slot, Pick) else ("no such word".ljust(slot.free + 1, "x"),)


def _check_refused(match: Match[G], what: str, attempt: Callable[[], object]) -> None:
    before = match.game.digest()
    try:
        attempt()
    except IllegalAction as error:
        _need(match, bool(error.field), f"{what} is refused without the name of a field")
        _need(match, match.game.digest() == before, f"{what} is refused, and changes the game")
        return
    raise GameFault(f"{_when(match)}: {what} is not refused")


def _check_secrets(match: Match[G], seat: SeatId, action: Action, rng: Random) -> None:
    """Check what the other seats know after `action` against what they know after another action of the seat.

    A secret is a word that the game's events for others have after `action` alone. If an event or a picture tells a
    seat a secret, its observation or text has it too. A seat that is told the same after both, where others are told
    events of the same types, knows no secret.
    """
    game = match.game
    other = game.action(seat, choices.drawn(grammar(game, seat), rng))
    ways, events = zip(*(_branch(match, seat, each) for each in (action, other)), strict=True)
    if any(way.over for way in ways):
        return
    for viewer in (viewer for viewer in match.seats if viewer != seat):
        hidden, hidden_else = (_untold(each, viewer) for each in events)
        told, told_else = (_told(each, viewer) for each in events)
        known, known_else = (_words([way.game.observation(viewer), way.game.text(viewer)]) for way in ways)
        secret = _words(hidden) - _words(hidden_else)
        leak, where = secret & (_words(told) - _words(told_else)) - known, "an event or a picture"
        if told == told_else and _kinds(hidden) == _kinds(hidden_else):
            leak, where = secret & (known - known_else), "its observation or text"
        _need(match, not leak, f"{where} tells {viewer} a secret of {action} of {seat}: {', '.join(sorted(leak))}")


def _branch(match: Match[G], seat: SeatId, action: Action) -> tuple[Match[G], list[GameEvent]]:
    """Return a copy of the match after `action`, and its events."""
    way, before = match.fork(), match.game.digest()
    events = way.apply(seat, action)
    _need(match, match.game.digest() == before, f"{action} changed a copy of the game")
    return way, events


def _check_deal(one: Match[G], two: Match[G], viewer: SeatId) -> None:
    """Check that a seat is shown the same in two matches that it cannot distinguish."""
    rng = Random(one.seed)
    alike = all(one.game.observation(seat) == two.game.observation(seat) for seat in one.seats)
    events = [one.opening(), two.opening()]
    while not alike and one.game.observation(viewer) == two.game.observation(viewer):
        for shown, in_one, in_two in (
            ("its events and pictures", *(_told(each, viewer) for each in events)),
            ("its text", one.game.text(viewer), two.game.text(viewer)),
            ("its choices", one.game.choices(viewer, {}), two.game.choices(viewer, {})),
        ):
            _need(one, in_one == in_two, f"what {viewer} may not know changes {shown}: {in_one} and {in_two}")
        seat = one.waiting[0]
        action = one.game.action(seat, choices.drawn(grammar(one.game, seat), rng))
        try:
            events = [one.apply(seat, action), two.apply(seat, action)]
        except IllegalAction:
            return  # the seat that acts has other choices there
        if one.over or two.over or one.waiting != two.waiting:
            return


def _told(events: Sequence[GameEvent], seat: SeatId) -> list[tuple[str, Json]]:
    """Return the events and pictures that a seat may know, as data."""
    return [(type(event).__name__, event_data(event)) for event in events if _knows(seat, event)]


def _untold(events: Sequence[GameEvent], seat: SeatId) -> list[tuple[str, Json]]:
    """Return the events of the game that a seat may not know, as data."""
    untold = (event for event in events if not _knows(seat, event) and not isinstance(event, PictureSeen))
    return [(type(event).__name__, event_data(event)) for event in untold]


def _kinds(events: Sequence[tuple[str, Json]]) -> list[str]:
    return [kind for kind, _ in events]


def _knows(seat: SeatId, event: GameEvent) -> bool:
    seats = event.seats()
    return seats is None or seat in seats


def _words(data: Json) -> set[str]:
    """Return the words and numbers in data."""
    return set(re.findall(r"\w+", json.dumps(data, ensure_ascii=False).replace(r"\n", " ")))


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

"""Matches of Diplomacy with their story: of built-in players with seeded press, of saved games, and of records."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from grandstand.games.base import GameEvent
from grandstand.games.diplomacy.bots import POLICIES
from grandstand.games.diplomacy.events import PactOffered, PhaseAdvanced
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.record.saved_game import saved_game_events, saved_game_outcome
from grandstand.games.diplomacy.rules.map import POWER, POWERS
from grandstand.games.diplomacy.rules.orders import Order, order_text
from grandstand.games.diplomacy.story import DiplomacyStory
from grandstand.games.diplomacy.story.teller import CLOSING
from grandstand.games.match import event_data
from grandstand.games.story import Comment, StoryEvent, Telling
from grandstand.models import flat
from grandstand.play.commentator import DERIVED
from grandstand.spectator.replay import from_lines

LINE_UP = ("coordinated", "coordinated", "defensive", "territorial", "dumbbot", "dumbbot", "dumbbot")
FIELDS = ("line-up", "mixed", "random")
"""Fields by turns: the line-up in seats that are drawn, one with players who move at random, and those alone. Random
players support each other, which the others hardly do."""


@dataclass
class Played:
    """A match with its story, told turn by turn as it is played."""

    events: list[StoryEvent] = field(default_factory=list)
    telling: list[tuple[int, Sequence[Telling]]] = field(default_factory=list)
    """The facts, comments and outlook of each part, after the number of its last event."""
    seconds: list[float] = field(default_factory=list)
    """The cost of each turn."""


def comments(played: Played) -> list[Comment]:
    """Return the comments of a match, in order."""
    return [item for _, telling in played.telling for item in telling if isinstance(item, Comment)]


def play(seed: int, last_year: int = 1920) -> Played:
    """Play a match and tell it."""
    rng = Random(f"story/{seed}")
    names, kind = ["random"] * len(POWERS), FIELDS[seed % len(FIELDS)]
    if kind == "line-up":
        names = rng.sample(LINE_UP, len(LINE_UP))
    elif kind == "mixed":
        names = [rng.choice(("coordinated", "dumbbot", "random")) for _ in POWERS]
    game = DiplomacyGame(DiplomacyOptions(last_year=last_year))
    played, story = Played(), DiplomacyStory(f"diplomacy-{seed}")
    batch = [_core(0, "EpisodeCreated", {"options": {"last_year": last_year}})]
    batch += _numbered(game.opening(), 1)
    while True:
        seq = batch[-1].seq if batch else played.events[-1].seq
        if game.outcome is None:
            batch.append(_core(seq + 1, "TurnStarted", {"turn": game.turn}))
        else:
            batch.append(_core(seq, "EpisodeEnded", {"outcome": event_data(game.outcome)}))  # type: ignore[arg-type]
        _tell(story, batch, played)
        if game.outcome is not None:
            return played
        batch = _numbered(_play_turn(game, names, rng), played.events[-1].seq + 1)


def tell_saved(saved: Mapping[str, Any], last_year: int = 1935) -> Played:
    """Tell a saved game, as a match that was played here."""
    played, story = Played(), DiplomacyStory(str(saved["id"]))
    batch = [_core(0, "EpisodeCreated", {"options": {"last_year": last_year}})]
    for event in saved_game_events(saved):
        batch += _numbered([event], batch[-1].seq + 1 if batch else played.events[-1].seq + 1)
        if isinstance(event, PhaseAdvanced):
            batch.append(_core(batch[-1].seq + 1, "TurnStarted", {"turn": event.phase}))
            _tell(story, batch, played)
            batch = []
    outcome = saved_game_outcome(saved)
    ended = {"outcome": None if outcome is None else event_data(outcome)}  # type: ignore[arg-type]
    _tell(story, [*batch, _core((batch or played.events)[-1].seq, "EpisodeEnded", ended)], played)
    return played


def tell_record(file: Path) -> Played:
    """Tell the match of a recording with all secrets, its events in numbers of their own."""
    with file.open(encoding="utf-8") as lines:
        recorded = [event for event in flat(from_lines(lines).events) if event.type not in DERIVED]
    played, story, batch = Played(), DiplomacyStory(recorded[0].episode_id), list[StoryEvent]()
    for event in recorded:
        if event.audience == "public" or isinstance(event.audience, list):
            audience = None if event.audience == "public" else frozenset(event.audience)
            seq = len(played.events) + len(batch)
            batch.append(StoryEvent(seq - (event.type == "EpisodeEnded"), event.type, event.data, audience))
        if batch and event.type in CLOSING:
            _tell(story, batch, played)
            batch = []
    return played


def saved_games(file: Path) -> list[dict[str, Any]]:
    """Return the saved games of a compressed file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _core(seq: int, kind: str, data: dict[str, Any]) -> StoryEvent:
    return StoryEvent(seq, kind, data)


def _numbered(events: Sequence[GameEvent], seq: int) -> list[StoryEvent]:
    return [
        StoryEvent(number, type(event).__name__, event_data(event), event.seats())
        for number, event in enumerate(events, seq)
    ]


def _tell(story: DiplomacyStory, batch: Sequence[StoryEvent], played: Played) -> None:
    began = time.process_time()
    telling = story.tell(batch)
    played.seconds.append(time.process_time() - began)
    played.events += batch
    played.telling.append((batch[-1].seq, telling))


def _play_turn(game: DiplomacyGame, names: Sequence[str], rng: Random) -> list[GameEvent]:
    """Play one phase: in movement phases, first promises, then orders, which break some of them."""
    state, events = game.state, list[GameEvent]()
    orders = {power: POLICIES[names[power]](state, power, rng) for power in state.to_act()}
    if state.name.endswith("M"):
        for power in orders:
            events += _promise(game, power, orders[power], rng)
    for power in orders:
        texts = [order_text(order) for order in orders[power].values()]
        events += game.apply(POWERS[power], {"orders": texts})
    return events


def _promise(game: DiplomacyGame, power: int, orders: Mapping[int, Order], rng: Random) -> list[GameEvent]:
    others = [name for name in POWERS if name != POWERS[power] and game.in_play(POWER[name])]
    if not orders or not others or rng.random() < 0.6:
        return []
    order = rng.choice(list(orders.values()))
    if rng.random() < 0.3:
        order = rng.choice(game.state.legal_orders()[next(at for at, it in orders.items() if it == order)])
    message: dict[str, Any] = {"text": "You have my word.", "promises": [order_text(order)]}
    message["to"] = "all" if rng.random() < 0.2 else rng.sample(others, min(len(others), rng.choice((1, 1, 2))))
    if order not in orders.values():
        message["lies"] = message["promises"]
    events = game.apply(POWERS[power], {"message": message})
    if message["to"] != "all" and rng.random() < 0.3:
        events += _pact(game, power, message, rng)
    return events


def _pact(game: DiplomacyGame, power: int, message: Mapping[str, Any], rng: Random) -> list[GameEvent]:
    """Offer the promised order as a pact, which the others accept, and take a note."""
    offer = {"text": "A pact?", "to": message["to"], "pact": message["promises"]}
    events = game.apply(POWERS[power], {"message": offer})
    name = next(event.pact for event in events if isinstance(event, PactOffered))
    for other in message["to"]:
        parties = [POWERS[power], *(third for third in message["to"] if third != other)]
        answer = {"text": "Agreed.", "to": parties, "pact": [f"ACCEPT {name}"]}
        events += game.apply(other, {"message": answer})
    note = f"The pact is {rng.choice(('good', 'bad', 'dear'))} for me."
    return [*events, *game.apply(POWERS[power], {"notes": {"text": note}})]

"""Players that make promises, keep some, break others and withdraw some, without a model or a network.

    python -m tests.support.players.promise_player

Writes the recording of a match of such players, and one of human play, for the page's tests.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.record.saved_game import saved_game_events
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event, flat_drafts
from grandstand.play.drafts import game_draft
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.bot import BotPlayer
from grandstand.players.llm.prompt import reply_form
from tests.support.players.press_player import message, play_to_end
from tests.support.source import ROOT

OPTIONS = {"last_year": 1902, "negotiation_rounds": 2}
HUMAN_GAMES = ROOT / "tests/games/diplomacy/data/human_games.jsonl.gz"
SECRET = ("ActionChosen", "SeedSet", "PlayerThinking")


class PromisePlayer(Player):
    """A player of a bot's orders, which promises them truly to the next power and falsely to the one after, and in the
    second round withdraws one promise of the first. Its very first order in Turkey is illegal."""

    name = "promiser"
    kind = "test"
    resumable = True
    talks = True

    def __init__(self, bot: BotPlayer) -> None:
        self.bot = bot

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        if seat == "TURKEY" and match.game.turn == "S1901M":
            return Choice({"orders": ["A CON - LON"]}, "heuristic")
        return await self.bot.choose(match, seat)

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        legal: Mapping[str, Sequence[str]] = reply_form(match.spec).legal(match.game, seat)["orders"]
        units = list(legal)
        seats = match.spec.seats()
        near, far = (seats[(seats.index(seat) + step) % len(seats)] for step in (1, 2))
        if not units:
            return PressReply([], "heuristic")
        if round == 1:
            messages = [
                message([near], "Here is what my first unit does.", [legal[units[0]][1]]),
                message([far], "Nothing of mine moves, on my word.", [f"{unit} H" for unit in units[:2]]),
            ]
        else:
            messages = [message([near], "On second thoughts it stays.", [f"{units[0]} H"])]
            if seat == seats[0]:
                messages.append(message("all", "I hold everywhere.", [f"{units[-1]} H"]))
        return PressReply(messages, "heuristic")


def played(seed: int = 21, **options: Any) -> list[Draft]:
    """Return the whole log of a match of seven such players."""
    chosen = OPTIONS | options
    match = Match(game_spec("diplomacy"), chosen, seed)
    bots = ("defensive", "dumbbot", "territorial", "coordinated", "defensive", "coordinated", "dumbbot")
    players: dict[SeatId, Player] = {
        seat: PromisePlayer(BotPlayer(match.spec, bot)) for seat, bot in zip(match.spec.seats(), bots, strict=True)
    }
    runner = MatchRunner(match, players)
    log = [*runner.created(chosen, title="Promises", origin="cli"), *asyncio.run(play_to_end(runner))]
    return list(flat_drafts(log))


def events(drafts: Sequence[Draft]) -> list[Event]:
    """Return the drafts as events, numbered as in a record."""
    return [
        Event(
            episode_id="promises",
            epoch=1,
            seq=seq,
            at=1e9 + seq,
            type=draft.type,
            audience=draft.audience,
            data=draft.data,
        )
        for seq, draft in enumerate(drafts)
    ]


def recorded() -> str:
    """Return the match of `played` as an analyst may know it, one event a line."""
    return _lines([event for event in events(played()) if event.type not in SECRET])


def human(last_phase: str = "W1903A") -> str:
    """Return a recorded game of human play up to a phase, as the events of a match."""
    with gzip.open(HUMAN_GAMES, "rt") as lines:
        saved = json.loads(next(lines))
    names = [phase["name"] for phase in saved["phases"]]
    read = saved_game_events(saved | {"phases": saved["phases"][: names.index(last_phase) + 1]})
    seats = [{"seat": seat, "player": "human", "kind": "human"} for seat in POWERS]
    created = {"game": "diplomacy", "title": "A recorded game", "options": {}, "seats": seats, "origin": "publisher"}
    drafts = [Draft("EpisodeCreated", created, "public"), *map(game_draft, read)]
    return _lines(events([draft for draft in drafts if draft.type != "SavedPartRead"]))


def _lines(recorded_events: Sequence[Event]) -> str:
    lines = [
        json.dumps(event.model_dump(mode="json") | {"seq": seq}, ensure_ascii=False)
        for seq, event in enumerate(recorded_events)
    ]
    return "\n".join(lines) + "\n"


FILES: Mapping[str, Callable[[], str]] = {"press.jsonl": recorded, "human.jsonl": human}
FOLDER = ROOT / "frontend/src/boards/diplomacy/fixtures"

if __name__ == "__main__":
    for name, content in FILES.items():
        (FOLDER / name).write_text(content())

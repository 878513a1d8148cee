"""Players that send press, without a model or a network."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.base import Action, SeatId
from grandstand.games.match import Match
from grandstand.models import Draft, flat_drafts
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.errors import PlayerError


class PressPlayer(Player):
    """A player that holds, and in each round of press writes one message to one power and one to all."""

    name = "talker"
    kind = "test"
    resumable = True
    talks = True

    def __init__(self, orders: Sequence[str] = (), *, silent: bool = False, broken: bool = False) -> None:
        self.orders = list(orders)
        self.silent = silent
        self.broken = broken
        self.received: list[tuple[str, int, list[str]]] = []
        """(turn, round, the texts of all messages that it had received when it was asked for press)."""

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        return Choice({"orders": self.orders if match.game.turn == "S1901M" else []}, "heuristic")

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        known = match.game.observation(seat)["messages"]
        self.received.append((match.game.turn, round, [message["text"] for message in known]))
        if self.broken:
            raise PlayerError("player", "it cannot write")
        if self.silent:
            return PressReply((), "heuristic")
        after = match.spec.seats()[(match.spec.seats().index(seat) + 1) % len(match.spec.seats())]
        return PressReply(
            [
                message(
                    [after],
                    f"{seat} to {after} in {match.game.turn}/{round}",
                    [f"{unit} H" for unit in self.units(match, seat)],
                ),
                message("all", f"{seat} to all in {match.game.turn}/{round}"),
            ],
            "heuristic",
        )

    @staticmethod
    def units(match: Match, seat: SeatId) -> list[str]:
        return [slot.name for slot in match.game.choices(seat, {}) if slot.name != "vote"]


def message(to: object, text: str, promises: Sequence[str] = ()) -> Action:
    return {"message": {"to": to, "text": text, "promises": list(promises)}}


async def play_to_end(runner: MatchRunner, *, turns: int | None = None) -> list[Draft]:
    """Return the whole log of the match, or of its first turns."""
    drafts = list(runner.started())
    runner.publish = drafts.extend
    while not runner.match.over and (turns is None or runner.match.index < turns):
        async for piece in runner.play_round():
            drafts += piece
    return drafts


def of_kind(drafts: Sequence[Draft], kind: str) -> list[Draft]:
    return [draft for draft in flat_drafts(drafts) if draft.type == kind]

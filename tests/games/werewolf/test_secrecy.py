"""Nothing that a seat or a spectator receives depends on roles that it may not know: two hidden roles are swapped, and
every byte and number stays the same."""

from __future__ import annotations

import asyncio
from itertools import combinations
from random import Random

import pytest

from grandstand.events import PlayerReport
from grandstand.games.base import SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.werewolf.game import WerewolfGame
from grandstand.models import Draft, Event, flat_drafts
from grandstand.play.commentator import commentator
from grandstand.play.runner import MatchRunner
from grandstand.players.base import AnswerProgress, Choice, Player
from grandstand.players.errors import PlayerError
from grandstand.spectator.bus import Bus
from grandstand.spectator.viewpoint import Viewpoint, redact

SEED = 4
NIGHTS = 3


class Scripted(Player):
    """Speaks and votes by the seat alone. At night it answers, thinks and fails by its role."""

    name, kind, resumable = "scripted", "test", True

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        game = match.game
        assert isinstance(game, WerewolfGame)
        rng = Random(f"{seat}/{game.turn}")
        if game.stage != "night":
            return Choice(spoken(game, seat, rng), "policy")
        role = game.roles[seat]
        for seconds in range(len(role)):
            self.watch(AnswerProgress("choosing", seconds, tokens=7 * seconds))
        report = PlayerReport(thought=role * 3)
        if role == "seer":
            raise PlayerError("provider", f"the {role} has no words", report)
        if role == "hunter":
            return Choice({"target": "nobody", "note": role}, "policy", report)  # against the rules
        targets = [option.word for option in game.choices(seat, {})[0].options]  # type: ignore[union-attr]
        target = next(name for name in ("Ada", "Ben", "Cleo", "Dan", *targets) if name in targets)
        return Choice({"target": target if role == "wolf" else targets[-1], "note": role * 2}, "policy", report)


def spoken(game: WerewolfGame, seat: SeatId, rng: Random) -> dict[str, object]:
    """Return a speech, false claims among them, or a vote."""
    others = [other for other in game.alive if other != seat]
    if game.stage in ("speech", "plea"):
        acts = [f"claim {rng.choice(list(game.dealt))}", f"saw {rng.choice(others)} clear"]
        return {"acts": acts[: rng.randint(0, 2)], "because": "votes", "text": f"{seat} speaks."}
    return {"vote": rng.choice([*(game.tied or others), "abstain"])} if game.stage == "run-off" else {"vote": "abstain"}


class Log:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_events(self, events: list[Event]) -> None:
        self.events += [event.model_copy(update={"at": 0.0}) for event in events]

    def on_released(self, episode_id: str) -> None: ...


async def played(match: Match) -> list[Event]:
    """Return the events of the first nights and days, and of the story."""
    runner = MatchRunner(match, {seat: Scripted() for seat in match.seats})
    log = Log()
    bus = Bus(log)  # type: ignore[arg-type]
    bus.open("e", 0, narrator=commentator(match.spec, "e"))
    runner.publish = lambda drafts: bus.publish("e", drafts)
    bus.publish("e", [*runner.created({}, title="", origin="cli"), *runner.started()])
    while not match.over and not match.game.turn.endswith(str(NIGHTS + 1)):
        async for drafts in runner.play_round():
            bus.publish("e", drafts)
    return log.events


def received(events: list[Event], viewpoint: str) -> list[str]:
    return [redact(event, Viewpoint.parse(viewpoint)).model_dump_json() for event in events]


def match_of(size: int = 8, seed: int = SEED) -> Match:
    return Match(game_spec("werewolf"), {"seats": size}, seed)


def roles_of(match: Match) -> dict[SeatId, str]:
    assert isinstance(match.game, WerewolfGame)
    return match.game.roles


def shown(events: list[Event]) -> set[SeatId]:
    """Return the seats that are out, whose roles are shown."""
    return {event.data["seat"] for event in events if event.type == "SeatOut"}


@pytest.mark.few(1)
@pytest.mark.parametrize("size", [8, 9])
@pytest.mark.parametrize("seed", [4, 5])
def test_two_hidden_roles_can_be_swapped_unseen(size: int, seed: int) -> None:
    plain, roles = asyncio.run(played(match_of(size, seed))), roles_of(match_of(size, seed))
    compared = 0
    for one, two in combinations([seat for seat in roles if seat not in shown(plain)], 2):
        if roles[one] == roles[two]:
            continue
        swapped = match_of(size, seed)
        roles_of(swapped).update({one: roles[two], two: roles[one]})
        other = asyncio.run(played(swapped))
        if shown(other) != shown(plain):
            continue  # the wolves attack somebody else
        compared += 1
        wolf = "wolf" in (roles[one], roles[two])
        knowing = [seat for seat in roles if wolf and roles[seat] in ("wolf", "seer")]
        for seat in roles.keys() - {one, two, *knowing}:
            assert received(plain, f"seat:{seat}") == received(other, f"seat:{seat}")
        assert received(plain, "spectator") == received(other, "spectator")
        assert received(plain, "analyst") != received(other, "analyst")
    assert compared > 1


def test_who_thinks_and_fails_at_night_is_for_analysts() -> None:
    events = asyncio.run(played(match_of()))
    assert not [event for event in events if event.type in ("PlayerThinking", "PlayerFault")]
    parts = list(flat_drafts(Draft(event.type, event.data, event.audience) for event in events))
    faults = [part for part in parts if part.type == "PlayerFault"]
    assert faults
    assert all(part.audience == [part.data["seat"]] for part in faults)


def test_a_fault_by_day_is_public_and_costs_no_seat_the_game() -> None:
    class Silent(Scripted):
        async def choose(self, match: Match, seat: SeatId) -> Choice:
            raise PlayerError("timeout", "no answer in time")

    match = match_of()
    runner = MatchRunner(match, {seat: Silent() for seat in match.seats})

    async def play() -> list[Draft]:
        drafts: list[Draft] = []
        while not match.over:
            async for piece in runner.play_round():
                drafts += piece
        return drafts

    drafts = asyncio.run(play())
    faults = [draft for draft in drafts if draft.type == "PlayerFault"]
    assert isinstance(match.game, WerewolfGame)
    assert len(faults) == len(match.game.speeches)
    assert {death["how"] for death in match.game.out} == {"night"}

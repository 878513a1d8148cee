"""Plays matches of Werewolf, gives the same decisions to Kaggle's engine, and compares every night and every day.

    pip download kaggle-environments --no-deps --dest kaggle
    unzip -q kaggle/kaggle_environments-*.whl 'kaggle_environments/envs/werewolf/game/*' -d kaggle
    python -m scripts.werewolf_agreement --engine kaggle --matches 1000

The engine (Apache-2.0) is imported from the folder, without the rest of its package. Where its rules differ from ours,
it is given what ours led to: the wolves' victim where lots decided it, and the votes of a run-off in place of those
before.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.progress import track

from grandstand.games.base import GameEvent, SeatId
from grandstand.games.match import Match
from grandstand.games.werewolf import GAME
from grandstand.games.werewolf.bots import BOTS
from grandstand.games.werewolf.events import (
    AttackChosen,
    GameDecided,
    NightEnded,
    SeatChecked,
    SeatProtected,
    VotesShown,
)

ROLES = {"wolf": "Werewolf", "seer": "Seer", "doctor": "Doctor", "villager": "Villager"}
ABSTAIN = "-1"
"""The vote for nobody, in Kaggle's engine."""
NOBODY = "nobody"
GAME_MODULE = "kaggle_environments.envs.werewolf.game."


@dataclass
class Round:
    """The decisions of a night or of a day's vote, and what they led to."""

    night: bool
    targets: dict[SeatId, SeatId] = field(default_factory=dict)
    out: list[SeatId] = field(default_factory=list)
    checked: list[tuple[SeatId, bool]] = field(default_factory=list)


def played(seed: int) -> tuple[Mapping[SeatId, str], list[Round], str]:
    """Return the roles of a match, its nights and votes in order, and the winning side.

    The players are the characters, or all are random where the seed is odd, who tie more often.
    """
    match = Match(GAME, {}, seed)
    names = list(BOTS)
    events: list[GameEvent] = match.opening()
    while not match.over:
        for seat in match.waiting:
            number = list(match.seats).index(seat)
            bot = BOTS["random" if seed % 2 else names[(seed + number) % len(names)]]
            events += match.apply(seat, bot(match.game, seat, match.rng(seat)))
    roles = match.game.roles
    winner = next((event.winner for event in events if isinstance(event, GameDecided)), NOBODY)
    return roles, list(rounds(events, roles)), winner


def rounds(events: Sequence[GameEvent], roles: Mapping[SeatId, str]) -> Iterator[Round]:
    """Yield the nights, and the last votes of the days."""
    night, day = Round(night=True), Round(night=False)
    for event in events:
        match event:
            case AttackChosen(named=named, target=target):
                night.targets |= dict.fromkeys(named, target)
            case SeatProtected(doctor=doctor, target=target):
                night.targets[doctor] = target
            case SeatChecked(seer=seer, target=target, wolf=wolf):
                night.targets[seer] = target
                night.checked.append((target, wolf))
            case NightEnded(victim=victim):
                night.out = [victim] if victim else []
                yield night
                night = Round(night=True)
            case VotesShown(votes=votes, exiled=exiled, tied=tied, ballot=ballot):
                if exiled or ballot == 2 or not tied:
                    day = Round(night=False, targets=dict(votes), out=[exiled] if exiled else [])
                    yield day


def engine(folder: Path) -> dict[str, Any]:
    """Return the modules of Kaggle's engine by name."""
    sys.path.insert(0, str(folder))
    names = ("actions", "consts", "engine", "roles", "states", "protocols.chat", "protocols.vote")
    return {name: import_module(GAME_MODULE + name) for name in names}


class Kaggle:
    """A match in Kaggle's engine."""

    def __init__(self, modules: Mapping[str, Any], roles: Mapping[SeatId, str]) -> None:
        self._modules = modules
        doctor = {"allow_self_save": False, "allow_consecutive_saves": False}
        agents = [
            {"id": seat, "agent_id": seat, "role": ROLES[role], "role_params": doctor if role == "doctor" else {}}
            for seat, role in roles.items()
        ]
        players = modules["roles"].create_players_from_agents_config(agents)
        vote, chat = modules["protocols.vote"], modules["protocols.chat"]
        nobody = vote.TieBreak.NO_EXILE
        self.moderator = modules["engine"].Moderator(
            state=modules["states"].GameState(players=players),
            discussion=chat.RoundRobinDiscussion(max_rounds=1),
            day_voting=vote.SimultaneousMajority(tie_break=nobody),
            night_voting=vote.SimultaneousMajority(tie_break=nobody),
        )
        self.moderator.advance({})

    @property
    def alive(self) -> set[SeatId]:
        return {player.id for player in self.moderator.state.alive_players()}

    @property
    def winner(self) -> str:
        """Return the winning side."""
        if not self.moderator.is_game_over():
            return NOBODY
        teams = {player.role.team for player in self.moderator.state.alive_players()}
        return "wolves" if any(str(team) == "Werewolves" for team in teams) else "village"

    def play(self, part: Round) -> None:
        """Play a night, or the speeches and the vote of a day."""
        phase = self.moderator.state.phase
        while not self.moderator.is_game_over() and self.moderator.state.phase == phase:
            self.moderator.advance({seat: self._action(seat, part) for seat in self.moderator.get_active_player_ids()})

    def checks(self, target: SeatId) -> bool:
        """Return whether a seat is a wolf, as the seer was told last."""
        results = [event for event in self._events("INSPECT_RESULT") if event.data.target_id == target]
        return str(results[-1].data.team) == "Werewolves"

    def _events(self, name: str) -> list[Any]:
        kind = getattr(self._modules["consts"].EventName, name)
        return [event for day in self.moderator.state.history.values() for event in day if event.event_name == kind]

    def _action(self, seat: SeatId, part: Round) -> Any:
        actions, state = self._modules["actions"], self.moderator.state
        about = {"day": state.day_count, "phase": state.phase, "actor_id": seat}
        waiting = str(state.detailed_phase)
        if "CHAT" in waiting:
            return actions.ChatAction(message="", **about)
        role = str(state.get_player_by_id(seat).role.name)
        kinds = {"Doctor": actions.HealAction, "Seer": actions.InspectAction}
        kind = kinds.get(role, actions.VoteAction) if part.night else actions.VoteAction
        target = part.targets.get(seat, "")
        if not target or target not in state.all_player_ids:
            return actions.NoOpAction(**about) if part.night else kind(target_id=ABSTAIN, **about)
        return kind(target_id=target, **about)


def disagreements(modules: Mapping[str, Any], seed: int) -> tuple[int, list[str]]:
    """Return how many nights and votes of a match were compared, and where the two engines differ."""
    roles, parts, winner = played(seed)
    other, faults, alive = Kaggle(modules, roles), list[str](), set(roles)
    for number, part in enumerate(parts):
        other.play(part)
        alive -= set(part.out)
        if other.alive != alive:
            faults.append(f"seed {seed}, part {number}: {sorted(alive ^ other.alive)}")
            break
        faults += [f"seed {seed}: {seat} checked" for seat, wolf in part.checked if other.checks(seat) != wolf]
    if not faults and other.winner != winner:
        faults.append(f"seed {seed}: {winner} won here, {other.winner} there")
    return len(parts), faults


def main() -> None:
    """Compare matches, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, required=True, help="the folder into which the engine was unpacked")
    parser.add_argument("--matches", type=int, default=1000)
    given = parser.parse_args()
    modules, compared, faults = engine(given.engine), 0, list[str]()
    for seed in track(range(1, given.matches + 1), description="matches"):
        number, differing = disagreements(modules, seed)
        compared += number
        faults += differing
    print(f"{given.matches} matches, {compared} nights and votes: {len(faults)} differ")
    print(*faults[:20], sep="\n")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()

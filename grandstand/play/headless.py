"""A headless match, from its plan to its record and its result, for the commands `play` and `eval`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self

from grandstand.events import EpisodeEnded, PlayerFault
from grandstand.games.base import SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event, Status, flat_drafts
from grandstand.play.commentator import commentator
from grandstand.play.ratings.match_results import game_events
from grandstand.play.ratings.seat_records import SeatRecord, seat_records
from grandstand.play.record_folder import part_of
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Player
from grandstand.players.errors import OnFault
from grandstand.players.llm.budget import Budget
from grandstand.players.roster import roster_of
from grandstand.players.terminal import terminal_player
from grandstand.spectator.bus import Bus
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.replay import to_lines
from grandstand.spectator.summary import fold
from grandstand.spectator.viewpoint import OPERATOR


class BudgetExhausted(Exception):
    """The shared budget of all matches does not cover another call."""


@dataclass(frozen=True)
class MatchPlan:
    """One match to play. `players` are in seat order; `folder` is the folder of its record; None for no record."""

    episode_id: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int
    roster: Path | None = None
    folder: Path | None = None
    format: str = "jsonl"
    on_fault: OnFault = "fallback"
    measured: SeatId = ""
    """The seat to measure, if any."""
    max_turns: int = 0
    """Turns after which the match is stopped; 0 for its end."""

    @property
    def file(self) -> Path | None:
        """The file of the record."""
        if self.folder is None:
            return None
        return self.folder / f"{self.episode_id}.{'jsonl' if self.format == 'jsonl' else 'json'}"


@dataclass(frozen=True)
class MatchResult:
    """The result of one match. `message` is the reason if it was not played to its end."""

    seed: int
    file: str | None
    status: Status
    reason: str
    message: str
    winners: list[SeatId]
    scores: dict[SeatId, float]
    """The scores at the end, or when `max_turns` were over; else none."""
    events: int
    seats: list[SeatRecord]
    measures: dict[str, float] = field(default_factory=dict)
    """The game's own measures of the measured seat, if the match was played to its end."""
    seconds: float = 0.0
    """Seconds from the first event to the last."""
    ended_at: float = 0.0
    """The Unix time of the last event."""


class MatchLog:
    """The events of one match in memory and, if a file is named, in a file that grows with the match.

    The file is renamed to its final name when the match ends, so a file of that name is complete.
    """

    def __init__(self, file: Path | None) -> None:
        self.events: list[Event] = []
        self._path = file
        self._part: IO[str] | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            self._part = part_of(self._path).open("w", encoding="utf-8")
            self._part.writelines(to_lines((), OPERATOR))
        return self

    def on_events(self, events: Sequence[Event]) -> None:
        self.events += events
        if self._part is not None:
            self._part.writelines(event.model_dump_json() + "\n" for event in events)
            self._part.flush()

    def __exit__(self, *_: object) -> None:
        if self._part is not None and self._path is not None:
            self._part.close()
            if self.events and self.events[-1].type == "EpisodeEnded":
                part_of(self._path).replace(self._path)


async def play_match(
    plan: MatchPlan, budget: Budget | None = None, seated: Mapping[SeatId, Player] | None = None
) -> MatchResult:
    """Play a match to its end and write its record; people play at this terminal.

    `seated` are players that no roster has, in place of those of the plan. Raises BudgetExhausted when the shared
    `budget` is spent.
    """
    spec = game_spec(plan.game)
    match = Match(spec, plan.options, plan.seed)
    own = dict(seated or {})
    names = {seat: name for seat, name in zip(match.seats, plan.players, strict=True) if seat not in own}
    players = roster_of(plan.roster).seated(spec, names, plan.options, within=budget)
    people = {seat: terminal_player(player.name) for seat, player in players.items() if player.kind == "human"}
    runner = MatchRunner(match, players | people | own)
    with MatchLog(plan.file if plan.format == "jsonl" else None) as log:
        bus = Bus(log)
        bus.open(plan.episode_id, 0, narrator=commentator(spec, plan.episode_id))
        created = runner.created(plan.options, title=f"{plan.game} {plan.seed}", origin="cli")
        bus.publish(plan.episode_id, [*created, *runner.started()])
        while not runner.match.over:
            if 0 < plan.max_turns <= match.index:
                ended = EpisodeEnded(status="stopped", message=f"stopped after {plan.max_turns} turns")
                bus.publish(plan.episode_id, [Draft.of(ended)])
                break
            async with aclosing(runner.play_round()) as pieces:
                async for drafts in pieces:
                    if budget is not None and budget.spent_up:
                        raise BudgetExhausted
                    stop = _stopped(drafts, runner) if plan.on_fault == "stop" else None
                    bus.publish(plan.episode_id, drafts if stop is None else stop)
                    if stop is not None:
                        return _finish(plan, log.events)
    return _finish(plan, log.events)


def _stopped(drafts: Sequence[Draft], runner: MatchRunner) -> list[Draft] | None:
    """Return the drafts up to the first fault and an EpisodeEnded that names it; None if there is no fault."""
    for number, draft in enumerate(drafts):
        for piece in flat_drafts([draft]):
            if piece.type != "PlayerFault":
                continue
            fault = PlayerFault.model_validate(piece.data)
            player = runner.players[fault.seat].name
            message = f"{player} failed in seat {fault.seat} ({fault.boundary}): {fault.message}"
            return [*drafts[: number + 1], Draft.of(EpisodeEnded(status="stopped", message=message))]
    return None


def _finish(plan: MatchPlan, events: Sequence[Event]) -> MatchResult:
    """Return the result, after writing the record if its format needs the whole match."""
    if plan.file is not None and plan.format != "jsonl":
        public = [(event.type, event.data) for event in events if event.audience == "public"]
        document = game_spec(plan.game).exchange.exports[plan.format](public, _summary(events).model_dump(mode="json"))
        plan.file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return result_of(plan, events)


def result_of(plan: MatchPlan, events: Sequence[Event]) -> MatchResult:
    """Return the result that the events of an ended match record."""
    summary, seats = _summary(events), seat_records(events)
    if plan.on_fault == "forfeit":
        for record in seats:
            record.forfeit()
    outcome = summary.outcome
    if outcome:
        _measure_seats(plan.game, events, seats)
    return MatchResult(
        seed=plan.seed,
        file=str(plan.file) if plan.file else None,
        status=summary.status,
        reason=outcome.reason if outcome else "",
        message=summary.message,
        winners=outcome.winners if outcome else [],
        scores=summary.scores if outcome or plan.max_turns else {},
        events=len(events),
        seats=seats,
        measures=_measures(plan, events) if outcome and plan.measured else {},
        seconds=round(events[-1].at - events[0].at, 3),
        ended_at=events[-1].at,
    )


def _measures(plan: MatchPlan, events: Sequence[Event]) -> dict[str, float]:
    spec = game_spec(plan.game)
    return (
        {}
        if spec.learning.comparison is None
        else spec.learning.comparison.measures(_game_events(plan.game, events), plan.measured)
    )


def _measure_seats(game: str, events: Sequence[Event], seats: Sequence[SeatRecord]) -> None:
    """Take the game's summarized measures of every seat."""
    comparison = game_spec(game).learning.comparison
    if comparison is None or not comparison.summarized:
        return
    own = _game_events(game, events)
    for record in seats:
        measures = comparison.measures(own, record.seat)
        record.measures = {name: measures[name] for name in comparison.summarized if name in measures}


def _game_events(game: str, events: Sequence[Event]) -> list[tuple[str, Mapping[str, Any]]]:
    return [(event.type, event.data) for event in game_events(game_spec(game), events)]


def _summary(events: Sequence[Event]) -> EpisodeSummary:
    summary = fold(None, events[0])
    for event in events[1:]:
        summary = fold(summary, event)
    return summary

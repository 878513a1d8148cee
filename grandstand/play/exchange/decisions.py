"""The decisions of an episode, one row each, as one viewpoint may know them."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grandstand.events import (
    ActionChosen,
    ActionRejected,
    EpisodeCreated,
    PlayerFault,
    PlayerReported,
    TurnStarted,
    Usage,
)
from grandstand.games.base import SeatId
from grandstand.games.catalog import GAMES
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Event, flat
from grandstand.play.exchange.exporting import EpisodeView
from grandstand.play.verification import ReplayMismatch, replay_steps, same_rules
from grandstand.players.llm.prompt import reply_form


@dataclass
class DecisionRow:
    """The row of the decision with the number `seq` of its episode. A field that the viewpoint may not know is None."""

    moment: str
    """`episode/seq`, the address under which the page shows it."""
    episode: str
    seq: int
    game: str
    rules: int
    seat: SeatId
    player: str
    kind: str
    index: int
    turn: str
    task: str
    """choose, or negotiate for a message."""
    system: str | None
    """The system prompt that a language model would receive, the same for the whole match."""
    prompt: str | None
    legal: str | None
    """The legal choices as JSON; None for messages, which are free."""
    action: str
    """The action as JSON."""
    source: str
    refused: str | None
    """The reason why the action that was chosen first was refused."""
    fault: str | None
    """The boundary of the player's fault for which its fallback acted."""
    fault_message: str | None
    seconds: float | None
    calls: int | None
    retries: int | None
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    tokens_reasoning: int | None
    dollars: float | None
    rewards: str
    """The game's reward components from this decision until the seat's next one, as JSON."""
    final_rewards: str
    """The components that judge the end of the match, the same for all decisions of a seat, as JSON."""
    score: float | None
    """The seat's score; None if the match has not ended."""


COLUMNS: Mapping[str, str] = {
    "moment": "`episode/seq`: the address of the decision",
    "episode": "the episode's id",
    "seq": "the number of the event",
    "game": "the game",
    "rules": "the version of its rules",
    "seat": "the seat that decided",
    "player": "the name of its player",
    "kind": "the kind of player",
    "index": "the number of the turn",
    "turn": "the name of the turn",
    "task": "`choose`, or `negotiate` for a message",
    "system": "the prompt's part that stays the same all match",
    "prompt": "the prompt, as a language model would be asked; null where the record cannot be played again",
    "legal": "the legal choices, JSON; null for messages, which are free",
    "action": "the action, JSON",
    "source": "the origin of the action: `policy`, `heuristic`, `human`, `fallback` …",
    "refused": "why the action that was chosen first was refused",
    "fault": "the cause of the fault for which the fallback acted",
    "fault_message": "that fault in words",
    "seconds": "duration of the answer",
    "calls": "calls of the model",
    "retries": "repeated calls",
    "tokens_in": "tokens of the prompts",
    "tokens_out": "tokens of the answers",
    "tokens_cached": "of `tokens_in`, those read from a cache",
    "tokens_reasoning": "of `tokens_out`, those of the reasoning",
    "dollars": "cost, where the roster names prices",
    "rewards": "reward components from this decision to the seat's next, JSON",
    "final_rewards": "components that judge the end, JSON",
    "score": "the seat's score at the end",
}
"""The meaning of each column."""


def decisions(view: EpisodeView) -> list[DecisionRow]:
    """Return a row for each decision that the viewpoint may know, in order."""
    events = list(view.known)
    if view.summary.game not in GAMES or not any(event.type == ActionChosen.__name__ for event in events):
        return []
    reader = _DecisionReader(view)
    for event in events:
        reader.read(event)
    _reward(view.summary.game, events, reader.rows)
    return reader.rows


class _DecisionReader:
    """The rows so far, while the events are read."""

    def __init__(self, view: EpisodeView) -> None:
        self.rows: list[DecisionRow] = []
        self._prompts = _prompts(view.events)
        self._players = {info.seat: info for info in view.summary.seats}
        self._scores = {} if view.summary.outcome is None else view.summary.outcome.scores
        self._game = view.summary.game
        self._rules = EpisodeCreated.model_validate(view.events[0].data).rules
        self._last: dict[SeatId, DecisionRow] = {}
        self._reports: dict[SeatId, Usage] = {}
        self._refusals: dict[SeatId, str] = {}
        self._turn = ""

    def read(self, event: Event) -> None:
        match event.type:
            case TurnStarted.__name__:
                self._turn = str(event.data["turn"])
            case PlayerReported.__name__:
                reported = PlayerReported.model_validate(event.data)
                self._reports[reported.seat] = reported.report.usage
            case ActionRejected.__name__:
                rejected = ActionRejected.model_validate(event.data)
                self._refusals[rejected.seat] = f"{rejected.field}: {rejected.reason}"
            case PlayerFault.__name__:
                fault = PlayerFault.model_validate(event.data)
                row = self._last.get(fault.seat)
                if row is not None and row.source == "fallback" and row.fault is None:
                    row.fault, row.fault_message = fault.boundary, fault.message
            case ActionChosen.__name__ if event.data["source"] != "standing":
                row = self._row(event, ActionChosen.model_validate(event.data))
                self.rows.append(row)
                self._last[row.seat] = row

    def _row(self, event: Event, decision: ActionChosen) -> DecisionRow:
        seat, action = decision.seat, _json(decision.action)
        question = self._prompts.get((event.seq, seat, action), Asked(None, None, None))
        usage = self._reports.pop(seat, None)
        return DecisionRow(
            moment=f"{event.episode_id}/{event.seq}",
            episode=event.episode_id,
            seq=event.seq,
            game=self._game,
            rules=self._rules,
            seat=seat,
            player=self._players[seat].player,
            kind=self._players[seat].kind,
            index=decision.index,
            turn=self._turn,
            task="negotiate" if _is_message(decision) else "choose",
            system=question.system,
            prompt=question.prompt,
            legal=question.legal,
            action=action,
            source=decision.source,
            refused=self._refusals.pop(seat, None),
            fault=None,
            fault_message=None,
            seconds=None if usage is None else usage.seconds,
            calls=None if usage is None else usage.calls,
            retries=None if usage is None else usage.retries,
            tokens_in=None if usage is None else usage.tokens_in,
            tokens_out=None if usage is None else usage.tokens_out,
            tokens_cached=None if usage is None else usage.tokens_cached,
            tokens_reasoning=None if usage is None else usage.tokens_reasoning,
            dollars=None if usage is None else usage.dollars,
            rewards="{}",
            final_rewards="{}",
            score=self._scores.get(seat),
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """The question that a decision answers."""

    system: str | None
    prompt: str | None
    legal: str | None


def _is_message(decision: ActionChosen) -> bool:
    return "message" in decision.action


def _prompts(events: Sequence[Event]) -> dict[tuple[int, SeatId, str], Asked]:
    """Return the question of each decision by (seq, seat, action), for as many events as can be replayed."""
    if not same_rules(events):
        return {}
    parts = list(flat(events))
    questions: dict[tuple[int, SeatId, str], Asked] = {}
    try:
        # The match of a step does not change until the next step.
        for step, event in zip(replay_steps(events), parts[1:], strict=False):
            if event.type == ActionChosen.__name__ and step.match is not None and event.data["source"] != "standing":
                decision = ActionChosen.model_validate(event.data)
                questions[event.seq, decision.seat, _json(decision.action)] = _asked(step.match, decision)
    except ReplayMismatch:
        pass
    return questions


def _asked(match: Match, decision: ActionChosen) -> Asked:
    spec, game, seat = match.spec, match.game, decision.seat
    message = _is_message(decision)
    form = spec.talk.press.form if message and spec.talk.press is not None else reply_form(spec)
    legal = None if message else _json(form.legal(game, seat))
    return Asked(form.system(game, seat), form.prompt(game, seat), legal)


def _reward(game: str, events: Sequence[Event], rows: Sequence[DecisionRow]) -> None:
    """Fill in the rewards, computed from the events that the viewpoint may know."""
    spec = game_spec(game)
    rewards, kinds = spec.training.rewards, spec.reward_events
    own = [(event.seq, event.type, event.data) for event in events if event.type in kinds]
    for seat in {row.seat for row in rows}:
        of_seat = [row for row in rows if row.seat == seat]
        numbers = [row.seq for row in of_seat]
        steps: list[dict[str, float]] = [{} for _ in of_seat]
        final: dict[str, float] = {}
        for entry in rewards.ledger(own, seat, rewards.settings):
            place = bisect_right(numbers, entry.seq)
            if rewards.components[entry.component].final:
                final[entry.component] = final.get(entry.component, 0.0) + entry.amount
            elif place:
                step = steps[place - 1]
                step[entry.component] = step.get(entry.component, 0.0) + entry.amount
        for row, amounts in zip(of_seat, steps, strict=True):
            row.rewards, row.final_rewards = _json(amounts), _json(final)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    """Convert a value for `json`. Raises TypeError if it cannot be."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (tuple, set, frozenset, Iterator)):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not JSON")

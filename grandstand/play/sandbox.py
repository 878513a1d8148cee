"""A sandbox: a moment of a match, from which moves are tried that nobody records."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from grandstand.events import ActionChosen
from grandstand.games.base import Action, SeatId
from grandstand.games.match import Match
from grandstand.models import Draft, Event, flat
from grandstand.play.drafts import applied, game_draft, turn_started
from grandstand.play.verification import replay_steps, same_rules, verify
from grandstand.spectator.viewpoint import Viewpoint


class SandboxStart(NamedTuple):
    """The position in which a sandbox begins: that of a turn, before any seat has decided."""

    match: Match
    event: Event
    """The last event before the first decision of the turn."""
    decided: Sequence[tuple[SeatId, Action]]
    """The decisions of that turn in the record in order, as far as the viewer knows them."""


class SecretPosition(Exception):
    """Somebody knows more of the position than the viewer, who may therefore try no moves in it."""


def sandbox_start(events: Sequence[Event], seq: int, view: Viewpoint, *, whole: bool, draw: int) -> SandboxStart:
    """Return the position of the turn that event `seq` belongs to.

    `events` are those that are released to `view`. Without `whole`, the position has only what everybody knows. Draws
    of chance are new ones, numbered `draw`: those of the match stay secret. Raise ReplayMismatch if the record cannot
    be played again, SecretPosition.
    """
    seq = max(seq, next((event.seq for event in events if event.type == "TurnStarted"), seq))
    if not same_rules(events):
        verify(events[: seq + 1])
    begun: Match | None = None
    first = 0
    for event, match, _ in replay_steps(events[: seq + 1]):
        if match is None:
            continue
        if begun is None or match.index != begun.index or event.type == "SeedSet":
            begun, first = match.fork(), 0
        elif event.type == "ActionChosen" and not first:
            first = event.seq
    assert begun is not None
    if not whole:
        public = begun.spec.rules.public(begun.game)
        if public is None:
            raise SecretPosition
        begun.game = public
    start = first - 1 if first else seq
    begun.reseed(int(sha256(f"{events[0].episode_id}/{start}/{draw}".encode()).hexdigest()[:12], 16))
    known = [part for event in events[start + 1 :] if (part := view.known(event)) is not None]
    return SandboxStart(begun, events[start], _decided(known, begun.index))


def _decided(events: Sequence[Event], index: int) -> list[tuple[SeatId, Action]]:
    """Return the decisions of turn `index`, without letters."""
    decided: list[tuple[SeatId, Action]] = []
    for event in flat(events):
        if event.type == "TurnStarted" and event.data["index"] > index:
            break
        if event.type == "ActionChosen":
            chosen = ActionChosen.model_validate(event.data)
            if chosen.index == index and "message" not in chosen.action:
                decided.append((chosen.seat, chosen.action))
    return decided


def tried(match: Match, seat: SeatId, action: Action) -> list[Draft]:
    """Play a move, and those that follow from plans of the seats, and return their events. Raise IllegalAction."""
    drafts = _prepared(match, seat, action)
    while not match.over and (standing := _standing(match)):
        drafts += _prepared(match, *standing)
    return drafts


def edited(match: Match, change: Action) -> list[Draft]:
    """Change the position by hand, and return the events of that. Raise IllegalAction."""
    return [*map(game_draft, match.edit(change)), turn_started(match)]


def _standing(match: Match) -> tuple[SeatId, Action] | None:
    """Return the first seat whose answer is settled by an earlier one, and that answer."""
    answers = ((seat, match.standing(seat)) for seat in match.waiting)
    return next(((seat, answer) for seat, answer in answers if answer is not None), None)


def _prepared(match: Match, seat: SeatId, action: Action) -> list[Draft]:
    while (build := match.spec.rules.prepare(match.game)) is not None:
        build()
    return applied(match, seat, action, "human")

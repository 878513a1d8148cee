"""Decisions and game events as drafts, private ones in batches, and the parts in which viewers are told of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from grandstand.events import ActionChosen, EpisodeEnded, PlayerFault, Source, TurnStarted
from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.match import Match, event_data
from grandstand.games.picture import PictureSeen, PictureShown
from grandstand.models import Draft, Event, OutcomeData, PrivateBatch, PrivateEvent

Rest: TypeAlias = Callable[[str, Mapping[str, Any]], float]
"""(type of an event, its data) -> the rest after it, as `Storytelling.rest` has it."""

ENDS = frozenset({TurnStarted.__name__, EpisodeEnded.__name__})
"""The types with which the drafts of a turn end."""


def applied(match: Match, seat: SeatId, action: Action, source: Source) -> list[Draft]:
    """Play `action` for `seat`, and return the decision, the game's events, and the turn or the end that follows.

    Raise IllegalAction; then nothing changed.
    """
    index = match.index
    events = match.apply(seat, action)
    decision = ActionChosen(seat=seat, index=index, action=dict(action), source=source)
    return [Draft.of(decision, [seat]), *_outcome(match, events, index)]


def _outcome(match: Match, events: Sequence[GameEvent], index: int) -> list[Draft]:
    """Return the game's events after a decision in turn `index`, and the turn or the end that follows."""
    drafts = [game_draft(event) for event in events]
    if match.over:
        drafts.append(_ended(match))
    elif match.index != index:
        drafts.append(turn_started(match))
    return drafts


def turn_started(match: Match) -> Draft:
    """Return the draft with which the current turn begins."""
    game = match.game
    started = TurnStarted(index=match.index, turn=game.turn, to_act=list(match.asked), scores=game.scores())
    return Draft.of(started)


def _ended(match: Match) -> Draft:
    outcome = match.game.outcome
    assert outcome is not None
    return Draft.of(EpisodeEnded(status="finished", outcome=OutcomeData.model_validate(asdict(outcome))))


def game_draft(event: GameEvent) -> Draft:
    """Return a game event as a draft, ready to publish."""
    seats = event.seats()
    return Draft(type(event).__name__, event_data(event), "public" if seats is None else sorted(seats))


def private_batch(drafts: Iterable[Draft]) -> Draft:
    """Return the private drafts as one event, so that they have one number together."""
    parts = [
        PrivateEvent.model_construct(type=kind, audience=audience, data=data)
        for kind, data, audience in drafts
        if audience != "public"
    ]
    return Draft.of(PrivateBatch.model_construct(events=parts), "private")


def in_one_batch(drafts: Sequence[Draft]) -> list[Draft]:
    """Return a batch of the private `drafts`, which may be empty, and then the public drafts in order.

    The seats' view of a picture is in a batch after it: a viewer who joins there receives the picture and what follows.
    """
    seen = [item for item in drafts if item.type == PictureSeen.__name__]
    batched = [private_batch(item for item in drafts if item not in seen)]
    for item in drafts:
        if item.audience == "public":
            batched += [item, private_batch(seen)] if item.type == PictureShown.__name__ else [item]
    return batched


def in_batches(drafts: Sequence[Draft], match: Match) -> list[Draft]:
    """Return the drafts of one decision, the last of `match`, ready to publish.

    All private events are in one batch before the public ones. If the decision ends a turn, private events of the end
    of the turn are in a second batch, which is always present in a game with press: viewers must not be able to count
    promises that were broken in private.
    """
    if drafts[-1].type not in ENDS or match.spec.talk.press is None:
        return in_one_batch(drafts)
    first = next(
        at for at, item in enumerate(drafts) if item.audience == "public" and item.type != PlayerFault.__name__
    )
    outcome = [item for item in drafts[first:-1] if item.audience == "public"]
    return [*in_one_batch(drafts[:first]), *outcome, private_batch(drafts[first:-1]), drafts[-1]]


def paced(
    drafts: Sequence[Draft], rest: Callable[[str, Mapping[str, Any]], float]
) -> Iterator[tuple[list[Draft], float]]:
    """Yield the parts in which viewers are told of `drafts`, each with the rest that follows it.

    Only the end of a turn is divided. A private batch belongs to the public event
    before it.
    """
    part: list[Draft] = []
    after = 0.0
    for draft in drafts:
        if after and draft.type != PrivateBatch.__name__ and drafts[-1].type in ENDS:
            yield part, after
            part, after = [], 0.0
        part.append(draft)
        after = max(after, rest(draft.type, draft.data))
    yield part, after


def untold(match: Match, events: Sequence[Event], chosen: Event, outcome: Sequence[GameEvent]) -> list[Draft]:
    """Return what the log `events`, from seq 0, lacks of its last turn, whose end is published in parts.

    `match` is the match at the end of the log, `chosen` the last decision, a part of an event of its number, and
    `outcome` the game's events of it.
    """
    last = max((event.data["index"] for event in events if event.type == TurnStarted.__name__), default=-1)
    if events[-1].type == EpisodeEnded.__name__ or (last == match.index and not match.over):
        return []
    whole = in_batches([Draft(chosen.type, chosen.data, chosen.audience), *_outcome(match, outcome, last)], match)
    told = {kind.__name__ for kind in match.spec.events} | {PrivateBatch.__name__}
    return whole[1 + sum(event.type in told for event in events[chosen.seq + 1 :]) :]

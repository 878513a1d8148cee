"""Decisions and game events as drafts, and private drafts in batches, so that their number reveals nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from grandstand.events import ActionChosen, EpisodeEnded, Source, TurnStarted
from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.match import Match, event_data
from grandstand.games.picture import PictureSeen, PictureShown
from grandstand.models import Draft, OutcomeData, PrivateBatch, PrivateEvent


def applied(match: Match, seat: SeatId, action: Action, source: Source) -> list[Draft]:
    """Play `action` for `seat`, and return the decision, the game's events, and the turn or the end that follows.

    Raise IllegalAction; then nothing changed.
    """
    index = match.index
    events = match.apply(seat, action)
    decision = ActionChosen(seat=seat, index=index, action=dict(action), source=source)
    drafts = [Draft.of(decision, [seat]), *map(game_draft, events)]
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

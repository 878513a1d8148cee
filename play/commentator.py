"""The commentator: publishes a game's story of a match among the match's own events."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from grandstand.games.spec import GameSpec
from grandstand.games.story import Audience, Comment, Fact, Outlook, Story, Telling, Told
from grandstand.models import (
    CommentAdded,
    Draft,
    EpisodeEnded,
    Event,
    FactNoted,
    OutlookUpdated,
    PrivateBatch,
    PrivateEvent,
    TurnStarted,
    VoiceChanged,
    VoiceReady,
    Wire,
    flat,
)

log = logging.getLogger(__name__)

CLOSING = frozenset({TurnStarted.__name__, EpisodeEnded.__name__})
"""Types of the events that end a turn."""

WIRE: dict[type[Telling], type[Wire]] = {Fact: FactNoted, Comment: CommentAdded, Outlook: OutlookUpdated}
DERIVED = frozenset({*(kind.__name__ for kind in WIRE.values()), VoiceReady.__name__, VoiceChanged.__name__})


class Commentator:
    """The story of one match as drafts of events.

    In a game with secrets, private facts are in one `PrivateBatch` at the end of every turn, which is there even if it
    is empty: no viewer can count them.
    """

    def __init__(self, story: Story, *, secrets: bool) -> None:
        self._story: Story | None = story
        self._secrets = secrets
        self._private: list[PrivateEvent] = []

    def catch_up(self, events: Iterable[Event]) -> None:
        """Learn the recorded `events` of a match that is taken up."""
        self.after(list(events))
        self._private.clear()

    def after(self, events: Sequence[Event]) -> list[Draft]:
        """Return what follows from `events`, the next ones of the match, as drafts.

        A story that fails is a fault of ours: it is logged, and the match goes on without it.
        """
        if self._story is None:
            return []
        try:
            facts = [_told(event) for event in flat(events) if _is_told(event)]
            drafts = [self._draft(item) for item in self._story.tell(facts)] if facts else []
        except Exception:
            log.exception("episode %s: its story cannot be told; the match goes on", events[0].episode_id)
            self._story = None
            return []
        public = [draft for draft in drafts if draft.audience == "public"]
        self._private += [
            PrivateEvent(type=draft.type, audience=draft.audience, data=draft.data)
            for draft in drafts
            if draft.audience != "public"
        ]
        if not self._secrets or not events or events[-1].type not in CLOSING:
            return public
        batch = PrivateBatch(events=self._private)
        self._private = []
        return [*public, Draft.of(batch, "private")]

    def _draft(self, item: Telling) -> Draft:
        data = asdict(item)
        audience: Audience = data.pop("audience", None)
        return Draft.of(WIRE[type(item)].model_validate(data), "public" if audience is None else sorted(audience))


def _is_told(event: Event) -> bool:
    """Return whether a story is told of `event`: not of what it said itself, nor of what only operators know."""
    known = event.audience == "public" or isinstance(event.audience, list)
    return known and event.type not in DERIVED


def _told(event: Event) -> Told:
    audience = None if event.audience == "public" else frozenset(event.audience)
    return Told(event.seq, event.type, event.data, audience)


def commentator(spec: GameSpec, episode_id: str, events: Iterable[Event] = ()) -> Commentator | None:
    """Return the commentator of an episode whose record holds `events`; None if the game has no story."""
    if spec.story is None:
        return None
    commentator = Commentator(spec.story(episode_id), secrets=spec.press is not None)
    commentator.catch_up(events)
    return commentator

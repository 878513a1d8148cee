"""The commentator: publishes a game's story of a match among the match's own events."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial

from grandstand.events import (
    CommentAdded,
    EpisodeCreated,
    EpisodeEnded,
    FactNoted,
    NegotiationHeld,
    OutlookUpdated,
    TurnStarted,
    VoiceChanged,
    VoiceReady,
)
from grandstand.games.base import MessageSent
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.games.story import Audience, Comment, Fact, Outlook, Story, StoryEvent, Telling
from grandstand.models import Draft, Event, PrivateBatch, PrivateEvent, Wire, flat
from grandstand.play.line_check import Vocabulary
from grandstand.play.model_commentary import ModelCommentary
from grandstand.play.past import Past, RememberedStory
from grandstand.players.commentary import CommentaryModel, Passage, Quotation
from grandstand.spectator.bus import Bus

log = logging.getLogger(__name__)

CLOSING = frozenset({TurnStarted.__name__, EpisodeEnded.__name__, NegotiationHeld.__name__})
"""Types of the events that end a turn or a round of messages: private parts of the story are published with them."""

QUOTATIONS = 4
"""Number of the last public messages that a model receives with a passage."""

WIRE: dict[type[Telling], type[Wire]] = {Fact: FactNoted, Comment: CommentAdded, Outlook: OutlookUpdated}
DERIVED = frozenset({*(kind.__name__ for kind in WIRE.values()), VoiceReady.__name__, VoiceChanged.__name__})


class Commentator:
    """The story of one match as drafts of events.

    In a game with secrets, each turn and each round of messages ends with one `PrivateBatch` of private facts, even an
    empty one, so that no viewer can count them. Public lines that a model words are published when its answer arrives.
    """

    def __init__(self, story: Story, *, secrets: bool) -> None:
        self._story: Story | None = story
        self._secrets = secrets
        self._private: list[PrivateEvent] = []
        self._model: ModelCommentary | None = None
        self._quotations: deque[Quotation] = deque(maxlen=QUOTATIONS)
        self._unrecorded: list[Draft] = []
        """Lines of the last turns before a restart that waited for a model's words."""

    async def catch_up(self, events: Sequence[Event]) -> None:
        """Read the recorded `events` of a resumed match, turn by turn, while the loop serves others in between."""
        drafts: list[Draft] = []
        turn: list[Event] = []
        for event in events:
            turn.append(event)
            if event.type in CLOSING or event is events[-1]:
                drafts += self.after(turn)
                turn = []
                await asyncio.sleep(0)
        self._private.clear()
        self._unrecorded = _unrecorded(drafts, events) if _has_model(events) else []

    def word_with(self, model: ModelCommentary) -> None:
        """Let `model` word the public lines from now on."""
        self._model = model

    def after(self, events: Sequence[Event]) -> list[Draft]:
        """Return the drafts that follow from `events`, the next ones of the match.

        A story that raises is a bug: it is logged, and the match goes on without commentary.
        """
        if self._story is None:
            return self._without_story(events)
        facts = [_story_event(event) for event in flat(events) if _belongs_to_story(event)]
        if not facts:
            return []
        try:
            telling = list(self._story.tell(facts))
            drafts = self._public(self._story, telling, facts)
        except Exception:
            log.exception("episode %s: its story cannot be told; the match goes on", events[0].episode_id)
            self._story = None
            return self._without_story(events)
        self._private += [
            PrivateEvent(type=draft.type, audience=draft.audience, data=draft.data)
            for draft in map(_draft, telling)
            if draft.audience != "public" and draft.type != OutlookUpdated.__name__
        ]
        drafts += [_draft(item) for item in telling if isinstance(item, Outlook) and item.audience is not None]
        if not self._secrets or events[-1].type not in CLOSING:
            return drafts
        batch = PrivateBatch(events=self._private)
        self._private = []
        return [*drafts, Draft.of(batch, "private")]

    def _without_story(self, events: Sequence[Event]) -> list[Draft]:
        """Return the lines that still wait for the model if the match ends with `events`."""
        return self._model.end() if self._model is not None and _ends(events) else []

    def _public(self, story: Story, telling: Sequence[Telling], events: Sequence[StoryEvent]) -> list[Draft]:
        """Return the public parts of `telling`. If there is a model, it receives the lines, which follow later."""
        unrecorded, self._unrecorded = self._unrecorded, []
        public = [item for item in telling if item.audience is None]
        model = self._model
        if model is None or any(event.type == EpisodeEnded.__name__ for event in events):
            return [*unrecorded, *(model.end() if model is not None else ()), *map(_draft, public)]
        self._quotations += [
            Quotation(str(event.data["sender"]), str(event.data["text"]))
            for event in events
            if event.type == MessageSent.__name__ and event.audience is None
        ]
        # The analyst's lines are claims of a computation: no model words them.
        lines = [item for item in public if isinstance(item, Comment) and not item.speaker]
        others = [_draft(item) for item in public if not isinstance(item, Comment) or item.speaker]
        if not lines:
            return [*unrecorded, *model.take_overdue(), *others]
        headline = next((item.headline for item in reversed(public) if isinstance(item, Outlook)), "")
        facts = [item for item in public if isinstance(item, Fact)]
        passage = Passage(lines, facts, headline, tuple(self._quotations))
        self._quotations.clear()
        return [*unrecorded, *model.offer(passage, Vocabulary(story.names())), *others]


def _draft(item: Telling) -> Draft:
    data = asdict(item)
    audience: Audience = data.pop("audience", None)
    return Draft.of(WIRE[type(item)].model_validate(data), "public" if audience is None else sorted(audience))


def _has_model(events: Sequence[Event]) -> bool:
    return bool(EpisodeCreated.model_validate(events[0].data).commentator)


def _ends(events: Sequence[Event]) -> bool:
    return any(event.type == EpisodeEnded.__name__ for event in events)


def _unrecorded(drafts: Sequence[Draft], events: Sequence[Event]) -> list[Draft]:
    """Return the lines of `drafts` after the last recorded line: they still waited for a model."""
    last = max((_last(event) for event in events if _is_line(event)), default=-1)
    return [draft for draft in drafts if _is_line(draft) and _last(draft) > last]


def _last(line: Event | Draft) -> int:
    return max(line.data["rests_on"], default=-1)


def _is_line(item: Event | Draft) -> bool:
    return item.type == CommentAdded.__name__ and item.audience == "public" and not item.data.get("speaker")


def _belongs_to_story(event: Event) -> bool:
    """Return whether the story receives `event`: all but its own events and those for operators only."""
    visible = event.audience == "public" or isinstance(event.audience, list)
    return visible and event.type not in DERIVED


def _story_event(event: Event) -> StoryEvent:
    audience = None if event.audience == "public" else frozenset(event.audience)
    return StoryEvent(event.seq, event.type, event.data, audience)


def commentator(spec: GameSpec, episode_id: str, past: Callable[[], Past] | None = None) -> Commentator:
    """Return the commentator of an episode; `past` is that of `RememberedStory`."""
    story = spec.teller(episode_id)
    if past is not None and spec.story.deeds:
        story = RememberedStory(story, spec.story.deeds, past)
    return Commentator(story, secrets=spec.secrets)


def narrate(game: str, episode_id: str) -> Commentator | None:
    """Return the commentator of a new episode of `game`; None if the game is not known here."""
    return commentator(game_spec(game), episode_id) if game in GAMES else None


def worded(narrator: Commentator, model: CommentaryModel, bus: Bus, episode_id: str) -> ModelCommentary:
    """Let `model` word the lines of `narrator` from now on. The caller stops the returned commentary."""
    commentary = ModelCommentary(model, partial(bus.record_now, episode_id))
    narrator.word_with(commentary)
    return commentary

"""The queue of lines to be spoken, bounded and in order for each match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grandstand.events import CommentAdded
from grandstand.models import Event
from grandstand.spectator.voice.plan import VoicePlan, spoken

WAITING = 2
"""The most waiting lines of a match; the least important is dropped for a new one."""

PRESS_IMPORTANCE = 0.4
"""The importance of a message that is read aloud; messages state none."""


@dataclass(frozen=True, slots=True)
class VoiceLine:
    """A line to be spoken, with the number of its event, and the name of its clip."""

    episode_id: str
    comment: int
    text: str
    voice: str
    importance: float
    clip: str
    at: float
    """The time at which the event was published, in Unix seconds."""


def line_of(event: Event, game: str, plan: VoicePlan) -> VoiceLine | None:
    """Return the line of a public comment, or of a public message if press is read aloud; None for another event.

    Private events are not spoken: a clip for some viewers would reveal its existence to the others.
    """
    if event.audience != "public":
        return None
    match event.type:
        case CommentAdded.__name__:
            comment = CommentAdded.model_validate(event.data)
            text, importance, press = spoken(comment.text), comment.importance, False
            speaker = comment.speaker
        case "MessageSent" if plan.reads_press:
            sender = str(event.data.get("sender", "")).replace("_", " ").title()
            text, importance, press = spoken(f"{sender}: {event.data.get('text', '')}"), PRESS_IMPORTANCE, True
            speaker = sender
        case _:
            return None
    if not any(letter.isalnum() for letter in text):
        return None
    voice = plan.voice(game, press=press, speaker=speaker)
    return VoiceLine(event.episode_id, event.seq, text, voice, importance, plan.clip(text, voice), event.at)


class LineQueue:
    """The waiting lines of all matches."""

    def __init__(self) -> None:
        self._lines: list[VoiceLine] = []

    def __len__(self) -> int:
        return len(self._lines)

    def has(self, episode_id: str) -> bool:
        """Return whether a line of an episode waits."""
        return any(line.episode_id == episode_id for line in self._lines)

    def add(self, line: VoiceLine) -> VoiceLine | None:
        """Add a line. Return the line that is dropped for it, if any: the least important of its match, then the
        oldest."""
        self._lines.append(line)
        same = [other for other in self._lines if other.episode_id == line.episode_id]
        if len(same) <= WAITING:
            return None
        least = min(same, key=lambda other: (other.importance, other.comment))
        self._lines.remove(least)
        return least

    def put_back(self, line: VoiceLine) -> VoiceLine | None:
        """Add a line that could not be spoken yet at its old place; return the line that is dropped for it, if any."""
        dropped = self.add(line)
        self._lines.sort(key=lambda other: (other.at, other.comment))
        return dropped

    def next(self, busy: Iterable[str] = ()) -> VoiceLine | None:
        """Remove and return the line that has waited longest, except those with a clip in `busy`, which is being
        made."""
        making = set(busy)
        for line in self._lines:
            if line.clip not in making:
                self._lines.remove(line)
                return line
        return None

    def clear(self) -> list[VoiceLine]:
        """Remove and return all lines."""
        lines, self._lines = self._lines, []
        return lines

"""The story of a match of TextArena: what the seats say and play, what the rules refuse, and what the game answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grandstand.games.story import LONGEST, Comment, Fact, GeneralStory, StoryEvent, Telling, plain

TOLD: Final = frozenset(("game_action_description", "game_message"))
"""The kinds of texts that are told; boards are shown."""


class ArenaStory(GeneralStory):
    """The story of one match."""

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        telling: list[Telling] = []
        for event in events:
            if event.type in ("MoveMade", "MoveRefused", "TextShown"):
                telling += self._told(event)
            else:
                telling += super().tell([event])
        return telling

    def _told(self, event: StoryEvent) -> Sequence[Telling]:
        data, rests = event.data, (event.seq,)
        if event.type == "TextShown":
            text = _line(str(data["text"]))
            told = event.audience is None and data["kind"] in TOLD and text
            return [Comment(text, 0.3, rests, "move")] if told else []
        seat = str(data["seat"])
        if event.type == "MoveMade":
            words = _line(str(data["move"])) or "nothing"
            return [Comment(f"{plain(seat)}: “{words}”", 0.35, rests, "move", event.audience, seats=(seat,))]
        again = "loses by the rules for it" if data["final"] else "has to move again"
        reason = str(data["reason"]).rstrip(".") or "it is no move of the game"
        text = f"A move of {plain(seat)} is refused, and it {again}: {reason[:LONGEST]}."
        return [
            Fact("refusal", text, 0.7 if data["final"] else 0.4, rests, (seat,), audience=event.audience),
            Comment(text, 0.7 if data["final"] else 0.4, rests, "move", event.audience, seats=(seat,), kind="refusal"),
        ]


def _line(text: str) -> str:
    """Return the first words of a text on one line."""
    words = " ".join(text.split())
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"

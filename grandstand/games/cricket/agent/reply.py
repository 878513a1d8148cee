"""The prompt that asks a language model to captain, in several calls, of which the last one is the ball.

`text.py` describes the match, its rules and the legal calls; this module defines the form of the answer. The scorer's
numbers are in the prompt, so there is no call for them.
"""

from __future__ import annotations

import json
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.choices import Layout
from grandstand.games.cricket.agent import text
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match import observation
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.prompts import PromptPart, PromptSettings, ended
from grandstand.games.reply_form import ReplyForm

_SYSTEM: Final = """\
You captain the {seat} side. Answer with {{"reasoning": "...", "calls": [{{"tool": NAME, "arguments": {{...}}}}, ...]}}.
"reasoning" is a sentence or two of your own thought, which the other side does not read. "calls" are made in order: as
many free ones as you need, then the one that moves the match on, which comes last. Leave out, or give as null, the
arguments that you have no wish about."""


def _parts(game: CricketGame, seat: SeatId, settings: PromptSettings) -> list[PromptPart]:
    parts = text.parts(game.state, seat, settings)
    if game.state.stage != "play":
        return ended(parts)
    numbers = observation.analysis(game.state, SEATS.index(seat))
    return [*parts, PromptPart("analysis", f"The scorer's numbers: {json.dumps(numbers)}")]


REPLY: ReplyForm[CricketGame] = ReplyForm(
    system=lambda game, seat: _SYSTEM.format(seat=seat),
    parts=_parts,
    layout=Layout("calls", nested="arguments"),
    needless=text.NEEDLESS,
)

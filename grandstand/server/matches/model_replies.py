"""Players as models: what a player would answer to the prompt of a seat that is asked now."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from grandstand.games.base import Action, OptionError, SeatId
from grandstand.games.choices import REASONING
from grandstand.games.match import Match
from grandstand.games.reply_form import ReplyForm
from grandstand.games.spec import GameSpec
from grandstand.models import PlayerInfo
from grandstand.play.preparation import prepared
from grandstand.players.base import Player
from grandstand.players.errors import PlayerError
from grandstand.players.external import ExternalPlayer
from grandstand.players.llm.prompt import reply_form
from grandstand.players.roster import Roster
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.steering import CommandError

OUTSIDE: Final = ("human", "remote", "recorded")
"""Kinds of player that cannot be asked."""


class UnknownModel(Exception):
    """No player of this name can be asked; the message names those that can."""


@dataclass(frozen=True)
class AskedSeat:
    """A seat that is asked now, and the form of its answer."""

    live: LiveMatch
    seat: SeatId
    form: ReplyForm[Any]

    def prompted(self, texts: Iterable[str]) -> bool:
        """Return whether one of the texts has the seat's prompt, or the moment as the seat's view has it."""
        game = self.live.runner.match.game
        prompts = [prompt for prompt in (self.form.prompt(game, self.seat), game.text(self.seat)) if prompt]
        return any(prompt.strip() in text for text in texts for prompt in prompts)


def asked_seats(live: LiveMatch, seats: Sequence[SeatId] = ()) -> Iterator[AskedSeat]:
    """Yield those of the seats, by default of all, that are asked now."""
    match = live.runner.match
    press = match.spec.talk.press
    for seat in seats or match.seats:
        player = live.runner.players[seat]
        asked = player.asked if isinstance(player, ExternalPlayer) else ("choose" if seat in match.asked else None)
        if asked == "choose":
            yield AskedSeat(live, seat, reply_form(match.spec))
        elif asked == "negotiate" and press is not None:
            yield AskedSeat(live, seat, press.form)


def texts_of(message: str) -> list[str]:
    """Return the texts in which a message may have a prompt: itself, and those of an observation as JSON, which
    harnesses of OpenEnv send."""
    try:
        observation = json.loads(message)
    except (ValueError, RecursionError):
        return [message]
    values = observation.values() if isinstance(observation, dict) else ()
    return [message, *(value for value in values if isinstance(value, str))]


def find_asked(candidates: Iterable[AskedSeat], texts: Sequence[str]) -> AskedSeat:
    """Return the seat whose prompt is the last one in the texts of a conversation. Raises CommandError."""
    candidates = list(candidates)
    for text in reversed(texts):
        shown = texts_of(text)
        for asked in candidates:
            if asked.prompted(shown):
                return asked
    now = ", ".join(f"{asked.seat} in {asked.live.episode_id}" for asked in candidates[:8]) or "no seat"
    raise CommandError(f"messages: none is the prompt of a seat that is asked now; {now} is")


def askable(roster: Roster, spec: GameSpec[Any], own: bool) -> list[PlayerInfo]:
    """Return the players of a game that can be asked; the built-in ones alone, unless `own`, as they are free."""
    players = [info for info in roster.players(spec) if info.available and info.kind not in OUTSIDE]
    return players if own else [info for info in players if info.name in spec.bots.players]


async def reply_of(roster: Roster, asked: AskedSeat, model: str, own: bool) -> str:
    """Return what the player would answer, as JSON in the seat's form. Nothing is played.

    Raises UnknownModel, or OptionError if the player fails.
    """
    match, seat = asked.live.runner.match.fork(), asked.seat
    names = [info.name for info in askable(roster, match.spec, own)]
    if model not in names:
        raise UnknownModel(
            f"model: no player {model!r} of {match.spec.name} can be asked; there are {', '.join(names)}"
        )
    await prepared(match)
    player = roster.episode(match.spec).player(model, seat)
    try:
        if asked.form is reply_form(match.spec):
            choice = await player.choose(match, seat)
            answer = asked.form.answer(match.game, seat, choice.action)
        else:
            answer = asked.form.answer(match.game, seat, *await _messages(asked, player, match, seat))
    except PlayerError as error:
        raise OptionError(f"model: {model} did not answer: {error.message}") from error
    return json.dumps({REASONING: "", **answer}, ensure_ascii=False)


async def _messages(asked: AskedSeat, player: Player, match: Match[Any], seat: SeatId) -> Sequence[Action]:
    """Return what the player would say in the round of press that is held."""
    due = asked.live.runner.press_due()
    if due is None or not player.talks:
        return ()
    reply = await player.negotiate(match, seat, due[1], due[2])
    return [action for action in reply.messages if "message" in action]

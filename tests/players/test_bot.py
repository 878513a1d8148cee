"""Built-in players in rounds of press."""

from __future__ import annotations

import asyncio

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import flat_drafts
from grandstand.play.runner import MatchRunner
from grandstand.players.bot import BotPlayer
from tests.support.players.press_player import of_kind, play_to_end

OPTIONS = {"last_year": 1901}


def runner(*names: str) -> MatchRunner:
    """A match whose first seats are taken by `names`, the rest by bots that hold."""
    match = Match(game_spec("diplomacy"), OPTIONS, 5)
    seated = [*names, *["hold"] * (len(match.spec.seats()) - len(names))]
    players = {seat: BotPlayer(match.spec, name) for seat, name in zip(match.spec.seats(), seated, strict=True)}
    return MatchRunner(match, players)


def test_a_bot_talks_if_the_game_has_words_for_it() -> None:
    spec = Match(game_spec("diplomacy"), OPTIONS, 1).spec
    assert BotPlayer(spec, "Talleyrand").talks
    assert not BotPlayer(spec, "coordinated").talks
    assert not BotPlayer(Match(game_spec("cricket"), {}, 1).spec, "random").talks


def test_rounds_of_press_are_held_among_bots_that_talk() -> None:
    drafts = asyncio.run(play_to_end(runner("Talleyrand", "Metternich", "Cavour")))
    assert [draft.data["round"] for draft in of_kind(drafts, "NegotiationHeld")][:4] == [1, 2, 3, 1]
    messages = of_kind(drafts, "MessageSent")
    assert {draft.data["sender"] for draft in messages} <= {"AUSTRIA", "ENGLAND", "FRANCE"}
    assert messages
    assert not of_kind(drafts, "ActionRejected")
    assert all(
        draft.audience == ["AUSTRIA"] for draft in of_kind(drafts, "LieNoted") if draft.data["power"] == "AUSTRIA"
    )


def test_one_bot_that_talks_among_silent_ones_delays_nobody() -> None:
    drafts = list(flat_drafts(asyncio.run(play_to_end(runner("Talleyrand")))))
    assert not of_kind(drafts, "NegotiationHeld")
    assert not of_kind(drafts, "MessageSent")
    assert of_kind(drafts, "EpisodeEnded")

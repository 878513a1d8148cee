"""The story of whole matches: what it rests on, and who may know it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random

import pytest

from grandstand.games.match import Match, event_data
from grandstand.games.registry import game_spec
from grandstand.games.story import Comment, Fact, Outlook, StoryEvent, Telling
from grandstand.games.werewolf.bots import showcase
from grandstand.games.werewolf.story import WerewolfStory


def events_of(seed: int, size: int = 8) -> list[list[StoryEvent]]:
    """Return the events of a match of the showcase's players, in the pieces in which a story receives them."""
    match = Match(game_spec("werewolf"), {"seats": size}, seed)
    players = dict(zip(match.seats, [*showcase(Random(seed)), "ledger"], strict=False))
    pieces: list[list[StoryEvent]] = []
    seq = 0

    def piece(events: Sequence[object], turn: bool) -> None:
        nonlocal seq
        told = []
        for event in events:
            told.append(StoryEvent(seq, type(event).__name__, event_data(event), event.seats()))  # type: ignore[attr-defined,arg-type]
            seq += 1
        if match.game.outcome is not None:
            outcome = match.game.outcome
            data = {
                "winners": outcome.winners,
                "scores": outcome.scores,
                "text": outcome.text,
                "reason": outcome.reason,
            }
            told.append(StoryEvent(seq - 1, "EpisodeEnded", {"outcome": data, "status": "finished"}))
        elif turn:
            started = {"turn": match.game.turn, "to_act": list(match.waiting), "scores": match.game.scores()}
            told.append(StoryEvent(seq, "TurnStarted", started))
            seq += 1
        pieces.append(told)

    piece(match.opening(), turn=True)
    while not match.over:
        seat, index = match.waiting[0], match.index
        events = match.apply(seat, match.spec.bots.players[players[seat]](match.game, seat, match.rng(seat)))
        piece(events, turn=match.index != index)
    return pieces


def told(pieces: list[list[StoryEvent]]) -> list[Telling]:
    story = WerewolfStory("e")
    return [telling for piece in pieces for telling in story.tell(piece)]


def is_public(telling: Telling) -> bool:
    return isinstance(telling, Outlook) or telling.audience is None


@pytest.mark.few(1)
@pytest.mark.parametrize("size", [8, 9])
def test_what_all_are_told_rests_on_what_all_may_know(size: int) -> None:
    for seed in range(6):
        pieces = events_of(seed, size)
        public = [[event for event in piece if event.audience is None] for piece in pieces]
        assert [telling for telling in told(pieces) if is_public(telling)] == told(public)


@pytest.mark.long
def test_a_fact_is_told_to_those_who_may_know_all_that_it_rests_on() -> None:
    kinds = set()
    for seed in range(12):
        pieces = events_of(seed)
        known = {event.seq: event.audience for piece in pieces for event in piece}
        for telling in told(pieces):
            if isinstance(telling, Fact):
                kinds.add(telling.kind)
                for seq in telling.rests_on:
                    audience = known[seq]
                    assert audience is None or (telling.audience is not None and telling.audience <= audience)
    assert {"claim", "counter-claim", "lie", "check", "save", "tie", "betrayal", "match point", "end"} <= kinds


def test_every_speech_is_a_line_and_every_turn_has_an_outlook() -> None:
    pieces = events_of(3)
    tellings = told(pieces)
    speeches = [event for piece in pieces for event in piece if event.type == "SpeechMade"]
    assert len([line for line in tellings if isinstance(line, Comment) and line.beat == "speech"]) == len(speeches)
    outlooks = [telling for telling in tellings if isinstance(telling, Outlook)]
    turns = [event for piece in pieces for event in piece if event.type in ("TurnStarted", "EpisodeEnded")]
    assert len(outlooks) == len(turns)
    assert all(0 <= chance <= 1 for outlook in outlooks for chance in outlook.chances.values())


@pytest.mark.long
def test_the_chance_to_win_is_calibrated() -> None:
    """On other matches than those of the regression, by the seat's chance at the start of each day."""
    bins: dict[int, list[tuple[float, float, int]]] = {}
    for seed in range(150):
        pieces = events_of(seed)
        scores = pieces[-1][-1].data["outcome"]["scores"]
        story = WerewolfStory("e")
        for piece in pieces:
            tellings = story.tell(piece)
            day = any(event.type == "TurnStarted" and event.data["turn"].endswith("speech 1") for event in piece)
            for outlook in (telling for telling in tellings if isinstance(telling, Outlook) and day):
                for seat, chance in outlook.chances.items():
                    bins.setdefault(min(3, int(chance * 4)), []).append((chance, scores[seat], seed))
    assert len(bins) == 4
    for rows in bins.values():
        stated = sum(chance for chance, _, _ in rows) / len(rows)
        won = sum(score for _, score, _ in rows) / len(rows)
        matches = len({seed for _, _, seed in rows})  # the seats of a match win together
        assert abs(stated - won) < 3 * sqrt(0.25 / matches)


def test_a_match_that_is_stopped_ends_with_a_headline() -> None:
    story = WerewolfStory("e")
    for piece in events_of(3)[:9]:
        story.tell(piece)
    (told_last,) = story.tell([StoryEvent(99, "EpisodeEnded", {"outcome": None, "status": "stopped"})])
    assert isinstance(told_last, Outlook)
    assert told_last.headline == "The match was stopped."


def test_a_role_that_several_have_is_one_of_them() -> None:
    texts = {
        telling.data["role"]: telling.text
        for seed in (3, 4)
        for telling in told(events_of(seed))
        if isinstance(telling, Fact) and telling.kind in ("night", "exile", "shot")
    }
    assert ", a wolf, was " in texts["wolf"]
    assert ", a villager, was " in texts["villager"]
    assert all(f", the {role}, was " in text for role, text in texts.items() if role not in ("wolf", "villager"))
    assert len(texts) > 2

"""Every registered game, played to its end by its choices alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from grandstand.games import answers, choices
from grandstand.games.base import Game, IllegalAction, SeatId
from grandstand.games.choices import Grammar, Slot
from grandstand.games.match import Match, event_data
from grandstand.games.registry import GAMES, game_spec

SHORT: dict[str, Mapping[str, Any]] = {"cricket": {"overs": 2}, "diplomacy": {"last_year": 1902}}
"""Options for short matches."""


def grammar(game: Game, seat: SeatId) -> Grammar:
    return lambda chosen: game.choices(seat, chosen)


def stages(game: Game, seat: SeatId, chosen: choices.Chosen) -> list[list[Slot]]:
    """The slots of each stage on the way to an answer."""
    asked: list[list[Slot]] = []

    def recording(before: choices.Chosen) -> list[Slot]:
        slots = list(game.choices(seat, before))
        asked.append(slots)
        return slots

    choices.fill(recording, lambda slot: chosen[slot.name])
    return asked


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", sorted(GAMES))
def test_it_is_played_by_choices_alone(name: str, seed: int) -> None:
    spec, rng = game_spec(name), Random(seed)
    match, again = (Match(spec, SHORT.get(name, {}), seed) for _ in range(2))
    while not match.over:
        seat, game = rng.choice(match.waiting), match.game
        chosen = choices.drawn(grammar(game, seat), rng)
        assert answers.read(grammar(game, seat), json.loads(json.dumps(chosen))) == chosen
        action = game.action(seat, chosen)
        made = game.chosen(seat, action)
        assert made is not None
        assert game.action(seat, made) == action
        if rng.random() < 0.1:
            loaded = spec.rules.load(json.loads(json.dumps(game.to_json())))
            assert stages(loaded, seat, chosen) == stages(game.clone(), seat, chosen) == stages(game, seat, chosen)
            refuse(match, seat)
        others = [other for other in spec.seats() if other not in match.waiting]
        assert not any(game.choices(other, {}) for other in others)
        assert list(map(event_data, match.apply(seat, action))) == list(map(event_data, again.apply(seat, action)))
        assert match.game.digest() == again.game.digest()


def refuse(match: Match[Game], seat: SeatId) -> None:
    """Refuse answers that are none, and change nothing."""
    before = match.game.digest()
    for wrong in ({"nothing": "of this"}, {}):
        with pytest.raises(IllegalAction):
            match.apply(seat, wrong)
    slots = match.game.choices(seat, {})
    with pytest.raises(IllegalAction, match="is not possible"):
        answers.read(grammar(match.game, seat), {slots[0].name: "no such word"})
    assert match.game.digest() == before


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_default_answer_is_legal_at_every_moment(name: str) -> None:
    match = Match(game_spec(name), SHORT.get(name, {}), 9)
    while not match.over:
        seat = match.waiting[0]
        match.apply(seat, match.game.action(seat, choices.default(grammar(match.game, seat))))

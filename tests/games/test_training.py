"""The parts for a trainer that follow from a game's choices and observations, on games that have their own as well."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from grandstand.games import training
from grandstand.games.catalog import BUILT_IN
from grandstand.games.choices import Walk
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec, Learning
from grandstand.games.training import (
    BYTES,
    SCORED,
    Entry,
    general_shorthand,
    general_vocabulary,
    last_score,
    score_changes,
)

SPECS = [replace(game_spec(name), learning=Learning()) for name in sorted(BUILT_IN)]


@pytest.fixture(params=SPECS, ids=[spec.name for spec in SPECS])
def spec(request: pytest.FixtureRequest) -> GameSpec:
    result: GameSpec = request.param
    return result


def test_the_vocabulary_is_the_same_in_every_process_and_names_its_game(
    spec: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SAMPLE", 30)
    first, again = (general_vocabulary(spec.name, lambda seed: Match(spec, {}, seed).game) for _ in range(2))
    assert first == again
    assert len(set(first)) == len(first)
    assert first[: len(BYTES) + 1] == (*BYTES, f"game:{spec.name}")


@pytest.mark.few(2)
def test_it_has_the_words_of_positions_and_of_choices(spec: GameSpec) -> None:
    words, match = set(spec.training.vocabulary), Match(spec, {}, 77)
    for seat in match.waiting:
        text = spec.training.shorthand(match.game, seat).split()
        assert text[-2:] == ["play", seat]
        options = [word.word for step in Walk(spec.training.grammar(match.game, seat), ()).steps for word in step]
        for offered in (text, options):
            assert sum(word in words for word in offered) > 0.6 * len(offered), "the most frequent words are in it"


class Secretive:
    """A game of which only the observation is read."""

    def observation(self, seat: str) -> Any:
        return {
            "scoring": "Most chips win.",
            "hand of": ["king", "ten of hearts"],
            "bet": 2.0 / 3,
            "open": True,
            "last": None,
            "note": "",
            "board": {"a1": 1, "b1": []},
        }


def test_an_observation_is_written_in_words() -> None:
    assert general_shorthand(Secretive(), "first") == (  # type: ignore[arg-type]
        "hand of [ king ten of hearts ] bet 0.667 open true last none note - board a1 1 b1 [ ] play first"
    )


def started(seq: int, **scores: float) -> tuple[int, str, dict[str, Any]]:
    return seq, "TurnStarted", {"scores": scores}


def test_the_rewards_are_the_changes_of_the_score_and_the_last_one() -> None:
    events = [started(3, a=0.5, b=0.5), (4, "MoveMade", {}), started(5, a=0.5, b=0.5), started(8, a=2, b=-1)]
    final = (9, "EpisodeEnded", {"outcome": {"scores": {"a": 3, "b": 0}}})
    stopped = (9, "EpisodeEnded", {"outcome": None})
    assert {kind for _, kind, _ in (*events, final)} - {"MoveMade"} == SCORED
    assert score_changes([*events, final], "a", {}) == [
        Entry(8, "change", 1.5),
        Entry(9, "change", 1),
        Entry(9, "score", 3),
    ]
    assert score_changes([*events, stopped], "b", {}) == [Entry(8, "change", -1.5), Entry(8, "score", -1)]
    assert last_score([*events, final], "b") == {"score": 0}
    assert score_changes([], "a", {}) == []
    assert last_score([], "a") == {}


def test_the_time_is_the_number_of_turns(spec: GameSpec) -> None:
    match = Match(spec, {}, 1)
    assert (spec.training.unit, spec.training.time(match.game, 7)) == ("turn", 7)
    own = game_spec(spec.name)
    assert own.training.time(match.game, 7) == (0 if own.learning.training else 7)

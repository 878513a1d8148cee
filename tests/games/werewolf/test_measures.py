"""What a seat achieved, by its role."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grandstand.games.base import SeatId
from grandstand.games.werewolf.measures import MEASURES, measures
from grandstand.play.headless import MatchPlan, play_match
from grandstand.play.ratings.result_files import read_results
from grandstand.play.ratings.table import ScoredMatch

EVENTS: list[tuple[str, Mapping[str, Any]]] = [
    ("FalseClaimMade", {"seat": "Ben", "act": "claim seer"}),
    ("VotesShown", {"votes": {"Ada": "Ben", "Ben": "Ada", "Cleo": "Ada"}}),
    ("VotesShown", {"votes": {"Ada": "Cleo", "Ben": "Cleo", "Cleo": "abstain"}}),
    ("GameDecided", {"winner": "wolves", "roles": {"Ada": "seer", "Ben": "wolf", "Cleo": "villager"}}),
]


def test_a_seat_is_measured_by_its_role() -> None:
    assert measures(EVENTS, "Ada") == {"false claims": 0, "won in the village": 0, "votes for wolves": 0.5}
    assert measures(EVENTS, "Ben") == {"false claims": 1, "won as wolf": 1}
    assert measures(EVENTS, "Cleo") == {"false claims": 0, "won in the village": 0, "votes for wolves": 0}
    assert {name for seat in ("Ada", "Ben") for name in measures(EVENTS, seat)} == set(MEASURES)


def test_a_match_without_an_end_has_no_measures() -> None:
    assert measures(EVENTS[:3], "Ada") == {}


def test_a_player_is_rated_apart_by_its_roles(tmp_path: Path) -> None:
    names = ("ledger", "random") * 4
    for seed in (1, 2):
        plan = MatchPlan(f"w-{seed}", "werewolf", names, {}, seed=seed, folder=tmp_path)
        asyncio.run(play_match(plan))
    results, _ = read_results([tmp_path], None, by_role=True)
    for result in results:
        wolves = [seat for seat, name in result.players.items() if name.endswith(" (wolf)")]
        assert len(wolves) == 2
        assert len({result.scores[seat] for seat in wolves}) == 1
        assert all(result.players[seat] == f"{name} (village)" for seat, name in played_by(result, names, wolves))
    assert {name for result in results for name in result.players.values()} >= {"ledger (village)", "random (village)"}


def played_by(result: ScoredMatch, names: Sequence[str], wolves: Sequence[SeatId]) -> list[tuple[SeatId, str]]:
    """Return the seats apart from `wolves`, with their players."""
    return [(seat, name) for seat, name in zip(result.players, names, strict=True) if seat not in wolves]

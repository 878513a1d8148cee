"""An exploiter begins anew when it has reached its aim, and what it was by then stays in the league."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grandstand.trainer.league.resets import Resets
from grandstand.trainer.league.roles import PeerRoles
from grandstand.trainer.league.store import LeagueStore
from tests.support.trainer.tiny import tiny

MAINS: PeerRoles = {"a@v000005": "main", "a@v000010": "main", "b@v000005": "main", "x@v000005": "league_exploiter"}
BEATEN = {"a@v000010": 0.75, "b@v000005": 0.71}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LeagueStore]:
    opened = LeagueStore(tmp_path)
    yield opened
    opened.close()


def resets(
    store: LeagueStore, role: str = "main_exploiter", *, name: str = "x", seed: int = 3, **league: Any
) -> Resets:
    category = {"main": "base", "main_exploiter": "main", "league_exploiter": "league"}[role]
    config = tiny(
        run={"name": name, "seed": seed},
        league={"role": role, "folder": "shared", **league},
        rollout={"opponents": {category: 1.0}},
    )
    return Resets(config, store)


def reached(made: Resets, version: int, expected: Mapping[str, float], peers: PeerRoles = MAINS) -> bool:
    return bool(made.decide(version, expected, peers)["league/aim_reached"])


def test_a_main_exploiter_has_to_beat_the_newest_version_of_every_main_run(store: LeagueStore) -> None:
    made = resets(store)
    assert not reached(made, 5, {})
    assert not reached(made, 10, {**BEATEN, "b@v000005": 0.7}), "not above the setting"
    assert made.decide(15, BEATEN, MAINS) == {"league/aim_score": 0.71, "league/aim_reached": 1.0}
    assert (made.reached(14), made.reached(15)) == ([], [15])
    assert [made.at(step) for step in (15, 16, 17)] == [False, True, False]
    assert [made.since(version) for version in (14, 15, 16, 99)] == [0, 0, 16, 16]


def test_a_league_exploiter_has_to_beat_every_version_of_other_runs(store: LeagueStore) -> None:
    made = resets(store, "league_exploiter")
    assert not reached(made, 5, BEATEN)
    assert reached(made, 10, dict.fromkeys(MAINS, 0.8))


def test_a_main_run_never_begins_anew(store: LeagueStore) -> None:
    made = resets(store, "main", reset_after=1)
    assert made.decide(500, dict.fromkeys(MAINS, 0.99), MAINS) == {}
    assert (made.reached(999), made.at(501), made.since(999)) == ([], False, 0)


def test_after_some_steps_it_begins_anew_whatever_its_scores(store: LeagueStore) -> None:
    made = resets(store, reset_after=12)
    assert [version for version in range(5, 60, 5) if reached(made, version, {})] == [15, 30, 45]
    assert made.since(60) == 46
    never = resets(store, name="y", reset_after=0)
    assert not any(reached(never, version, {}) for version in range(5, 2000, 500))


def test_without_main_runs_only_the_steps_count(store: LeagueStore) -> None:
    made = resets(store, reset_after=10)
    assert made.decide(5, {}, {}) == {"league/aim_score": 0.5, "league/aim_reached": 0.0}
    assert reached(made, 10, {}, {})


def test_with_a_chance_it_goes_on_as_it_is(store: LeagueStore) -> None:
    """Its version joins the league all the same."""
    anew = 0
    for seed in range(400):
        made = resets(store, name=f"x{seed}", seed=seed, reset_chance=0.25)
        assert reached(made, 5, BEATEN)
        assert made.reached(5) == [5]
        assert made.at(6) == (made.since(6) == 6)
        anew += made.at(6)
    assert 66 < anew < 134, "four standard deviations of 400 draws"


def test_a_reset_is_decided_once(store: LeagueStore) -> None:
    assert reached(resets(store), 5, BEATEN)
    assert reached(resets(store), 5, {}), "a resumed run, with the results of other runs since"

"""The league of a run: matches are recorded, opponents chosen by their results, versions kept or dropped."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.league import ELITE, League
from grandstand.trainer.league.rows import Horizon, LeagueError, LeaguePlayer, options_key, policy_name, version_number
from grandstand.trainer.league.store import LeagueStore
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.model.versions import VERSIONS, versions_in
from grandstand.trainer.run import measure, train
from tests.support.trainer.leagues import OPTIONS, SPEC, duels
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import cricket

Open = Callable[..., League]


@pytest.fixture
def opened(tmp_path: Path) -> Any:
    """Return a function that opens the league of the tiny run with further settings."""
    leagues: list[League] = []

    def open_league(folder: str = "run", **sections: dict[str, Any]) -> League:
        (tmp_path / folder).mkdir(exist_ok=True)
        leagues.append(League(tiny(**sections), SPEC, tmp_path / folder))
        leagues[-1].begin(0, str)
        return leagues[-1]

    yield open_league
    for league in leagues:
        league.close()


# --- expected scores --------------------------------------------------------------------------------------------------


def test_expected_scores_begin_even_and_follow_the_results(opened: Open) -> None:
    league = opened(league={"prior": 4.0, "half_life": 1000.0})
    assert league.expected(5) == {}
    duels(league, policy_name("tiny", 5), "random", won=6, lost=0, step=5)
    duels(league, policy_name("tiny", 5), policy_name("tiny", 2), won=1, lost=3, step=5)
    assert league.expected(5) == pytest.approx({"random": (2 + 6) / 10, "@2": (2 + 1) / 8})


def test_older_versions_count_half_with_every_half_life(opened: Open) -> None:
    league = opened(league={"prior": 2.0, "half_life": 5.0})
    duels(league, policy_name("tiny", 10), "random", won=4, lost=0, step=11)
    duels(league, policy_name("tiny", 5), "random", won=0, lost=8, step=6)
    duels(league, policy_name("tiny", 0), "random", won=0, lost=16, step=1)
    assert league.expected(20)["random"] == pytest.approx((1 + 4 / 4) / (2 + 4 / 4 + 8 / 8 + 16 / 16))
    assert league.expected(500) == {}


def test_opponents_that_beat_the_policy_are_met_more_often(opened: Open) -> None:
    settings = {"league": {"pfsp": "hard", "prior": 1.0}, "rollout": {"opponents": {"past": 3, "random": 1}}}
    league = opened(**settings)
    duels(league, policy_name("tiny", 3), policy_name("tiny", 1), won=30, lost=0, step=3)
    duels(league, policy_name("tiny", 3), policy_name("tiny", 2), won=10, lost=20, step=3)
    drawn = league.opponents(4, 3)
    easy, hard, new = (0.5 / 31) ** 2, (20.5 / 31) ** 2, 0.5**2
    whole = easy + hard + new
    assert drawn.chances == pytest.approx(
        {"@1": 0.75 * easy / whole, "@2": 0.75 * hard / whole, "@3": 0.75 * new / whole, "random": 0.25}
    )


def test_the_opponents_of_a_step_are_decided_once(opened: Open) -> None:
    league = opened(league={"pfsp": "hard"})
    before = league.opponents(4, 3)
    duels(league, policy_name("tiny", 3), policy_name("tiny", 2), won=0, lost=50, step=3)
    assert league.opponents(4, 3) == before
    assert opened(league={"pfsp": "hard"}).opponents(4, 3) == before
    assert league.opponents(5, 4) != before


# --- versions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [0, 3])
def test_versions_are_needed_as_long_as_a_step_to_come_is_played_with_them(opened: Open, depth: int) -> None:
    league = opened(
        run={"checkpoint_every": 2},
        rollout={"buffer_depth": depth, "max_staleness": depth},
        league={"recent": 2, "landmark_every": 20, "keep": [3, 999]},
    )
    league.store.decide("tiny", ELITE, 10, lambda: 6)
    for done in range(0, 200, 7):
        playing = [max(0, step - 1 - depth) for step in range(done + 1, done + 2 + depth)]
        expected = {0, *playing, *(past for version in playing for past in league.members(version))}
        kept = {version for version in (3, *range(20, 200, 20)) if version <= done} | ({6} if done >= 10 else set())
        assert league.needed(done) == expected | kept
    assert 6 in league.members(150)
    assert 6 not in league.members(9) or 6 in opened("other", run={"name": "x", "checkpoint_every": 2}).members(9)


def test_a_run_older_than_its_league_begins_with_the_version_it_has(tmp_path: Path) -> None:
    league = League(tiny(league={"recent": 9}), SPEC, tmp_path)
    league.begin(4, str)
    assert league.members(6) == [4, 5, 6]
    league.begin(6, str)
    assert league.members(6) == [4, 5, 6]
    league.close()


def test_a_run_is_not_resumed_without_its_league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative folder is another one in another working directory: the run would decide everything anew."""
    for place, version in (("here", 0), ("here", 5), ("there", 5)):
        (tmp_path / place).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / place)
        with closing(League(tiny(league={"folder": "league"}), SPEC, tmp_path / "run")) as league:
            if place == "here":
                league.begin(version, str)
                continue
            with pytest.raises(LeagueError, match=f"league.folder: .*{tmp_path / 'there' / 'league'} does not have"):
                league.begin(version, str)


def test_the_best_version_is_admitted_by_its_results(opened: Open, tmp_path: Path) -> None:
    league = opened()
    for version in (1, 2, 3):
        league.admit(version, tmp_path / f"v{version}")
    duels(league, policy_name("tiny", 1), policy_name("tiny", 0), won=16, lost=15, step=3)
    duels(league, policy_name("tiny", 2), policy_name("tiny", 0), won=60, lost=3, step=3)
    metrics = league.admit(4, tmp_path / "v4")
    assert metrics["league/elite"] == 2.0
    assert league.kept(4) == {2}
    assert 2 not in league.kept(3)
    assert metrics["league/rating/v0"] == 1500.0
    assert metrics["league/rating/v2/low"] > 1500 > metrics["league/rating/v1/low"]
    assert league.ratings(4) == {}, "decided at a checkpoint, ratings count for later versions only"
    assert league.ratings(5)["tiny@v000002"] == metrics["league/rating/v2"]
    assert "league/elite" not in league.admit(5, tmp_path / "v5")
    assert league.kept(5) == {2}
    lineage = {player.name: player.parent for player in league.store.players("diplomacy") if player.kind == "policy"}
    assert lineage == {policy_name("tiny", version): policy_name("tiny", version - 1) for version in (1, 2, 3, 4, 5)}


def test_the_best_version_by_evaluation_stays_as_long_as_none_is_better(opened: Open) -> None:
    league = opened(league={"recent": 1})
    assert league.best(9) is None
    assert [league.note_evaluation(version, gain) for version, gain in ((3, 0.1), (6, 0.3), (9, 0.2))] == [3, 6, 6]
    assert league.kept(9) == {6} <= league.needed(60)
    assert (league.kept(5), league.kept(2)) == ({3}, set()), "a run that is resumed there needs the best of that time"
    assert league.note_evaluation(12, 0.3) == 12, "the later of equals"
    assert league.kept(12) == {12}
    assert opened(league={"recent": 1}).best(12) == 12


def test_versions_between_checkpoints_are_rated_as_the_policy(opened: Open, tmp_path: Path) -> None:
    league = opened(run={"checkpoint_every": 5})
    for version in range(12):
        duels(league, policy_name("tiny", version), "random", won=3, lost=2, step=version + 1)
    league.admit(5, tmp_path)
    names = {name.split("/")[2] for name in league.admit(10, tmp_path) if name.startswith("league/rating/")}
    assert names == {"v0", "v5", "policy", "random"}


def test_versions_of_other_runs_are_rated_if_they_are_in_the_league(opened: Open, tmp_path: Path) -> None:
    """The versions between another run's checkpoints, new ones at every step, are no players of it."""
    league = opened(run={"checkpoint_every": 5})
    league.store.add([LeaguePlayer("other@v000005", SPEC.name, "policy", "other", 5, role="main")])
    for player in ("tiny@v000000", "other@v000005", "other@v000007", "other@v000008"):
        duels(league, player, "random", won=3, lost=2, step=1)
    names = {name.split("/")[2] for name in league.admit(5, tmp_path) if name.startswith("league/rating/")}
    assert names == {"v0", "other@v000005", "random"}
    rated = league.rated(5)
    assert rated is not None
    assert {player.label for player in rated.players} == names


def test_ratings_of_a_step_rest_on_matches_before_it(opened: Open, tmp_path: Path) -> None:
    league = opened(run={"checkpoint_every": 2})
    duels(league, policy_name("tiny", 0), "random", won=9, lost=1, step=1)
    duels(league, policy_name("tiny", 1), "random", won=9, lost=1, step=2)
    duels(league, policy_name("tiny", 2), "random", won=0, lost=90, step=3)
    league.admit(2, tmp_path)
    assert [league.ratings(version) for version in (0, 1, 2)] == [{}, {}, {}]
    assert set(league.ratings(3)) == {"policy", "random", "tiny@v000000"}
    assert league.ratings(3)["random"] < 1500
    league.admit(4, tmp_path)
    assert league.ratings(4) == league.ratings(3)
    assert league.ratings(5)["policy"] == league.ratings(5)["tiny@v000002"] < league.ratings(5)["random"]


def test_the_nash_average_rests_on_results_that_a_repetition_has_too(opened: Open) -> None:
    """A biased cycle of past versions, of which the results of later steps do not count."""
    settings = {"league": {"pfsp": "nash", "prior": 1e-3, "recent": 4}, "rollout": {"opponents": {"past": 1}}}
    league = opened(**settings)
    rock, paper, scissors = (policy_name("tiny", version) for version in (1, 2, 3))
    duels(league, rock, paper, won=25, lost=75, step=4)
    duels(league, rock, scissors, won=100, lost=0, step=4)
    duels(league, paper, scissors, won=45, lost=55, step=4)
    duels(league, rock, "random", won=0, lost=50, step=4)
    duels(league, rock, paper, won=900, lost=0, step=5)
    chances = league.opponents(5, 4).chances
    assert {name: chances[name] for name in ("@1", "@2", "@3")} == pytest.approx(
        {name: chances["@1"] * weight for name, weight in (("@1", 1), ("@2", 10), ("@3", 5))}, rel=1e-2
    )
    assert chances["@4"] > 0.2, "it is not met yet, and even with all"


# --- in a run ---------------------------------------------------------------------------------------------------------


def cheap(**sections: dict[str, Any]) -> TrainConfig:
    own: dict[str, dict[str, Any]] = {
        "run": {"steps": 4, "eval_every": 4},
        "rollout": {"samples": 2, "opponents": {"past": 2, "random": [[1, 1.0], [3, 0.0]]}},
        "league": {"pfsp": "variance", "recent": 1, "landmark_every": 2},
    }
    return tiny(**{name: {**own.get(name, {}), **sections.get(name, {})} for name in {**own, **sections}})


@pytest.mark.long
def test_a_run_records_its_matches_and_keeps_its_landmarks(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    train(cheap(), tmp_path)
    store = LeagueStore.existing(tmp_path)
    assert store.record("tiny", []) == 0
    matches = store.newest("diplomacy", OPTIONS, Horizon("tiny", 99), 99)
    assert len(matches) == 4 * 2 + 2 * 2, "one of each group, and of each situation of the evaluations"
    names = {player for match in matches for player in match.players.values()}
    assert {version_number(name, "tiny") for name in names if name != "random"} >= {0, 1, 2, 3}
    payoffs = {(payoff.player, payoff.opponent, payoff.seat): payoff for payoff in store.payoffs("diplomacy", OPTIONS)}
    assert all(payoff.wins + payoff.draws + payoff.losses == payoff.games for payoff in payoffs.values())
    assert sum(payoff.wins for payoff in payoffs.values()) == sum(payoff.losses for payoff in payoffs.values()) > 0
    frozen = [player for player in store.players("diplomacy") if player.kind == "policy"]
    assert [(player.version, player.landmark) for player in frozen] == [(2, True), (3, False), (4, True)]
    assert all(Path(player.adapter).is_dir() for player in frozen)
    assert set(versions_in(tmp_path / VERSIONS)) == {0, 2, 3, 4}
    store.close()
    rows = read_lines(tmp_path)
    assert [row.get("league/share/random", 0.0) for row in rows] == pytest.approx([1.0, 0.5 / 2.5, 0.0, 0.0])
    assert all(
        sum(value for name, value in row.items() if name.startswith("league/chance/")) == pytest.approx(1)
        for row in rows
    )
    before = len(matches)
    measure(tmp_path, label="later", games=2)
    store = LeagueStore.existing(tmp_path)
    assert len(store.newest("diplomacy", OPTIONS, Horizon("tiny", 99), 99)) == before, "measuring changes no league"
    store.close()


@pytest.mark.long
@pytest.mark.parametrize("stopped", ["score", "reward"])
def test_unfinished_matches_whose_standing_is_even_are_compared_by_rewards(tmp_path: Path, stopped: str) -> None:
    torch.set_num_threads(1)
    config = cricket(run={"steps": 1}, rollout={"groups": 4}, league={"stopped": stopped})
    train(config, tmp_path)
    store = LeagueStore.existing(tmp_path)
    payoffs = store.payoffs("cricket", options_key(config.game.options))
    store.close()
    wins, draws = sum(payoff.wins for payoff in payoffs), sum(payoff.draws for payoff in payoffs)
    assert wins > draws if stopped == "reward" else (wins == 0 < draws)


@pytest.mark.long
def test_rewards_may_use_the_ratings_of_the_league(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    train(cheap(run={"steps": 2, "eval_every": 0}, reward={"elo_scale": 1.0, "ratings": "league"}), tmp_path)
    rows = read_lines(tmp_path)
    assert all("game/elo" in row for row in rows)
    assert "league/rating/random" in rows[1]


@pytest.mark.long
def test_runs_that_share_a_league_share_its_results(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    shared = {"folder": str(tmp_path / "league")}
    for name in ("one", "two"):
        train(cheap(run={"name": name, "steps": 1, "eval_every": 0}, league=shared), tmp_path / name)
    store = LeagueStore.existing(tmp_path / "league")
    assert {player.run for player in store.players("diplomacy")} == {"", "one", "two"}
    assert len(store.newest("diplomacy", OPTIONS, Horizon("one", 1), 99)) == 4
    store.close()
    with pytest.raises(LeagueError, match="has another run named one"):
        train(cheap(run={"name": "one", "steps": 1}, league=shared), tmp_path / "three")


def test_a_folder_without_a_league_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LeagueError, match="there is no league in it"):
        LeagueStore.existing(tmp_path)

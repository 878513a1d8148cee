"""The report on a league says what its results say, and nothing of players without any."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.trainer.config.files import SAVED, save
from grandstand.trainer.league.report import LeagueReport, ReportedPlayer, reports
from grandstand.trainer.league.rows import LeagueError
from grandstand.trainer.league.store import LeagueStore
from tests.support.trainer.league_folder import GAMES, OPTIONS, SCORES, league_folder
from tests.support.trainer.tiny import tiny


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> LeagueReport:
    first, second = reports(league_folder(tmp_path_factory.mktemp("league")))
    assert (first.options, second.matches) == (OPTIONS, 1), "the options with the most matches come first"
    return first


def players(report: LeagueReport) -> dict[str, ReportedPlayer]:
    return {player.name: player for player in report.players}


def test_players_have_their_kind_role_and_lineage(report: LeagueReport) -> None:
    listed = players(report)
    assert (report.game, report.matches) == ("diplomacy", len(SCORES) * GAMES + 1)
    assert {name: (player.kind, player.role, player.parent, player.landmark) for name, player in listed.items()} == {
        "a@v000000": ("base", "main", "", False),
        "a@v000010": ("policy", "main", "a@v000000", True),
        "x@v000005": ("policy", "main_exploiter", "a@v000000", False),
        "random": ("bot", "", "", False),
        "hold": ("bot", "", "", False),
    }
    assert listed["random"].games == 3 * GAMES
    assert (listed["x@v000005"].run, listed["x@v000005"].version) == ("x", 5)


def test_ratings_have_intervals_and_the_base_is_the_reference(report: LeagueReport) -> None:
    listed = players(report)
    assert listed["a@v000000"].rating == pytest.approx(1500)
    weak = listed["random"]
    assert weak.rating is not None
    assert weak.low is not None
    assert weak.high is not None
    assert weak.low < weak.rating < weak.high < 1350
    assert [player.name for player in report.players][-2:] == ["random", "hold"]


def test_the_cycle_shares_the_nash_average_and_the_alpha_rank(report: LeagueReport) -> None:
    """The planted equilibrium of payoffs 0.3, 0.2 and 0.2 is proportional to (0.2, 0.2, 0.3)."""
    listed = players(report)
    nash = {name: player.nash for name, player in listed.items() if player.nash is not None}
    assert nash == pytest.approx({"a@v000000": 2 / 7, "a@v000010": 2 / 7, "x@v000005": 3 / 7, "random": 0.0}, abs=0.12)
    assert nash["random"] == 0.0
    assert sum(nash.values()) == pytest.approx(1)
    assert all(player.against_nash == pytest.approx(0.5, abs=1e-4) for player in listed.values() if player.nash), (
        "all that are part of the mixture are even with it"
    )
    assert sum(player.alpha or 0.0 for player in listed.values()) == pytest.approx(1)
    assert (listed["random"].alpha or 0.0) < 1e-6
    assert (listed["random"].against_nash or 1.0) < 0.2


def test_a_player_without_results_has_none(report: LeagueReport) -> None:
    hold = players(report)["hold"]
    assert hold.games == 0
    assert {hold.rating, hold.low, hold.high, hold.nash, hold.against_nash, hold.alpha} == {None}


def test_every_pair_that_has_met_has_its_results(report: LeagueReport) -> None:
    payoffs = {(payoff.player, payoff.opponent): payoff for payoff in report.payoffs}
    assert payoffs.keys() == {*SCORES, *((opponent, player) for player, opponent in SCORES)}
    for pair, planted in SCORES.items():
        assert payoffs[pair].score == pytest.approx(planted, abs=0.12)
        assert payoffs[pair].games == payoffs[pair].wins + payoffs[pair].draws + payoffs[pair].losses == GAMES
        assert payoffs[pair[::-1]].wins == payoffs[pair].losses


def test_the_opponents_of_each_runs_last_step_have_their_names(report: LeagueReport) -> None:
    first, second = report.opponents
    assert (first.run, first.step, first.chances) == ("a", 11, {"a@v000000": 0.25, "self": 0.75})
    assert first.expected == {"a@v000000": 0.8}
    assert (second.run, second.step, second.chances) == ("x", 6, {"a@v000010": 1.0})


def test_a_league_without_what_is_wanted_says_so(tmp_path: Path) -> None:
    with pytest.raises(LeagueError, match="there is no league in it"):
        reports(tmp_path)
    LeagueStore(tmp_path / "new").close()
    with pytest.raises(LeagueError, match="its league has no matches yet; wait for the first step of a run"):
        reports(tmp_path / "new")
    league_folder(tmp_path / "full")
    with pytest.raises(
        LeagueError, match=r"--game: the league in .* has no match of cricket; it has some of diplomacy"
    ):
        reports(tmp_path / "full", "cricket")
    assert len(reports(tmp_path / "full", "diplomacy")) == 2


def test_a_runs_folder_stands_for_the_league_that_it_shares(tmp_path: Path) -> None:
    league_folder(tmp_path / "shared")
    (tmp_path / "run").mkdir()
    save(tiny(league={"folder": str(tmp_path / "shared")}), tmp_path / "run")
    assert (tmp_path / "run" / SAVED).is_file()
    assert reports(tmp_path / "run") == reports(tmp_path / "shared")

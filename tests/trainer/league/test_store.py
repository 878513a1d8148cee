"""The store of a league: every match counts once, decisions stand, and several processes may write."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grandstand.trainer.league.rows import (
    Horizon,
    LeagueError,
    LeagueMatch,
    LeaguePlayer,
    Payoff,
    options_key,
    policy_name,
    version_number,
)
from grandstand.trainer.league.store import FILE, LeagueStore

OPTIONS = options_key({"last_year": 1903, "press": "none"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LeagueStore]:
    opened = LeagueStore(tmp_path)
    yield opened
    opened.close()


def match(episode: str, *scores: tuple[str, float], **changes: Any) -> LeagueMatch:
    """Return a match in seats `a`, `b`, …, of (player, score)."""
    seats = dict(zip("abcdefg", scores, strict=False))
    values: dict[str, Any] = {
        "episode": episode, "stage": "training", "step": 1, "game": "diplomacy", "options": OPTIONS, "lot": episode,
        "players": {seat: player for seat, (player, _) in seats.items()},
        "scores": {seat: score for seat, (_, score) in seats.items()},
    }  # fmt: skip
    return LeagueMatch(**{**values, **changes})


def test_every_pair_of_seats_of_different_players_is_compared(store: LeagueStore) -> None:
    assert store.record("r", [match("m", ("r@v000001", 5.0), ("x", 3.0), ("x", 5.0), ("y", 9.0))]) == 1
    assert store.payoffs("diplomacy", OPTIONS) == [
        Payoff("r@v000001", "x", "a", 1, 1, 0, 10.0, 2),
        Payoff("r@v000001", "y", "a", 0, 0, 1, 5.0, 1),
        Payoff("x", "r@v000001", "b", 0, 0, 1, 3.0, 1),
        Payoff("x", "r@v000001", "c", 0, 1, 0, 5.0, 1),
        Payoff("x", "y", "b", 0, 0, 1, 3.0, 1),
        Payoff("x", "y", "c", 0, 0, 1, 5.0, 1),
        Payoff("y", "r@v000001", "d", 1, 0, 0, 9.0, 1),
        Payoff("y", "x", "d", 2, 0, 0, 18.0, 2),
    ]


def test_a_seat_without_a_score_of_its_own_is_compared_with_nobody(store: LeagueStore) -> None:
    store.record("r", [match("m", ("p", 5.0), ("x", 3.0), ("y", 9.0), scores={"a": 5.0, "c": 9.0})])
    assert {(payoff.player, payoff.opponent) for payoff in store.payoffs("diplomacy", OPTIONS)} == {
        ("p", "y"), ("y", "p"),
    }  # fmt: skip


def test_a_match_counts_once_however_often_it_is_recorded(store: LeagueStore, tmp_path: Path) -> None:
    played = [match(f"m{number}", ("p", 1.0), ("x", 0.0)) for number in range(3)]
    assert store.record("r", played[:2]) == 2
    assert store.record("r", played) == 1
    again = LeagueStore(tmp_path)
    assert again.record("r", played) == 0
    again.close()
    assert [payoff.games for payoff in store.payoffs("diplomacy", OPTIONS)] == [3, 3]


def test_all_matches_of_a_step_are_recorded_or_none(store: LeagueStore) -> None:
    broken = match("m2", ("p", 1.0), ("x", 0.0), players={"a": "p"})
    with pytest.raises(KeyError):
        store.record("r", [match("m1", ("p", 1.0), ("x", 0.0)), broken])
    assert store.payoffs("diplomacy", OPTIONS) == []
    assert store.record("r", [match("m1", ("p", 1.0), ("x", 0.0))]) == 1


def test_games_and_options_are_kept_apart(store: LeagueStore) -> None:
    other = options_key({"last_year": 1920})
    store.record("r", [match("m1", ("p", 1.0), ("x", 0.0)), match("m2", ("p", 0.0), ("x", 1.0), options=other)])
    store.record("r", [match("m3", ("p", 0.0), ("x", 0.0), game="cricket")])
    ((ours, _), (theirs, _)) = (store.payoffs("diplomacy", options) for options in (OPTIONS, other))
    assert (ours.wins, theirs.wins) == (1, 0)
    assert store.payoffs("cricket", OPTIONS)[0].draws == 1


def test_results_between_players_are_summed_over_seats(store: LeagueStore) -> None:
    store.record("r", [match("m1", ("p", 1.0), ("x", 0.0), ("y", 0.0))])
    store.record("s", [match("m2", ("x", 1.0), ("p", 1.0), ("x", 2.0), step=7)])
    pairs = [("p", "x", 1, 1, 3), ("x", "p", 1, 1, 3)]
    assert store.between("diplomacy", OPTIONS, ["p", "x"]) == pairs
    assert store.between("diplomacy", OPTIONS, ["p", "x"], Horizon("r", 0)) == [
        ("p", "x", 0, 1, 2),
        ("x", "p", 1, 1, 2),
    ]
    assert store.between("diplomacy", OPTIONS, ["p", "x"], Horizon("s", 6)) == [
        ("p", "x", 1, 0, 1),
        ("x", "p", 0, 0, 1),
    ]
    assert len(store.between("diplomacy", OPTIONS, ["p", "x", "y"])) == 6
    assert store.between("diplomacy", OPTIONS, ["p"]) == store.between("cricket", OPTIONS, ["p", "x"]) == []


def test_a_decision_uses_only_what_is_there_in_every_repetition(store: LeagueStore) -> None:
    store.record(
        "r",
        [match(f"s{step}", ("r@v000001", 1.0), ("x", 0.0), step=step) for step in (1, 2, 3)]
        + [match(f"e{step}", ("r@v000001", 1.0), ("x", 0.0), stage="evaluation", step=step) for step in (1, 2, 3)],
    )
    store.record("other", [match("o", ("r@v000001", 1.0), ("x", 0.0), step=9)])

    def games(step: int) -> int:
        return sum(row[-1] for row in store.against("diplomacy", OPTIONS, Horizon("r", step), 0))

    assert [games(step) for step in (1, 2, 3, 4)] == [1 + 0 + 1, 2 + 1 + 1, 3 + 2 + 1, 3 + 3 + 1]
    assert store.against("diplomacy", OPTIONS, Horizon("r", 3), oldest=2) == []


def test_versions_of_other_runs_are_none_of_the_policy(store: LeagueStore) -> None:
    store.record("r", [match("m", ("r@v000001", 1.0), ("r2@v000001", 0.0), ("r@v000002", 2.0))])
    rows = store.against("diplomacy", OPTIONS, Horizon("r", 5), 0)
    assert {(version, opponent) for version, opponent, *_ in rows} == {
        (1, "r2@v000001"), (1, "r@v000002"), (2, "r@v000001"), (2, "r2@v000001"),
    }  # fmt: skip
    assert version_number("r2@v000001", "r") is None
    assert version_number(policy_name("r", 12), "r") == 12
    assert version_number("dumbbot", "r") is None


def test_one_match_of_each_of_the_newest_lots_is_rated(store: LeagueStore) -> None:
    store.record(
        "r",
        [
            match(f"s{step}-g{group}-f{fork}", ("p", step), ("x", fork), step=step, lot=f"s{step}-g{group}")
            for step in (1, 2, 3)
            for group in (0, 1)
            for fork in (0, 1, 2)
        ],
    )
    newest = store.newest("diplomacy", OPTIONS, Horizon("r", 3), 3)
    assert [dict(result.scores) for result in newest] == [{"a": step, "b": 0.0} for step in (2.0, 3.0, 3.0)]
    assert len(store.newest("diplomacy", OPTIONS, Horizon("r", 2), 99)) == 4


def test_runs_at_other_steps_are_rated_by_as_many_of_their_newest_lots(store: LeagueStore) -> None:
    """A run that joins a league late is not outnumbered by the steps of those that are far ahead."""
    for run, first in (("old", 900), ("new", 1)):
        store.record(
            run,
            [
                match(f"{run}-{step}-{fork}", (f"{run}@v000001", float(fork)), ("x", 0.5), step=step, lot=f"{step}")
                for step in range(first, first + 9)
                for fork in (0, 1)
            ],
        )
    for horizon, own in ((Horizon("new", 9), 9), (Horizon("old", 908), 9), (None, 9), (Horizon("new", 2), 2)):
        newest = store.newest("diplomacy", OPTIONS, horizon, 6)
        players = Counter(result.players["a"] for result in newest)
        assert players == {"new@v000001": min(own, 3), "old@v000001": 6 - min(own, 3)}
    both = store.siblings("diplomacy", OPTIONS, Horizon("new", 9), 6)
    assert Counter(result.players["a"] for result in both) == {"new@v000001": 6, "old@v000001": 6}
    assert len({result.cluster for result in both}) == 6


def test_a_decision_stands(store: LeagueStore, tmp_path: Path) -> None:
    assert store.decide("r", "opponents", 4, lambda: {"x": 0.1}) == {"x": 0.1}
    assert store.decide("r", "opponents", 4, lambda: {"x": 0.9}) == {"x": 0.1}
    assert store.decide("s", "opponents", 4, lambda: {"x": 0.9}) == {"x": 0.9}
    store.decide("r", "opponents", 7, lambda: None)
    assert store.decisions("r", "opponents", 6) == {4: {"x": 0.1}}
    assert store.decisions("r", "opponents", 7) == {4: {"x": 0.1}, 7: None}


def test_players_have_their_lineage(store: LeagueStore) -> None:
    frozen = LeaguePlayer(
        "r@v000010", "diplomacy", "policy", "r", 10, "/runs/r/versions/r@v000010", "r@v000005", landmark=True
    )
    store.add([frozen, LeaguePlayer("dumbbot", "diplomacy", "bot"), LeaguePlayer("dumbbot", "cricket", "bot")])
    store.add([LeaguePlayer("r@v000010", "diplomacy", "policy", "r", 10, "/elsewhere")])
    assert store.players("diplomacy") == [LeaguePlayer("dumbbot", "diplomacy", "bot"), frozen]
    store.remove("diplomacy", ["r@v000010"])
    assert [player.name for player in store.players("diplomacy")] == ["dumbbot"]
    assert len(store.players("cricket")) == 1


def test_two_runs_of_one_name_do_not_share_a_league(store: LeagueStore) -> None:
    store.register("r", "key")
    store.register("r", "key")
    with pytest.raises(LeagueError, match=r"run.name: the league in .* has another run named r; give this one its own"):
        store.register("r", "another")


@pytest.mark.parametrize(("version", "made"), [(7, "a later release"), (-1, "an earlier release")])
def test_a_store_of_another_release_says_so(tmp_path: Path, version: int, made: str) -> None:
    LeagueStore(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute(f"PRAGMA user_version={version}")
    database.close()
    with pytest.raises(LeagueError, match=rf"{made} made it: it has format {version}, and this one reads 2"):
        LeagueStore(tmp_path)


def test_what_is_no_store_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database, but long enough to be read as one" * 100)
    with pytest.raises(LeagueError, match=r"league.db: file is not a database; name another folder"):
        LeagueStore(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(LeagueError, match="name a writable folder"):
        LeagueStore(tmp_path / "file")


FORMAT_1 = """
CREATE TABLE runs (name TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE players (
    name TEXT NOT NULL, game TEXT NOT NULL, kind TEXT NOT NULL, run TEXT NOT NULL, version INTEGER,
    adapter TEXT NOT NULL, parent TEXT NOT NULL, model TEXT NOT NULL, landmark INTEGER NOT NULL,
    PRIMARY KEY (game, name)
) WITHOUT ROWID;
INSERT INTO runs VALUES ('r', 'key');
INSERT INTO players VALUES ('r@v000000', 'diplomacy', 'base', 'r', 0, '', '', 'm', 0);
INSERT INTO players VALUES ('r@v000005', 'diplomacy', 'policy', 'r', 5, '/a', 'r@v000000', 'm', 1);
INSERT INTO players VALUES ('dumbbot', 'diplomacy', 'bot', '', NULL, '', '', '', 0);
PRAGMA user_version=1;
"""


def test_a_store_of_the_first_format_is_brought_to_the_present_one(tmp_path: Path) -> None:
    """Its runs were main runs, for there were no others."""
    database = sqlite3.connect(tmp_path / FILE)
    database.executescript(FORMAT_1)
    database.close()
    for _ in range(2):
        store = LeagueStore(tmp_path)
        assert store.players("diplomacy") == [
            LeaguePlayer("dumbbot", "diplomacy", "bot"),
            LeaguePlayer("r@v000000", "diplomacy", "base", "r", 0, model="m", role="main"),
            LeaguePlayer("r@v000005", "diplomacy", "policy", "r", 5, "/a", "r@v000000", "m", True, "main"),
        ]
        store.register("r", "key")
        store.close()
    database = sqlite3.connect(tmp_path / FILE)
    assert database.execute("PRAGMA user_version").fetchone() == (2,)
    columns = [row[1:4] for row in database.execute("PRAGMA table_info(players)")]
    database.close()
    LeagueStore(tmp_path / "new").close()
    database = sqlite3.connect(tmp_path / "new" / FILE)
    assert columns == [row[1:4] for row in database.execute("PRAGMA table_info(players)")]
    database.close()


PROGRAM = """
import sys
from pathlib import Path
from grandstand.trainer.league.store import LeagueStore
from grandstand.trainer.league.rows import LeagueMatch
store = LeagueStore(Path(sys.argv[1]))
for number in range(40):
    players, scores = {"a": sys.argv[2], "b": "x"}, {"a": 1.0, "b": 0.0}
    match = LeagueMatch(f"{sys.argv[2]}-{number}", "training", 1, "diplomacy", "{}", str(number), players, scores)
    assert store.record(sys.argv[2], [match]) == 1
    store.decide(sys.argv[2], "opponents", number, lambda: number)
"""


@pytest.mark.long
def test_several_processes_write_at_the_same_time(tmp_path: Path) -> None:
    """They open it at the same time too, while it is not there yet."""
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    processes = [subprocess.Popen([*command, name], cwd=root) for name in ("r", "s", "t")]
    assert [process.wait() for process in processes] == [0, 0, 0]
    store = LeagueStore(tmp_path)
    games = {payoff.player: payoff.games for payoff in store.payoffs("diplomacy", "{}") if payoff.opponent == "x"}
    assert games == {"r": 40, "s": 40, "t": 40}
    assert all(len(store.decisions(run, "opponents", 99)) == 40 for run in "rst")
    store.close()


def test_a_store_waits_for_the_process_that_creates_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite itself fails at once if the file is locked while it begins a write-ahead log."""
    creator = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    creator.execute("BEGIN IMMEDIATE")
    waited = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        creator.execute("COMMIT")

    monkeypatch.setattr("time.sleep", wait)
    LeagueStore(tmp_path).close()
    assert len(waited) == 1
    creator.close()


def test_matches_of_steps_are_those_of_training_with_the_seats_that_have_scores(store: LeagueStore) -> None:
    early, late = (match(f"m{step}", ("r@v000001", 5.0), ("x", 3.0), step=step) for step in (1, 4))
    partly = match("m3", ("r@v000001", 5.0), ("x", 3.0), step=3, lot="shared")
    scored = replace(partly, scores={"a": 5.0})
    evaluated = match("m5", ("r@v000001", 5.0), step=4, stage="evaluation")
    store.record("r", [late, scored, early, evaluated])
    store.record("other", [match("m6", ("other@v000001", 5.0), ("x", 3.0), step=4)])
    read = store.matches("diplomacy", OPTIONS, "r", 2, 4)
    assert read == [replace(scored, players={"a": "r@v000001"}), late]
    assert store.matches("diplomacy", OPTIONS, "r", 1, 1) == [early]
    assert store.matches("cricket", OPTIONS, "r", 1, 9) == []

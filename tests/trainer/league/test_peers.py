"""Versions of other runs join a run as opponents, and stay when the other run deletes them."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.games.registry import game_spec
from grandstand.trainer import checkpoint
from grandstand.trainer.config.files import save
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.league import League
from grandstand.trainer.league.peers import PEERS, Peers, inherit, model_digest
from grandstand.trainer.league.rows import LeagueError, LeaguePlayer, options_key
from grandstand.trainer.league.store import LeagueStore
from grandstand.trainer.loop import CHECKPOINTS
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.model.versions import ADAPTER
from grandstand.trainer.run import train
from tests.support.trainer.records import measured, same
from tests.support.trainer.tiny import tiny


def version(folder: Path, name: str, model: str = "m") -> LeaguePlayer:
    """Return a version of another run, with an adapter."""
    (folder / name).mkdir(parents=True)
    (folder / name / ADAPTER).write_bytes(name.encode())
    run, _, number = name.rpartition("@v")
    return LeaguePlayer(name, "diplomacy", "policy", run, int(number), str(folder / name), "", model)


def test_adapters_fit_policies_of_the_same_model_and_shape(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    policy = tiny().policy
    digest = model_digest(policy, tmp_path)
    assert digest == model_digest(policy.model_copy(update={"lora_alpha": 32, "init": "elsewhere"}), tmp_path)
    assert digest != model_digest(policy.model_copy(update={"lora_rank": 8}), tmp_path)
    assert digest != model_digest(policy, None)
    (tmp_path / "model.safetensors").write_bytes(b"others")
    assert digest != model_digest(policy, tmp_path)


def test_copies_of_other_runs_versions_are_taken_and_kept(tmp_path: Path) -> None:
    others = [version(tmp_path / "other", name) for name in ("other@v000002", "other@v000005", "mine@v000001")]
    strange = version(tmp_path / "strange", "strange@v000001", "another model")
    gone = LeaguePlayer("gone@v000001", "diplomacy", "policy", "gone", 1, str(tmp_path / "gone"), "", "m")
    bot = LeaguePlayer("dumbbot", "diplomacy", "bot", model="m")
    peers = Peers(tmp_path / "run", "mine")
    assert peers.take([*others, strange, gone, bot], "m") == ["other@v000002", "other@v000005"]
    shutil.rmtree(tmp_path / "other")
    assert peers.take(others, "m") == ["other@v000002", "other@v000005"]
    assert (peers.path("other@v000002") / ADAPTER).read_bytes() == b"other@v000002"
    assert len({peers.number(name) for name in ("a", "b", "a")}) == 2
    peers.keep(["other@v000005"])
    assert peers.take(others, "m") == ["other@v000005"]


def test_a_league_is_inherited_if_it_has_versions_that_can_play(tmp_path: Path) -> None:
    source, own = LeagueStore(tmp_path / "source"), LeagueStore(tmp_path / "own")
    with pytest.raises(LeagueError, match="no version of diplomacy whose weights are there"):
        inherit(tmp_path / "source", "diplomacy", "mine", "m", own)
    source.add([version(tmp_path, "strange@v000001", "another")])
    with pytest.raises(LeagueError, match=r"none of the 1 versions of diplomacy in .* is on this run's model"):
        inherit(tmp_path / "source", "diplomacy", "mine", "m", own)
    source.add([version(tmp_path, "other@v000002"), version(tmp_path, "strange@v000002", "another")])
    inherit(tmp_path / "source", "diplomacy", "mine", "m", own)
    assert [player.name for player in own.players("diplomacy")] == ["other@v000002"]
    with pytest.raises(LeagueError, match="that league has a run named other too; give this run its own name"):
        inherit(tmp_path / "source", "diplomacy", "other", "m", own)
    with pytest.raises(LeagueError, match="there is no league in it"):
        inherit(tmp_path / "nowhere", "diplomacy", "mine", "m", own)
    source.close()
    own.close()


def test_a_source_with_nothing_to_inherit_is_refused_before_any_cloning(tmp_path: Path) -> None:
    activities: list[str] = []
    config = tiny(league={"inherit_from": str(tmp_path / "nowhere")}, rollout={"opponents": {"peer": 1}})
    for resume in (False, True):
        with pytest.raises(LeagueError, match="there is no league in it"):
            train(
                config,
                tmp_path / "mine",
                resume=resume,
                doing=lambda activity, done, total: activities.append(activity),
            )
    assert activities == []


def test_a_run_whose_league_is_shared_can_be_named_as_source(tmp_path: Path) -> None:
    save(tiny(run={"name": "other"}, league={"folder": str(tmp_path / "shared")}), tmp_path / "run")
    with closing(LeagueStore(tmp_path / "own")) as own:
        with pytest.raises(LeagueError, match=f"{tmp_path / 'shared'}: there is no league in it"):
            inherit(tmp_path / "run", "diplomacy", "mine", "m", own)
        with closing(LeagueStore(tmp_path / "shared")) as shared:
            shared.add([version(tmp_path, "other@v000002")])
        inherit(tmp_path / "run", "diplomacy", "mine", "m", own)
        assert [player.name for player in own.players("diplomacy")] == ["other@v000002"]


def test_a_copy_without_weights_is_made_again(tmp_path: Path) -> None:
    """The other run may delete its version while the copy is made."""
    player = version(tmp_path / "other", "other@v000002")
    peers = Peers(tmp_path / "run", "mine")
    peers.path(player.name).mkdir(parents=True)
    assert peers.take([player], "m") == [player.name]
    assert (peers.path(player.name) / ADAPTER).is_file()
    shutil.rmtree(peers.path(player.name))
    peers.path(player.name).mkdir()
    shutil.rmtree(tmp_path / "other")
    assert peers.take([player], "m") == []


def test_peers_of_a_shared_league_are_taken_at_checkpoints_and_decided_once(tmp_path: Path) -> None:
    spec = game_spec("diplomacy")
    config = tiny(run={"name": "mine", "checkpoint_every": 5}, league={"folder": str(tmp_path / "shared")})
    league = League(config, spec, tmp_path / "run")
    league.begin(0, lambda: "m")
    assert league.peers(0) == []
    league.store.add([version(tmp_path, "other@v000002")])
    league.admit(5, tmp_path)
    assert (league.peers(5), league.peers(6)) == ([], ["other@v000002"])
    league.store.remove("diplomacy", ["other@v000002"])
    league.store.add([version(tmp_path, "other@v000009")])
    league.begin(5, lambda: "m")
    league.admit(5, tmp_path)
    assert (league.peers(5), league.peers(6)) == ([], ["other@v000002"]), "a resumed run decides nothing anew"
    league.admit(10, tmp_path)
    assert league.peers(11) == ["other@v000009"]
    league.keep_peers([5, 10])
    assert sorted(path.name for path in (tmp_path / "run" / PEERS).iterdir()) == ["other@v000002", "other@v000009"]
    league.keep_peers([10])
    league.keep_peers([12])
    assert [path.name for path in (tmp_path / "run" / PEERS).iterdir()] == ["other@v000009"]
    assert set(league.opponents(12, 11).chances) <= {"random", "@0", "@5", "@10"}, "only if `peer` has a share"
    league.close()


@pytest.mark.long
def test_a_run_meets_the_versions_of_the_run_that_it_starts_from(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    other = tmp_path / "other"
    train(tiny(run={"name": "other", "steps": 2}, rollout={"samples": 2}), other)

    def config(steps: int) -> TrainConfig:
        sections: dict[str, dict[str, Any]] = {
            "run": {"name": "mine", "steps": steps},
            "policy": {"init": str(other)},
            "league": {"inherit_from": str(other), "pfsp": "hard"},
            "rollout": {"samples": 2, "opponents": {"peer": 3, "random": 1}},
        }
        return tiny(**sections)

    train(config(2), tmp_path / "whole")
    train(config(1), tmp_path / "mine")
    shutil.rmtree(other)
    train(config(2), tmp_path / "mine", resume=True)
    assert measured(tmp_path / "mine") == measured(tmp_path / "whole")
    mine, whole = (checkpoint.latest(tmp_path / name / CHECKPOINTS) for name in ("mine", "whole"))
    assert mine is not None
    assert whole is not None
    assert same(mine["learner"], whole["learner"])
    row = read_lines(tmp_path / "mine")[-1]
    assert row["league/share/peer"] == 0.75
    assert {name for name in row if name.startswith("league/chance/")} == {
        "league/chance/other@v000001", "league/chance/other@v000002", "league/chance/random",
    }  # fmt: skip
    assert row["opponent/peer/game_count"] > 0
    store = LeagueStore.existing(tmp_path / "mine")
    met = {payoff.opponent for payoff in store.payoffs("diplomacy", options_key(tiny().game.options))}
    assert met >= {"other@v000001", "other@v000002", "mine@v000000", "mine@v000001"}
    store.close()

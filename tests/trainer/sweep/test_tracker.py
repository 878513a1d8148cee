"""The tracker of several experiments."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.sweep.analysis import analyse
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep, watched
from grandstand.trainer.sweep.layout import BUFFER
from grandstand.trainer.sweep.tracker import status_of, sweep_files, tracker
from tests.support.trainer.fake_sweep import fake_sweep
from tests.support.trainer.fake_training import BREAKS_OFF
from tests.support.trainer.tiny_sweep import TINY
from tests.support.trainer.training_run import ending, opening


def named(folder: Path, name: str, betas: dict[str, float]) -> Sweep:
    return fake_sweep(folder / name, betas, metadata={**TINY["metadata"], "name": name, "title": f"Experiment {name}"})


def recorded(path: Path, episode_id: str) -> None:
    """Record a training run as an episode."""
    with closing(Recorder(path)) as recorder:
        bus = Bus(recorder)
        bus.open(episode_id, 0)
        bus.publish(episode_id, [*opening(), ending()])


def status(sweep: Sweep) -> str:
    return status_of(analyse(sweep))


@pytest.mark.long
def test_the_status_of_experiments(tmp_path: Path) -> None:
    sweep = named(tmp_path, "good", {"A": 0.0, "B": 0.2})
    assert status(sweep) == "planned"
    Execution(sweep, 3).execute(sweep.runs[:1])
    assert status(sweep) == "running"
    Execution(sweep, 3).execute(sweep.runs)
    assert status(sweep) == "completed"
    failing = named(tmp_path, "bad", {"A": 0.0, "B": BREAKS_OFF})
    Execution(failing, 3).execute(failing.runs)
    assert status(failing) == "failed"


def test_a_page_of_all(tmp_path: Path) -> None:
    done, planned = (named(tmp_path, name, {"A": 0.0, "B": 0.2}) for name in ("one", "two"))
    Execution(done, 3).execute(done.runs)
    recorded(done.runs[0].train_folder / "record.db", "run-tiny-A-s1-1")
    text = tracker([done, planned])
    assert "| [Experiment one](#experiment-one) | completed | 6 of 6 | supported |" in text
    assert "| [Experiment two](#experiment-two) | planned | 0 of 6 | – |" in text
    assert text.count("**Hypothesis.** A KL penalty of 0.5 keeps the policy nearer to its base.") == 2
    assert f"grandstand sweep {done.path} --run --out {done.folder}" in text
    assert f"| A-s1 | `run-tiny-A-s1-1` | `{done.runs[0].train_folder}/record.db` |" in text
    assert "**Results.** None yet." in text
    assert "`kl.beta`: `0.0` → `0.2`" in text
    assert "| A | penalty 0.0 | baseline |" in text


@pytest.mark.long
def test_an_episode_leads_to_the_one_on_the_server(tmp_path: Path) -> None:
    sweep = watched(named(tmp_path, "shown", {"A": 0.0, "B": 0.2}), "http://127.0.0.1:8000/")
    Execution(sweep, 3).execute(sweep.runs)
    folder = sweep.runs[0].train_folder
    recorded(folder / "record.db", "run-tiny-A-s1-1")
    assert "| A-s1 | `run-tiny-A-s1-1` |" in tracker([sweep]), "the server has nothing yet"
    recorded(folder / BUFFER, "id-on-the-server")
    link = "[`run-tiny-A-s1-1`](http://127.0.0.1:8000/episode/id-on-the-server)"
    assert f"| A-s1 | {link} |" in tracker([sweep])


def test_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "c.toml"):
        (tmp_path / name).touch()
    assert [path.name for path in sweep_files(tmp_path)] == ["a.yml", "b.yaml"]
    assert sweep_files(tmp_path / "b.yaml") == [tmp_path / "b.yaml"]

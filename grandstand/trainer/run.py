"""Run the training from the first match to the last step, for `grandstand train`.

    base policy -> [ play a step's groups -> read them back -> learn -> publish the new version -> report ] ...

Everything is in the run's folder, and a killed run resumes from its last checkpoint exactly as if it had continued.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from grandstand.atomic import lock_folder
from grandstand.campaigns.run_publisher import Watch
from grandstand.games.registry import game_spec
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.config.files import RECORD, SAVED, save
from grandstand.trainer.config.files import load as load_config
from grandstand.trainer.config.league_settings import BASE
from grandstand.trainer.config.settings import TrainConfig, changed
from grandstand.trainer.league.league import League
from grandstand.trainer.learning.shared_base import take_base
from grandstand.trainer.loop import RECORD_WAIT, Doing, Run, RunError, Summary
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.model.versions import BASE_FOLDER, PULLED
from grandstand.trainer.rollout.evaluation import PairedResult


@contextmanager
def _opened(config: TrainConfig, folder: Path, watch: Watch | None, doing: Doing) -> Iterator[Run]:
    """Open the run in `folder`, and close its resources afterwards."""
    with (
        closing(Recorder(folder / RECORD, RECORD_WAIT)) as recorder,
        closing(League(config, game_spec(config.game.name), folder)) as league,
    ):
        run = Run(config, folder, recorder, league, watch, doing)
        with closing(run.backend), closing(run.learner):
            run.serve(run.done)
            yield run


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the run for this process.

    Raises RunError if another process has locked it, or if it was pulled from a Hub.
    """
    if (folder / PULLED).is_file():
        raise RunError(f"{folder}: was pulled from a Hub and is no run; begin one from it with policy.init")
    with ExitStack() as stack:
        try:
            stack.enter_context(lock_folder(folder))
        except BlockingIOError as error:
            raise RunError(f"{folder}: another process is at work on this run; wait until it is done") from error
        yield


def train(
    config: TrainConfig,
    folder: Path,
    *,
    resume: bool = False,
    report: Callable[[StepMetrics], None] = lambda taken: None,
    doing: Doing = lambda what, done, whole: None,
    watch: Watch | None = None,
    base: Path | None = None,
) -> Summary:
    """Train in `folder`, which holds everything of the run; with `resume`, continue the run in it.

    `base` is the folder of the base that the run would clone; it is copied instead.

    Raises RunError, BaseError, PolicyError, SamplerError, BackendError, Mismatch, Diverged, LearnerLost; everything up
    to the last checkpoint is kept.
    """
    with _alone(folder):
        if base is not None:
            take_base(config, base, folder / BASE_FOLDER)
        _claim(config, folder, resume)
        with _opened(config, folder, watch, doing) as run:
            return run.steps(report)


@contextmanager
def measuring(folder: Path, doing: Doing = lambda what, done, whole: None) -> Iterator[Run]:
    """Open the run in `folder` for its method `measure`. Raises RunError if there is none."""
    if not (folder / SAVED).is_file():
        raise RunError(f"{folder}: there is no run in it")
    with _alone(folder), _opened(load_config(folder / SAVED), folder, None, doing) as run:
        yield run


def measure(
    folder: Path,
    *,
    label: str,
    opponents: Mapping[str, float] | None = None,
    games: int,
    version: int | None = None,
    doing: Doing = lambda what, done, whole: None,
) -> PairedResult:
    """Compare a version of the run in `folder`, by default its last, with its base in new situations.

    `opponents` play the other seats, by default the base. Raises RunError if there is no such version.
    """
    with measuring(folder, doing) as run:
        return run.evaluate_pair(run.kept_version(version), label, opponents or {BASE: 1.0}, games)


def _claim(config: TrainConfig, folder: Path, resume: bool) -> None:
    """Write the settings into the folder. Raises RunError if it has a run with other settings, or one not resumed."""
    path = folder / SAVED
    if path.is_file() and not resume:
        raise RunError(f"{folder}: there is a run in it already; continue it with --resume, or start anew with --fresh")
    if path.is_file() and (differences := changed(load_config(path), config)):
        raise RunError("the run was started with other settings:\n" + "\n".join(differences))
    save(config, folder)

"""Expand a sweep into its runs: complete, checked settings for each arm and seed, before anything starts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import Any

from grandstand.games.registry import game_spec
from grandstand.trainer.config.files import REMOVED, ConfigError, extended, make
from grandstand.trainer.config.settings import TrainConfig, leaves, merged
from grandstand.trainer.learning.shared_base import base_key
from grandstand.trainer.sweep.metric import Measured, Metric, parse_metric
from grandstand.trainer.sweep.sweep_file import Arm, Criterion, SweepError, SweepFile, read_sweep

FIELDS = ("base", "field")
"""Opponents of measurements beside the bots."""
_OWN = ("run.name", "run.title", "run.folder", "run.seed", "league.keep", "policy.init")
"""Settings that the sweep itself gives to each run."""
_PLACES = ("run.name", "run.title", "run.folder", "policy.init", "watch", "metrics")
"""Settings that do not change a run's results."""
_TOLERANCE = 0.01
_LONGEST_ARM = 60
"""The most characters of an arm's name in the title of a run."""
STORE = "store"
"""Folder beside those of the sweeps, with the runs and bases that all of them share."""


@dataclass(frozen=True)
class SweepBase:
    """The cloned policy that all runs with the same seed and settings of the cloning begin with."""

    key: str
    config: TrainConfig = field(compare=False)
    folder: Path

    @property
    def id(self) -> str:
        return self.config.run.name


@dataclass(frozen=True)
class SweepRun:
    """One arm with one seed."""

    arm: str
    seed: int
    config: TrainConfig
    key: str
    """Hash of everything that determines the result of the training."""
    folder: Path
    parent: SweepRun | None
    """The run with whose policy this one begins."""
    base: SweepBase | None = None
    """The base that it begins with; None if it clones none."""

    @property
    def id(self) -> str:
        return f"{self.arm}-s{self.seed}"

    @property
    def train_folder(self) -> Path:
        return self.folder / "run"

    @property
    def simulated(self) -> float:
        """Return the length of all forks of the run in the game's unit, with those of the run that it begins with."""
        rollout, before = self.config.rollout, self.parent.simulated if self.parent else 0.0
        return before + self.config.run.steps * rollout.groups * rollout.samples * expected_horizon(self.config)

    @property
    def expected_samples(self) -> float:
        """Return a number proportional to the decisions that the run learns from."""
        before = self.parent.expected_samples if self.parent else 0.0
        own = self.simulated - (self.parent.simulated if self.parent else 0.0)
        return before + own * self.config.game.trained_seats


def expected_horizon(config: TrainConfig) -> float:
    """Return the mean length of a fork in the game's unit."""
    rollout = config.rollout
    share = rollout.long_horizon_chance
    return rollout.horizon * (1 - share) + rollout.long_horizon * share


@dataclass(frozen=True)
class Sweep:
    """A sweep with its runs. They are ordered by seed, so that all arms soon have results for the first seeds."""

    file: SweepFile
    path: Path
    folder: Path
    runs: Sequence[SweepRun]

    @property
    def title(self) -> str:
        return self.file.metadata.title or self.file.metadata.name

    @cached_property
    def by_id(self) -> Mapping[str, SweepRun]:
        return {run.id: run for run in self.runs}

    @cached_property
    def bases(self) -> Sequence[SweepBase]:
        """Return the bases of the runs, each once."""
        return list({run.base.key: run.base for run in self.runs if run.base is not None}.values())

    def of_arm(self, arm: str) -> list[SweepRun]:
        return [run for run in self.runs if run.arm == arm]

    def until_look(self, seeds: int) -> list[SweepRun]:
        """Return the runs of the first `seeds` seeds."""
        return [run for run in self.runs if run.seed in self.file.seeds[:seeds]]


def default_folder(path: Path, scale: str = "") -> Path:
    """Return the folder of a sweep's results, if none is named: sweeps/NAME, with the scale that was asked for."""
    return Path("sweeps") / (f"{path.stem}-{scale}" if scale else path.stem)


def load_sweep(path: Path, folder: Path | None = None, scale: str = "") -> Sweep:
    """Return the sweep of a file with all its runs. Raises SweepError."""
    return expand(read_sweep(path, scale), path, folder or default_folder(path, scale))


def expand(file: SweepFile, path: Path, folder: Path) -> Sweep:
    """Return the sweep with its settings checked. Raises SweepError with a line for each fault."""
    lines = [f"{path}: defaults.{line}" for line in _set_by_sweep(file.defaults)]
    try:
        base = _without_own(extended(file.defaults, path))
    except ConfigError as error:
        raise SweepError(str(error)) from None
    file = file.model_copy(update={"defaults": base})  # so that later changes to the extended file have no effect
    runs: dict[str, SweepRun] = {}
    for seed in file.seeds:
        for name, arm in file.arms.items():
            lines += [f"{path}: runs.{name}.config.{line}" for line in _set_by_sweep(arm.config)]
            if not lines:
                try:
                    run = _run(file, base, name, arm, seed, folder, runs, f"{path}: arm {name}")
                except ConfigError as error:
                    raise SweepError(str(error)) from None
                runs[run.id] = run
        if lines:
            raise SweepError("\n".join(lines))
    sweep = Sweep(file, path, folder, list(runs.values()))
    if lines := [f"{path}: {line}" for line in _faults(sweep)]:
        raise SweepError("\n".join(lines))
    return sweep


def _set_by_sweep(config: Mapping[str, Any]) -> Iterator[str]:
    for key in _OWN:
        section, _, name = key.partition(".")
        inner = config.get(section)
        if isinstance(inner, Mapping) and name in inner:
            yield f"{key}: the sweep sets it for each run (metadata.name, seeds, starts_from); remove it"


def _without_own(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset without those that the sweep sets."""
    return {
        section: {name: value for name, value in values.items() if f"{section}.{name}" not in _OWN}
        if isinstance(values, Mapping)
        else values
        for section, values in config.items()
    }


def _run(
    file: SweepFile,
    base: Mapping[str, Any],
    name: str,
    arm: Arm,
    seed: int,
    folder: Path,
    runs: Mapping[str, SweepRun],
    where: str,
) -> SweepRun:
    parent = runs[f"{arm.starts_from}-s{seed}"] if arm.starts_from else None
    identity: dict[str, Any] = {"run": {"seed": seed}}
    if parent:
        identity["policy"] = {"init": str(parent.train_folder)}
    config = make(merged(merged(base, arm.config), identity), where)
    if "best" in file.measure.versions:
        steps = evaluated_steps(config)
        kept = config.league.model_copy(update={"keep": tuple(steps)})
        config = config.model_copy(update={"league": kept})
    key = run_key(config, parent.key if parent else "")
    title = run_title(file, name, arm, seed)
    earlier = folder / "runs" / f"{name}-s{seed}-{key[:8]}"
    if earlier.is_dir():  # sweeps had their runs in their own folders
        return SweepRun(name, seed, _named(config, f"{file.metadata.name}-{name}-s{seed}", title), key, earlier, parent)
    store = folder.parent / STORE
    config = _named(config, f"s{seed}-{key[:12]}", title)
    return SweepRun(name, seed, config, key, store / "runs" / config.run.name, parent, _base(config, store))


def run_title(file: SweepFile, name: str, arm: Arm, seed: int) -> str:
    """Return the title of a run on its page: arm and seed first, since a long title is cut off."""
    words = f"arm {name}" if arm.name == name else f"{name}: {arm.name[:_LONGEST_ARM]}"
    return f"{words}, seed {seed} of {file.metadata.title or file.metadata.name}"


def _base(config: TrainConfig, store: Path) -> SweepBase | None:
    key = base_key(config)
    name = f"s{config.run.seed}-{key[:12]}"
    return SweepBase(key, _named(config, f"base-{name}", ""), store / "bases" / name) if key else None


def _named(config: TrainConfig, name: str, title: str) -> TrainConfig:
    return config.model_copy(update={"run": config.run.model_copy(update={"name": name, "title": title[:120]})})


def run_key(config: TrainConfig, parent: str = "") -> str:
    """Return the hash of everything that determines the result of a run.

    Settings that have been removed count with their values, so that a run has the key that it had with them.
    """
    settings = {**REMOVED, **{key: value for key, _, value in leaves(config)}}
    values = {
        key: value
        for key, value in settings.items()
        if not any(key == place or key.startswith(f"{place}.") for place in _PLACES)
    }
    text = json.dumps({"settings": values, "parent": parent}, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def evaluated_steps(config: TrainConfig) -> list[int]:
    """Return the steps whose versions the run evaluates itself and can keep."""
    every, checkpoints = config.run.eval_every, config.run.checkpoint_every
    steps = range(every, config.run.steps + 1, every) if every else ()
    return [step for step in steps if step % checkpoints == 0 or step == config.run.steps]


def differences(was: TrainConfig, now: TrainConfig) -> dict[str, tuple[Any, Any]]:
    """Return the settings in which two arms differ: key -> (value of the first, value of the second)."""
    before = {key: value for key, _, value in leaves(was)}
    return {
        key: (before.get(key), value)
        for key, _, value in leaves(now)
        if before.get(key) != value and key not in _OWN[:-1]
    }


# --- faults across arms ----------------------------------------------------------------------------------------------


def _faults(sweep: Sweep) -> Iterator[str]:
    first = {arm: sweep.of_arm(arm)[0] for arm in sweep.file.arms}
    yield from _opponents(sweep.file, first)
    yield from _best(sweep.file, first)
    yield from _twice(first)
    for number, criterion in enumerate(sweep.file.analysis.success_criteria):
        key = f"analysis.success_criteria.{number}"
        names = compared_arms(sweep.file, criterion)
        compared = {arm: run for arm, run in first.items() if arm in names}
        yield from _situations(key, parse_metric(criterion.metric), compared)
        yield from _matched(key, sweep.file, compared)


def compared_arms(file: SweepFile, criterion: Criterion) -> list[str]:
    """Return the arms that take part in a comparison."""
    if criterion.effect:
        return list(file.arms)
    return [criterion.arm, *([criterion.against] if isinstance(criterion.against, str) else [])]


def _opponents(file: SweepFile, first: Mapping[str, SweepRun]) -> Iterator[str]:
    for arm, run in first.items():
        spec = game_spec(run.config.game.name)
        for name in file.measure.against:
            known = (*FIELDS, *spec.bots.players, *spec.learning.tasks)
            if name not in known:
                yield f"measure.against: arm {arm}: there is no {name!r} in {spec.name}; there are {', '.join(known)}"


def _best(file: SweepFile, first: Mapping[str, SweepRun]) -> Iterator[str]:
    """Yield a line for each arm without evaluations to choose its best version by."""
    if "best" not in file.measure.versions:
        return
    for arm, run in first.items():
        if not evaluated_steps(run.config):
            yield (
                f"measure.versions: arm {arm} evaluates no version that it keeps; set run.eval_every to a multiple of "
                f"run.checkpoint_every ({run.config.run.checkpoint_every}), at most run.steps"
            )


def _twice(first: Mapping[str, SweepRun]) -> Iterator[str]:
    for one_arm, other in combinations(first, 2):
        if first[one_arm].key == first[other].key:
            yield f"runs.{other}: it has the same settings as {one_arm}; change one, or remove it"


def _situations(key: str, metric: Metric, compared: Mapping[str, SweepRun]) -> Iterator[str]:
    """Yield a line for each setting that makes arms play their measurements in different situations."""
    if not isinstance(metric, Measured):
        return
    (arm, run), *others = compared.items()
    for other, another in others:
        mine, theirs = (_situation(item, metric) for item in (run, another))
        for name in mine:
            if mine[name] != theirs[name]:
                yield (
                    f"{key}: {arm} and {other} are not measured in the same situations: {name} is {mine[name]} and "
                    f"{theirs[name]}; {_remedy(name, metric)}"
                )


def _situation(run: SweepRun, metric: Measured) -> dict[str, Any]:
    """Return the settings that shape a measurement."""
    config = run.config
    if metric.against in game_spec(config.game.name).learning.tasks:
        return {"game.name": config.game.name} | (_base_of(run) if metric.depends_on_base else {})
    shape: dict[str, Any] = {f"game.{name}": value for name, value in config.game.model_dump(mode="json").items()}
    del shape["game.trained_seats"]
    shape |= {"run.eval_whole": config.run.eval_whole, "run.eval_weights": dict(config.run.eval_weights)}
    if not config.run.eval_whole:
        rollout = config.rollout.model_dump(mode="json")
        names = ("horizon", "long_horizon", "long_horizon_chance", "warmup")
        shape |= {f"rollout.{name}": rollout[name] for name in names}
    shape["rollout.warmup_none_chance"] = config.rollout.warmup_none_chance
    if metric.against == "field":
        shape["rollout.opponents"] = config.rollout.model_dump(mode="json")["opponents"]
    if metric.depends_on_base:
        shape |= _base_of(run)
    return shape


def _base_of(run: SweepRun) -> dict[str, Any]:
    """Return the settings that shape the policy at the start."""
    config = run.config
    init = run.parent.key if run.parent else config.policy.init
    clone = {f"clone.{name}": value for name, value in config.clone.model_dump(mode="json").items()}
    return {"policy.model": config.policy.model, "policy.init": init, **clone}


def _remedy(name: str, metric: Measured) -> str:
    if name in ("policy.init", "policy.model") or name.startswith("clone."):
        return "their bases differ, so compare scores against a bot"
    if name.startswith("rollout.") and metric.against == "field":
        return "compare against base or a bot"
    return "give both the same, or set run.eval_whole"


def _matched(key: str, file: SweepFile, compared: Mapping[str, SweepRun]) -> Iterator[str]:
    if file.matched == "none" or len(compared) < 2:
        return
    sizes = {arm: matched_size(run, file.matched) for arm, run in compared.items()}
    if max(sizes.values()) > min(sizes.values()) * (1 + _TOLERANCE):
        words = ", ".join(f"{arm} {size:,.0f}" for arm, size in sizes.items())
        yield (
            f"{key}: matched is {file.matched}, and the arms have {words}; change run.steps or rollout.groups of one, "
            "or set matched: none"
        )


def matched_size(run: SweepRun, matched: str) -> float:
    """Return the quantity that arms are matched by: simulated time for compute, that of trained seats for samples."""
    return run.expected_samples if matched == "samples" else run.simulated


def changed_settings(sweep: Sweep) -> dict[str, list[str]]:
    """Return the settings of each arm that differ from those of the baseline, as lines."""
    base = sweep.of_arm(sweep.file.first_arm)[0].config
    return {
        arm: [
            f"{key}: {json.dumps(was)} → {json.dumps(now)}"
            for key, (was, now) in differences(base, sweep.of_arm(arm)[0].config).items()
        ]
        for arm in sweep.file.arms
    }


def watched(sweep: Sweep, url: str) -> Sweep:
    """Return the sweep with another server that shows it and its runs; '' for none. Raises SweepError."""
    defaults = merged(sweep.file.defaults, {"watch": {"url": url}})
    return expand(sweep.file.model_copy(update={"defaults": defaults}), sweep.path, sweep.folder)

"""The loop of a run: play, learn, evaluate, save, and the way back to where a killed run stood."""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from grandstand.campaigns.run_publisher import PLACE, Watch
from grandstand.games.base import SeatId
from grandstand.games.registry import game_spec
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import read
from grandstand.trainer import checkpoint
from grandstand.trainer.backend import Backend, Destination
from grandstand.trainer.backends import open_backend, open_learner
from grandstand.trainer.config.files import RECORD
from grandstand.trainer.config.league_settings import BASE
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.health import CheckResult, health_metrics, health_report
from grandstand.trainer.league.league import League
from grandstand.trainer.league.matchmaking import GroupPlan, OpponentMix, fixed_field, plan_evaluation, plan_step
from grandstand.trainer.league.measures import LeagueMeasures
from grandstand.trainer.league.peers import model_digest
from grandstand.trainer.league.summary import met
from grandstand.trainer.learning.base_policy import prepare_base
from grandstand.trainer.learning.samples import Batch, make_batch
from grandstand.trainer.metrics import MetricsWriter, StepMetrics, read_lines
from grandstand.trainer.model.initial_policy import initial_version, load_initial
from grandstand.trainer.model.policy import load, read_adapter, with_adapter
from grandstand.trainer.model.versions import BASE_FOLDER, VERSIONS, Versions
from grandstand.trainer.rollout import parquet
from grandstand.trainer.rollout.evaluation import BestVersion, PairedResult, evaluate_pair
from grandstand.trainer.rollout.packs import evaluate_pack
from grandstand.trainer.rollout.prefetch import Prefetcher, version_of
from grandstand.trainer.rollout.rollouts import Group
from grandstand.trainer.rollout.trajectories import game_events
from grandstand.trainer.run_episode import RunEpisode

CONFIG, CHECKPOINTS, TRAJECTORIES = "config.toml", "checkpoints", "trajectories"
KEPT_CHECKPOINTS = 3
"""Number of checkpoints that are kept: a run continues from the last, or from an earlier one if that is damaged."""
RECORD_WAIT = 120.0
"""Seconds that a commit waits while another thread of the run commits, or deletes the matches of old steps."""
CHOSEN_BY = "eval/vs_field/gain"
"""The metric of evaluations by which the best version is chosen."""

Doing = Callable[[str, int, int], None]
"""Report progress: (activity, amount done, total)."""


class RunError(ValueError):
    """A run that cannot start or resume; the message names the remedy."""


@dataclass(frozen=True)
class Summary:
    """The result of a run."""

    steps: int
    metrics: Mapping[str, float]
    """Metrics of the last step."""
    health: Sequence[CheckResult] = ()
    """The health checks over all steps."""
    best: BestVersion | None = None
    """None without evaluations."""


class _Broken(Exception):
    """The run has ended, so playing ahead stops."""


class Run:
    """One run in its folder. Use `train`."""

    def __init__(
        self,
        config: TrainConfig,
        folder: Path,
        recorder: Recorder,
        league: League,
        watch: Watch | None,
        doing: Doing,
    ) -> None:
        torch.set_num_threads(config.policy.threads)
        self.config, self.folder, self.doing = config, folder, doing
        self.spec = game_spec(config.game.name)
        self.watch = watch
        self.recorder, self.bus = recorder, self._bus(recorder)
        self.versions = Versions(folder / VERSIONS, config.run.name)
        self.league = league
        self.league_measures = LeagueMeasures(config, self.spec, league)
        self._base = base = self._prepared_base()
        self.policy = with_adapter(load(config.policy, self.spec, base), config.policy, config.run.seed)
        self._initialize()
        self.learner = open_learner(config, self.policy, base)
        self.done = 0
        self._episode = RunEpisode(config, recorder, self.bus, watch)
        self._leaving = threading.Event()
        self._restore()
        self.backend: Backend = open_backend(config, self.spec, self.policy.codec, base, folder)
        self._served: set[int] = set()
        """Versions published to the backend."""

    def _prepared_base(self) -> Path | None:
        """Return the folder of the base, prepared if the run is new; None if the model is used as it is."""
        folder = self.folder / BASE_FOLDER
        if self.config.policy.init and self.versions.path(0).is_dir():  # the run that it started from may be gone
            return folder if folder.is_dir() else None
        return prepare_base(self.config, self.spec, folder, self.recorder, self.bus, self.doing)

    def _initialize(self) -> None:
        """Load the adapter that the policy starts from, if `policy.init` names one: version 0, once it is saved."""
        if not self.config.policy.init:
            return
        if self.versions.path(0).is_dir():
            self.policy.load_adapter(read_adapter(self.versions.path(0)))
        elif version := initial_version(self.config):
            load_initial(self.policy, version)
            self.league.start_from(version.name)

    # --- resuming -----------------------------------------------------------------------------------------------------

    def _bus(self, recorder: Recorder) -> Bus:
        bus = Bus(recorder)
        if self.watch is not None:
            bus.add(self.watch)
        return bus

    def _restore(self) -> None:
        """Restore the last checkpoint, and delete everything later."""
        state = checkpoint.latest(self.folder / CHECKPOINTS)
        if state is not None:
            self.learner.load_state_dict(state["learner"])
            self.done = state["step"]
        self.league.begin(self.done, lambda: model_digest(self.config.policy, self._base))
        for version in self.versions.kept():
            if version > self.done:
                self.versions.drop(version)
        if not self.versions.path(self.done).is_dir():
            self.versions.save(self.done, self.policy.save)
        self.recorder.delete([match for match in self.recorder.episode_ids() if _step_of(match) > self.done])
        parquet.forget(self.folder / TRAJECTORIES, self.done)

    def _prune(self) -> None:
        """Delete the matches of old steps from the record."""
        last = self.done - self.config.run.keep_matches if self.config.run.keep_matches else 0
        self.recorder.delete([match for match in self.recorder.episode_ids() if 0 < _step_of(match) <= last])

    def _save(self) -> None:
        state = {"step": self.done, "learner": self.learner.state_dict(), "config": self.config.resolved()}
        checkpoint.save(self.folder / CHECKPOINTS, self.done, state, KEPT_CHECKPOINTS)

    # --- one step -----------------------------------------------------------------------------------------------------

    def play(self, step: int, version: int) -> None:
        """Play and record a step's groups, in the prefetcher's thread. Raises SamplerError or BackendError."""
        groups = [Group(plan, version, self._episodes(plan)) for plan in self._plans(step)]
        with closing(Recorder(self.folder / RECORD, RECORD_WAIT)) as recorder:
            into = Destination(self._bus(recorder), recorder, self.league.peer_numbers(version))
            seconds = self.config.rollout.straggler_seconds
            self.backend.player(into).play_groups(groups, partial(self._played, step), seconds)

    def _played(self, step: int, done: int, whole: int) -> None:
        if self._leaving.is_set():
            raise _Broken
        self.doing(f"playing step {step}", done, whole)

    def learn(self, step: int) -> tuple[Batch, dict[str, float]]:
        """Read a step's matches, learn from them and publish the new version."""
        plans = self._plans(step)
        episodes = {
            f"{step}/{plan.id}": [read(self.recorder, episode_id) for episode_id in self._episodes(plan)]
            for plan in plans
        }
        self.league.record(
            "training", step, [(plan.id, episode) for plan in plans for episode in episodes[f"{step}/{plan.id}"]]
        )
        played_by = version_of(step, self.config.rollout.buffer_depth)
        ratings, peers = self.league.ratings(played_by), self.league.peer_roles(played_by)
        since = self.league.resets.since(step - 1)
        batch = make_batch(self.config, self.spec, episodes, step - 1, ratings, since, peers)
        self.doing(f"learning from step {step}", 0, 0)
        if self.league.resets.at(step):
            self.learner.reset(read_adapter(self.versions.path(0)))
            learned = {"league/reset": 1.0}
        else:
            learned = self.learner.step(batch.samples, step, lambda version: read_adapter(self.versions.path(version)))
        self.versions.save(step, self.policy.save)
        self.serve(step)
        league = {**self._mix(step).metrics(), **met(plans), **self.league_measures.step(step)}
        return batch, {**batch.metrics, **learned, **league}

    def evaluate(self, version: int) -> dict[str, float]:
        """Evaluate a version against the base, once with the base as the opponents and once with those of training."""
        metrics: dict[str, float] = {}
        for label, opponents in (("vs_base", {BASE: 1.0}), ("vs_field", fixed_field(self.config))):
            games = self.config.run.eval_games
            metrics |= self.evaluate_pair(version, label, opponents, games).metrics(label)
            lots = [plan.id for plan in plan_evaluation(self.config, self.spec, label, games, opponents)]
            ids = {f"{lot}-v{version:06d}": f"{self.config.run.name}-{lot}-v{version:06d}-own" for lot in lots}
            self.league.record("evaluation", version, [(lot, read(self.recorder, ids[lot])) for lot in ids])
        return metrics

    def evaluate_pair(self, version: int, label: str, opponents: Mapping[str, float], games: int) -> PairedResult:
        """Compare `version` with the base in new situations, the same ones for the same label."""
        self._forget_evaluation(version, label)
        return evaluate_pair(
            self.backend.player(Destination(self.bus, self.recorder)),
            self.config,
            self.spec,
            version,
            label=label,
            opponents=opponents,
            games=games,
            score=self._weighed if self.config.run.eval_weights else None,
            results=lambda episode_id, seat: self.spec.training.rewards.results(self._events(episode_id), seat),
            progress=lambda done, whole: self.doing(f"evaluating version {version}", done, whole),
        )

    def kept_version(self, version: int | None) -> int:
        """Return the version, by default the last. Raises RunError if it is not kept."""
        wanted = self.done if version is None else version
        if wanted not in self.versions.kept():
            raise RunError(f"version {wanted} is not kept; there are {', '.join(map(str, self.versions.kept()))}")
        return wanted

    def measure(self, version: int | None, against: str, label: str, games: int) -> PairedResult:
        """Compare a version, by default the last, with the base: against `base`, `field` or a bot, or on a pack.

        Raises RunError if it is not kept.
        """
        wanted = self.kept_version(version)
        if against not in self.spec.learning.tasks:
            opponents = fixed_field(self.config) if against == "field" else {against: 1.0}
            return self.evaluate_pair(wanted, label, opponents, games)
        self._forget_evaluation(wanted, label)
        return evaluate_pack(
            self.backend.player(Destination(self.bus, self.recorder)),
            self.config,
            self.spec,
            wanted,
            label=label,
            pack=against,
            games=games,
            progress=lambda done, whole: self.doing(f"evaluating version {wanted}", done, whole),
        )

    def _forget_evaluation(self, version: int, label: str) -> None:
        """Delete the matches of an evaluation that is repeated, and publish its version to the backend."""
        again = re.compile(rf".*-e-{re.escape(label)}-g\d+-v{version:06d}-\w+")
        self.recorder.delete([match for match in self.recorder.episode_ids() if again.fullmatch(match)])
        if version not in self._served:
            self.backend.publish(version, self.versions.path(version))
            self._served.add(version)

    def _weighed(self, episode_id: str, seat: SeatId) -> float:
        """Return a seat's score of a recorded match by the components that evaluations weigh."""
        rewards = self.spec.training.rewards
        settings = {**rewards.settings, **self.config.reward.settings}
        weights = self.config.run.eval_weights
        entries = rewards.ledger(self._events(episode_id), seat, settings)
        return sum(weights.get(entry.component, 0.0) * entry.amount for entry in entries)

    def _events(self, episode_id: str) -> list[tuple[int, str, Mapping[str, Any]]]:
        return game_events(read(self.recorder, episode_id), self.spec.reward_events)

    def _plans(self, step: int) -> list[GroupPlan]:
        return plan_step(self.config, self.spec, step, self._mix(step).chances)

    def _mix(self, step: int) -> OpponentMix:
        """Return the chances of the opponents of a step."""
        return self.league.opponents(step, version_of(step, self.config.rollout.buffer_depth))

    def _episodes(self, plan: GroupPlan) -> list[str]:
        return [f"{self.config.run.name}-{plan.id}-f{number:02d}" for number in range(self.config.rollout.samples)]

    def serve(self, done: int) -> None:
        """Publish to the backend the versions needed after step `done`, and retire the others."""
        needed = self.league.needed(done) & set(self.versions.kept())
        folders = {version: self.versions.path(version) for version in needed} | self.league.peer_folders(done)
        for version in sorted(folders.keys() - self._served):
            self.backend.publish(version, folders[version])
        for version in sorted(self._served - folders.keys()):
            self.backend.retire(version)
        self._served = set(folders)

    def _drop(self) -> None:
        """Delete the versions that resuming from any of the checkpoints does not need."""
        needed = set[int]().union(*map(self.league.needed, checkpoint.steps(self.folder / CHECKPOINTS)))
        dropped = [version for version in self.versions.kept() if version not in needed]
        self.league.drop(dropped)
        for version in dropped:
            self.versions.drop(version)
        self.league.keep_peers(checkpoint.steps(self.folder / CHECKPOINTS))

    # --- the whole run ------------------------------------------------------------------------------------------------

    def steps(self, report: Callable[[StepMetrics], None]) -> Summary:
        """Take the remaining steps."""
        first, last = self.done + 1, self.config.run.steps
        measured: dict[str, float] = {}
        self._episode.begin([StepMetrics.of(row) for row in read_lines(self.folder) if row["step"] <= self.done])
        began = time.perf_counter()
        depth = self.config.rollout.buffer_depth
        with (
            MetricsWriter(self.folder, self.config, after=self.done or None) as metrics,
            Prefetcher(self.play, depth, first, last) as prefetcher,
            self._left_alone(),
        ):
            prefetcher.published(self.done)
            for step in range(first, last + 1):
                measured, ratings = self._step(step, prefetcher), None
                prefetcher.published(step)
                if self.config.run.eval_every and step % self.config.run.eval_every == 0:
                    measured = {**measured, **self.evaluate(step)}
                    measured["league/best"] = float(self.league.note_evaluation(step, measured[CHOSEN_BY]))
                if step % self.config.run.checkpoint_every == 0:
                    measured = {**measured, **self.league.admit(step, self.versions.path(step))}
                    measured = {**measured, **self.league_measures.checkpoint(step)}
                    ratings = self.league.rated
                began, last_began = time.perf_counter(), began
                measured |= {"benchmark/step": step, "benchmark/step_time_s": began - last_began}
                taken = StepMetrics(step, measured)
                metrics.log(step, measured)
                self._episode.step(taken, ratings)
                report(taken)
                self.done = step
                if step % self.config.run.checkpoint_every == 0 or step == last:
                    metrics.save()
                    self._save()
                    self._drop()
                    self._prune()
        best = self._measure_best()
        self._episode.end(last)
        return Summary(last, measured, health_report(read_lines(self.folder), self.config.health), best)

    def _measure_best(self) -> BestVersion | None:
        """Evaluate the best version again, in new situations."""
        version = self.league.best(self.done)
        if version is None:
            return None
        result = self.evaluate_pair(version, "best", fixed_field(self.config), self.config.run.eval_games)
        return BestVersion(version, self.versions.path(version).name, result)

    @contextmanager
    def _left_alone(self) -> Iterator[None]:
        """Stop the matches that are played ahead when the block ends."""
        try:
            yield
        finally:
            self._leaving.set()

    def _step(self, step: int, prefetcher: Prefetcher) -> dict[str, float]:
        """Take a step and return its finite metrics."""
        played = prefetcher.take(step)
        began = time.perf_counter()
        batch, metrics = self.learn(step)
        seconds = time.perf_counter() - began
        parquet.write(self.folder / TRAJECTORIES, step, batch.groups, batch.returns, batch.advantages)
        tokens = sum(len(sample.prompt) + len(sample.completion) for sample in batch.samples)
        metrics |= {
            "benchmark/rollout_time_s": played,
            "benchmark/training_time_s": seconds,
            "benchmark/tokens_per_s": tokens / seconds,
            "buffer/depth": float(prefetcher.waiting),
            **self.backend.metrics(),
        }
        finite = {name: value for name, value in metrics.items() if math.isfinite(value)}
        return finite | health_metrics(finite, self.config.health)


def _step_of(episode_id: str) -> int:
    """Return the step that a match was played for, or evaluated; 0 for any other episode."""
    match = PLACE.search(episode_id)
    return int(match[1] or match[2]) if match else 0

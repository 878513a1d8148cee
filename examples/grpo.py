"""GRPO in one file: a small model learns seven-power Diplomacy on a laptop's processor, in three minutes.

    pip install -e '.[train]'
    python examples/grpo.py

It does what `grandstand train` does, with the same parts, but without those that only a long run needs
(checkpoints, matches played ahead, several kinds of loss). Read it from `main` downwards.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import torch
from rich.console import Console
from rich.live import Live
from rich.table import Table

from grandstand.games.registry import game_spec
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import read
from grandstand.trainer.config.objective_settings import AdvantageSettings, LossSettings, RewardSettings, resolve
from grandstand.trainer.config.sections import CloneSettings, GameSettings, PolicySettings, RolloutSettings, RunSettings
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import GroupPlan, candidates, mix, plan_step
from grandstand.trainer.learning.advantages import advantages
from grandstand.trainer.learning.behavior_cloning import clone, play_bots
from grandstand.trainer.learning.losses import Extent, Tokens, extent, kl_exact, policy_loss, summarize
from grandstand.trainer.learning.rewards import judge, returns
from grandstand.trainer.model.batch import TrainingSample, pack
from grandstand.trainer.model.forward import choices, inputs
from grandstand.trainer.model.legal_softmax import entropy
from grandstand.trainer.model.policy import Policy, load, with_adapter
from grandstand.trainer.model.torch_sampler import TorchSampler
from grandstand.trainer.rollout.evaluation import PairedResult, evaluate_pair
from grandstand.trainer.rollout.rollouts import Rollouts
from grandstand.trainer.rollout.trajectories import Trajectory, TrajectoryGroup, game_events, trajectories

FIELD = {"base": 2.0, "dumbbot": 1.0, "territorial": 1.0, "random": 1.0}
"""The players of the other six seats, by weight: three bots, and the policy before the first step."""
SETUP = TrainConfig(
    run=RunSettings(name="lesson", seed=1),
    policy=PolicySettings(model="nano", lora_rank=16, device="cpu"),
    clone=CloneSettings(bots=("dumbbot", "territorial", "random"), games=300, epochs=3, learning_rate=3e-3),
    game=GameSettings(name="diplomacy", options={"press": "none", "last_year": 1902}),
    rollout=RolloutSettings(groups=16, samples=8, warmup=0, horizon=2, opponents=FIELD),
)
"""What is played: the first two years. A step is 16 beginnings, every power in turn, each played in 8 forks."""
STEPS, PASSES, LEARNING_RATE, KL_WEIGHT, MICRO_BATCH = 8, 2, 3e-3, 0.01, 4096
GAMES = 210
"""Situations in which the policy and its base are compared at the end."""
REWARD = RewardSettings(weights={"centers": 1.0})
ADVANTAGE = AdvantageSettings(baseline="leave_one_out")
LOSS = LossSettings(variant="dapo")
SPEC = game_spec(SETUP.game.name)


def main(setup: TrainConfig = SETUP, steps: int = STEPS, games: int = GAMES) -> PairedResult:
    """Clone, train, measure. The seed decides everything but the seconds."""
    torch.set_num_threads(1)  # so small a model loses more by waiting for threads than they compute
    console = Console()
    with TemporaryDirectory() as folder, record(Path(folder)) as (recorder, bus):
        base = clone_bots(setup, recorder, bus, Path(folder) / "base", console)
        # Two copies of the base with an empty adapter: one plays, in whatever version it is asked for, and one learns.
        policy, playing = (with_adapter(load(setup.policy, SPEC, base), setup.policy, seed=0) for _ in range(2))
        sampler = TorchSampler(playing)
        rollouts = Rollouts(setup, SPEC, policy.codec, sampler, bus)
        optimizer = torch.optim.AdamW([parameter for _, parameter in policy.trainable()], LEARNING_RATE, weight_decay=0)
        publish(policy, sampler, 0, Path(folder))
        field = mix(setup.league, FIELD, candidates(setup, SPEC))
        table = Table("step", "reward", "entropy", "KL to base", "clipped", "sampler gap", "play", "learn")
        with Live(table, console=console):
            for step in range(1, steps + 1):
                began = time.perf_counter()
                plans = plan_step(setup, SPEC, step, field.chances)
                play(rollouts, plans, setup, version=step - 1)
                played = time.perf_counter()
                samples, reward = credit(read_groups(recorder, plans, setup))
                report = learn(policy, optimizer, samples)
                publish(policy, sampler, step, Path(folder))
                seconds = (f"{played - began:.1f} s", f"{time.perf_counter() - played:.1f} s")
                table.add_row(str(step), f"{reward:.2f}", *report, *seconds)
        # The same fresh situations, luck and opponents for both: what is left is the difference between the two.
        result = evaluate_pair(rollouts, setup, SPEC, steps, label="field", opponents=FIELD, games=games)
    console.print(
        f"score {result.mean:.4f}, its base {result.base:.4f}: better by {result.gain:.4f} with standard error"
        f" {result.error:.4f} ({result.sigmas:.1f} of them), {games} situations"
    )
    return result


@contextmanager
def record(folder: Path) -> Iterator[tuple[Recorder, Bus]]:
    """Where matches are recorded, and the bus that they are published on: nothing is learned that is not on record."""
    recorder = Recorder(folder / "record.db")
    try:
        yield recorder, Bus(recorder)
    finally:
        recorder.close()


def clone_bots(setup: TrainConfig, recorder: Recorder, bus: Bus, folder: Path, console: Console) -> Path:
    """GRPO sharpens what a policy does now and then; of chance play it makes little. So it begins as the bots play."""
    episodes = [read(recorder, episode_id) for episode_id in play_bots(setup, SPEC, bus)]
    cloned = clone(setup, SPEC, episodes, folder)
    console.print(
        f"cloned from {cloned.examples} choices of bots: {cloned.loss_before:.2f} nats a choice before,"
        f" {cloned.loss:.2f} after; {cloned.accuracy:.0%} guessed"
    )
    return folder


def episode_ids(plan: GroupPlan, setup: TrainConfig) -> list[str]:
    return [f"{plan.id}-{number}" for number in range(setup.rollout.samples)]


def play(rollouts: Rollouts, plans: Sequence[GroupPlan], setup: TrainConfig, version: int) -> None:
    """Each group's forks begin with one position and one seed of the game and the bots: only the policy's own draws
    make them differ, so what one gained over its siblings is owed to its choices. All are played in lock-step, the
    policy's choices drawn in one batch, from the legal tokens alone."""
    rollouts.play([fork for plan in plans for fork in rollouts.forks(plan, version, episode_ids(plan, setup))])


def read_groups(recorder: Recorder, plans: Sequence[GroupPlan], setup: TrainConfig) -> list[TrajectoryGroup]:
    """From the record: the policy's choices token by token, as they were drawn, and what the game's events brought.
    Siblings are the same seat in the forks of one position."""
    rewards = SPEC.training.rewards
    siblings: dict[str, list[Trajectory]] = defaultdict(list)
    for plan in plans:
        for episode_id in episode_ids(plan, setup):
            episode = read(recorder, episode_id)
            for trajectory in trajectories(episode, setup.run.name):
                entries = rewards.ledger(
                    game_events(episode, SPEC.reward_events), trajectory.seat, resolve(REWARD, rewards).settings
                )
                siblings[f"{plan.id}/{trajectory.seat}"].append(judge(trajectory, entries, rewards.components))
    return [TrajectoryGroup(name, result) for name, result in siblings.items()]


def credit(groups: Sequence[TrajectoryGroup]) -> tuple[list[TrainingSample], float]:
    """Every turn with its advantage: what came after it, less what came after its siblings' turns at that time."""
    paid = [[returns(trajectory, REWARD) for trajectory in group.trajectories] for group in groups]
    result = advantages(groups, paid, ADVANTAGE, REWARD.mode)
    samples = [
        TrainingSample(tuple(t.prompt), t.completion, t.logprobs, t.allowed, t.temperature, advantage)
        for group, by_trajectory in zip(groups, result.values, strict=True)
        for trajectory, by_decision in zip(group.trajectories, by_trajectory, strict=True)
        for t, advantage in zip(trajectory.decisions, by_decision, strict=True)
        if advantage is not None  # all siblings fared alike: nothing to learn
    ]
    return samples, fmean(turns[0] for of_group in paid for turns in of_group if turns)


def learn(policy: Policy, optimizer: torch.optim.Optimizer, samples: Sequence[TrainingSample]) -> tuple[str, ...]:
    """Gradient steps on all samples, a micro-batch at a time; (entropy, KL, clipped, gap) of the last for the table."""
    values = [inputs(batch, policy, one_row=False) for batch in pack(samples, MICRO_BATCH)]
    whole = sum((extent(batch.sequence) for batch in values), Extent())
    with torch.no_grad():
        old = [choices(policy, batch).chosen for batch in values]
        with policy.without_adapter():
            base = [choices(policy, batch).all for batch in values]
    # What the sampler recorded as a token's log-probability is what is computed here: were the worst difference more
    # than rounding, something else would be learned than was played.
    gap = max(float((item - batch.sampled).abs().max()) for item, batch in zip(old, values, strict=True))
    for _ in range(PASSES):
        reports = []
        for batch, before, reference in zip(values, old, base, strict=True):
            now = choices(policy, batch)
            tokens = Tokens(
                sequence=batch.sequence,
                advantages=batch.advantage,
                logp=now.chosen,
                old_logp=before,  # after the first pass the policy is another: how far it may go is clipped
                sampler_logp=batch.sampled,
                entropy=entropy(now.all, batch.legal),
                kl=kl_exact(now.all, reference, batch.legal),
            )
            loss, stats = policy_loss(tokens, LOSS, KL_WEIGHT, whole)
            torch.autograd.backward(loss)
            reports.append(stats)
        torch.nn.utils.clip_grad_norm_([parameter for _, parameter in policy.trainable()], 1.0)
        optimizer.step()
        optimizer.zero_grad()
    means = summarize(reports)
    names = ("policy/entropy_mean", "kl/mean", "ppo/clip_fraction")
    return *(f"{means[name]:.3f}" for name in names), f"{gap:.0e}"


def publish(policy: Policy, sampler: TorchSampler, version: int, folder: Path) -> None:
    """Save the adapter as a version of its own; the sampler keeps all of them, so that older ones can still play."""
    policy.save(folder / f"v{version}")
    sampler.publish(version, folder / f"v{version}")


if __name__ == "__main__":
    main()

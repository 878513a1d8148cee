"""The tab of learning: the curves of a run."""

from __future__ import annotations

from collections.abc import Iterator

from grandstand.report import Axis, Chart, Column, Mark, Row, Section, Table, Value
from grandstand.trainer.report.charts import band, line, rule, small, steps
from grandstand.trainer.report.figures import KL_GOAL, TONES, VERDICTS
from grandstand.trainer.report.state import MAIN, RunState
from grandstand.trainer.report.words import among

TAB = "Learning"
WILD, TAME = 4, 0.1
"""A KL above its goal by the first factor is drawn in powers of ten; below it by the second, the goal is not drawn."""


def reward(state: RunState) -> Iterator[Section]:
    """Yield the curve of the reward."""
    if not state.step:
        return
    body = Chart(
        x=steps(state),
        y=Axis(),
        marks=[
            band(state, "reward band", "one standard deviation", owner="Policy"),
            line(state, "benchmark/reward_mean", "each step", owner="Policy", tone="faint"),
            line(state, "reward trend", "trend", owner="Policy", strong=True),
        ],
        describe="The mean reward of each step's matches, its trend, and one standard deviation to both sides.",
    )
    note = "Bold: over several steps; shaded: one standard deviation of a step's matches."
    yield Section(id="reward", title="Reward", tab=TAB, note=note, body=body)


def gain(state: RunState) -> Iterator[Section]:
    """Yield the results of the evaluations over the steps."""
    if not state.evaluations:
        return
    marks = []
    for label in sorted(state.evaluations, key=lambda label: (label != MAIN, label)):
        owner = "Policy" if label == MAIN else ""
        marks.append(
            Mark(id=label, kind="dots", name=among(label), owner=owner, strong=label == MAIN, points=state.gains[label])
        )
    body = Chart(
        x=steps(state),
        y=Axis(unit="signed", low=0, high=0),
        marks=marks,
        describe="The gain of the policy over its base at each evaluation, with its 95 % interval.",
    )
    note = "Difference of mean scores in the same matches, with its 95 % interval."
    yield Section(id="gain", title="Gain over its base", tab=TAB, note=note, width="half", body=body)


def kl(state: RunState) -> Iterator[Section]:
    """Yield the distance from the reference."""
    largest = max((point.y for point in state.curves.points("kl/max")), default=0.0)
    tame, wild = largest < TAME * KL_GOAL, largest > WILD * KL_GOAL
    goal = f"goal: below {KL_GOAL:g}"
    yield from small(
        state,
        TAB,
        "KL",
        [
            line(state, "kl/mean", "mean", owner="Policy"),
            line(state, "kl/max", "largest", tone="bad"),
            *([] if tame else [rule(goal, KL_GOAL)]),
        ],
        "The policy's KL from its reference, in nats a token: the mean and the largest of each step.",
        low=0.1 if wild else 0,
        log=wild,
        note=f"Nats a token{f'; {goal}' if tame else ''}.",
        width="half",
    )


def results(state: RunState) -> Iterator[Section]:
    """Yield the newest evaluation against each kind of opponents."""
    if not state.evaluations:
        return
    rows = []
    for one in state.standing():
        low, high = one.bounds
        words = one.inconclusive or VERDICTS[one.verdict]
        gain = Value(value=one.gain, low=low, high=high, n=one.games, note=words, tone=TONES[one.verdict], strong=True)
        elo = Value() if one.elo is None else Value(value=one.elo[0], low=one.elo[0] - one.elo[1], high=sum(one.elo))
        name = Value(value=among(one.label), note=f"step {one.step}", behind=state.evaluated(one))
        cells = [name, gain, Value(value=one.mean), Value(value=one.base), elo, Value(value=one.games)]
        rows.append(Row(id=one.label, cells=cells))
    columns = [
        Column(id="opponents", title="Opponents"),
        Column(id="gain", title="Gain", shape="whisker", unit="signed", middle=0),
        Column(id="mean", title="Policy", shape="number", drop=2, help="Its mean score."),
        Column(id="base", title="Base", shape="number", drop=2, help="The mean score of its base."),
        Column(id="elo", title="Elo", shape="number", unit="signed elo", drop=1),
        Column(id="games", title="Games", shape="number", unit="count", drop=3),
    ]
    yield Section(id="evaluations", title="Newest evaluations", tab=TAB, body=Table(columns=columns, rows=rows))


def curves(state: RunState) -> Iterator[Section]:
    """Yield the small charts."""

    def one(curve: str, name: str) -> Mark:
        return line(state, curve, name, owner="Policy")

    yield from small(
        state, TAB, "Entropy", [one("policy/entropy_mean", "mean")],
        "The mean entropy of the policy at a token over the steps.", low=0,
    )  # fmt: skip
    yield from small(
        state, TAB, "Clipped", [one("ppo/clip_fraction", "of tokens")],
        "The share of tokens that are clipped over the steps.", unit="share", low=0,
    )  # fmt: skip
    yield from small(
        state, TAB, "Ratio", [band(state, "ratio band", owner="Policy"), one("ppo/ratio_mean", "mean")],
        "The mean ratio of the probabilities of new and old policy, with one standard deviation.",
    )  # fmt: skip
    yield from small(
        state, TAB, "Advantages", [line(state, "advantage/min", "least", tone="faint"), one("advantage/max", "most")],
        "The least and the greatest advantage of each step.",
    )  # fmt: skip
    yield from small(
        state, TAB, "Gradient norm", [one("benchmark/grad_norm", "before clipping")],
        "The norm of the gradient before it is clipped, over the steps.", low=0,
    )  # fmt: skip
    gap = state.gap
    yield from small(
        state, TAB, "Sampler and learner", [rule("the run stops", gap.bound), one(gap.metric, "apart")],
        "The difference between the log-probabilities of sampler and learner, and the bound at which the run stops.",
        log=True,
    )  # fmt: skip
    yield from small(
        state, TAB, "KL weight", [one("kl/beta", "β")],
        "The weight of the KL penalty over the steps.", low=0,
    )  # fmt: skip
    yield from small(
        state, TAB, "Skipped decisions", [one("processing/skip_rate", "of all")],
        "The share of decisions that are skipped over the steps.", unit="share", low=0,
    )  # fmt: skip

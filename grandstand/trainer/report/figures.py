"""The head of a run's report: its result, its figures and its health, with a remedy for each value beyond its bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grandstand.campaigns.numbers import written
from grandstand.campaigns.words import many
from grandstand.report import Column, Figure, Figures, Note, Notes, Row, Section, Table, Tone, Unit, Value
from grandstand.trainer.health import BOUNDS, Check
from grandstand.trainer.report.state import MAIN, Evaluation, RunState
from grandstand.trainer.report.words import among, joined

VERDICTS = {"better": "better, beyond chance", "worse": "worse, beyond chance", "open": "no difference shown yet"}
TONES: Mapping[str, Tone] = {"better": "good", "worse": "bad", "open": ""}
KL_GOAL = BOUNDS["kl_max"]


class Words(NamedTuple):
    """A check in words: its name, the unit of its values, what is wrong beyond its bound, and the remedy."""

    name: str
    unit: Unit
    wrong: str
    help: str


CHECKS: Mapping[str, Words] = {
    "kl_max": Words(
        "KL, largest", "",
        "The policy moves away from its reference: the largest KL of a token is {}.",
        "Raise kl.beta, give kl.target a value, or lower optimizer.learning_rate.",
    ),
    "kl_mean": Words(
        "KL, mean", "",
        "The policy drifts from its reference: the mean KL of a token is {}.",
        "Raise kl.beta, give kl.target a value, or lower optimizer.learning_rate.",
    ),
    "gap": Words(
        "Sampler and learner", "",
        "Sampler and learner differ by {} nats at a token: the learner does not see the sampled policy.",
        "Check that both have the same weights, mask, temperature and number format.",
    ),
    "clip_fraction": Words(
        "Clipped", "share",
        "{} of the tokens are clipped, so they do not contribute to learning.",
        "Lower optimizer.learning_rate, optimizer.epochs or rollout.max_staleness.",
    ),
    "grad_norm": Words(
        "Gradient norm", "",
        "The gradient's norm is {}: a few samples decide the step.",
        "Lower advantage.clip or optimizer.learning_rate, and check the scale of the rewards.",
    ),
    "skip_rate": Words(
        "Skipped", "share",
        "{} of the decisions are skipped, because all forks of a group have the same result.",
        "Raise rollout.samples, rollout.temperature or rollout.horizon, or add reward components.",
    ),
    "valid_share": Words(
        "Valid answers", "share",
        "Only {} of the answers are valid: the fallback acts for the policy too often.",
        "Look at the answers in the run's matches, and check rollout.temperature and the length of an answer.",
    ),
    "failed_share": Words(
        "Failed matches", "share",
        "{} of the matches failed.",
        "Look for the first failure in the run's log.",
    ),
}  # fmt: skip
"""Check -> its words, in the order in which they are shown."""


def wrong(check: Check, metrics: Mapping[str, float]) -> str:
    """Return what is wrong with a value beyond its bound."""
    words = CHECKS[check.check]
    return words.wrong.format(written(metrics[check.metric], words.unit))


def comparison(evaluation: Evaluation) -> str:
    """Return a result like `+0.046 ± 0.021 over its base, against dumbbot`."""
    return joined([f"{evaluation} over its base", "" if evaluation.label == MAIN else among(evaluation.label)])


def headline(state: RunState) -> str:
    return f"Step {state.step}" if state.step else "Before the first step"


def summary(state: RunState) -> str:
    """Return the first problem with its remedy, or that there is none; before the first step, what the run does."""
    if not state.step:
        return _beginning(state)
    if failed := _failed(state):
        return f"{wrong(failed[0], state.metrics)} {CHECKS[failed[0].check].help}"
    left = "" if state.remaining is None else f"about {written(state.remaining, 'seconds')} left"
    return joined(["All is well" if state.health.results() else "", left])


def _beginning(state: RunState) -> str:
    if state.status:
        return "The run ended before its first step."
    game = state.word("game", "name")
    plays = f"It plays {many(state.matches, 'match', 'matches')}{f' of {game}' if game else ''}, then learns from them."
    planned = f"The run has {many(state.planned, 'step')}." if state.planned else ""
    return joined(
        ["The first step is in progress.", plays if state.matches else "", planned, "The curves appear after it."], " "
    )


def _failed(state: RunState) -> list[Check]:
    order = list(CHECKS)
    return sorted(state.failed(), key=lambda check: order.index(check.check))


def figures(state: RunState) -> Iterator[Section]:
    """Yield the sections above all tabs."""
    gains = [_gain(state, evaluation) for evaluation in state.standing()[:2]] or [_unmeasured(state)]
    yield Section(id="figures", body=Figures(figures=[*gains, _reward(state), _kl(state), _step(state)]))
    if notes := list(_health_notes(state)):
        yield Section(id="health", body=Notes(notes=notes))


def _gain(state: RunState, evaluation: Evaluation) -> Figure:
    gain, games = evaluation.gain, evaluation.games
    elo = f"{written(evaluation.elo[0], 'signed elo')} ± {evaluation.elo[1]:.0f} Elo" if evaluation.elo else ""
    note = joined([
        evaluation.inconclusive or VERDICTS[evaluation.verdict],
        elo,
        among(evaluation.label) if evaluation.label == MAIN else "",
        many(games, "game") if games is not None and evaluation.ci95 is None else "",
        f"as of step {evaluation.step}" if state.step > evaluation.step else "",
    ])  # fmt: skip
    low, high = evaluation.bounds
    label = "Gain over its base" if evaluation.label == MAIN else f"Gain {among(evaluation.label)}"
    value = Value(
        value=gain,
        low=low,
        high=high,
        n=games,
        note=note,
        tone=TONES[evaluation.verdict],
        strong=evaluation.verdict != "open",
        behind=state.evaluated(evaluation),
    )
    return Figure(label=label, value=value, unit="signed")


def _unmeasured(state: RunState) -> Figure:
    every = state.number("run", "eval_every")
    note = "not measured yet"
    if every is not None:
        note = f"measured every {many(int(every), 'step')}" if every else "run.eval_every is 0: not measured"
    return Figure(label="Gain over its base", value=Value(note=note), unit="signed")


def _reward(state: RunState) -> Figure:
    reward, spread = (state.metrics.get(f"benchmark/reward_{name}") for name in ("mean", "std"))
    began = state.first.get("benchmark/reward_mean")
    note = joined([
        f"began at {written(began)}" if began is not None and state.count > 1 else "",
        f"standard deviation of the step's matches {written(spread)}" if spread is not None else "",
    ])  # fmt: skip
    behind = state.learned_from(state.step) if state.step else None
    return Figure(label="Reward", value=Value(value=reward, note=note, behind=behind))


def _kl(state: RunState) -> Figure:
    largest, beta = state.metrics.get("kl/max"), state.metrics.get("kl/beta")
    note = joined([f"goal below {KL_GOAL:g}", f"β {written(beta)}" if beta is not None else ""])
    tone: Tone = "bad" if largest is not None and largest > KL_GOAL else ""
    return Figure(label="KL, largest", value=Value(value=largest, note=note, tone=tone))


def _step(state: RunState) -> Figure:
    if state.status:
        note = f"took {written(state.took, 'seconds')}" if state.took else ""
    else:
        each = f"{written(state.pace, 'seconds')} each" if state.pace is not None else ""
        note = joined(
            [each, f"about {written(state.remaining, 'seconds')} left" if state.remaining is not None else ""]
        )
    value = Value(value=state.step, note=note)
    return Figure(label="Step", value=value, unit="count", of=state.planned or None)


def _health_notes(state: RunState) -> Iterator[Note]:
    """Yield a note for each value beyond its bound, and one on those within theirs."""
    failed = _failed(state)
    for check in failed:
        yield Note(title=wrong(check, state.metrics), text=CHECKS[check.check].help, tone="bad")
    within = [f"{CHECKS[check.check].name} {_value(check, state)} {_bound(check)}"
              for check in _ordered(state) if check not in failed]  # fmt: skip
    if within:
        title = "Within their bounds" if failed else "All is well"
        yield Note(title=title, text=joined(within, " · "), tone="good")


def _ordered(state: RunState) -> list[Check]:
    """Return the checks that the last step measured."""
    checks = {check.check: check for check in state.health.checks if check.metric in state.metrics}
    return [checks[name] for name in CHECKS if name in checks]


def _value(check: Check, state: RunState) -> str:
    return written(state.metrics[check.metric], CHECKS[check.check].unit)


def _bound(check: Check) -> str:
    return f"{'≥' if check.least else '≤'} {written(check.bound, CHECKS[check.check].unit)}"


def health(state: RunState) -> Iterator[Section]:
    """Yield the table of all checks over the whole run, if anything was checked."""
    results = {result.check: result for result in state.health.results()}
    rows = []
    for name in (name for name in CHECKS if name in results):
        result = results[name]
        unit = CHECKS[name].unit
        failed = many(result.failed_steps, "step") if result.failed_steps else "never"
        rows.append(
            Row(
                id=name,
                cells=[
                    Value(value=CHECKS[name].name, note=result.metric),
                    Value(value=f"at {'least' if result.least else 'most'} {written(result.bound, unit)}"),
                    Value(value=written(result.worst, unit), tone="" if result.passed else "bad", strong=True),
                    Value(value=result.worst_step, behind=state.learned_from(result.worst_step)),
                    Value(value=failed, note="" if result.passed else f"of {result.steps}"),
                ],
            )
        )
    columns = [
        Column(id="check", title="Check"),
        Column(id="bound", title="Bound"),
        Column(id="worst", title="Worst"),
        Column(id="step", title="In step", shape="number", unit="count", drop=1),
        Column(id="beyond", title="Beyond it"),
    ]
    note = "Every bound with the worst value of the run. Nothing stops the run but the gap of sampler and learner."
    if rows:
        yield Section(id="checks", title="Health", tab="Health", note=note, body=Table(columns=columns, rows=rows))

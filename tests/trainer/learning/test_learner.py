"""A gradient step: on what was sampled, as it was sampled, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from torch import Tensor

from grandstand.trainer.config.objective_settings import LossSettings
from grandstand.trainer.learning.learner import Diverged, Learner, Mismatch
from grandstand.trainer.model.batch import TrainingSample, pack
from grandstand.trainer.model.forward import choices, inputs
from grandstand.trainer.model.policy import Policy, nano, with_adapter
from tests.support.trainer.learning import ANY_GAP, Changes, Played, adapter, another_temperature, never
from tests.support.trainer.records import same
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, cricket, stir


@pytest.fixture(scope="module", params=[tiny, cricket], ids=["diplomacy", "cricket"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    torch.set_num_threads(1)
    return Played(request.param, tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def diplomacy(tmp_path_factory: pytest.TempPathFactory) -> Played:
    torch.set_num_threads(1)
    return Played(tiny, tmp_path_factory.mktemp("run"))


def gradients(learner: Learner, samples: Sequence[TrainingSample], step: int = 2) -> Tensor:
    """Those that the first update of the step is made with."""
    observed: list[Tensor] = []
    parameters = [parameter for _, parameter in learner.policy.trainable()]

    def look(*args: object) -> None:
        observed.append(torch.cat([p.grad.flatten() for p in parameters if p.grad is not None]).clone())

    hook = learner.optimizer.register_step_pre_hook(look)
    learner.step(samples, step, never)
    hook.remove()
    return observed[0]


# --- the same policy in sampler and learner ---------------------------------------------------------------------------


@pytest.mark.few(1)
def test_with_no_lag_all_ratios_are_one(played: Played) -> None:
    metrics = played.learner().step(played.samples, 2, never)
    assert (metrics["ppo/ratio_mean"], metrics["ppo/ratio_std"], metrics["ppo/clip_fraction"]) == (1.0, 0.0, 0.0)
    assert metrics["logprob/diff_max"] < 1e-4
    assert [metrics[f"ppo/is_ratio_{of}"] for of in ("mean", "min", "max")] == pytest.approx([1.0] * 3, abs=1e-5)
    assert metrics["logprob/token_min"] < -0.5


def test_after_an_update_they_are_not(diplomacy: Played) -> None:
    metrics = diplomacy.learner(optimizer={"epochs": 2}).step(diplomacy.samples, 2, never)
    assert metrics["ppo/ratio_std"] > 1e-4
    assert metrics["logprob/diff_max"] < 1e-4, "which compares with the policy at the step's start"


def test_older_samples_are_compared_with_the_version_that_played_them(diplomacy: Played) -> None:
    learner = diplomacy.learner()
    stir(learner.policy, 3)
    before = adapter(learner.policy)
    asked: list[int] = []

    def adapter_of(version: int) -> Mapping[str, Tensor]:
        asked.append(version)
        return {1: diplomacy.second}[version]

    learner.optimizer.register_step_pre_hook(lambda *args: check(same(adapter(learner.policy), before)))
    metrics = learner.step(diplomacy.samples, 4, adapter_of)
    assert asked == [1]
    assert metrics["logprob/diff_max"] < 1e-4
    assert abs(metrics["ppo/is_ratio_mean"] - 1) > 1e-3, "while the correction is for the lag"


def check(so: bool) -> None:
    assert so


# --- the gate ---------------------------------------------------------------------------------------------------------


def another_mask(sample: TrainingSample) -> TrainingSample:
    """One legal token less in every choice that leaves one."""
    allowed = [
        [episode_id for episode_id in ids if episode_id == token or episode_id != min(set(ids) - {token})]
        if len(ids) > 2
        else ids
        for ids, token in zip(sample.allowed, sample.completion, strict=True)
    ]
    return replace(sample, allowed=allowed)


def no_number(sample: TrainingSample) -> TrainingSample:
    return replace(sample, logprobs=[logprob * float("nan") for logprob in sample.logprobs])


def unchanged_by(learner: Learner, attempt: Callable[[], object], kind: type[Exception], words: str) -> None:
    """That the attempt is refused and nothing but the message comes of it."""
    before = deepcopy(learner.state_dict())
    with pytest.raises(kind, match=words):
        attempt()
    assert same(learner.state_dict(), before)
    assert all(parameter.grad is None for _, parameter in learner.policy.trainable())
    assert len(learner.policy.trainable()) == 42


@pytest.mark.few(2)
@pytest.mark.parametrize("wrong", [another_temperature, another_mask, no_number])
@pytest.mark.parametrize("epochs", [1, 2])
def test_samples_of_another_policy_are_refused_and_change_nothing(
    diplomacy: Played, wrong: Callable[[TrainingSample], TrainingSample], epochs: int
) -> None:
    settings: Changes = {
        "optimizer": {"epochs": epochs, "schedule": "linear"},
        "kl": {"reference": "ema", "target": 0.01, "beta": 0.02},
    }
    learner = diplomacy.learner(**settings)
    learner.step(diplomacy.samples, 2, never)
    learner.policy.load_adapter(diplomacy.second)
    samples = [wrong(replace(sample, version=2)) for sample in diplomacy.samples]
    unchanged_by(learner, lambda: learner.step(samples, 3, never), Mismatch, r"differ from the learner's by .* nats")


def test_samples_of_another_version_are_refused(diplomacy: Played) -> None:
    learner = diplomacy.learner()
    stir(learner.policy, 3)
    unchanged_by(learner, lambda: learner.step(diplomacy.samples, 2, never), Mismatch, "another version, mask")
    wrong = lambda version: diplomacy.first  # noqa: E731
    unchanged_by(learner, lambda: learner.step(diplomacy.samples, 3, wrong), Mismatch, "another version, mask")


def test_a_version_that_is_gone_leaves_the_policy_as_it_was(diplomacy: Played) -> None:
    learner = diplomacy.learner(optimizer=ANY_GAP)
    samples = [replace(sample, version=number % 2) for number, sample in enumerate(diplomacy.samples)]

    def adapter_of(version: int) -> Mapping[str, Tensor]:
        if version:
            raise FileNotFoundError("version 1 is gone")
        return diplomacy.first

    unchanged_by(learner, lambda: learner.step(samples, 3, adapter_of), FileNotFoundError, "version 1 is gone")


def test_an_older_version_is_probed_where_it_had_a_choice(diplomacy: Played) -> None:
    """Its first samples may all have been forced: they say nothing of the policy."""
    learner = diplomacy.learner()
    forced = replace(diplomacy.samples[0], allowed=[[] for _ in diplomacy.samples[0].allowed])
    samples = [*[forced] * 70, *diplomacy.samples]
    metrics = learner.step(samples, 3, lambda version: {1: diplomacy.second}[version])
    assert 0 < metrics["logprob/diff_max"] < 1e-4


def off(sample: TrainingSample) -> TrainingSample:
    """As if the sampler had found every choice a little less likely."""
    return replace(sample, logprobs=[logprob - 0.2 if logprob else 0.0 for logprob in sample.logprobs])


def test_half_precision_is_gated_by_the_mean(diplomacy: Played, tmp_path: Path) -> None:
    settings: Changes = {"policy": {"dtype": "bfloat16"}, "optimizer": {"max_logprob_gap": 0.05}}

    def half() -> Policy:
        policy = TrainingSetup.base(diplomacy.setup.spec)
        model: Any = policy.model
        return Policy(model.to(torch.bfloat16), policy.codec)

    setup = TrainingSetup(tiny(**settings), tmp_path, half)
    samples = [sample for sample in setup.batch(1, 0).samples if sample.choices]
    learner = Learner(setup.config, setup.policy)
    unchanged_by(learner, lambda: learner.step([*map(off, samples)], 1, never), Mismatch, "on average")
    metrics = learner.step([off(samples[0]), *samples[1:]], 1, never)
    assert 1e-4 < metrics["logprob/diff_mean"] < 0.05 < metrics["logprob/diff_max"]


# --- the gradient -----------------------------------------------------------------------------------------------------


@pytest.mark.few(2)
@pytest.mark.parametrize("variant", get_args(LossSettings.model_fields["variant"].annotation))
def test_the_budget_of_a_micro_batch_does_not_change_the_gradient(diplomacy: Played, variant: str) -> None:
    settings: Changes = {"loss": {"variant": variant, "entropy": 0.01}, "kl": {"beta": 0.1}}
    results = []
    for tokens in (256, 10**6):
        learner = diplomacy.learner(**settings, optimizer={"batch_tokens": tokens, "max_grad_norm": 1e9})
        results.append(gradients(learner, diplomacy.samples))
    assert len(pack(diplomacy.samples, 256)) > 2
    assert results[0].abs().max() > 1e-3
    torch.testing.assert_close(results[0], results[1], atol=1e-6, rtol=1e-4)


@pytest.mark.few(1)
def test_it_is_the_policy_gradient(played: Played) -> None:
    """With no lag and no penalty: minus the advantage times the gradient of the log-probability, over the choices."""
    learner = played.learner(kl={"beta": 0.0}, optimizer={"max_grad_norm": 1e9})
    (batch,) = pack(played.samples, 10**6)
    value = inputs(batch, learner.policy, one_row=False)
    message = choices(learner.policy, value).chosen
    loss = -(message * value.advantage[value.sequence]).mean()
    expected = torch.autograd.grad(loss, [parameter for _, parameter in learner.policy.trainable()])
    result = gradients(learner, played.samples)
    torch.testing.assert_close(result, torch.cat([item.flatten() for item in expected]), atol=1e-6, rtol=1e-4)


@pytest.mark.few(2)
@pytest.mark.parametrize("variant", get_args(LossSettings.model_fields["variant"].annotation))
def test_forced_tokens_count_nothing(diplomacy: Played, variant: str) -> None:
    def forced_after(sample: TrainingSample) -> TrainingSample:
        return replace(
            sample,
            completion=[*sample.completion, 5, 6, 7],
            logprobs=[*(logprob if ids else -9.0 for logprob, ids in zip(sample.logprobs, sample.allowed, strict=True)),
                      -9.0, 0.0, 3.0],
            allowed=[*sample.allowed, [], [], []],
        )  # fmt: skip

    silent = replace(diplomacy.samples[0], allowed=[[] for _ in diplomacy.samples[0].allowed], advantage=100.0)
    report, result = [], []
    for samples in (diplomacy.samples, [silent, *map(forced_after, diplomacy.samples), silent]):
        learner = diplomacy.learner(loss={"variant": variant}, kl={"beta": 0.1})
        result.append(gradients(learner, samples))
        report.append(diplomacy.learner(loss={"variant": variant}).step(samples, 2, never))
    torch.testing.assert_close(result[0], result[1], atol=1e-6, rtol=1e-4)
    assert report[0] == pytest.approx(report[1], abs=1e-5)


def test_what_did_better_becomes_likelier(played: Played) -> None:
    learner = played.learner(optimizer={"learning_rate": 1e-4})
    (batch,) = pack(played.samples, 10**6)
    value = inputs(batch, learner.policy, one_row=False)

    def likely() -> Tensor:
        with torch.no_grad():
            return choices(learner.policy, value).chosen

    before = likely()
    learner.step(played.samples, 2, never)
    gained = ((likely() - before) * value.advantage[value.sequence]).sum()
    assert gained > 0


def test_to_compute_activations_twice_changes_nothing(diplomacy: Played) -> None:
    plain, saving = (
        gradients(diplomacy.learner(policy={"gradient_checkpointing": twice}), diplomacy.samples)
        for twice in (False, True)
    )
    torch.testing.assert_close(plain, saving, atol=1e-7, rtol=1e-5)


def test_with_dropout_the_policy_that_is_compared_drops_nothing(diplomacy: Played) -> None:
    settings: Changes = {"policy": {"lora_dropout": 0.3}}
    first, again = (diplomacy.learner(**settings) for _ in range(2))
    metrics = first.step(diplomacy.samples, 2, never)
    assert metrics["logprob/diff_max"] < 1e-4
    assert metrics["ppo/ratio_std"] > 1e-3
    assert again.step(diplomacy.samples, 2, never) == metrics, (
        "what is dropped is drawn from the run's seed and the step"
    )
    assert same(first.state_dict(), again.state_dict())


def test_a_gradient_that_is_no_number_is_not_taken(diplomacy: Played) -> None:
    learner = diplomacy.learner(optimizer={"schedule": "linear"})
    samples = [replace(diplomacy.samples[0], advantage=float("inf")), *diplomacy.samples[1:]]
    unchanged_by(learner, lambda: learner.step(samples, 2, never), Diverged, "step 2")


def test_samples_without_a_choice_teach_nothing(diplomacy: Played) -> None:
    learner = diplomacy.learner()
    before = deepcopy(learner.state_dict())
    silent = replace(diplomacy.samples[0], allowed=[[] for _ in diplomacy.samples[0].allowed])
    for samples in ([], [silent]):
        assert learner.step(samples, 2, never) == {"benchmark/loss": 0.0, "benchmark/grad_norm": 0.0}
    assert same(learner.state_dict(), before)


def test_a_long_gradient_is_cut_and_told_uncut(diplomacy: Played) -> None:
    learner = diplomacy.learner(optimizer={"max_grad_norm": 0.01})
    whole = diplomacy.learner(optimizer={"max_grad_norm": 1e9})
    cut, uncut = gradients(learner, diplomacy.samples), gradients(whole, diplomacy.samples)
    assert float(cut.norm()) == pytest.approx(0.01, rel=1e-3)
    metrics = diplomacy.learner(optimizer={"max_grad_norm": 0.01}).step(diplomacy.samples, 2, never)
    assert metrics["benchmark/grad_norm"] == pytest.approx(float(uncut.norm()), rel=1e-4)


# --- schedule and state -----------------------------------------------------------------------------------------------


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        ("constant", [0.5, 1.0, 1.0, 1.0]),
        ("linear", [0.5, 1.0, 0.75, 0.25]),
        ("cosine", [0.5, 1.0, 0.8535534, 0.1464466]),
    ],
)
def test_the_learning_rate_follows_its_schedule(diplomacy: Played, schedule: str, rates: list[float]) -> None:
    settings: Changes = {
        "run": {"steps": 6},
        "optimizer": {"learning_rate": 1e-3, "warmup_steps": 2, "schedule": schedule, **ANY_GAP},
    }
    learner = diplomacy.learner(**settings)
    reports = [learner.step(diplomacy.samples, step, lambda version: diplomacy.second) for step in (1, 2, 4, 6)]
    assert [item["optimizer/learning_rate"] / 1e-3 for item in reports] == pytest.approx(rates)


@pytest.mark.long
@pytest.mark.parametrize("reference", ["base", "frozen", "ema"])
def test_a_learner_goes_on_from_its_state_to_the_bit(diplomacy: Played, reference: str, tmp_path: Path) -> None:
    settings: Changes = {
        "kl": {"reference": reference, "ema_tau": 0.5, "target": 0.001, "beta": 0.02},
        "optimizer": {"epochs": 2, "schedule": "cosine", **ANY_GAP},
        "policy": {"lora_dropout": 0.1},
    }
    whole, begun, later = (diplomacy.learner(**settings) for _ in range(3))
    for learner in (whole, begun):
        learner.step(diplomacy.samples, 2, never)
    torch.save(begun.state_dict(), tmp_path / "state.pt")
    later.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    reports = [learner.step(diplomacy.samples, 3, lambda version: diplomacy.second) for learner in (whole, later)]
    assert reports[0] == reports[1]
    assert same(whole.state_dict(), later.state_dict())


@pytest.mark.long
@pytest.mark.parametrize("reference", ["base", "frozen", "ema"])
def test_a_learner_that_begins_anew_is_as_a_new_one_to_the_bit(diplomacy: Played, reference: str) -> None:
    changes: Changes = {
        "kl": {"reference": reference, "ema_tau": 0.5, "beta": 0.02, "warmup_steps": 3, "target": 0.01},
        "optimizer": {"learning_rate": 1e-2, **ANY_GAP},
    }
    new, anew = diplomacy.learner(**changes), diplomacy.learner(**changes)
    for step in (2, 3):
        anew.step(diplomacy.samples, step, lambda version: diplomacy.second)
    assert not same(anew.state_dict(), new.state_dict())
    anew.reset(diplomacy.second)
    assert same(anew.state_dict(), new.state_dict())
    for learner in (new, anew):
        learner.step(diplomacy.samples, 2, never)
    assert same(anew.state_dict(), new.state_dict())


def test_a_policy_of_another_shape_is_refused(diplomacy: Played) -> None:
    config = tiny(policy={"lora_targets": "mlp"})
    other = Learner(config, with_adapter(nano(diplomacy.setup.spec, 1), config.policy, 1))
    with pytest.raises(ValueError, match="the adapter's tensors differ"):
        other.load_state_dict(diplomacy.learner().state_dict())

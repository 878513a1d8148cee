"""The KL is measured to the policy that the settings name, and to no other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal, get_args

import pytest
import torch
from torch import Tensor

from grandstand.games.registry import game_spec
from grandstand.trainer.config.objective_settings import KLSettings
from grandstand.trainer.learning.learner import Learner
from grandstand.trainer.learning.reference import Reference
from grandstand.trainer.model.batch import TrainingSample
from grandstand.trainer.model.policy import Policy, with_adapter
from tests.support.trainer.adapters import adapted, logits
from tests.support.trainer.learning import ANY_GAP, adapter, never
from tests.support.trainer.records import same
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, stir

Name = Literal["base", "frozen", "ema"]
NAMES = get_args(Name)
TAU = 0.9


def reference(name: Name, policy: Policy) -> Reference:
    return Reference(KLSettings(reference=name, ema_tau=TAU), policy)


def reference_logits(reference: Reference, policy: Policy) -> Tensor:
    with reference.active():
        return logits(policy)


@pytest.fixture
def policy() -> Policy:
    """One whose adapter is not empty, so that it is another policy than its base."""
    made = adapted()
    stir(made, 1)
    return made


# --- which policy it is -----------------------------------------------------------------------------------------------


def test_base_is_the_policy_without_its_adapter(policy: Policy) -> None:
    base = reference("base", policy)
    stir(policy, 2)
    base.follow()
    assert torch.equal(reference_logits(base, policy), logits(adapted()))


def test_frozen_is_the_policy_as_it_was(policy: Policy) -> None:
    before = logits(policy)
    frozen = reference("frozen", policy)
    for seed in (2, 3):
        stir(policy, seed)
        frozen.follow()
    assert torch.equal(reference_logits(frozen, policy), before)


def test_ema_follows_factor_by_factor(policy: Policy) -> None:
    average = adapter(policy)
    item = reference("ema", policy)
    for seed in (2, 3):
        stir(policy, seed)
        item.follow()
        average = {name: TAU * average[name] + (1 - TAU) * tensor for name, tensor in policy.adapter().items()}
    state = item.state_dict()["state"]
    assert average.keys() == state.keys()
    for name, tensor in average.items():
        torch.testing.assert_close(state[name], tensor, atol=1e-6, rtol=1e-6)
    now = reference_logits(item, policy)
    assert not torch.equal(now, logits(policy))


@pytest.mark.parametrize("name", NAMES)
def test_the_policy_is_itself_again_to_the_bit_also_after_an_exception(policy: Policy, name: Name) -> None:
    saved = reference(name, policy)
    stir(policy, 2)
    trained = [parameter for _, parameter in policy.trainable()]
    for parameter in trained:
        parameter.grad = torch.ones_like(parameter)
    before, output = adapter(policy), logits(policy)
    for fails in (False, True):
        try:
            with saved.active():
                assert not torch.equal(logits(policy), output)
                if fails:
                    raise ZeroDivisionError
        except ZeroDivisionError:
            assert fails
        assert same(adapter(policy), before)
        assert torch.equal(logits(policy), output)
        assert all(a is b for (_, a), b in zip(policy.trainable(), trained, strict=True))
        assert all(parameter.grad is not None and (parameter.grad == 1).all() for parameter in trained)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_learned_inside(policy: Policy, name: Name) -> None:
    with reference(name, policy).active():
        assert not policy.hidden(torch.tensor([[2, 3]])).last_hidden_state.requires_grad
    assert policy.hidden(torch.tensor([[2, 3]])).last_hidden_state.requires_grad


# --- what the learner makes of it -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[TrainingSample]:
    torch.set_num_threads(1)
    return list(TrainingSetup(tiny(), tmp_path_factory.mktemp("run")).batch().samples)


def learner(name: Name, *, stirred: bool, **kl: Any) -> Learner:
    config = tiny(kl={"reference": name, "ema_tau": TAU, **kl}, optimizer={"learning_rate": 1e-3, **ANY_GAP})
    policy = with_adapter(TrainingSetup.base(game_spec("diplomacy")), config.policy, seed=2)
    if stirred:
        stir(policy, 1)
    return Learner(config, policy)


@pytest.mark.few(2)
@pytest.mark.parametrize("estimator", ["exact", "k3"])
@pytest.mark.parametrize("name", NAMES)
def test_at_the_first_step_the_kl_is_exactly_zero(samples: list[TrainingSample], name: Name, estimator: str) -> None:
    metrics = learner(name, stirred=False, estimator=estimator, beta=0.1).step(samples, 1, never)
    assert (metrics["kl/mean"], metrics["kl/max"], metrics["kl/min"], metrics["kl/std"]) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.few(1)
@pytest.mark.parametrize("estimator", ["exact", "k3"])
def test_another_reference_is_another_kl_and_another_loss(samples: list[TrainingSample], estimator: str) -> None:
    """The first step has no penalty, so that all three learners take the same one."""
    by_name: dict[Name, dict[str, float]] = {}
    policies = []
    for name in NAMES:
        stirred = learner(name, stirred=True, estimator=estimator, beta=0.5, warmup_steps=1)
        stirred.step(samples, 1, never)
        policies.append(adapter(stirred.policy))
        by_name[name] = stirred.step(samples, 2, lambda version: policies[-1])
    assert same(policies[0], policies[1])
    assert same(policies[1], policies[2])
    kl = {name: stirred["kl/mean"] for name, stirred in by_name.items()}
    assert min(kl.values()) > 0
    for measured in (sorted(kl.values()), sorted(stirred["benchmark/loss"] for stirred in by_name.values())):
        assert all(b - a > 1e-3 for a, b in pairwise(measured))
    assert kl["frozen"] > kl["ema"]


def test_the_penalty_pulls_towards_the_reference(samples: list[TrainingSample]) -> None:
    """With nothing else to gain, the KL to the base falls."""
    still = [TrainingSample(s.prompt, s.completion, s.logprobs, s.allowed, s.temperature, 0.0) for s in samples]
    stirred = learner("base", stirred=True, beta=1.0)
    messages = [stirred.step(still, step, lambda version: adapter(stirred.policy))["kl/mean"] for step in range(1, 6)]
    assert messages[-1] < 0.7 * messages[0]


# --- its state --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_it_goes_on_from_its_state(policy: Policy, name: Name) -> None:
    first = reference(name, policy)
    stir(policy, 2)
    first.follow()
    other = reference(name, policy)
    state = first.state_dict()
    other.load_state_dict(state)
    assert torch.equal(reference_logits(other, policy), reference_logits(first, policy))
    kept = {key: tensor.clone() for key, tensor in state["state"].items()}
    stir(policy, 3)
    other.follow()
    assert same(state["state"], kept), "going on leaves what was taken up as it was"


def test_the_state_of_another_reference_is_refused(policy: Policy) -> None:
    with pytest.raises(ValueError, match=r"kl.reference: the checkpoint has 'ema', the settings 'frozen'"):
        reference("frozen", policy).load_state_dict(reference("ema", policy).state_dict())

"""With a real vLLM server on the CPU: its log-probabilities are the learner's, its versions are what they say, and it
comes back when it is killed. `scripts/setup/vllm` makes its environment; Model Runner V2 needs a GPU and does not run
here, but its interface is vLLM's own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grandstand.games.registry import game_spec
from grandstand.trainer.model.codec import ChatCodec, Question
from grandstand.trainer.model.sampler import Ask, Sampled, SamplerError
from grandstand.trainer.model.trie import TokenTrie
from grandstand.trainer.vllm.launch import TRAINER, VllmOptions, lay_out
from grandstand.trainer.vllm.sampler import PLAIN, VllmSampler
from grandstand.trainer.vllm.server import VllmServer
from grandstand.trainer.vllm.wire import FIELD
from tests.support import http
from tests.support.players.token_options import run_of_slots
from tests.support.requirements import file
from tests.support.trainer import tiny_qwen
from tests.support.trainer.chat import moments, tokenizer
from tests.support.waiting import running, until

pytestmark = [pytest.mark.vllm, pytest.mark.filterwarnings("default")]

PYTHON = TRAINER.parents[1] / ".cache" / "vllm" / "bin" / "python"
GAP = 1e-4
"""Largest difference between the log-probabilities of the engine and of the learner, in nats."""


class VllmSetup:
    """A sampler over one server, and what its versions truly are."""

    def __init__(self, folder: Path, processor: Any) -> None:
        self.folder = folder
        self.model = folder / "model"
        if not self.model.exists():
            tiny_qwen.save_model(self.model)
            for seed in (1, 2, 3):
                tiny_qwen.save_adapter(self.model, self.adapter(seed), seed)
        options = VllmOptions(
            str(PYTHON),
            str(self.model),
            folder / f"run-{processor}",
            dtype="float32",
            max_loras=2,
            max_cpu_loras=3,
            max_lora_rank=tiny_qwen.RANK,
            processor=processor,
            extra=("--enforce-eager",),
            env={"VLLM_CPU_OMP_THREADS_BIND": "nobind", "OMP_NUM_THREADS": "1"},
        )
        self.server = VllmServer(options)
        self.sampler = VllmSampler([self.server])
        for version in (1, 2):
            self.sampler.publish(version, self.adapter(version))

    def adapter(self, seed: int) -> Path:
        return self.folder / f"adapter{seed}"

    def gap(self, asks: Sequence[Ask], answers: Sequence[Sampled], adapter: int) -> float:
        """Largest difference to what the model says, with this adapter; 0 is none."""
        model = tiny_qwen.load(self.model, self.adapter(adapter) if adapter else None)
        return max(
            abs(ours - theirs)
            for ask, answer in zip(asks, answers, strict=True)
            for ours, theirs in zip(answer.logprobs, tiny_qwen.truth(model, ask, answer), strict=True)
        )

    def engine(self) -> int:
        """The process of vLLM's engine, behind the one that speaks HTTP."""
        result = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
        (pid,) = [int(line.split()[0]) for line in result.splitlines() if "VLLM::EngineCore" in line]
        return pid

    def names(self) -> set[str]:
        """Return the models that the server lists."""
        models = http.get(f"{self.server.url}/v1/models", headers=self.server.headers).json()["data"]
        return {model["id"] for model in models}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file(PYTHON, remedy="run scripts/setup/vllm")
    return tmp_path_factory.mktemp("vllm")


@pytest.fixture(scope="module")
def setup(folder: Path, request: pytest.FixtureRequest) -> Iterator[VllmSetup]:
    setup = VllmSetup(folder, request.param)
    yield setup
    setup.sampler.close()


with_processor = pytest.mark.parametrize("setup", ["auto"], indirect=True)
"""Or else without: vLLM is then asked for one token at a time. Tests of one kind run together, over one server."""


def ask(seed: int, temperature: float = 1.0) -> Ask:
    """Two runs of four slots of made-up options, the second's by what was chosen in the first. Siblings share all."""
    tries = [[TokenTrie(slot) for slot in run_of_slots(Random(f"{seed // 4}/{run}"), vocabulary=99)] for run in (1, 2)]
    prompt = [Random(seed // 4).randrange(1, 256) for _ in range(150)]
    return Ask(prompt, [7, 8], lambda chosen: [] if len(chosen) > 4 else tries[len(chosen) // 4], seed, temperature)


def check_legal(ask: Ask, answer: Sampled) -> None:
    completion, chosen = list(ask.lead), 0
    while tries := ask.slots(answer.chosen[:chosen]):
        for trie in tries:
            completion += trie.sequences()[answer.chosen[chosen]]
            chosen += 1
    assert answer.completion == completion
    assert chosen == len(answer.chosen)


@pytest.mark.parametrize("temperature", [1.0, 0.65])
@pytest.mark.parametrize("version", [0, 1, 2])
@pytest.mark.parametrize("setup", ["auto", "none"], indirect=True)
def test_what_is_sampled_is_legal_and_as_likely_as_the_learner_says(
    setup: VllmSetup, version: int, temperature: float, record_property: Callable[[str, object], None]
) -> None:
    asks = [ask(seed, temperature) for seed in range(24)]
    for greedy in (False, True):
        answers = setup.sampler.sample(asks, version, greedy)
        for item, answer in zip(asks, answers, strict=True):
            check_legal(item, answer)
        gap = setup.gap(asks, answers, version)
        record_property(f"gap{'_greedy' * greedy}", gap)
        assert gap <= GAP
        other = setup.gap(asks, answers, 1 + version % 2)
        assert other > 1000 * GAP, "the versions differ, or else nothing was shown"


@with_processor
@pytest.mark.parametrize("game", ["diplomacy", "cricket"])
def test_a_game_is_played(setup: VllmSetup, game: str) -> None:
    spec = game_spec(game)
    codec = ChatCodec(tokenizer(), spec)
    for number, (match, seat, _) in enumerate(islice(moments(spec, seed=1), 0, 40, 5)):
        question = Question(spec, codec, match.game, seat)
        asks = [question.ask(number, 0.65)]
        answers = setup.sampler.sample(asks, 1)
        match.fork().apply(seat, question.action(answers[0].chosen))
        assert setup.gap(asks, answers, 1) <= GAP


@with_processor
def test_the_seed_decides(setup: VllmSetup) -> None:
    asks = [ask(seed) for seed in range(16)]
    first, second, other = (setup.sampler.sample(asks, version) for version in (1, 1, 2))
    assert [item.completion for item in first] == [item.completion for item in second]
    assert [item.completion for item in first] != [item.completion for item in other]
    siblings = {tuple(item.completion) for item in first[:4]}
    assert len(siblings) > 1


@with_processor
def test_a_version_that_comes_back_is_not_taken_for_the_old_one(setup: VllmSetup) -> None:
    """vLLM keeps what it computed of a prompt by the adapter's name and path, whatever becomes of the weights."""
    asks = [ask(seed) for seed in range(8)]
    setup.sampler.publish(7, setup.adapter(1))
    assert setup.gap(asks, setup.sampler.sample(asks, 7), 1) <= GAP
    setup.sampler.retire(7)
    setup.sampler.publish(7, setup.adapter(3))
    assert setup.gap(asks, setup.sampler.sample(asks, 7), 3) <= GAP
    setup.sampler.publish(8, setup.adapter(1))
    assert setup.gap(asks, setup.sampler.sample(asks, 8), 1) <= GAP
    for version in (7, 8):
        setup.sampler.retire(version)


@with_processor
def test_a_retired_version_is_unloaded_then_deleted(setup: VllmSetup) -> None:
    """With more versions than the engine keeps in memory, so that it has to read folders again."""
    asks = [ask(seed) for seed in range(4)]
    for version in (10, 11, 12):
        setup.sampler.publish(version, setup.adapter(3))
    copies = setup.server.options.folder / "adapters"
    assert {path.name for path in copies.iterdir()} == setup.names() - {"base"}
    setup.sampler.retire(10)
    assert not (copies / "policy@v000010").exists()
    assert "policy@v000010" not in setup.names()
    with pytest.raises(SamplerError, match="version 10 was not published"):
        setup.sampler.sample(asks, 10)
    for version in (1, 2, 11, 12, 0):
        setup.sampler.sample(asks, version)
    for version in (11, 12):
        setup.sampler.retire(version)
    assert setup.server.restarts == 0


@with_processor
def test_bad_arguments_are_a_bad_request(setup: VllmSetup) -> None:
    asked = {"model": "base", "prompt": [1, 2], "max_tokens": 2, **PLAIN}
    for text in ("?", json.dumps({"slots": [[[1], [1, 2]]], "stop": 0, "divide": 1})):
        answer = http.post(
            f"{setup.server.url}/v1/completions",
            json={**asked, "vllm_xargs": {FIELD: text}},
            headers=setup.server.headers,
        )
        assert answer.status_code == 400
        assert answer.json()["error"]["message"].startswith("grandstand")
    long = ask(1)
    with pytest.raises(SamplerError, match=r"vLLM refuses a request for base: 400: .*max"):
        setup.sampler.sample([Ask([1] * 9000, [], long.slots, 1)], 0)
    assert setup.server.restarts == 0


@with_processor
def test_a_policy_that_is_no_numbers_any_more_spoils_no_other(setup: VllmSetup) -> None:
    """Its answers are refused. What the engine computed of it would spoil all answers after it: it is started anew."""
    tiny_qwen.save_adapter(setup.model, setup.folder / "broken", 4, value=float("nan"))
    setup.sampler.publish(20, setup.folder / "broken")
    with pytest.raises(SamplerError, match=r"log-probabilities for policy@v000020 are no numbers|drew token"):
        setup.sampler.sample([ask(1)], 20)
    setup.sampler.retire(20)
    asks = [ask(seed) for seed in range(4)]
    assert setup.gap(asks, setup.sampler.sample(asks, 1), 1) <= GAP
    assert setup.server.restarts == 1


@with_processor
def test_a_killed_engine_comes_back_with_its_versions_and_no_answer_is_lost(setup: VllmSetup) -> None:
    killed = threading.Event()
    first = ask(0)

    def slots(chosen: Sequence[int]) -> Sequence[TokenTrie]:
        if chosen and not killed.is_set():
            killed.set()
            os.kill(setup.engine(), signal.SIGKILL)
        return first.slots(chosen)

    before = setup.server.restarts
    asks = [Ask(first.prompt, first.lead, slots, seed) for seed in range(16)]
    answers = setup.sampler.sample(asks, 2)
    assert killed.is_set()
    assert setup.server.restarts == before + 1
    assert setup.names() == {"base", "policy@v000001", "policy@v000002"}
    assert setup.gap(asks, answers, 2) <= GAP
    assert setup.gap(asks, setup.sampler.sample(asks, 1), 1) <= GAP


@with_processor
def test_nothing_is_left_when_it_is_closed(setup: VllmSetup) -> None:
    """Last, for it closes the server of all the others."""
    pid = setup.engine()
    setup.sampler.close()
    assert until(lambda: not running(pid))


RUNNER_V2 = """
import json, sys
from types import SimpleNamespace
import numpy as np, torch
from vllm import SamplingParams
from vllm.v1.worker.gpu.sample.logits_processor import (
    LogitsContext, LogitsProcessor, LogitsProcRequestState,
    build_custom_logits_processors, build_custom_logits_processors_params_validator,
)
name = ["grandstand.trainer.vllm.v2:V2Processor"]
validate = build_custom_logits_processors_params_validator(name)
complaint = ""
try:
    validate(SamplingParams(extra_args={"grandstand": "?"}))
except Exception as error:
    complaint = f"{type(error).__name__}: {error}"
buffer = SimpleNamespace(gpu=torch.zeros(3, 16, dtype=torch.int32))
requests = SimpleNamespace(
    device=torch.device("cpu"), max_num_reqs=3, vocab_size=10, all_token_ids=buffer,
    prompt_len=SimpleNamespace(np=np.array([0, 4, 0], dtype=np.int32)), prefill_len=None, total_len=None,
)
(processor,) = build_custom_logits_processors(SimpleNamespace(speculative_config=None), requests, False, name)
text = json.dumps({"slots": [[[5, 6], [5, 7], [8]]], "stop": 0, "divide": 1})
taken = processor.add_request(1, SamplingParams(extra_args={"grandstand": text}))
free = processor.add_request(2, SamplingParams())
processor.apply_staged_writes()
allowed = []
for length, token in ((4, None), (5, 5), (6, 7)):
    if token is not None:
        buffer.gpu[1, length - 1] = token
    rows = torch.tensor([2, 1])
    context = LogitsContext(
        expanded_idx_mapping=rows, idx_mapping=rows, idx_mapping_np=rows.numpy(), expanded_local_pos=torch.zeros(2),
        input_ids=torch.zeros(2), pos=torch.zeros(2), seq_lens_upper_bound_np=np.array([3, length]),
    )
    logits = processor.apply(torch.zeros(2, 10), context)
    assert logits[0].isfinite().all()
    allowed.append(logits[1].isfinite().nonzero().squeeze(1).tolist())
print(json.dumps([issubclass(type(processor), LogitsProcessor), complaint, taken, free, allowed]))
"""


def test_model_runner_v2_takes_its_processor(folder: Path, tmp_path: Path) -> None:
    """vLLM's own loader, base class and batch layout; the tokens that a GPU would hold are written by hand."""
    lay_out(tmp_path)
    output = subprocess.run(
        [str(PYTHON), "-c", RUNNER_V2],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "VLLM_TARGET_DEVICE": "cpu"},
        timeout=300,
    )
    assert output.returncode == 0, output.stderr[-2000:]
    kind, complaint, taken, free, allowed = json.loads(output.stdout.splitlines()[-1])
    assert (kind, taken, free) == (True, True, False)
    assert complaint.startswith("VLLMValidationError: grandstand: not JSON")
    assert allowed == [[5, 8], [6, 7], [0]]

"""Requests to a server, also where the server dies, hangs or breaks. The server is a fake in which all legal tokens are
equally likely; see `tests/support/trainer/fake_vllm.py`."""

from __future__ import annotations

import json
import math
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.trainer.model.sampler import Ask, Sampled, SamplerError
from grandstand.trainer.model.trie import TokenTrie, Walker
from grandstand.trainer.vllm import supervisor
from grandstand.trainer.vllm.launch import VllmOptions
from grandstand.trainer.vllm.sampler import PendingAnswer, VllmSampler
from grandstand.trainer.vllm.server import VllmServer
from tests.support.players.token_options import run_of_slots
from tests.support.trainer import fake_vllm
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.long

Start = Callable[..., VllmSampler]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(supervisor, "LONGEST_PAUSE", 0.1)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    samplers = []

    def start(*extra: str, servers: int = 1, processor: Any = "auto", **more: Any) -> VllmSampler:
        python, count = fake_vllm.interpreter(tmp_path), len(list(tmp_path.glob("run*")))
        runs = [
            VllmServer(VllmOptions(python, "model", tmp_path / f"run{number}", processor=processor, extra=extra))
            for number in range(count, count + servers)
        ]
        samplers.append(VllmSampler(runs, **more))
        return samplers[-1]

    yield start
    for sampler in samplers:
        sampler.close()


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    folder = tmp_path / "adapter"
    folder.mkdir()
    (folder / "adapter_config.json").write_text(json.dumps({"r": 8}))
    return folder


def completion_requests(tmp_path: Path, run: int = 0) -> list[dict[str, Any]]:
    return [entry for entry in fake_vllm.journal(tmp_path / f"run{run}") if entry["path"] == "/v1/completions"]


def ask(seed: int, prompt: int = 5, temperature: float = 1.0) -> Ask:
    """Two runs of slots, the second's options by what was chosen in the first."""

    def slots(chosen: Sequence[int]) -> list[TokenTrie]:
        first = run_of_slots(Random(seed // 8), slots=3)
        if len(chosen) < 3:
            return [TokenTrie(slot) for slot in first]
        return [TokenTrie(slot) for slot in run_of_slots(Random(f"{chosen}"), slots=2)] if len(chosen) < 5 else []

    return Ask([prompt] * 7, [90, 91], slots, seed, temperature)


def check(ask: Ask, sampled: Sampled) -> None:
    """That the answer is one of those asked for, and its log-probabilities are those of the stand-in."""
    assert len(sampled.completion) == len(sampled.logprobs) == len(sampled.allowed)
    assert sampled.completion[:2] == [90, 91]
    assert (sampled.logprobs[:2], sampled.allowed[:2]) == ([0.0, 0.0], [[], []])
    chosen: list[int] = []
    walker = Walker(ask.slots(chosen))
    for at in range(2, len(sampled.completion)):
        options = list(walker.allowed)
        assert sampled.allowed[at] == (options if len(options) > 1 else [])
        assert sampled.logprobs[at] == pytest.approx(-math.log(len(options)))
        if walker.take(sampled.completion[at]) and walker.done:
            chosen += walker.chosen
            walker = Walker(ask.slots(chosen))
    assert walker.done
    assert chosen == sampled.chosen


@pytest.mark.parametrize("processor", ["auto", "none"])
def test_every_answer_is_one_that_was_asked_for(start: Start, processor: str, tmp_path: Path) -> None:
    sampler = start(processor=processor)
    asks = [ask(seed) for seed in range(24)]
    answers = sampler.sample(asks, 0)
    for item, sampled in zip(asks, answers, strict=True):
        check(item, sampled)
        assert sampled.version == 0
    assert len({tuple(sampled.chosen) for sampled in answers}) > 12
    requests = len(completion_requests(tmp_path))
    drawn = sum(len(options) > 0 for sampled in answers for options in sampled.allowed)
    assert requests <= 2 * len(asks) if processor == "auto" else requests == drawn


def test_answers_are_those_of_their_seeds_in_any_company(start: Start) -> None:
    sampler = start()
    asks = [ask(seed) for seed in range(16)]
    answers = sampler.sample(asks, 0)
    assert sampler.sample(asks, 0) == answers
    assert sampler.sample(asks[::-3], 0) == answers[::-3]


@pytest.mark.parametrize("processor", ["auto", "none"])
def test_greedy_answers_keep_their_temperature(start: Start, processor: str, tmp_path: Path) -> None:
    sampler = start(processor=processor)
    request = ask(3, temperature=0.5)
    (first,), (second,) = (sampler.sample([request], 0, greedy=True) for _ in range(2))
    assert first == second
    check(request, first)
    assert {entry["temperature"] for entry in completion_requests(tmp_path)} == {0.0}


def test_what_has_no_alternative_needs_no_server(start: Start, tmp_path: Path) -> None:
    sampler = start()
    forced = Ask([1], [2], lambda chosen: [] if chosen else [TokenTrie([[3, 4]]), TokenTrie([[5]])], seed=1)
    assert sampler.sample([forced], 0) == [Sampled([2, 3, 4, 5], [0.0] * 4, [[]] * 4, [0, 0], 0)]
    assert sampler.sample([], 0) == []
    assert not completion_requests(tmp_path)


def test_a_temperature_that_vllm_would_raise_is_refused(start: Start) -> None:
    with pytest.raises(ValueError, match=r"temperature: 0\.001 is below 0\.01"):
        start().sample([ask(1, temperature=0.001)], 0)


def test_versions_are_sampled_by_their_own_names(start: Start, adapter: Path, tmp_path: Path) -> None:
    sampler = start()
    sampler.publish(1, adapter)
    for version in (0, 1):
        assert sampler.sample([ask(1)], version)[0].version == version
    assert {entry["model"] for entry in completion_requests(tmp_path)} == {"base", "policy@v000001"}
    with pytest.raises(SamplerError, match=r"version 9 was not published; there are \[1\]"):
        sampler.sample([ask(1)], 9)


@pytest.mark.parametrize("fault", ["die:9", "break:9", "sick:9"])
def test_a_batch_outlives_its_server(start: Start, adapter: Path, fault: str) -> None:
    """The answers are the same as without the fault, for their seeds are."""
    asks = [ask(seed) for seed in range(16)]
    expected = start().sample(asks, 0)
    sampler = start("--fault", fault)
    sampler.publish(1, adapter)
    assert [sampled.completion for sampled in sampler.sample(asks, 1)] == [item.completion for item in expected]


def test_a_request_that_gets_no_answer_is_made_again(start: Start) -> None:
    sampler = start("--fault", "hang:3", request_seconds=1.5)
    asks = [ask(seed) for seed in range(4)]
    for item, sampled in zip(asks, sampler.sample(asks, 0), strict=True):
        check(item, sampled)


def test_a_server_killed_while_sampling_loses_no_answer(start: Start, adapter: Path, tmp_path: Path) -> None:
    sampler = start()
    sampler.publish(1, adapter)
    killed = threading.Event()

    def slots(chosen: Sequence[int]) -> list[TokenTrie]:
        if len(chosen) == 4 and not killed.is_set():
            killed.set()
            (started,) = [entry for entry in fake_vllm.journal(tmp_path / "run0") if entry["path"] == "start"]
            os.kill(started["pid"], signal.SIGKILL)
        return [TokenTrie([[3], [4]])] if len(chosen) < 8 else []

    answers = sampler.sample([Ask([1], [], slots, seed) for seed in range(8)], 1)
    assert killed.is_set()
    assert all(len(sampled.completion) == 8 for sampled in answers)


def test_a_server_that_is_always_broken_is_an_error_that_says_so(start: Start) -> None:
    sampler = start("--fault", "always-die:1", retries=2)
    with pytest.raises(SamplerError, match=r"vLLM was lost .* 3 times in a row"):
        sampler.sample([ask(1)], 0)


def test_a_token_that_is_not_legal_is_an_error(start: Start) -> None:
    sampler = start("--fault", "illegal:2")
    with pytest.raises(SamplerError, match=r"vLLM drew token 999999 where .* are legal"):
        sampler.sample([ask(1)], 0)


@pytest.mark.parametrize("fault", ["nan:2", "illegal:2"])
def test_an_engine_that_computed_what_is_no_number_is_started_anew(start: Start, fault: str) -> None:
    """For that stays in its memory."""
    sampler = start("--fault", fault)
    with pytest.raises(SamplerError, match=r"are no numbers|logits numbers"):
        sampler.sample([ask(1)], 0)
    check(ask(1), sampler.sample([ask(1)], 0)[0])
    assert [server.restarts for server in sampler._servers] == [1]


def test_a_games_own_fault_is_no_samplers(start: Start) -> None:
    def slots(chosen: Sequence[int]) -> list[TokenTrie]:
        raise KeyError("PAR")

    with pytest.raises(KeyError, match="PAR"):
        start().sample([Ask([1], [], slots, 1)], 0)


def test_a_version_in_use_is_retired_when_it_is_not(start: Start, adapter: Path, tmp_path: Path) -> None:
    sampler = start()
    sampler.publish(1, adapter)
    begun, go_on = threading.Event(), threading.Event()

    def slots(chosen: Sequence[int]) -> list[TokenTrie]:
        if chosen:
            begun.set()
            go_on.wait(PATIENCE)
        return [TokenTrie([[3], [4]])] if len(chosen) < 2 else []

    answers: list[Sampled] = []
    sampling = threading.Thread(target=lambda: answers.extend(sampler.sample([Ask([1], [], slots, 1)], 1)))
    sampling.start()
    assert begun.wait(PATIENCE)
    retiring = threading.Thread(target=sampler.retire, args=(1,))
    retiring.start()
    retiring.join(0.2)
    assert retiring.is_alive()
    go_on.set()
    for thread in (sampling, retiring):
        thread.join(PATIENCE)
    assert len(answers) == 1
    paths = [entry["path"] for entry in fake_vllm.journal(tmp_path / "run0")]
    assert paths[-1] == "/v1/unload_lora_adapter"


def test_several_servers_share_the_work_and_siblings_stay_together(start: Start, adapter: Path, tmp_path: Path) -> None:
    sampler = start(servers=2)
    sampler.publish(1, adapter)
    asks = [ask(seed, prompt=seed % 4) for seed in range(16)]
    for item, sampled in zip(asks, sampler.sample(asks, 1), strict=True):
        check(item, sampled)
    prompts = [{entry["prompt"][0] for entry in completion_requests(tmp_path, run)} for run in range(2)]
    assert [len(part) for part in prompts] == [2, 2]
    assert not prompts[0] & prompts[1]
    sampler.retire(1)
    for run in range(2):
        assert fake_vllm.journal(tmp_path / f"run{run}")[-1]["path"] == "/v1/unload_lora_adapter"


def test_batches_of_several_threads_do_not_mix(start: Start) -> None:
    sampler = start()
    alone = {seed: sampler.sample([ask(seed)], 0) for seed in range(6)}
    together: dict[int, list[Sampled]] = {}

    def sample(seed: int) -> None:
        together[seed] = sampler.sample([ask(seed)], 0)

    threads = [threading.Thread(target=sample, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert together == alone


@given(seed=st.integers(0, 2**32))
def test_what_is_left_to_choose_is_told_shortly_and_exactly(seed: int) -> None:
    """Every sequence of tokens that `rest` describes completes the run of slots in one way, and none is missing."""
    rng = Random(seed)
    tries = [TokenTrie(slot) for slot in run_of_slots(rng, slots=3, options=3, vocabulary=6)]
    answer = PendingAnswer(Ask([], [], lambda chosen: [] if chosen else tries, seed=1))
    while answer.options:
        left = answer.rest()
        assert len(left[0]) > 1
        assert len(left[-1]) > 1
        ends: Counter[tuple[int, ...]] = Counter()
        for tokens in product(left):
            other = PendingAnswer(Ask([], [], lambda chosen: [] if chosen else tries, seed=1))
            other.take([(token, -0.5) for token in [*answer.completion[len(other.completion) :], *tokens]])
            assert not other.options
            ends[tuple(other.chosen)] += 1
        assert ends == Counter(numbers(tries, tuple(answer.completion)))
        answer.take([(rng.choice(list(answer.options)), -0.5)])


def product(slots: Sequence[Sequence[Sequence[int]]]) -> Iterator[list[int]]:
    if not slots:
        yield []
        return
    for tokens in slots[0]:
        for rest in product(slots[1:]):
            yield [*tokens, *rest]


def numbers(tries: Sequence[TokenTrie], path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The options, slot by slot, of every whole answer that begins with `path`."""
    if not tries:
        yield ()
        return
    for option, tokens in tries[0].sequences().items():
        if tokens[: len(path)] == path[: len(tokens)]:
            for rest in numbers(tries[1:], path[len(tokens) :]):
                yield (option, *rest)

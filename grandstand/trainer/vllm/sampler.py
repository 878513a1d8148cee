"""The sampler over vLLM servers: token ids in, token ids and masked log-probabilities out, many answers at a time.

An engine with our logits processor draws a whole run of slots in one request. One without draws a single token in each,
among `allowed_token_ids`: slower, and the same distribution. (A grammar or a list of choices would not do: those also
let through other spellings of the same text in tokens, so that a learner could not tell what had been legal.)
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from grandstand.trainer.model.sampler import Ask, Sampled, SamplerError
from grandstand.trainer.model.trie import TokenTrie, Walker
from grandstand.trainer.vllm.server import ERROR_CHARACTERS, VllmServer
from grandstand.trainer.vllm.wire import FIELD, encode

LEAST_TEMPERATURE = 0.01
"""The lowest temperature: vLLM raises a lower one, and log-probabilities would be at another temperature than
requested."""
NO_LOGPROB = -9999.0
"""The number that vLLM writes for minus infinity."""
NO_NUMBERS = "not JSON compliant"
"""The message of vLLM where log-probabilities are no numbers."""
PLAIN = {
    "top_p": 1.0,
    "top_k": 0,
    "min_p": 0.0,
    "repetition_penalty": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "ignore_eos": True,
    "return_token_ids": True,
    "return_tokens_as_token_ids": True,
}
"""Sampling parameters that leave nothing but the mask and the temperature between logits and draw."""

Drawn = list[tuple[int, float]]
"""Tokens, each with its log-probability."""


class Senseless(SamplerError):
    """A draw from logits that are not finite. They stay in the engine's memory, and corrupt other versions."""


class PendingAnswer:
    """An answer that is being sampled."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.completion = list(ask.lead)
        self.logprobs = [0.0] * len(ask.lead)
        self.allowed: list[list[int]] = [[] for _ in ask.lead]
        self.chosen: list[int] = []
        self._begin()
        self._force()

    @property
    def options(self) -> Sequence[int]:
        """Return the ids that may come next, two or more; none if the answer is complete."""
        return self._walker.allowed

    def take(self, drawn: Drawn) -> None:
        """Go on with drawn tokens, then with all that have no alternative. Raises SamplerError."""
        for token, logprob in drawn:
            options = self.options
            if token not in options:
                raise Senseless(f"vLLM drew token {token} where {_few(options)} are legal; are its logits numbers?")
            if len(options) == 1:
                self._take(token)
            elif not NO_LOGPROB < logprob <= 1e-3:
                raise Senseless(f"vLLM gives token {token} the log-probability {logprob}")
            else:
                self._take(token, min(logprob, 0.0), list(options))
        self._force()

    def rest(self) -> list[list[list[int]]]:
        """Return the remaining slots up to the last choice, as `wire.encode` takes them."""
        begun = len(self._path)
        here, *later = self._tries[len(self._walker.chosen) :]
        slots = [[list(tokens[begun:]) for tokens in here.sequences().values() if tokens[:begun] == tuple(self._path)]]
        slots += [[list(tokens) for tokens in trie.sequences().values()] for trie in later]
        while len(slots[-1]) == 1:
            slots.pop()
        return [*slots[:-1], _decisive(slots[-1])]

    def sampled(self, version: int) -> Sampled:
        return Sampled(self.completion, self.logprobs, self.allowed, self.chosen, version)

    def _begin(self) -> None:
        self._tries: Sequence[TokenTrie] = self.ask.slots(self.chosen)
        self._walker = Walker(self._tries)
        self._path: list[int] = []
        """Tokens taken in the current slot."""

    def _force(self) -> None:
        while len(self.options) == 1:
            self._take(self.options[0])

    def _take(self, token: int, logprob: float = 0.0, options: Sequence[int] = ()) -> None:
        self.completion.append(token)
        self.logprobs.append(logprob)
        self.allowed.append(list(options))
        self._path.append(token)
        if self._walker.take(token):
            self._path = []
            if self._walker.done:
                self.chosen += self._walker.chosen
                self._begin()


def _decisive(options: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return each option's tokens up to the last one that distinguishes it from the others."""
    begun = Counter(tuple(tokens[:length]) for tokens in options for length in range(len(tokens) + 1))
    return [
        list(tokens[: next(n for n in range(1, len(tokens) + 1) if begun[tuple(tokens[:n])] == 1)])
        for tokens in options
    ]


def _few(ids: Sequence[int]) -> str:
    return f"{list(ids[:8])}{' and more' if len(ids) > 8 else ''}"


class VllmSampler:
    """Samples from one server or several of the same model; siblings of one prompt go to the same.

    It owns the servers and closes them. An answer's draws come from its seed, but logits differ in their last digits
    with what else is computed beside them, so that now and then a draw differs too.
    """

    def __init__(
        self, servers: Sequence[VllmServer], concurrency: int = 256, request_seconds: float = 300.0, retries: int = 4
    ) -> None:
        """At most `concurrency` requests are sent at a time; a lost one is repeated up to `retries` times."""
        self._servers = list(servers)
        self._retries = retries
        self._using: Counter[int] = Counter()
        self._used = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._room = asyncio.Semaphore(concurrency)
        self._load = [0] * len(self._servers)
        """Number of answers that each server is working on."""
        self._http = httpx2.AsyncClient(
            timeout=request_seconds,
            limits=httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency),
            trust_env=False,
        )
        self._thread = threading.Thread(target=self._loop.run_forever, name="vLLM sampler", daemon=True)
        self._thread.start()

    def publish(self, version: int, folder: Path) -> None:
        """See `VllmServer.publish`."""
        for number, server in enumerate(self._servers):
            try:
                server.publish(version, folder)
            except (SamplerError, ValueError):
                for other in self._servers[:number]:
                    other.retire(version)
                raise

    def retire(self, version: int) -> None:
        with self._used:
            self._used.wait_for(lambda: not self._using[version])
            for server in self._servers:
                server.retire(version)

    def close(self) -> None:
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._http.aclose(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
        for server in self._servers:
            server.close()

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        for ask in asks:
            if ask.temperature < LEAST_TEMPERATURE:
                raise ValueError(f"temperature: {ask.temperature} is below {LEAST_TEMPERATURE}; ask for greedy answers")
        with self._in_use(version):
            models = [server.model(version) for server in self._servers]
            batch = asyncio.run_coroutine_threadsafe(self._batch(asks, models, greedy), self._loop)
            try:
                return [answer.sampled(version) for answer in batch.result()]
            finally:
                batch.cancel()

    @contextmanager
    def _in_use(self, version: int) -> Iterator[None]:
        with self._used:
            self._using[version] += 1
        try:
            yield
        finally:
            with self._used:
                self._using[version] -= 1
                self._used.notify_all()

    async def _batch(self, asks: Sequence[Ask], models: Sequence[str], greedy: bool) -> list[PendingAnswer]:
        homes: dict[tuple[int, ...], int] = {}
        tasks = []
        try:
            async with asyncio.TaskGroup() as group:
                for ask in asks:
                    prompt = tuple(ask.prompt)
                    if prompt not in homes:
                        homes[prompt] = min(range(len(models)), key=self._load.__getitem__)
                    home = homes[prompt]
                    self._load[home] += 1
                    tasks.append(group.create_task(self._answer(ask, home, models[home], greedy)))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _answer(self, ask: Ask, home: int, model: str, greedy: bool) -> PendingAnswer:
        try:
            async with self._room:
                server = self._servers[home]
                await self._ready(server)
                answer = PendingAnswer(ask)
                try:
                    while answer.options:
                        answer.take(await self._draw(server, answer, model, greedy))
                except Senseless as error:
                    server.condemn(str(error))
                    raise
                return answer
        finally:
            self._load[home] -= 1

    async def _draw(self, server: VllmServer, answer: PendingAnswer, model: str, greedy: bool) -> Drawn:
        """Return the tokens that come next, one or more."""
        request = _masked(answer, greedy) if server.masks else _one_token(answer, greedy)
        request |= {
            "model": model,
            "prompt": [*answer.ask.prompt, *answer.completion],
            "seed": _seed(answer.ask.seed, len(answer.completion)),
            "temperature": 0.0 if greedy else answer.ask.temperature,
            **PLAIN,
        }
        choice = (await self._post(server, request))["choices"][0]
        stop = request.get("stop_token_ids", ())
        tokens = [token for token in choice["token_ids"] if token not in stop]
        if not tokens:
            raise Senseless(f"vLLM drew nothing where {_few(answer.options)} are legal; are its logits numbers?")
        logprobs = choice["logprobs"]["token_logprobs"]
        if greedy and not server.masks:
            logprobs = [_tempered(choice["logprobs"]["top_logprobs"][0], tokens[0], answer.ask.temperature)]
        return list(zip(tokens, logprobs, strict=False))

    async def _post(self, server: VllmServer, request: Mapping[str, Any]) -> Any:
        """Return the body of a complete answer. Wait for a server that is restarted, and ask again."""
        lost = ""
        for _ in range(self._retries + 1):
            await self._ready(server)
            try:
                answer = await self._http.post(f"{server.url}/v1/completions", json=request, headers=server.headers)
            except httpx2.TimeoutException as error:
                lost = f"did not answer in time ({error!r})"
            except httpx2.TransportError as error:
                lost = f"was lost ({error!r})"
            else:
                if answer.status_code == 200:
                    return answer.json()
                reason = f"{answer.status_code}: {answer.text[:ERROR_CHARACTERS]}"
                if NO_NUMBERS in reason:
                    raise Senseless(f"vLLM's log-probabilities for {request['model']} are no numbers ({reason})")
                if answer.status_code < 500:
                    raise SamplerError(f"vLLM refuses a request for {request['model']}: {reason}")
                lost = f"broke ({reason})"
            server.doubt()
        raise SamplerError(f"vLLM {lost}, {self._retries + 1} times in a row; see {server.options.folder}")

    async def _ready(self, server: VllmServer) -> None:
        if not server.ready:
            await asyncio.to_thread(server.wait)


def _masked(answer: PendingAnswer, greedy: bool) -> dict[str, Any]:
    """Return the part of a request that makes the engine mask tokens."""
    slots = answer.rest()
    used = {token for slot in slots for tokens in slot for token in tokens}
    stop = next(token for token in range(len(used) + 1) if token not in used)
    lengths = [[len(tokens) for tokens in slot] for slot in slots]
    longest, shortest = sum(map(max, lengths)), sum(map(min, lengths))
    return {
        "vllm_xargs": {FIELD: encode(slots, stop, answer.ask.temperature if greedy else 1.0)},
        "stop_token_ids": [stop],
        "max_tokens": longest + (shortest < longest),
        "logprobs": 0,
    }


def _one_token(answer: PendingAnswer, greedy: bool) -> dict[str, Any]:
    """Return the part of a request for one token, for an engine without our logits processor."""
    ids = list(answer.options)
    return {"allowed_token_ids": ids, "max_tokens": 1, "logprobs": len(ids) if greedy else 0}


def _tempered(logprobs: Mapping[str, float], token: int, temperature: float) -> float:
    """Return the log-probability of `token` at a temperature, from those of all legal tokens at 1, by `token_id:7`."""
    scaled = {name: value / temperature for name, value in logprobs.items()}
    top = max(scaled.values())
    return scaled[f"token_id:{token}"] - top - math.log(sum(math.exp(value - top) for value in scaled.values()))


def _seed(seed: int, done: int) -> int:
    """Return the seed of a request: 63 bits from the answer's seed and its number of tokens."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{done}".encode(), digest_size=8).digest()) >> 1

"""A policy in live matches: it plays exactly as in training, follows its run from version to version, blocks nobody."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from math import log
from pathlib import Path
from statistics import median
from threading import Event
from typing import Any, cast

import pytest
import torch
from safetensors.torch import load_file, save_file

from grandstand.events import ActionChosen, TurnRecorded
from grandstand.games.base import Action, SeatId
from grandstand.games.game import Game
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import flat
from grandstand.players.options import TrainedOptions
from grandstand.spectator.replay import Episode
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import keyed
from grandstand.trainer.model.policy import Policy, nano
from grandstand.trainer.model.versions import ADAPTER
from grandstand.trainer.rollout.live_inference import DecisionRequest, LiveDecision, PolicyEngine, Unplayable
from grandstand.trainer.rollout.player import recorded
from tests.support.trainer.chat import SMALL, chat_policy
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, bold, cricket

pytestmark = pytest.mark.long

CRICKET, DIPLOMACY = game_spec("cricket"), game_spec("diplomacy")
torch.set_num_threads(1)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    run = RunFolder(tiny(), tmp_path / "run")
    run.publish(0, 1)
    return run


def opening(spec: GameSpec = DIPLOMACY, seed: int = 1) -> Match:
    return Match(spec, SMALL[spec.name], seed)


def decided(engine: PolicyEngine, match: Match, seat: SeatId, seed: int = 7) -> LiveDecision:
    return engine.ask(DecisionRequest(match.game.clone(), seat, seed)).result(60)


def version(engine: PolicyEngine) -> int:
    """The version that answers now."""
    return decided(engine, opening(), "FRANCE").source.version


# --- as in training ---------------------------------------------------------------------------------------------------

POLICIES: dict[str, tuple[TrainConfig, Callable[[], Policy]]] = {
    "Diplomacy": (tiny(), lambda: bold(nano(DIPLOMACY, 1))),
    "cricket": (cricket(), lambda: bold(nano(CRICKET, 1))),
    "a language model": (tiny(rollout={"samples": 2, "groups": 1}), lambda: chat_policy(DIPLOMACY)),
}


@pytest.mark.long
@pytest.mark.parametrize(("config", "base"), POLICIES.values(), ids=POLICIES)
def test_what_rollouts_sample_is_what_it_plays(config: TrainConfig, base: Callable[[], Policy], tmp_path: Path) -> None:
    """Every recorded choice of a training step, asked again of a live policy: same prompt, mask, draws and action."""
    run = RunFolder(config, tmp_path / "run", base)
    run.publish(1)
    setup = TrainingSetup(config, tmp_path, base)
    setup.sampler.publish(1, run.versions.path(1))
    engine = PolicyEngine(run.options(), run.spec)
    played: list[tuple[TurnRecorded, Action, Future[LiveDecision]]] = []
    for plan, episodes in setup.play(step=1, version=1).items():
        for number, episode in enumerate(episodes):
            made: Counter[SeatId] = Counter()
            for report, position, action in choices(run.spec, episode):
                seed = keyed(keyed(config.run.seed, plan, number), report.seat, made[report.seat])
                made[report.seat] += 1
                played.append((report, action, engine.ask(DecisionRequest(position, report.seat, seed))))
    assert len(played) > 3
    for report, action, answer in played:
        ours = recorded(answer.result(60), report.seat, report.index)
        assert ours.model_copy(update={"logprobs": report.logprobs}) == report
        assert ours.logprobs == pytest.approx(report.logprobs, abs=1e-5)
        assert answer.result().action == action


def choices(spec: GameSpec, episode: Episode) -> Iterator[tuple[TurnRecorded, Game, Action]]:
    """Every recorded choice: the position that it was asked in, which is that of its whole round, and the action."""
    match: Match | None = None
    by_seat: dict[SeatId, TurnRecorded] = {}
    positions: dict[SeatId, Game] = {}
    for event in flat(episode.events):
        if event.type == "SeedSet":
            match = Match(spec, episode.events[0].data["options"], event.data["seed"])
        elif event.type == "TurnRecorded":
            by_seat[event.data["seat"]] = TurnRecorded.model_validate(event.data)
        elif event.type == "ActionChosen":
            assert match is not None
            chosen, index = ActionChosen.model_validate(event.data), match.index
            positions = positions or {seat: match.game.clone() for seat in match.waiting}
            position = positions.pop(chosen.seat)
            if chosen.seat in by_seat:
                yield by_seat.pop(chosen.seat), position, chosen.action
            match.apply(chosen.seat, chosen.action)
            if match.index != index:
                positions = {}


def test_those_that_wait_are_answered_together_as_each_alone(run: RunFolder) -> None:
    match = opening()
    seats = match.waiting
    together, alone = PolicyEngine(run.options(), DIPLOMACY), PolicyEngine(run.options(), DIPLOMACY)
    waiting = [together.ask(DecisionRequest(match.game.clone(), seat, 11)) for seat in seats]
    for seat, future in zip(seats, waiting, strict=True):
        ours, other = future.result(60), decided(alone, match, seat, 11)
        assert (ours.action, ours.sampled.completion) == (other.action, other.sampled.completion)
        assert ours.sampled.logprobs == pytest.approx(other.sampled.logprobs, abs=1e-5)


def test_it_takes_the_likeliest_where_it_is_greedy(run: RunFolder) -> None:
    engine = PolicyEngine(run.options(greedy=True), DIPLOMACY)
    likeliest = decided(engine, opening(), "TURKEY", 1)
    drawn = PolicyEngine(run.options(), DIPLOMACY)
    others = [decided(drawn, opening(), "TURKEY", seed) for seed in range(20)]
    assert decided(engine, opening(), "TURKEY", 2).action == likeliest.action
    assert len({json.dumps(item.action) for item in others}) > 1
    for other in others:  # where they part, the likeliest was at least as likely
        pairs = zip(likeliest.sampled.completion, other.sampled.completion, strict=False)
        part = next((at for at, (a, b) in enumerate(pairs) if a != b), None)
        if part is not None:
            assert likeliest.sampled.logprobs[part] >= other.sampled.logprobs[part] - 1e-5


def test_a_lower_temperature_is_surer(run: RunFolder) -> None:
    cool, warm = (decided(PolicyEngine(run.options(temperature=t), DIPLOMACY), opening(), "ITALY") for t in (0.3, 2.0))
    assert cool.ask.temperature == 0.3
    assert cool.sampled.entropy is not None
    assert warm.sampled.entropy is not None
    assert cool.sampled.entropy < warm.sampled.entropy


def test_odds_and_entropy_are_those_of_the_choices(run: RunFolder) -> None:
    engine = PolicyEngine(run.options(), DIPLOMACY)
    answer = decided(engine, opening(), "RUSSIA")
    assert [word for word, _ in answer.odds] == answer.action["orders"]
    assert sum(log(chance) for _, chance in answer.odds) == pytest.approx(sum(answer.sampled.logprobs), abs=1e-4)
    waiting = [engine.ask(DecisionRequest(opening().game, "RUSSIA", seed)) for seed in range(60)]
    drawn = [future.result(60) for future in waiting]
    surprise = [-sum(item.sampled.logprobs) for item in drawn]
    entropy = [item.sampled.entropy or 0.0 for item in drawn]
    # Surprise and entropy have the same mean; the latter's spread is that of the paths alone.
    spread = (sum((a - b) ** 2 for a, b in zip(surprise, entropy, strict=True)) / len(drawn)) ** 0.5
    assert abs(sum(surprise) - sum(entropy)) / len(drawn) < 4 * spread / len(drawn) ** 0.5


# --- following a run --------------------------------------------------------------------------------------------------


def test_the_newest_version_answers_as_soon_as_it_is_published(run: RunFolder) -> None:
    engine, pinned, base = (PolicyEngine(run.options(version=v), DIPLOMACY) for v in ("latest", 1, "base"))
    assert [version(item) for item in (engine, pinned, base)] == [1, 1, 0]
    run.publish(2)
    assert [version(item) for item in (engine, pinned, base)] == [2, 1, 0]
    fresh = decided(PolicyEngine(run.options(version=2), DIPLOMACY), opening(), "FRANCE")
    swapped = decided(engine, opening(), "FRANCE")
    assert swapped.sampled == fresh.sampled
    assert swapped.sampled.logprobs != decided(pinned, opening(), "FRANCE").sampled.logprobs


def test_version_0_is_the_base(run: RunFolder) -> None:
    first, base = (decided(PolicyEngine(run.options(version=v), DIPLOMACY), opening(), "FRANCE") for v in (0, "base"))
    assert first.sampled == base.sampled


@pytest.mark.long
def test_an_answer_is_of_one_version(run: RunFolder) -> None:
    """Versions are published all the while that many ask; each answer is that of the version it names."""
    engine = PolicyEngine(run.options(), DIPLOMACY)
    match = opening()
    waiting: list[Future[LiveDecision]] = []
    for number in range(2, 6):
        waiting += [engine.ask(DecisionRequest(match.game.clone(), seat, 5)) for seat in match.waiting]
        time.sleep(0.02)
        run.publish(number)
    result = {}
    for future, seat in zip(waiting, match.waiting * 4, strict=True):
        answer = future.result(60)
        result[answer.source.version, seat] = answer
    assert len({number for number, _ in result}) > 1
    pinned = {number: PolicyEngine(run.options(version=number), DIPLOMACY) for number, _ in result}
    for (number, seat), answer in result.items():
        again = decided(pinned[number], match, seat, 5)
        assert answer.sampled.completion == again.sampled.completion
        assert answer.sampled.logprobs == pytest.approx(again.sampled.logprobs, abs=1e-5)
        assert answer.sampled.version == number


@pytest.mark.parametrize("number", [1, "latest"])
def test_what_is_loaded_plays_on_when_its_files_are_gone(run: RunFolder, number: object) -> None:
    engine = PolicyEngine(run.options(version=number), DIPLOMACY)
    before = decided(engine, opening(), "FRANCE")
    shutil.rmtree(run.folder)
    assert decided(engine, opening(), "FRANCE").sampled == before.sampled


def test_a_version_that_cannot_be_read_is_left_out(run: RunFolder, caplog: pytest.LogCaptureFixture) -> None:
    engine = PolicyEngine(run.options(), DIPLOMACY)
    before = decided(engine, opening(), "FRANCE")
    run.publish(2, 3)
    file = run.versions.path(3) / ADAPTER
    file.write_bytes(file.read_bytes()[:-8])
    for _ in range(2):
        assert decided(engine, opening(), "FRANCE").sampled == before.sampled
    assert len([line for line in caplog.messages if "tiny@v000003 cannot be loaded" in line]) == 1
    run.publish(4)
    assert version(engine) == 4


def test_a_run_that_is_begun_anew_is_taken_up_whole(run: RunFolder) -> None:
    engine = PolicyEngine(run.options(), DIPLOMACY)
    run.publish(2)
    assert version(engine) == 2
    run.folder.rename(run.folder.with_name("run.1"))
    assert version(engine) == 2
    again = RunFolder(tiny(policy={"lora_rank": 4}), run.folder, lambda: bold(nano(DIPLOMACY, 9)))
    again.publish(0)
    answer = decided(engine, opening(), "FRANCE")
    assert answer.source.version == 0
    assert (
        answer.sampled == decided(PolicyEngine(again.options(version="base"), DIPLOMACY), opening(), "FRANCE").sampled
    )


# --- what goes wrong --------------------------------------------------------------------------------------------------


def reshaped(file: Path) -> None:
    tensors = load_file(file)
    save_file({name: tensor[:1].contiguous() for name, tensor in tensors.items()}, file)


def not_numbers(file: Path) -> None:
    tensors = load_file(file)
    save_file({name: torch.full_like(tensor, torch.nan) for name, tensor in tensors.items()}, file)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda run: reshaped(run / "versions" / "tiny@v000001" / ADAPTER), "the adapter's tensors differ"),
        (lambda run: not_numbers(run / "versions" / "tiny@v000001" / ADAPTER), "its weights are not numbers"),
        (lambda run: (run / "base" / "words.json").unlink(), "cannot load"),
        (lambda run: shutil.rmtree(run), "holds no run"),
    ],
    ids=["shapes", "numbers", "words", "gone"],
)
def test_files_that_make_no_policy_are_told_of(run: RunFolder, spoil: Callable[[Path], object], message: str) -> None:
    spoil(run.folder)
    engine = PolicyEngine(run.options(), DIPLOMACY)
    for _ in range(2):
        with pytest.raises(Unplayable, match=message):
            decided(engine, opening(), "FRANCE")


def test_a_model_of_another_shape_is_told_of(run: RunFolder) -> None:
    file = run.folder / "base" / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"hidden_size": 32}))
    with pytest.raises(Unplayable):
        version(PolicyEngine(run.options(), DIPLOMACY))


def test_what_was_refused_is_tried_again_when_it_is_mended(run: RunFolder) -> None:
    engine = PolicyEngine(run.options(), DIPLOMACY)
    reshaped(run.versions.path(1) / ADAPTER)
    with pytest.raises(Unplayable):
        version(engine)
    run.publish(1)
    assert version(engine) == 1


def test_one_broken_question_breaks_no_other(run: RunFolder) -> None:
    engine = PolicyEngine(run.options(), DIPLOMACY)
    match = opening()
    version(engine)
    nothing = cast(Game, None)
    good, bad, other = (
        engine.ask(DecisionRequest(game, seat, 3))
        for game, seat in ((match.game, "FRANCE"), (nothing, "FRANCE"), (match.game, "ITALY"))
    )
    assert good.result(60).action["orders"]
    assert other.result(60).action["orders"]
    with pytest.raises(AttributeError):
        bad.result(60)


def test_what_is_cancelled_before_its_turn_is_not_worked_on(run: RunFolder) -> None:
    engine = PolicyEngine(run.options(), DIPLOMACY)
    busy, nothing = Event(), cast(Game, None)
    engine._worker.submit(busy.wait)
    first, second = (engine.ask(DecisionRequest(game, "FRANCE", 1)) for game in (opening().game, nothing))
    assert second.cancel()
    busy.set()
    assert first.result(60).action["orders"]
    assert version(engine) == 1


# --- in an event loop -------------------------------------------------------------------------------------------------


def test_the_loop_goes_on_while_it_works(run: RunFolder) -> None:
    """The loop turns many times while answers are made, and mostly at once; other load may hold it up now and then."""
    policy = chat_policy(DIPLOMACY)
    folder = run.folder.parent / "model"
    policy.save(folder)
    engine = PolicyEngine(TrainedOptions(folder=folder), DIPLOMACY)
    match = opening()

    async def scene() -> tuple[float, list[float]]:
        await ask(engine, match, "FRANCE")  # what is loaded once is not looked at here
        gaps: list[float] = []
        began = time.perf_counter()
        answers = asyncio.gather(*(ask(engine, match, seat) for seat in match.waiting for _ in range(3)))
        while not answers.done():
            last = time.perf_counter()
            await asyncio.sleep(0.001)
            gaps.append(time.perf_counter() - last)
        await answers
        return time.perf_counter() - began, gaps

    whole, gaps = asyncio.run(scene())
    assert len(gaps) > 20
    assert median(gaps) < whole / 20


async def ask(engine: PolicyEngine, match: Match, seat: SeatId) -> Any:
    return await asyncio.wrap_future(engine.ask(DecisionRequest(match.game.clone(), seat, 1)))

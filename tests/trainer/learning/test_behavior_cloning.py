"""Behaviour cloning: what is imitated is what was chosen, as it was asked, and the policy comes to choose like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from grandstand.events import SeedSet
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, flat
from grandstand.play.runner import MatchRunner
from grandstand.players.bot import BotPlayer
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import Episode, from_lines, read, to_lines
from grandstand.spectator.viewpoint import OPERATOR
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.learning.behavior_cloning import (
    Cloned,
    CloneError,
    Teacher,
    clone,
    examples,
    measure,
    play_bots,
)
from grandstand.trainer.model.batch import pack
from grandstand.trainer.model.codec import WordCodec
from grandstand.trainer.model.policy import Policy, load, nano
from grandstand.trainer.rollout.rollouts import bot_choice
from tests.support.play.played_match import play
from tests.support.server.private_batches import including_parts
from tests.support.trainer.chat import chat_policy
from tests.support.trainer.recorded_samples import with_events
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup, cricket

SPECS = {"cricket": game_spec("cricket"), "diplomacy": game_spec("diplomacy")}
Make = Callable[..., TrainConfig]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def by_bots(config: TrainConfig) -> list[Episode]:
    """The matches that the settings say, as the record has them."""
    recorder = Recorder(":memory:")
    return [read(recorder, item) for item in play_bots(config, SPECS[config.game.name], Bus(recorder))]


def cloned(config: TrainConfig, episodes: Sequence[Episode], folder: Path) -> Cloned:
    return clone(config, SPECS[config.game.name], episodes, folder)


# --- what is imitated -------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("make", [tiny, cricket], ids=["diplomacy", "cricket"])
def test_an_example_is_what_the_policy_itself_would_have_been_asked_and_have_said(make: Make, tmp_path: Path) -> None:
    """Of a policy's own recorded choices: the same prompt, the same tokens, the same alternatives."""
    setup = TrainingSetup(make(rollout={"groups": 6, "samples": 2}), tmp_path)
    for episodes in setup.play().values():
        for episode in episodes:
            result, _ = examples(episode, setup.spec, setup.policy)
            known = Counter((item.prompt, tuple(item.completion), str(item.allowed)) for item in result)
            recorded = [event.data for event in flat(episode.events) if event.type == "TurnRecorded"]
            message = Counter((tuple(d["prompt"]), tuple(d["completion"]), str(d["allowed"])) for d in recorded)
            assert message
            assert message <= known


@pytest.mark.parametrize("make", [tiny, cricket], ids=["diplomacy", "cricket"])
def test_every_choice_of_a_bot_is_an_example_or_is_counted(make: Make) -> None:
    config = make()
    episode = by_bots(config)[0]
    policy = nano(SPECS[config.game.name], 0)
    result, skipped = examples(episode, SPECS[config.game.name], policy)
    chosen = sum(event.type == "ActionChosen" for event in flat(episode.events))
    assert len(result) + skipped == chosen
    assert skipped < chosen / 4
    for item in result:
        assert len(item.completion) == len(item.allowed) == len(item.logprobs)
        assert all(not ids or token in ids for token, ids in zip(item.completion, item.allowed, strict=True))


@pytest.mark.parametrize("source", ["fallback", "repair"])
def test_what_nobody_chose_is_not_imitated(source: str) -> None:
    config = tiny()
    episode, spec, policy = by_bots(config)[0], SPECS["diplomacy"], nano(SPECS["diplomacy"], 0)
    whole, skipped = examples(episode, spec, policy)

    def fallen_back(event: Any) -> Any:
        if event.type != "ActionChosen" or event.data["seat"] != "FRANCE":
            return event
        return event.model_copy(update={"data": {**event.data, "source": source}})

    left, more = examples(with_events(episode, including_parts(fallen_back)), spec, policy)
    of_france = sum(event.type == "ActionChosen" and event.data["seat"] == "FRANCE" for event in flat(episode.events))
    assert len(left) == len(whole) - of_france
    assert more == skipped + of_france
    assert not [item for item in left if item.prompt[-1] == policy.codec.prompt(Match(spec, {}, 0).game, "FRANCE")[-1]]


def test_a_teacher_is_asked_in_every_position_whoever_played_it() -> None:
    config = cricket(clone={"bots": ["random"], "games": 2, "horizon": 1})
    episode, spec, policy = by_bots(config)[0], SPECS["cricket"], nano(SPECS["cricket"], 0)
    played, left_out = examples(episode, spec, policy)
    taught, skipped = examples(episode, spec, policy, Teacher("neutral", 3, seed=1))
    assert sum(item.advantage for item in taught) == 3 * (len(played) + left_out)
    assert skipped == 0
    assert isinstance(policy.codec, WordCodec)
    words = [policy.codec.decode(item.completion) for item in taught]
    assert {"play_delivery normal natural", "bowl_delivery natural natural natural"} <= set(words)
    assert set(words) < {policy.codec.decode(item.completion) for item in played} | set(words), "random plays otherwise"
    assert len(taught) <= len(played) + left_out + 1, "it draws for the toss alone"
    assert Counter(item.advantage for item in taught)[3.0] >= len(played) + left_out - 1


def test_a_teacher_draws_anew_each_time_and_the_same_when_it_is_repeated() -> None:
    config = cricket(clone={"bots": ["neutral"], "games": 2, "horizon": 1})
    episode, spec, policy = by_bots(config)[0], SPECS["cricket"], nano(SPECS["cricket"], 0)
    teacher = Teacher("random", 8, seed=1)
    first, _ = examples(episode, spec, policy, teacher)
    assert examples(episode, spec, policy, teacher)[0] == first
    assert examples(episode, spec, policy, Teacher("random", 8, seed=2))[0] != first
    answers: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for item in first:
        answers.setdefault(item.prompt, set()).add(tuple(item.completion))
    assert max(map(len, answers.values())) > 4


def test_the_weights_of_a_teachers_answers_are_how_often_it_gave_them() -> None:
    config = cricket(clone={"bots": ["neutral"], "games": 2, "horizon": 1})
    # The teacher hardly mixes in the situation of the first episode.
    episode, spec, policy = by_bots(config)[1], SPECS["cricket"], nano(SPECS["cricket"], 0)
    taught, _ = examples(episode, spec, policy, Teacher("heuristic", 40, seed=1))
    mixed = [item for item in taught if item.advantage < 40]
    assert len(mixed) > 20
    assert max(item.advantage for item in mixed) > 10
    single = examples(episode, spec, policy, Teacher("heuristic", 1, seed=1))[0]
    assert sum(item.advantage for item in taught) == 40 * len(single)
    assert len(taught) < 0.8 * 40 * len(single)


def test_an_answer_of_weight_three_counts_as_three(tmp_path: Path) -> None:
    config = cricket(clone={"bots": ["neutral"], "games": 2, "horizon": 1})
    policy, episode = nano(SPECS["cricket"], 0), by_bots(config)[0]
    first, other = examples(episode, SPECS["cricket"], policy)[0][:2]
    weighted = measure(policy, pack([replace(first, advantage=3.0), other], 4096), False)
    assert weighted == pytest.approx(measure(policy, pack([first, first, first, other], 4096), False))


@pytest.mark.long
def test_the_clone_of_a_teacher_plays_like_it_though_others_played_the_matches(tmp_path: Path) -> None:
    settings = {"bots": ["random"], "games": 8, "horizon": 0, "epochs": 3, "holdout": 0.25, "teacher": "fixed-plan"}
    config = cricket(clone=settings, game={"options": {"overs": 1}})
    assert cloned(config, by_bots(config), tmp_path).accuracy > 0.9


def test_a_match_that_went_on_with_other_luck_is_read_as_it_went() -> None:
    """As a fork in the cockpit does: a second seed, from the middle on."""
    spec = SPECS["cricket"]
    options = {"overs": 1}
    policy = nano(spec, 0)
    match = Match(spec, options, 1)
    runner = MatchRunner(match, {seat: BotPlayer(spec, "neutral") for seat in spec.seats()})
    drafts = [*runner.created(options, title="forked", origin="fork"), *runner.started()]
    prompts: list[tuple[int, ...]] = []
    while not match.over:
        if match.index == 6:
            match.reseed(77)
            drafts.append(Draft.of(SeedSet(seed=77), "operator"))
        prompts += [tuple(policy.codec.prompt(match.game, seat)) for seat in match.waiting]
        for seat, choice in [(seat, bot_choice(runner.players[seat], match, seat)) for seat in match.waiting]:
            drafts += runner.play(seat, choice)
    recorder = Recorder(":memory:")
    bus = Bus(recorder)
    bus.open("forked", 0)
    bus.publish("forked", drafts)
    result, skipped = examples(read(recorder, "forked"), spec, policy)
    assert skipped == 0
    assert [item.prompt for item in result] == prompts
    assert len(set(prompts)) > 10


def test_a_match_of_another_game_is_refused_by_name() -> None:
    episode = by_bots(tiny())[0]
    with pytest.raises(CloneError, match=r"clone: tiny-clone-00000 is a match of diplomacy, not of cricket"):
        examples(episode, SPECS["cricket"], nano(SPECS["cricket"], 0))


def test_bots_play_to_the_horizon_of_the_cloning() -> None:
    config = tiny(clone={"games": 2, "horizon": 1})
    episodes = by_bots(config)
    assert [episode.episode_id for episode in episodes] == ["tiny-clone-00000", "tiny-clone-00001"]
    for episode in episodes:
        assert episode.events[-1].data["message"] == "stopped at the horizon of the cloning"
        assert {info["player"] for info in episode.events[0].data["seats"]} <= {"random", "territorial"}
    whole = by_bots(cricket(clone={"games": 2, "horizon": 0}, game={"options": {"overs": 1}}))
    assert all(episode.events[-1].data["status"] == "finished" for episode in whole)


# --- what comes of it -------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("make", [tiny, cricket], ids=["diplomacy", "cricket"])
def test_what_was_held_out_becomes_likelier(make: Make, tmp_path: Path) -> None:
    config = make(clone={"games": 12, "epochs": 3, "holdout": 0.2})
    report: list[tuple[int, int, float]] = []
    spec = SPECS[config.game.name]
    result = clone(config, spec, by_bots(config), tmp_path, lambda *progress: report.append(progress))
    assert result.loss < result.loss_before - 0.1
    assert 0.2 < result.accuracy <= 1
    assert result.examples > 50
    batches = len(report) // 3
    assert [(done, whole) for done, whole, _ in report] == [(done + 1, 3 * batches) for done in range(3 * batches)]
    assert sum(loss for _, _, loss in report[-batches:]) < sum(loss for _, _, loss in report[:batches])
    policy = load(config.policy, spec, tmp_path)
    fresh = nano(spec, 0)
    assert any(not torch.equal(a, b) for a, b in zip(parameters(policy), parameters(fresh), strict=True))


def parameters(policy: Policy) -> list[torch.Tensor]:
    return [parameter.detach() for _, parameter in sorted(policy.model.named_parameters())]


def test_cloning_can_be_repeated(tmp_path: Path) -> None:
    config = tiny()
    item, other = (cloned(config, by_bots(config), tmp_path / name) for name in ("one", "other"))
    assert item == other
    spec = SPECS["diplomacy"]
    first, again = (parameters(load(config.policy, spec, tmp_path / name)) for name in ("one", "other"))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))


@pytest.mark.long
def test_a_language_model_is_cloned_through_an_adapter_and_saved_whole(tmp_path: Path) -> None:
    spec = SPECS["cricket"]
    chat_policy(spec).save(tmp_path / "model")
    config = cricket(
        policy={"model": str(tmp_path / "model"), "lora_dropout": 0.1},
        clone={"games": 2, "horizon": 0.1, "holdout": 0.5, "learning_rate": 1e-2, "epochs": 1, "batch_tokens": 8192},
    )
    episodes = by_bots(config)
    results = [cloned(config, episodes, tmp_path / name) for name in ("one", "other")]
    assert results[0] == results[1], "what is dropped is drawn from the seed"
    assert results[0].loss < results[0].loss_before
    names = {path.name for path in (tmp_path / "one").iterdir()}
    assert "model.safetensors" in names
    assert not [name for name in names if "adapter" in name]
    policy = load(config.policy, spec, tmp_path / "one")
    assert not [name for name, _ in policy.model.named_parameters() if "lora" in name]
    before = load(config.policy, spec)
    game = Match(spec, {"overs": 2}, 1).game
    assert policy.codec.prompt(game, "home") == before.codec.prompt(game, "home")
    assert any(not torch.equal(a, b) for a, b in zip(parameters(policy), parameters(before), strict=True))


def test_too_little_to_learn_from_is_told(tmp_path: Path) -> None:
    config = tiny()
    for episodes in ([], by_bots(config)[:1]):
        with pytest.raises(CloneError, match="give at least two matches"):
            cloned(config, episodes, tmp_path)


@pytest.mark.long
def test_matches_that_were_played_from_the_command_line_can_be_cloned_from(tmp_path: Path) -> None:
    play(
        "--players", "random", "--matches", "2", "--seed", "3", "--set", "press=none", "--out", str(tmp_path / "played")
    )
    episodes = []
    for path in sorted((tmp_path / "played").glob("*.jsonl")):
        with path.open(encoding="utf-8") as file:
            episodes.append(from_lines(file))
    result = cloned(tiny(clone={"holdout": 0.5}), episodes, tmp_path / "policy")
    assert result.examples > 20
    assert result.loss < result.loss_before


def test_a_download_teaches_what_the_record_does(tmp_path: Path) -> None:
    episode = by_bots(tiny())[0]
    path = tmp_path / "episode.jsonl"
    path.write_text("".join(to_lines(episode.events, OPERATOR)), "utf-8")
    with path.open(encoding="utf-8") as file:
        again = from_lines(file)
    spec, policy = SPECS["diplomacy"], nano(SPECS["diplomacy"], 0)
    assert examples(again, spec, policy) == examples(episode, spec, policy)

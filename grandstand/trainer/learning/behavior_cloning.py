"""Behaviour cloning: fit a base policy to recorded matches by the log-likelihood of their players' choices.

Probabilities are over the legal tokens. Choices after a fault, and fallbacks, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, pi
from pathlib import Path
from random import Random

import torch
from peft import PeftModel

from grandstand.events import ActionChosen, EpisodeCreated, EpisodeEnded, SeedSet
from grandstand.games.base import Action, SeatId
from grandstand.games.game import Game
from grandstand.games.match import Match
from grandstand.games.spec import GameSpec
from grandstand.models import Draft, flat
from grandstand.play.runner import MatchRunner
from grandstand.players.bot import BotPlayer
from grandstand.spectator.bus import Bus
from grandstand.spectator.replay import Episode
from grandstand.trainer.config.sections import NANO
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import keyed
from grandstand.trainer.model.batch import MicroBatch, TrainingSample, pack
from grandstand.trainer.model.codec import Question
from grandstand.trainer.model.forward import choices, inputs
from grandstand.trainer.model.policy import Policy, load, nano, with_adapter
from grandstand.trainer.rollout.rollouts import bot_choice

SOURCES = ("heuristic", "human", "remote", "policy", "recorded")
"""Sources of the choices to imitate: neither fallbacks nor repaired replies."""


class CloneError(ValueError):
    """Matches that cannot be learned from; the message names the remedy."""


@dataclass(frozen=True)
class Cloned:
    """The result of a cloning. Losses are nats per choice on held-out matches."""

    examples: int
    """Number of different answers to learn from, each with a weight."""
    skipped: int
    """Number of choices left out: the policy's answers cannot express them, or nobody made them."""
    loss_before: float
    loss: float
    accuracy: float
    """Share of held-out choices at which the most likely token was the chosen one."""


def play_bots(config: TrainConfig, spec: GameSpec, bus: Bus) -> Iterator[str]:
    """Play and record `clone.games` matches of `clone.bots`, and yield the id of each when it is over."""
    training, settings = spec.training, config.clone
    for number in range(settings.games):
        rng = Random(keyed(config.run.seed, "clone", number))
        match = Match(spec, config.game.options, rng.getrandbits(48))
        runner = MatchRunner(match, {seat: BotPlayer(spec, rng.choice(settings.bots)) for seat in match.seats})
        episode_id = f"{config.run.name}-clone-{number:05d}"
        bus.open(episode_id, 0)
        title = f"{config.run.shown_as}, match {number + 1} to clone from"
        drafts = [*runner.created(config.game.options, title=title, origin="trainer"), *runner.started()]
        until = settings.horizon or float("inf")
        while not match.over and training.time(match.game, match.index) < until:
            for seat, choice in [(seat, bot_choice(runner.players[seat], match, seat)) for seat in match.waiting]:
                drafts += runner.play(seat, choice)
        if not match.over:
            drafts.append(Draft.of(EpisodeEnded(status="stopped", message="stopped at the horizon of the cloning")))
        bus.publish(episode_id, drafts)
        yield episode_id


@dataclass(frozen=True)
class Teacher:
    """A bot that is asked in every position of the matches, whoever played it."""

    bot: str
    draws: int
    """Number of times that it is asked in each position, each with other random draws."""
    seed: int


def examples(
    episode: Episode, spec: GameSpec, policy: Policy, teacher: Teacher | None = None, label: str = ""
) -> tuple[list[TrainingSample], int]:
    """Return (the choices of the episode that can be imitated, the number of those that cannot). Raises CloneError.

    With a `teacher`, its choices are imitated instead of those that were made; its draws are those of the `label`, by
    default the episode's id. An answer that it gives several times in one position is one example of that weight
    (`advantage`), so that many draws of a mix cost little.
    """
    imitated: list[TrainingSample] = []
    skipped = 0
    for number, (chosen, game) in enumerate(_choices(episode, spec)):
        if chosen.source == "standing":
            continue
        question = Question(spec, policy.codec, game, chosen.seat)
        prompt = tuple(policy.codec.prompt(game, chosen.seat))
        answers: dict[tuple[int, ...], TrainingSample] = {}
        for action in _actions(chosen, game, spec, teacher, f"{label or episode.episode_id}/{number}"):
            sample = _example(question, prompt, action)
            if sample is None:
                skipped += 1
                continue
            same = answers.setdefault(tuple(sample.completion), sample)
            if same is not sample:
                answers[tuple(sample.completion)] = replace(same, advantage=same.advantage + 1.0)
        imitated += answers.values()
    return imitated, skipped


def _actions(
    chosen: ActionChosen, game: Game, spec: GameSpec, teacher: Teacher | None, label: str
) -> Iterator[Action | None]:
    """Yield the actions to imitate in one position; None for a choice that nobody made."""
    if teacher is None:
        yield chosen.action if chosen.source in SOURCES else None
        return
    for draw in range(teacher.draws):
        rng = Random(keyed(teacher.seed, "teacher", label, draw))
        yield spec.bots.players[teacher.bot](game, chosen.seat, rng)


def _choices(episode: Episode, spec: GameSpec) -> Iterator[tuple[ActionChosen, Game]]:
    """Yield every choice with the position that its seat decided in.

    Seats that decide at the same time do not see each other's choices, though the record has them in sequence.
    """
    created = EpisodeCreated.model_validate(episode.events[0].data)
    if created.game != spec.name:
        raise CloneError(f"clone: {episode.episode_id} is a match of {created.game}, not of {spec.name}; leave it out")
    match: Match | None = None
    positions: dict[SeatId, Game] = {}
    for event in flat(episode.events):
        if event.type == "SeedSet":
            seed = SeedSet.model_validate(event.data).seed
            if match is None:
                match = Match(spec, created.options, seed)
                positions = dict.fromkeys(match.seats, match.game.clone())
            else:
                match.reseed(seed)
        elif match is not None and event.type == "NegotiationHeld":
            positions = dict.fromkeys(match.seats, match.game.clone())
        elif match is not None and event.type == "ActionChosen":
            chosen, index = ActionChosen.model_validate(event.data), match.index
            yield chosen, positions[chosen.seat]
            match.apply(chosen.seat, chosen.action)
            asks = [chosen.seat] if match.index == index else match.seats
            positions |= dict.fromkeys(asks, match.game.clone())


def _example(question: Question, prompt: tuple[int, ...], action: Action | None) -> TrainingSample | None:
    answer = None if action is None else question.imitate(action)
    if answer is None:
        return None
    completion, allowed = answer
    return TrainingSample(prompt, completion, [0.0] * len(completion), allowed, 1.0, 1.0)


def clone(
    config: TrainConfig,
    spec: GameSpec,
    episodes: Iterable[Episode],
    folder: Path,
    progress: Callable[[int, int, float], None] | None = None,
) -> Cloned:
    """Fit a policy to `episodes` and save it in `folder`, reporting `progress(batches, all, loss)` after each batch.

    Raises CloneError.
    """
    torch.set_num_threads(config.policy.threads)  # the number of threads changes the rounding
    settings, seed = config.clone, config.run.seed
    scratch = config.policy.model == NANO
    policy = nano(spec, keyed(seed, "nano")) if scratch else load(config.policy, spec)
    teacher = Teacher(settings.teacher, settings.draws, seed) if settings.teacher else None
    prefix = f"{config.run.name}-"  # a policy does not depend on the run's name
    labelled = ((episode.episode_id.removeprefix(prefix), episode) for episode in episodes)
    learned, heldout, skipped = _split(labelled, spec, policy, settings.holdout, teacher)
    if not scratch:
        policy = with_adapter(policy, config.policy, keyed(seed, "clone"))
    one_row = config.policy.attention == "flex"
    held_batches = pack(heldout, settings.batch_tokens, one_row=one_row)
    before, _ = measure(policy, held_batches, one_row)
    _train(policy, pack(learned, settings.batch_tokens, one_row=one_row), config, progress)
    loss, accuracy = measure(policy, held_batches, one_row)
    if isinstance(policy.model, PeftModel):
        policy = Policy(policy.model.merge_and_unload(), policy.codec)
    folder.mkdir(parents=True, exist_ok=True)
    policy.save(folder)
    return Cloned(len(learned), skipped, before, loss, accuracy)


def _train(
    policy: Policy,
    batches: Sequence[MicroBatch],
    config: TrainConfig,
    progress: Callable[[int, int, float], None] | None,
) -> None:
    settings, seed, one_row = config.clone, config.run.seed, config.policy.attention == "flex"
    parameters = [parameter for _, parameter in policy.trainable()]
    optimizer = torch.optim.AdamW(parameters, lr=settings.learning_rate, betas=(0.9, 0.95), weight_decay=0.01)
    whole, done = settings.epochs * len(batches), 0
    torch.manual_seed(keyed(seed, "clone"))  # for the adapter's dropout
    policy.model.train()
    for epoch in range(settings.epochs):
        order = list(range(len(batches)))
        Random(keyed(seed, "epoch", epoch)).shuffle(order)
        for number in order:
            for group in optimizer.param_groups:
                group["lr"] = settings.learning_rate * _warm_cosine(done, whole)
            loss = _fit(policy, batches[number], optimizer, one_row)
            done += 1
            if progress is not None:
                progress(done, whole, loss)
    policy.model.eval()


def _split(
    episodes: Iterable[tuple[str, Episode]], spec: GameSpec, policy: Policy, holdout: float, teacher: Teacher | None
) -> tuple[list[TrainingSample], list[TrainingSample], int]:
    """Return (examples to learn from, examples to measure on, number of choices left out). A match is in one of the
    two."""
    learned: list[TrainingSample] = []
    heldout: list[TrainingSample] = []
    skipped, due = 0, 1.0
    for label, episode in episodes:
        samples, passed = examples(episode, spec, policy, teacher, label)
        skipped += passed
        if due >= 1.0:
            due -= 1.0
            heldout += samples
        else:
            learned += samples
        due += holdout
    if not learned or not heldout:
        raise CloneError("clone: no choices to learn from; give at least two matches with choices of the game's seats")
    return learned, heldout, skipped


def _warm_cosine(step: int, steps: int) -> float:
    """Return the factor of the learning rate: it rises for a twentieth of the steps, then falls to a tenth along a
    cosine."""
    warm = max(1, steps // 20)
    if step < warm:
        return (step + 1) / warm
    return 0.1 + 0.45 * (1 + cos(pi * (step - warm) / max(1, steps - warm)))


def _fit(policy: Policy, batch: MicroBatch, optimizer: torch.optim.Optimizer, one_row: bool) -> float:
    batch_inputs = inputs(batch, policy, one_row=one_row)
    weights = batch_inputs.advantage[batch_inputs.sequence]
    loss = -(weights * choices(policy, batch_inputs, flex=one_row).chosen).sum() / weights.sum()
    optimizer.zero_grad(set_to_none=True)
    torch.autograd.backward(loss)
    torch.nn.utils.clip_grad_norm_([parameter for _, parameter in policy.trainable()], 1.0)
    optimizer.step()
    return float(loss.detach())


@torch.no_grad()
def measure(policy: Policy, batches: Sequence[MicroBatch], one_row: bool) -> tuple[float, float]:
    """Return (nats per choice, share of choices at which the most likely token was chosen), by the examples'
    weights."""
    total = right = count = 0.0
    for batch in batches:
        batch_inputs = inputs(batch, policy, one_row=one_row)
        logprobs = choices(policy, batch_inputs, flex=one_row)
        weights = batch_inputs.advantage[batch_inputs.sequence]
        total -= float((weights * logprobs.chosen).sum())
        likeliest = logprobs.all.argmax(dim=1) == batch_inputs.legal.place(batch_inputs.tokens)
        right += float((weights * likeliest).sum())
        count += float(weights.sum())
    return total / max(count, 1), right / max(count, 1)

"""Behaviour cloning: a base policy from recorded matches, by the log-likelihood of what their players chose.

A choice counts among the legal ones only, as everywhere here. What was chosen after a fault, or by nobody, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from random import Random

import torch
from peft import PeftModel

from grandstand.games.base import Game, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import GameSpec
from grandstand.models import ActionChosen, EpisodeCreated, EpisodeEnded, SeedSet, flat
from grandstand.play.runner import MatchRunner, draft
from grandstand.players.bot import BotPlayer
from grandstand.spectator.bus import Bus
from grandstand.spectator.replay import Episode
from grandstand.trainer.batch import MicroBatch, TrainingSample, pack
from grandstand.trainer.codec import Question, training_of
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.forward import choices, inputs
from grandstand.trainer.matchmaking import keyed
from grandstand.trainer.policy import NANO, Policy, load, nano, with_adapter
from grandstand.trainer.rollouts import bot_choice

SOURCES = ("heuristic", "human", "remote", "policy", "recorded")
"""What is imitated: not fallbacks, nor repaired answers."""


class CloneError(ValueError):
    """Matches that nothing can be learned from; the message says what would do."""


@dataclass(frozen=True)
class Cloned:
    """How the cloning went. Losses are nats per choice on matches that were not learned from."""

    examples: int
    skipped: int
    """Choices that the policy's answers cannot express, or that nobody made."""
    loss_before: float
    loss: float
    accuracy: float
    """Share of held-out choices at which the most likely token was the one chosen."""


def play_bots(config: TrainConfig, spec: GameSpec, bus: Bus) -> Iterator[str]:
    """Play and record `clone.games` matches of `clone.bots`; gives each one's id when it is over."""
    training, settings = training_of(spec), config.clone
    for number in range(settings.games):
        rng = Random(keyed(config.run.seed, "clone", number))
        match = Match(spec, config.game.options, rng.getrandbits(48))
        runner = MatchRunner(match, {seat: BotPlayer(spec, rng.choice(settings.bots)) for seat in spec.seats})
        episode_id = f"{config.run.name}-clone-{number:05d}"
        bus.open(episode_id, 0)
        title = f"{config.run.name}, match {number + 1} to clone from"
        drafts = [*runner.created(config.game.options, title=title, origin="trainer"), *runner.started()]
        until = settings.horizon or float("inf")
        while not match.over and training.clock(match.game) < until:
            for seat, choice in [(seat, bot_choice(runner.players[seat], match, seat)) for seat in match.waiting]:
                drafts += runner.play(seat, choice)
        if not match.over:
            drafts.append(draft(EpisodeEnded(status="stopped", message="stopped at the horizon of the cloning")))
        bus.publish(episode_id, drafts)
        yield episode_id


def examples(episode: Episode, spec: GameSpec, policy: Policy) -> tuple[list[TrainingSample], int]:
    """(every choice of the episode that can be imitated, how many could not). Raises CloneError."""
    found = [_example(chosen, game, spec, policy) for chosen, game in _choices(episode, spec)]
    imitated = [sample for sample in found if sample is not None]
    return imitated, len(found) - len(imitated)


def _choices(episode: Episode, spec: GameSpec) -> Iterator[tuple[ActionChosen, Game]]:
    """Every choice, with the position that its seat was asked in: those who choose at the same time do not know of
    each other's choices, though the record has one before the other."""
    created = EpisodeCreated.model_validate(episode.events[0].data)
    if created.game != spec.name:
        raise CloneError(f"clone: {episode.episode_id} is a match of {created.game}, not of {spec.name}; leave it out")
    match: Match | None = None
    asked: dict[SeatId, Game] = {}
    for event in flat(episode.events):
        if event.type == "SeedSet":
            seed = SeedSet.model_validate(event.data).seed
            if match is None:
                match = Match(spec, created.options, seed)
                asked = dict.fromkeys(spec.seats, match.game.clone())
            else:
                match.reseed(seed)
        elif match is not None and event.type == "NegotiationHeld":
            asked = dict.fromkeys(spec.seats, match.game.clone())
        elif match is not None and event.type == "ActionChosen":
            chosen, index = ActionChosen.model_validate(event.data), match.index
            yield chosen, asked[chosen.seat]
            match.apply(chosen.seat, chosen.action)
            asks = [chosen.seat] if match.index == index else spec.seats
            asked |= dict.fromkeys(asks, match.game.clone())


def _example(chosen: ActionChosen, game: Game, spec: GameSpec, policy: Policy) -> TrainingSample | None:
    if chosen.source not in SOURCES:
        return None
    answer = Question(spec, policy.codec, game, chosen.seat).imitate(chosen.action)
    if answer is None:
        return None
    completion, allowed = answer
    prompt = tuple(policy.codec.prompt(game, chosen.seat))
    return TrainingSample(prompt, completion, [0.0] * len(completion), allowed, 1.0, 1.0)


def clone(
    config: TrainConfig,
    spec: GameSpec,
    episodes: Iterable[Episode],
    folder: Path,
    told: Callable[[int, int, float], None] | None = None,
) -> Cloned:
    """Fit a policy to `episodes` and save it, whole, in `folder`. `told(epoch, epochs, loss)` is progress.

    Raises CloneError.
    """
    settings, seed = config.clone, config.run.seed
    scratch = config.policy.model == NANO
    policy = nano(spec, keyed(seed, "nano")) if scratch else load(config.policy, spec)
    learned, held, skipped = _split(episodes, spec, policy, settings.holdout)
    if not scratch:
        policy = with_adapter(policy, config.policy, keyed(seed, "clone"))
    one_row = config.policy.attention == "flex"
    held_batches = pack(held, settings.batch_tokens, one_row=one_row)
    before, _ = measure(policy, held_batches, one_row)
    _train(policy, pack(learned, settings.batch_tokens, one_row=one_row), config, told)
    loss, accuracy = measure(policy, held_batches, one_row)
    if isinstance(policy.model, PeftModel):
        policy = Policy(policy.model.merge_and_unload(), policy.codec)
    folder.mkdir(parents=True, exist_ok=True)
    policy.save(folder)
    return Cloned(len(learned), skipped, before, loss, accuracy)


def _train(
    policy: Policy, batches: Sequence[MicroBatch], config: TrainConfig, told: Callable[[int, int, float], None] | None
) -> None:
    settings, seed, one_row = config.clone, config.run.seed, config.policy.attention == "flex"
    parameters = [parameter for _, parameter in policy.trainable()]
    optimiser = torch.optim.AdamW(parameters, lr=settings.learning_rate, betas=(0.9, 0.95), weight_decay=0.01)
    whole, done = settings.epochs * len(batches), 0
    torch.manual_seed(keyed(seed, "clone"))  # what an adapter drops
    policy.model.train()
    for epoch in range(settings.epochs):
        order = list(range(len(batches)))
        Random(keyed(seed, "epoch", epoch)).shuffle(order)
        total = 0.0
        for number in order:
            for group in optimiser.param_groups:
                group["lr"] = settings.learning_rate * _warm_cosine(done, whole)
            total += _fit(policy, batches[number], optimiser, one_row)
            done += 1
        if told is not None:
            told(epoch + 1, settings.epochs, total / len(batches))
    policy.model.eval()


def _split(
    episodes: Iterable[Episode], spec: GameSpec, policy: Policy, holdout: float
) -> tuple[list[TrainingSample], list[TrainingSample], int]:
    """(to learn from, to measure on, how many choices were left out); whole matches go to one or the other."""
    learned: list[TrainingSample] = []
    held: list[TrainingSample] = []
    skipped, due = 0, 1.0
    for episode in episodes:
        found, passed = examples(episode, spec, policy)
        skipped += passed
        if due >= 1.0:
            due -= 1.0
            held += found
        else:
            learned += found
        due += holdout
    if not learned or not held:
        raise CloneError("clone: no choices to learn from; give at least two matches with choices of the game's seats")
    return learned, held, skipped


def _warm_cosine(step: int, steps: int) -> float:
    """A twentieth of the steps up, the rest down to a tenth along a cosine."""
    warm = max(1, steps // 20)
    if step < warm:
        return (step + 1) / warm
    return 0.1 + 0.45 * (1 + cos(pi * (step - warm) / max(1, steps - warm)))


def _fit(policy: Policy, batch: MicroBatch, optimiser: torch.optim.Optimizer, one_row: bool) -> float:
    given = inputs(batch, policy, one_row=one_row)
    loss = -choices(policy, given, flex=one_row).chosen.mean()
    optimiser.zero_grad(set_to_none=True)
    torch.autograd.backward(loss)
    torch.nn.utils.clip_grad_norm_([parameter for _, parameter in policy.trainable()], 1.0)
    optimiser.step()
    return float(loss.detach())


@torch.no_grad()
def measure(policy: Policy, batches: Sequence[MicroBatch], one_row: bool) -> tuple[float, float]:
    """(nats per choice, share of choices at which the most likely token was chosen)."""
    total = right = count = 0.0
    for batch in batches:
        given = inputs(batch, policy, one_row=one_row)
        said = choices(policy, given, flex=one_row)
        total -= float(said.chosen.sum())
        right += float((said.all.argmax(dim=1) == given.support.place(given.tokens)).sum())
        count += len(given.tokens)
    return total / max(count, 1), right / max(count, 1)

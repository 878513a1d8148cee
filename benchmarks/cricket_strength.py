"""A trained captain in whole matches against a bot: a row of the table in docs/results/strength.md.

    python -m benchmarks.cricket_strength BASE --adapter RUN/versions/NAME@v000020 --matches 60

BASE is the folder of a policy (a run's `base`, or what `grandstand train bc` writes). With `--search` it answers by the
search at play time over so many proposals. Every match seed is played from both seats. It prints the score, the score
less luck, 0.5 + decisions (the captain's less the bot's), the decisions of both sides, and what the captain's calls are
worth in expectation beside those that `heuristic` would have drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, NamedTuple

import torch
import typer

from benchmarks.report import Cell, Out, mean, publish, table
from grandstand.games.base import GameEvent, SeatId
from grandstand.games.cricket.agent import proposals
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.events import ChanceChanged
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.registry import game_spec
from grandstand.trainer.config.sections import PolicySettings
from grandstand.trainer.league.matchmaking import keyed
from grandstand.trainer.model.codec import Question
from grandstand.trainer.model.policy import Policy, load, read_adapter, with_adapter
from grandstand.trainer.model.torch_sampler import TorchSampler

FIRST = 1000
"""The first match seed."""
TOGETHER = 6
"""Matches that are played side by side: few enough that the solved game of a ball stays cached for both sides."""


class Measured(NamedTuple):
    """One match, from the policy's view."""

    score: float
    score_less_luck: float
    half_plus_decisions: float
    own_decisions: float
    bots_decisions: float
    expected_gain: float
    """The sum of what its calls of a ball add in expectation over draws of `heuristic`, against the mix of `heuristic`:
    the luck of both sides' draws is not in it."""


class _Live:
    """A match in progress."""

    def __init__(self, seed: int, seat: SeatId, overs: int) -> None:
        self.seed, self.seat, self.asked = seed, seat, 0
        self.game, self.gain = CricketGame(CricketOptions(overs=overs), seed), 0.0
        self.events: list[GameEvent] = list(self.game.opening())
        self.rng, self.own_rng = Random(f"{seed}/{seat}/bot"), Random(f"{seed}/{seat}/search")

    def play_bot(self, bot: str) -> None:
        """Let the bot act until the policy has to, or the match is over."""
        while self.game.outcome is None and (seat := self.game.to_act()[0]) != self.seat:
            self.events += self.game.apply(seat, BOTS[bot](self.game, seat, self.rng))

    def measured(self) -> Measured:
        assert self.game.outcome is not None
        score, luck, own, other = self.game.outcome.scores[self.seat], 0.0, 0.0, 0.0
        for event in self.events:
            if isinstance(event, ChanceChanged):
                luck += (event.luck or 0.0) * (1 if self.seat == SEATS[0] else -1)
                for decision in event.decisions or []:
                    mine = decision["seat"] == self.seat
                    own, other = own + decision["delta"] * mine, other + decision["delta"] * (not mine)
        return Measured(score, score - luck, 0.5 + own - other, own, other, self.gain)


class Side(NamedTuple):
    """The measured captain."""

    policy: Policy
    sampler: TorchSampler
    temperature: float
    search: int
    """Proposals of the search at play time; 0 for none."""


def play(side: Side, bot: str, matches: int, overs: int) -> Iterator[Measured]:
    """Play whole matches side by side, so that the policy's decisions are sampled together."""
    for first in range(0, matches, TOGETHER):
        numbers = range(first, min(first + TOGETHER, matches))
        every = [_Live(FIRST + number // 2, SEATS[number % 2], overs) for number in numbers]
        live = every
        while live:
            for match in live:
                match.play_bot(bot)
            live = [match for match in live if match.game.outcome is None]
            _answer(side, live)
        yield from (match.measured() for match in every)


def _answer(side: Side, live: Sequence[_Live]) -> None:
    """Let the captain act in every match."""
    spec, draws = game_spec("cricket"), max(1, side.search)
    questions = [Question(spec, side.policy.codec, match.game, match.seat) for match in live for _ in range(draws)]
    asks = []
    for number, question in enumerate(questions):
        match, draw = live[number // draws], number % draws
        match.asked += not draw
        label = (match.seed, match.seat, match.asked, *([draw] if draw else []))
        asks.append(question.ask(keyed("versus", *label), side.temperature))
    answers = side.sampler.sample(asks, 0) if asks else []
    actions = [question.action(answer.chosen) for question, answer in zip(questions, answers, strict=True)]
    for number, match in enumerate(live):
        own = actions[number * draws : (number + 1) * draws]
        chosen = proposals.choose(match.game, match.seat, own, match.own_rng).action if side.search else own[0]
        match.gain += proposals.gain_over_the_mix(match.game.state, chosen)
        match.events += match.game.apply(match.seat, chosen)


def main(
    base: Annotated[Path, typer.Argument(help="The folder of the policy.")],
    adapter: Annotated[Path | None, typer.Option(help="The folder of a version on top of it.")] = None,
    bot: Annotated[str, typer.Option()] = "heuristic",
    matches: Annotated[int, typer.Option(min=2)] = 60,
    overs: Annotated[int, typer.Option(min=1, max=50)] = 20,
    temperature: Annotated[float, typer.Option("--temperature", min=0.01)] = 1.0,
    search: Annotated[int, typer.Option(min=0, help="Proposals of the search at play time; 0 for none.")] = 0,
    record: Annotated[Path | None, typer.Option(help="JSON lines, one for each match as it ends.")] = None,
    out: Out = None,
) -> None:
    """Report the means, with 95 % intervals over matches."""
    torch.set_num_threads(1)
    settings = PolicySettings(model=str(base), device="cpu")
    policy = load(settings, game_spec("cricket"))
    if adapter is not None:
        policy = with_adapter(policy, settings, seed=0)
        policy.load_adapter(read_adapter(adapter))
    results = []
    for measured in play(Side(policy, TorchSampler(policy), temperature, search), bot, matches, overs):
        results.append(measured)
        if record is not None:
            with record.open("a") as file:
                file.write(json.dumps(measured._asdict()) + "\n")
    columns = zip(Measured._fields, zip(*results, strict=True), strict=True)
    rows: list[list[Cell]] = [[name.replace("_", " "), mean(values)] for name, values in columns]
    section = table("Means", ["measure", ("mean", "signed")], rows)
    publish(f"{adapter or base} against {bot}", f"{matches} matches of {overs} overs", [section], out)


if __name__ == "__main__":
    typer.run(main)

"""Matches in which all seven powers talk: the tables of `docs/press.md`, as Markdown on stdout.

    python -m benchmarks.diplomacy_press --games 24 --seed 1

Seven of the characters, drawn by the seed, play to the end of 1908, or of `--last-year`. The same seed gives the same
tables, times apart.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from statistics import fmean, median
from typing import Annotated, Any

import typer

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.bots import showcase
from grandstand.games.diplomacy.bots.talking import TALKS
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.press.honesty import MEASURES, measures
from grandstand.games.diplomacy.press.relations import Relations, season_of
from grandstand.games.diplomacy.rules.map import POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.state import Resolution, State
from grandstand.games.match import Match
from grandstand.models import flat_drafts
from grandstand.play.ratings.statistics import share_interval
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice, PressReply
from grandstand.players.bot import BotPlayer

LAST_YEAR = 1908
LEADS = (9, 12, 15)
"""Numbers of centres from which a power is a leader."""


class TimedPlayer(BotPlayer):
    """A talking bot that computes in this process and counts the CPU time of its part in press."""

    seconds = 0.0

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        return Choice(self.bot(match.game, seat, match.rng(seat)), "heuristic")

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        assert isinstance(match.game, DiplomacyGame)
        began = time.process_time()
        messages = TALKS[self.name](match.game, seat, match.rng(seat), round, rounds)
        self.seconds += time.process_time() - began
        return PressReply(messages, "heuristic")


@dataclass
class Result:
    """One match."""

    events: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    players: dict[SeatId, str] = field(default_factory=dict)
    rejected: int = 0
    """Messages and orders that the rules refused."""
    seconds: float = 0.0
    """CPU time of all negotiation."""
    phases: list[Resolution] = field(default_factory=list)
    """The movement phases."""
    final: State = field(default_factory=State.start)
    """The position at the end."""

    def count(self, kind: str) -> int:
        return sum(type_ == kind for type_, _ in self.events)


async def play(seed: int, last_year: int = LAST_YEAR) -> Result:
    """Return a match of seven characters, with the press of all of them."""
    match = Match.create("diplomacy", {"last_year": last_year}, seed)
    assert isinstance(match.game, DiplomacyGame)
    names = showcase(Random(seed))
    players = {seat: TimedPlayer(match.spec, name) for seat, name in zip(match.spec.seats, names, strict=True)}
    result = Result(players={seat: player.name for seat, player in players.items()})
    runner = MatchRunner(match, players)
    drafts = list(runner.started())
    while not match.over:
        before = match.game.state
        async with aclosing(runner.play_round()) as pieces:
            async for piece in pieces:
                drafts += piece
        if before.name.endswith("M") and match.game.state is not before:
            result.phases.append(_resolved(before, match.game))
    result.final = match.game.state
    result.events = [(draft.type, draft.data) for draft in flat_drafts(drafts)]
    result.rejected = result.count("ActionRejected")
    result.seconds = sum(player.seconds for player in players.values())
    return result


def _resolved(before: State, game: DiplomacyGame) -> Resolution:
    """Return the movement phase that the match has just played."""
    played = game.recent[0]
    assert played.phase == before.name
    orders = [
        parse_order(order["order"], before, POWER[power]) for power, listed in played.orders.items() for order in listed
    ]
    return before.resolve({UNIT_PROVINCE[order[1]]: order for order in orders})


def repeated(events: Sequence[tuple[str, Mapping[str, Any]]], by_sentence: bool) -> float:
    """Return the share of a seat's texts, or sentences, that it had used before in the match."""
    written: dict[SeatId, list[str]] = defaultdict(list)
    for type_, data in events:
        if type_ == "MessageSent":
            text = data["text"]
            written[data["sender"]] += re.split(r"(?<=[.!?])\s+", text) if by_sentence else [text]
    total = sum(map(len, written.values()))
    return sum(len(texts) - len(set(texts)) for texts in written.values()) / max(1, total)


def supports(events: Sequence[tuple[str, Mapping[str, Any]]]) -> float:
    """Return the share of supports that were given to another power's unit."""
    value: Counter[bool] = Counter()
    for type_, data in events:
        if type_ == "OrdersResolved" and data["phase"].endswith("M"):
            owner = {order["from"][:3]: power for power, orders in data["orders"].items() for order in orders}
            for power, orders in data["orders"].items():
                value.update(owner[order["target"][2:5]] != power for order in orders if order["kind"] == "support")
    return value[True] / max(1, value.total())


def match_rows(results: Sequence[Result]) -> list[tuple[str, list[float]]]:
    """Return the rows of the table of matches: a name and a value per match."""
    return [
        ("messages", [float(result.count("MessageSent")) for result in results]),
        ("promises kept", [float(result.count("PromiseKept")) for result in results]),
        ("promises broken", [float(result.count("PromiseBroken")) for result in results]),
        ("of them noted as lies", [float(sum(_measured(result, "lied"))) for result in results]),
        ("stabs", [float(sum(_measured(result, "stabs"))) for result in results]),
        ("repeated texts, %", [100 * repeated(result.events, False) for result in results]),
        ("repeated sentences, %", [100 * repeated(result.events, True) for result in results]),
        ("supports for another power, %", [100 * supports(result.events) for result in results]),
        ("refused by the rules", [float(result.rejected) for result in results]),
        ("CPU ms per message", [1000 * result.seconds / result.count("MessageSent") for result in results]),
    ]


def _measured(result: Result, name: str) -> list[float]:
    return [measures(result.events, seat)[name] for seat in result.players]


def match_table(results: Sequence[Result]) -> str:
    """Return medians and extremes over matches."""
    lines = ["| a match | median | least | most |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {median(values):.3g} | {min(values):.3g} | {max(values):.3g} |"
        for name, values in match_rows(results)
    ]
    return "\n".join(lines)


def character_table(results: Sequence[Result]) -> str:
    """Return the means of each character's seats."""
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    for result in results:
        for seat, name in result.players.items():
            rows[name].append(measures(result.events, seat))
    lines = [f"| character | seats | {' | '.join(MEASURES)} | kept share |", "|---" * (len(MEASURES) + 3) + "|"]
    for name, seats in sorted(rows.items()):
        means = {measure: fmean(seat[measure] for seat in seats) for measure in MEASURES}
        judged = means["kept"] + means["broken"]
        share = f"{means['kept'] / judged:.0%}" if judged else "–"
        lines.append(f"| {name} | {len(seats)} | {' | '.join(f'{mean:.1f}' for mean in means.values())} | {share} |")
    return "\n".join(lines)


def endings_table(results: Sequence[Result]) -> str:
    """Return how the matches ended, what became of leaders, and how long alliances held."""
    outcomes = [next(data["outcome"] for type_, data in result.events if type_ == "EpisodeEnded") for result in results]
    reasons = Counter(outcome["reason"] for outcome in outcomes)
    lines = ["| | |", "|---|---|"]
    lines += [f"| ended: {reason} | {_of(count, len(results))} |" for reason, count in sorted(reasons.items())]
    lines.append(f"| last year, median | {median(result.phases[-1].before.year for result in results):.0f} |")
    lines.append(f"| eliminated, a match | {fmean(result.count('PowerEliminated') for result in results):.1f} |")
    for centers in LEADS:
        leads = [lead for result in results for lead in leaders(result, centers)]
        lines.append(f"| powers that reached {centers} centres | {len(leads)} |")
        lines.append(f"| of them stopped short of a win | {_of(leads.count(False), len(leads))} |")
    pacts = [alliance for result in results for alliance in alliances(result.phases)]
    broken = [alliance.seasons for alliance in pacts if alliance.broken]
    kept = [alliance.seasons for alliance in pacts if not alliance.broken]
    lines.append(f"| alliances, a match | {len(pacts) / len(results):.1f} |")
    lines.append(f"| of them broken by an attack | {_of(len(broken), len(pacts))} |")
    for name, seasons in (("broken", broken), ("held to the end", kept)):
        if seasons:
            lines.append(f"| seasons of those {name}, median | {median(seasons):.0f} |")
    return "\n".join(lines)


def _of(part: int, whole: int) -> str:
    """Return `5 of 24 (21 %, 95 % 9 – 40)`."""
    if not whole:
        return "–"
    low, high = share_interval(part, whole).ci95 or (0.0, 1.0)
    return f"{part} of {whole} ({part / whole:.0%}, 95 %: {low:.0%} – {high:.0%})"


def leaders(result: Result, centers: int) -> list[bool]:
    """Return, per power that ever had so many centres, whether it won alone."""
    reached = {
        power
        for type_, data in result.events
        if type_ == "CentersChanged"
        for power, count in data["counts"].items()
        if count >= centers
    }
    solo = result.final.solo()
    return [solo is not None and POWERS[solo] == power for power in sorted(reached)]


@dataclass(frozen=True)
class Alliance:
    """Two powers of which one supports the other in two seasons or more, with no attack between them since the first
    of these."""

    seasons: int
    broken: bool


def alliances(phases: Sequence[Resolution]) -> list[Alliance]:
    """Return the alliances of a match, from the orders alone."""
    pacts: list[Alliance] = []
    helps: dict[tuple[int, int], list[int]] = defaultdict(list)
    relations = Relations()
    for phase in phases:
        relations = relations.after(phase)
        season = season_of(phase.before)
        for pair in combinations(range(len(POWERS)), 2):
            ways = pair, pair[::-1]
            if any(relations.attacks.get(way) == season for way in ways):
                past = helps.pop(pair, [])
                if len(past) > 1:
                    pacts.append(Alliance(season - past[0], broken=True))
            elif any(relations.supports.get(way) == season for way in ways):
                helps[pair].append(season)
    last = season_of(phases[-1].before)
    return [*pacts, *(Alliance(last - past[0] + 1, broken=False) for past in helps.values() if len(past) > 1)]


def main(
    games: Annotated[int, typer.Option(min=1, help="number of matches")] = 24,
    seed: Annotated[int, typer.Option(help="seed of the first match")] = 1,
    last_year: Annotated[int, typer.Option(help="the matches end after the fall of this year")] = LAST_YEAR,
) -> None:
    """Play matches of seven talking characters and print the tables."""
    results = []
    for number in range(games):
        results.append(asyncio.run(play(seed + number, last_year)))
        typer.echo(f"{number + 1} of {games}", err=True)
    for table in (match_table, character_table, endings_table):
        print(table(results), end="\n\n")


if __name__ == "__main__":
    typer.run(main)

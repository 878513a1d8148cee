"""Measure the diplomacy of the talking characters: a Markdown table over whole matches with press.

    python scripts/diplomacy_press_figures.py --matches 12 --seed 1 --out matches.jsonl

Seven characters drawn by the seed, as in the showcase. The same seeds give the same table, CPU time apart. With `--out`
the figures of each match are kept as it ends, and a second call plays only the matches that are missing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter

from grandstand.games.base import GameEvent, MessageSent, SeatId
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import BOTS, TALKS, showcase
from grandstand.games.diplomacy.bots.talking.reader import read
from grandstand.games.diplomacy.bots.talking.voice import kinds_of
from grandstand.games.diplomacy.events import LieNoted, OrdersResolved, PactOffered, PromiseBroken, PromiseKept
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWER, POWERS, UNITS
from grandstand.games.diplomacy.rules.orders import SUPPORT, SUPPORT_MOVE
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.rules.words import order_words
from grandstand.games.diplomacy.types import ResolvedOrder
from grandstand.play.ratings.intervals import share_interval

LEADS = (12, 15)
YEARS = (1905, 1910)
"""The years after which the sizes of the powers are told."""
ASKING = frozenset(("ask_support", "ask_support_hold"))


PACTS = {
    "offered": "PactOffered",
    "accepted": "PactAccepted",
    "refused": "PactRefused",
    "kept": "PactKept",
    "broken": "PactBroken",
}


@dataclass(frozen=True)
class Request:
    """A support that one power asked of another for a phase."""

    phase: str
    asked: SeatId
    helper: str
    helped: str
    into: str
    """Empty for a support to hold."""


@dataclass
class Figures:
    """The figures of a match."""

    seed: int
    seconds: float = 0.0
    reason: str = ""
    winners: tuple[SeatId, ...] = ()
    year: int = 0
    foreign: Counter[bool] = field(default_factory=Counter)
    """Supports for units of other powers, by whether they were void."""
    supports: int = 0
    requests: Counter[bool] = field(default_factory=Counter)
    """Requests for support, by whether the support was ordered."""
    leads: Counter[int] = field(default_factory=Counter)
    stopped: Counter[int] = field(default_factory=Counter)
    exchanges: list[int] = field(default_factory=list)
    """The secret messages of each pair and season that has any."""
    sizes: dict[int, list[int]] = field(default_factory=dict)
    """Year -> the centres of each power after it."""
    lies: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)


ROW = TypeAdapter(Figures)


def played(seed: int, last_year: int, press: bool) -> tuple[DiplomacyGame, list[GameEvent], list[State], float]:
    """Return a finished match, its events, the positions of its movement phases and its CPU time."""
    began = time.process_time()
    options = DiplomacyOptions(last_year=last_year, press="full" if press else "none")
    game = DiplomacyGame(options)
    names = dict(zip(POWERS, showcase(Random(seed)), strict=True))
    form = GAME.talk.press
    assert form is not None
    events, states, decision = list(game.opening()), [], 0
    while game.outcome is None:
        held = 0
        while press and form.speakers(game) and held < form.rounds(game):
            held += 1
            letters = {
                seat: TALKS[names[seat]](game, seat, Random(f"{seed}/{decision}/{seat}"), held, form.rounds(game))
                for seat in form.speakers(game)
            }
            decision += 1
            events += [event for seat, actions in letters.items() for action in actions
                       for event in game.apply(seat, action)]  # fmt: skip
        if game.turn.endswith("M"):
            states.append(game.state)
        for seat in game.to_act():
            if game.outcome is not None:  # the last vote for a draw ends the match before all orders are in
                break
            events += game.apply(seat, BOTS[names[seat]](game, seat, Random(f"{seed}/{decision}/{seat}")))
        decision += 1
    return game, events, states, time.process_time() - began


def figures(seed: int, last_year: int, press: bool) -> Figures:
    """Return the figures of one match."""
    game, events, states, seconds = played(seed, last_year, press)
    assert game.outcome is not None
    result = Figures(seed, seconds, game.outcome.reason, tuple(game.outcome.winners), game.state.year)
    at = {state.name: state for state in states}
    result.events.update(type(event).__name__ for event in events)
    for event in events:
        if isinstance(event, PactOffered):
            result.events["counter"] += event.counters is not None
            result.events["long"] += event.until != event.phase
    result.lies = result.events["LieNoted"]
    orders = {event.phase: event.orders for event in events if isinstance(event, OrdersResolved)}
    for phase, listed in orders.items():
        if phase.endswith("M"):
            _count_supports(result, listed)
    for request in _requests(events, at):
        if request.phase not in orders:  # a draw ended the match before its orders
            continue
        given = any(_grants(order, request) for order in orders[request.phase].get(request.asked, ()))
        result.requests[given] += 1
    exchanges: Counter[tuple[str, frozenset[SeatId]]] = Counter()
    for event in events:
        if isinstance(event, MessageSent) and not event.public:
            exchanges.update((event.turn, frozenset((event.sender, recipient))) for recipient in event.recipients)
        elif isinstance(event, PromiseKept | PromiseBroken):
            result.verdicts[type(event).__name__] += 1
    result.exchanges = list(exchanges.values())
    result.sizes = {year: list(counts) for year, counts in game.years.items()}
    result.verdicts["lied and attacked"] = _with_attack(events, orders, at)
    _count_leaders(result, game)
    return result


def _count_supports(result: Figures, orders: Mapping[SeatId, Sequence[ResolvedOrder]]) -> None:
    owner = {order["from"][:3]: power for power, listed in orders.items() for order in listed if "from" in order}
    for power, listed in orders.items():
        for order in listed:
            if order["kind"] == "support":
                result.supports += 1
                if owner.get(order["target"][2:5]) not in (power, None):
                    result.foreign["void" in order["results"]] += 1


def _requests(events: Sequence[GameEvent], at: Mapping[str, State]) -> list[Request]:
    """Return the supports that were asked for, in letters or in pacts; each once a phase."""
    found: dict[Request, None] = {}
    with_pacts = {(event.phase, event.power) for event in events if isinstance(event, PactOffered)}
    for event in events:
        if isinstance(event, PactOffered):
            for term in event.terms:
                words = order_words(term["order"])
                if words.verb == "S" and term["power"] != event.power and term["turn"] in at:
                    request = Request(term["turn"], term["power"], words.place[:3], words.at[:3], words.to[:3])
                    found[request] = None
        elif (
            isinstance(event, MessageSent)
            and not event.public
            and (event.turn, event.sender) not in with_pacts
            and kinds_of(event.text) & ASKING
        ):
            sender, other = POWER[event.sender], POWER[event.recipients[0]]
            for kind, helper, unit, there in read(event.text, at[event.turn], sender, other).asked[:1]:
                if kind in (SUPPORT, SUPPORT_MOVE):
                    into = UNITS[there][2:5] if kind == SUPPORT_MOVE else ""
                    found[Request(event.turn, POWERS[other], UNITS[helper][2:5], UNITS[unit][2:5], into)] = None
    return list(found)


def _grants(order: ResolvedOrder, request: Request) -> bool:
    if order["kind"] != "support" or "target" not in order:
        return False
    return order["target"][2:5] == request.helped and order.get("to", "")[:3] == request.into


def _with_attack(events: Sequence[GameEvent], orders: Mapping[str, Any], at: Mapping[str, State]) -> int:
    """Return how many powers were lied to and attacked by the liar in the same phase."""
    pairs = {(lie.phase, lie.power, other) for lie in events if isinstance(lie, LieNoted) for other in lie.recipients}
    count = 0
    for phase, liar, victim in pairs:
        state = at[phase]
        places = {UNITS[unit][2:5] for owner, unit in state.units.values() if POWERS[owner] == victim}
        places |= {UNITS[center][2:5] for center, owner in state.centers.items() if POWERS[owner] == victim}
        given = orders.get(phase, {}).get(liar, ())
        count += any(order["kind"] == "move" and order["to"][:3] in places for order in given)
    return count


def _count_leaders(result: Figures, game: DiplomacyGame) -> None:
    assert game.outcome is not None
    for power in range(len(POWERS)):
        most = max(counts[power] for counts in game.years.values())
        for lead in LEADS:
            if most >= lead:
                result.leads[lead] += 1
                won = game.outcome.reason == "solo" and POWERS[power] in game.outcome.winners
                result.stopped[lead] += not won


def share(part: int, whole: int) -> str:
    """Return `17 of 40 = 42 % (29–58)`, with Clopper and Pearson's interval of 95 %."""
    if not whole:
        return "none"
    interval = share_interval(part, whole)
    return f"{part} of {whole} = {part / whole:.0%} ({interval.low:.0%}–{interval.high:.0%})"


def mean(values: Sequence[float]) -> str:
    """Return the mean with the half-width of its interval of 95 %."""
    half = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{fmean(values):.1f} ± {half:.1f}"


def rows(results: Sequence[Figures]) -> list[tuple[str, str]]:
    """Return the table: a name and a figure each."""
    total: dict[str, Counter[Any]] = {name: sum((getattr(one, name) for one in results), Counter()) for name in
             ("foreign", "requests", "leads", "stopped", "verdicts", "events")}  # fmt: skip
    counts = [count for one in results for count in one.exchanges]
    alone = Counter(one.winners[0] for one in results if one.reason == "solo")
    won = Counter(one.winners[0] for one in results if len(one.winners) == 1)
    reasons = Counter(one.reason for one in results)
    foreign, requests = total["foreign"], total["requests"]
    table = [
        ("foreign supports, of supports", share(foreign.total(), sum(one.supports for one in results))),
        ("foreign supports that are void", share(foreign[True], foreign.total())),
        ("requests for support that were given", share(requests[True], requests.total())),
        *((f"leaders of {lead} stopped", share(total["stopped"][lead], total["leads"][lead])) for lead in LEADS),
        *((f"ended: {reason}", share(reasons[reason], len(results))) for reason in sorted(reasons)),
        *((f"18 centres: {power.capitalize()}", share(alone[power], len(results))) for power in POWERS),
        *((f"won, with 18 or most: {power.capitalize()}", share(won[power], len(results))) for power in POWERS),
        *(
            (f"centres after {year}: {power.capitalize()}", mean([_size(one, year, at) for one in results]))
            for year in YEARS
            for at, power in enumerate(POWERS)
        ),
        ("last year", mean([one.year for one in results])),
        ("messages of a pair and season, where it has any", mean(counts) if counts else "none"),
        ("of such pairs and seasons, 3 messages or more", share(sum(count >= 3 for count in counts), len(counts))),
        *(
            (f"pacts {name}, a match", mean([one.events[kind] for one in results]))
            for name, kind in PACTS.items()
            if total["events"][kind]
        ),
        ("counter-offers, a match", mean([one.events["counter"] for one in results])),
        ("pacts of more than one season, a match", mean([one.events["long"] for one in results])),
        ("promises kept, a match", mean([one.verdicts["PromiseKept"] for one in results])),
        ("promises broken, a match", mean([one.verdicts["PromiseBroken"] for one in results])),
        ("lies noted, a match", mean([one.lies for one in results])),
        ("powers lied to and attacked at once, a match", mean([one.verdicts["lied and attacked"] for one in results])),
        ("CPU seconds, a match", mean([one.seconds for one in results])),
    ]
    return table


def _size(one: Figures, year: int, power: int) -> int:
    """Return the centres of a power after a year, or after the last year of a match that ended before."""
    return one.sizes[min(year, max(one.sizes))][power]


def kept(out: Path | None) -> dict[int, Figures]:
    """Return the figures that a file has, by seed. A last line that was cut off is removed from it."""
    if out is None or not out.exists():
        return {}
    data = out.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        out.write_bytes(whole)
    return {one.seed: one for one in map(ROW.validate_json, whole.splitlines())}


def main(
    matches: Annotated[int, typer.Option(help="how many matches are played")] = 12,
    seed: Annotated[int, typer.Option(help="the seed of the first; each next has the next")] = 1,
    last_year: Annotated[int, typer.Option(help="the year after which a match ends")] = 1920,
    workers: Annotated[int, typer.Option(help="how many matches are played at a time")] = 1,
    press: Annotated[bool, typer.Option(help="whether the powers may write")] = True,
    out: Annotated[Path | None, typer.Option(help="a file that keeps each match, to resume from")] = None,
) -> None:
    """Play the matches that are not kept yet and print the table of all."""
    seeds = range(seed, seed + matches)
    done = kept(out)
    missing = [one for one in seeds if one not in done]
    with ProcessPoolExecutor(workers) as pool:
        for result in pool.map(partial(figures, last_year=last_year, press=press), missing):
            done[result.seed] = result
            if out is not None:
                with out.open("ab") as file:
                    file.write(ROW.dump_json(result) + b"\n")
    results = [done[one] for one in seeds]
    print(f"| {matches} matches from seed {seed} | |\n|---|---|")
    for name, figure in rows(results):
        print(f"| {name} | {figure} |")


if __name__ == "__main__":
    typer.run(main)

"""Write a match of seven talking characters for reading: press, orders and centres, season by season.

    python scripts/diplomacy/transcript.py --seed 7 --last-year 1906

Rewrites docs/transcripts/diplomacy.md. The same seed writes the same file. `--powers`, `--first` and `--until`
leave out what others do and say, and other seasons.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.bots import showcase
from grandstand.games.diplomacy.bots.talking.board import place_words
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.trust import season_of
from grandstand.games.diplomacy.press.honesty import measures, stabs
from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, flat_drafts
from grandstand.play.runner import MatchRunner
from grandstand.players.bot import BotPlayer

OUT = Path(__file__).parents[2] / "docs/transcripts/diplomacy.md"
SEASONS = {"S": "Spring", "F": "Autumn", "W": "Winter"}

Data = Mapping[str, Any]


async def played(seed: int, last_year: int) -> tuple[dict[SeatId, str], list[Draft]]:
    """Return the players of a match by seat, and its log."""
    options = {"last_year": last_year}
    match = Match(game_spec("diplomacy"), options, seed)
    names = dict(zip(match.spec.seats(), showcase(Random(seed)), strict=True))
    runner = MatchRunner(match, {seat: BotPlayer(match.spec, name) for seat, name in names.items()})
    drafts = list(runner.started())
    while not match.over:
        async with aclosing(runner.play_round()) as pieces:
            async for piece in pieces:
                drafts += piece
    return names, list(flat_drafts(drafts))


@dataclass(frozen=True)
class Scope:
    """The powers and seasons that are told; by default all."""

    powers: frozenset[SeatId] = frozenset(POWERS)
    first: int = -1
    until: int = 10_000

    @property
    def whole(self) -> bool:
        return self == Scope()

    def holds(self, data: Data) -> bool:
        """Return whether an event is told, by its phase and those whom it concerns; what is public concerns all."""
        phase = data.get("turn", data.get("phase"))
        told = phase is None or self.first <= season_of(phase) <= self.until
        concerned = {data[name] for name in ("sender", "power") if name in data}
        concerned |= {*data.get("recipients", ()), *data.get("parties", ())}
        return told and (data.get("public", False) or concerned <= self.powers)


class Transcript:
    """The lines of the document, from the events of the match in order."""

    def __init__(self, names: Mapping[SeatId, str], drafts: Sequence[Draft], scope: Scope = Scope()) -> None:
        self.names = names
        self.scope = scope
        self.drafts = drafts
        self.lies = {
            (draft.data["power"], draft.data["phase"], draft.data["promise"], tuple(draft.data["recipients"]))
            for draft in drafts
            if draft.type == "LieNoted"
        }
        self.phase = ""

    def lines(self) -> Iterator[str]:
        """Yield the lines of the match itself."""
        yield from self._cast()
        for draft in self.drafts:
            data = draft.data
            if not self.scope.holds(data):
                continue
            if draft.type == "MessageSent":
                yield from self._message(data)
            elif draft.type == "NegotiationHeld" and data["round"] < data["rounds"] and self.scope.whole:
                yield from ("", "*The letters are delivered, and answered.*")
            elif draft.type == "PhaseAdvanced":
                self.phase = data["phase"]
            elif draft.type == "OrdersResolved":
                yield from self._orders(data)
            elif draft.type == "PromiseBroken":
                yield from self._broken(data)
            elif draft.type.startswith("Pact"):
                yield from self._pact(draft.type, data)
            elif draft.type == "DrawVoted":
                yield from ("", f"*{self._who(data['seat'])} votes: {data['vote']}.*")
            elif draft.type == "CentersChanged":
                yield from self._captures(data)
            elif draft.type == "PowerEliminated":
                yield from ("", f"**{self._who(data['power'])} is eliminated.**")
            elif draft.type == "EpisodeEnded":
                yield from ("", data["outcome"]["text"])
        if self.scope.whole:
            yield from self._honesty()

    def _cast(self) -> Iterator[str]:
        yield from ("| power | played by | |", "|---|---|---|")
        for seat, name in self.names.items():
            if seat not in self.scope.powers:
                continue
            yield f"| {seat.capitalize()} | {name} | {CHARACTERS[name].line} |"

    def _who(self, seat: SeatId) -> str:
        return f"{self.names[seat]} ({seat.capitalize()})"

    def _heading(self) -> Iterator[str]:
        """Yield the heading of a movement phase, once something happens in it."""
        if self.phase.endswith("M"):
            yield from ("", f"## {SEASONS[self.phase[0]]} {self.phase[1:5]}")
        self.phase = ""

    def _message(self, data: Data) -> Iterator[str]:
        yield from self._heading()
        to = "everybody" if data["public"] else " and ".join(seat.capitalize() for seat in data["recipients"])
        yield from ("", f"**{self._who(data['sender'])} to {to}:** {data['text']}")
        for promise in data["promises"]:
            lie = (data["sender"], data["turn"], promise, tuple(data["recipients"])) in self.lies
            yield f"<br>&nbsp;&nbsp;promises `{promise}`{' — *and does not mean it*' if lie else ''}"

    def _orders(self, data: Data) -> Iterator[str]:
        told = [seat for seat in POWERS if data["orders"].get(seat) and seat in self.scope.powers]
        if not told:
            return
        yield from self._heading()
        season = f"{SEASONS[data['phase'][0]]} {data['phase'][1:5]}"
        kind = {"M": "Orders", "R": "Retreats", "A": "Builds and removals"}[data["phase"][-1]]
        yield from ("", f"{kind} of {season.lower()}:", "")
        for seat in told:
            orders = [
                order["order"] + (f" ({', '.join(order['results'])})" if order["results"] else "")
                for order in data["orders"][seat]
            ]
            yield f"- {seat.capitalize()}: {'; '.join(orders)}"

    def _broken(self, data: Data) -> Iterator[str]:
        to = "everybody" if data["public"] else " and ".join(seat.capitalize() for seat in data["recipients"])
        lie = (data["power"], data["phase"], data["promise"], tuple(data["recipients"])) in self.lies
        deed = f"it had promised {to} `{data['meant']}` and ordered `{data['order']}`"
        yield from ("", f"⚡ **{self._who(data['power'])} {'lied' if lie else 'broke its word'}:** {deed}.")

    def _pact(self, kind: str, data: Data) -> Iterator[str]:
        """Yield what happens to a pact, below the letter that says so or the orders that decide it."""
        name = data["pact"]
        if kind == "PactOffered":
            terms = [f"`{term['turn']} {term['order']}`" for term in data["terms"]]
            terms += [f"nobody enters `{place}`" for place in data["zones"]]
            war = ", else war" if data["penalty"] == "war" else ""
            counters = f" instead of {data['counters']}" if data["counters"] else ""
            yield f"<br>&nbsp;&nbsp;*pact {name}{counters}, to {data['until']}{war}:* {', '.join(terms)}"
        elif kind in ("PactAccepted", "PactRefused"):
            yield f"<br>&nbsp;&nbsp;*{'accepts' if kind == 'PactAccepted' else 'refuses'} {name}*"
        elif kind == "PactKept":
            yield from ("", f"🤝 Pact {name} was kept.")
        else:
            deed = f"it has `{data['term']}`, and `{data['order']}` was ordered"
            yield from ("", f"⚡ **{self._who(data['power'])} broke pact {name}:** {deed}.")

    def _captures(self, data: Data) -> Iterator[str]:
        taken = [
            f"{capture['to'].capitalize()} takes {place_words(PROVINCE[capture['center']])}"
            + (f" from {capture['from'].capitalize()}" if capture["from"] else "")
            for capture in data["captured"]
        ]
        counts = ", ".join(f"{seat.capitalize()} {data['counts'][seat]}" for seat in POWERS)
        yield from ("", f"{'; '.join(taken)}.", "", f"Centres: {counts}.")

    def _honesty(self) -> Iterator[str]:
        events = [(draft.type, draft.data) for draft in self.drafts]
        yield from ("", "## The account", "")
        rows = {seat: measures(events, seat) for seat in self.names}
        columns = list(next(iter(rows.values())))
        yield from (f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|")
        for seat, row in rows.items():
            yield f"| {self._who(seat)} | {' | '.join(f'{value:.0f}' for value in row.values())} |"
        yield ""
        for phase, attacker, victim in stabs(events):
            yield f"- {SEASONS[phase[0]]} {phase[1:5]}: {self._who(attacker)} stabbed {self._who(victim)}."


def main(
    seed: Annotated[int, typer.Option(help="seed of the match")] = 7,
    last_year: Annotated[int, typer.Option(help="the match ends after the fall of this year")] = 1906,
    powers: Annotated[str, typer.Option(help="the powers that are told, with commas; all by default")] = "",
    first: Annotated[str, typer.Option(help="the first season that is told: S1905M")] = "",
    until: Annotated[str, typer.Option(help="the last season that is told: F1906M")] = "",
    title: Annotated[str, typer.Option(help="the heading of the file")] = "A match of seven characters that talk",
    out: Annotated[Path, typer.Option(help="the file to write")] = OUT,
) -> None:
    """Play the match and write its transcript."""
    names, drafts = asyncio.run(played(seed, last_year))
    scope = Scope(
        frozenset(filter(None, powers.split(","))) or frozenset(POWERS),
        season_of(first) if first else -1,
        season_of(until) if until else 10_000,
    )
    told = "" if scope.whole else f" --powers {powers} --first {first} --until {until} --title '{title}' --out {out}"
    part = "" if scope.whole else "A part of a match: what these powers wrote to each other and to all, and ordered. "
    head = [
        f"# {title}",
        "",
        f"{part}Seed {seed}, to {last_year}. Everything in it, the letters too, was written by the built-in characters "
        f"(`grandstand/games/diplomacy/bots/talking/`). `python scripts/diplomacy/transcript.py --seed {seed} "
        f"--last-year {last_year}{told}` writes this file.",
        "Secret letters are shown, and after a promise the note of its sender if it did not mean it: as an operator "
        "sees a match. The rules of promises and pacts: [diplomacy-rules.md](../diplomacy-rules.md#promises).",
        "",
    ]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("\n".join([*head, *Transcript(names, drafts, scope).lines()]) + "\n", encoding="utf-8")
    typer.echo(f"{out}: {sum(draft.type == 'MessageSent' for draft in drafts)} messages")


if __name__ == "__main__":
    typer.run(main)

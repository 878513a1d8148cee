"""Play matches of a program against the cast of the showcase, on a server: one seat after another, seed after seed.

    python scripts/program_matches.py --game cricket --matches 20 -- node examples/bots/bot.mjs

The server is at --url, and whoever runs this is an operator there. URL EPISODE SEAT TOKEN are added to the command.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx2

from grandstand.games.registry import game_spec
from grandstand.models import Event, flat
from grandstand.spectator.replay import events_from_lines
from grandstand.terminal.console import match_options

LONGEST = 1800.0
"""Seconds for one match."""


@dataclass(frozen=True, slots=True)
class Played:
    """One match: what the program got, and who made the decisions of its seat."""

    episode_id: str
    seat: str
    score: float
    best: float
    """The highest score of another seat."""
    sources: dict[str, int]
    """Who decided -> how many decisions."""
    faults: int


def play(
    client: httpx2.Client, game: str, options: dict[str, Any], seed: int, index: int, command: list[str]
) -> Played:
    """Play one match, and read its record."""
    spec = game_spec(game)
    seats = spec.seats(options)
    cast = dict(zip(seats, spec.bots.showcase(Random(seed)), strict=True))
    seat = seats[index % len(seats)]
    request = {"game": game, "options": options, "players": {**cast, seat: "remote"}, "seed": seed, "pace": 0}
    started = client.post("/api/episodes", json=request).raise_for_status().json()
    path = f"/api/episodes/{started['episode_id']}"
    token = client.post(f"{path}/seats/{seat}/token").raise_for_status().json()["token"]
    words = [*command, str(client.base_url).rstrip("/"), started["episode_id"], seat, token]
    subprocess.run(words, check=True, timeout=LONGEST, stdout=subprocess.DEVNULL)
    lines = client.get(f"{path}/replay", params={"as": "operator"}).raise_for_status().text.splitlines()
    return read(started["episode_id"], seat, events_from_lines(lines))


def read(episode_id: str, seat: str, events: Sequence[Event]) -> Played:
    """Return what the record says of the program's seat."""
    scores = {name: float(score) for name, score in events[-1].data["outcome"]["scores"].items()}
    sources: dict[str, int] = {}
    faults = 0
    for event in flat(events):
        if event.data.get("seat") == seat and event.type == "ActionChosen":
            sources[event.data["source"]] = sources.get(event.data["source"], 0) + 1
        faults += event.data.get("seat") == seat and event.type in ("PlayerFault", "ActionRejected")
    best = max(score for name, score in scores.items() if name != seat)
    return Played(episode_id, seat, scores[seat], best, sources, faults)


def report(played: list[Played]) -> Iterator[str]:
    """Yield the lines of the summary."""
    yield "| match | seat | score | best other | decisions | faults |"
    yield "|---|---|---|---|---|---|"
    for match in played:
        decisions = ", ".join(f"{count} {source}" for source, count in match.sources.items())
        scores = f"{match.score:.2f} | {match.best:.2f}"
        yield f"| {match.episode_id} | {match.seat} | {scores} | {decisions} | {match.faults} |"
    total = sum(sum(match.sources.values()) for match in played)
    own = sum(match.sources.get("remote", 0) for match in played)
    mean = sum(match.score for match in played) / len(played)
    faults = sum(match.faults for match in played)
    yield f"{len(played)} matches: mean score {mean:.3f}, {own} of {total} decisions the program's own, {faults} faults"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--game", default="cricket")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], help="a match option, name=value")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    with httpx2.Client(base_url=given.url, timeout=60.0) as client:
        played = [
            play(client, given.game, match_options(given.set), given.seed + at, at, given.command)
            for at in range(given.matches)
        ]
    print("\n".join(report(played)))


if __name__ == "__main__":
    main()

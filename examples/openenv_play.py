"""Play one or more seats of a match by chance, each over an OpenEnv session of its own, against built-in players.

    python examples/openenv_play.py --game diplomacy --seats FRANCE,GERMANY --turns 6

It needs `openenv` and nothing of this repository. The first session makes the match and leaves the other seats open;
the others join it by their tokens. No session blocks another: one that has to wait is told so, and asks again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from typing import Any

from openenv import GenericEnvClient


def choice(observation: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a step: some legal action, silence in a round of press, or nothing where others are to act."""
    number = observation["number"]
    if observation["status"] == "negotiate":
        return {"messages": [], "number": number}
    if observation["status"] != "choose":
        return {}
    legal = observation["legal"]
    if observation["game"] == "diplomacy":
        return {"action": {"orders": [rng.choice(orders) for orders in legal["orders"].values()]}, "number": number}
    return {"action": {"tool": legal["must"], "arguments": {}}, "number": number}


async def play(env: GenericEnvClient, result: Any, rng: random.Random) -> float:
    """Play a seat to the end of its match, and return its score."""
    while not result.done:
        result = await env.step(choice(result.observation, rng))
        if result.observation["error"]:
            result = await env.step({"action": {"orders": []}})  # choices that do not go together: hold
    return float(result.reward)


async def play_match(url: str, game: str, seats: list[str], opponents: str, turns: int, seed: int) -> dict[str, float]:
    """Play one match, and return the score of each of `seats`."""
    rng = random.Random(seed)
    envs = [GenericEnvClient(base_url=url) for _ in seats]
    show = ["legal"]  # a program wants data; a language model wants `text`, which is the default
    players = {"opponents": dict.fromkeys(seats[1:], "remote")} if seats[1:] else {"opponents": opponents}
    words = {"game": game, "seat": seats[0], "seed": seed, "max_turns": turns, "show": show, **players}
    try:
        first = await envs[0].reset(**words)
        observation = first.observation
        print(f"watch it at {url}{observation['watch']}", flush=True)
        started = [first]
        for env, seat in zip(envs[1:], seats[1:], strict=True):
            token = observation["metadata"]["open_seats"][seat]
            started.append(await env.reset(match=observation["match_id"], seat=seat, seat_token=token, show=show))
        scores = await asyncio.gather(*(play(env, result, rng) for env, result in zip(envs, started, strict=True)))
    finally:
        await asyncio.gather(*(env.close() for env in envs))
    return dict(zip(seats, scores, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--game", default="diplomacy")
    parser.add_argument("--seats", default="FRANCE", help="comma-separated")
    parser.add_argument("--opponents", default="dumbbot", help="who plays the others where there is one seat")
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seats = options.seats.split(",")
    print(
        asyncio.run(play_match(options.url, options.game, seats, options.opponents, options.turns, options.seed)),
        flush=True,
    )


if __name__ == "__main__":
    main()

"""An environment of your own, live on a Grandstand server: `python examples/live_environment.py [URL]`.

Start the server with `GRANDSTAND_PUBLISH_TOKEN=secret make run` and this with the same token in the environment. The
class below stands for any Gymnasium-style environment; the twenty lines that show it are those of `main`.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path
from typing import Any

from grandstand.spectator.hooks import EnvObserver
from grandstand.spectator.publisher import Publisher


class Lander:
    """Land softly: burn to slow down, but fuel is short. Gymnasium's reset and step, without the package."""

    def reset(self, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
        rng = random.Random(seed)
        self.height, self.speed, self.fuel = 100.0 + rng.random() * 20, 0.0, 60
        return self._obs(), {}

    def step(self, burn: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        burn = min(burn, self.fuel)
        self.fuel -= burn
        self.speed += 1.6 - burn * 0.8
        self.height = max(0.0, self.height - self.speed)
        down = self.height == 0.0
        return self._obs(), (100.0 - 10 * max(0.0, self.speed - 1)) if down else -0.1 * burn, down, False, {}

    def _obs(self) -> dict[str, Any]:
        return {"height": round(self.height, 1), "speed": round(self.speed, 2), "fuel": self.fuel}


async def main(url: str) -> None:
    env = Lander()
    obs, _ = env.reset(seed=1)
    token = os.environ["GRANDSTAND_PUBLISH_TOKEN"]
    async with Publisher(url, token, Path("data/lander.db")) as publisher:
        watch = EnvObserver(publisher, "lander", title="Moon lander", players={"agent": "rule of thumb"})
        print(f"{url}/episode/{await watch.start(obs)}")
        done, turn = False, 0
        while not done:
            burn = 3 if obs["speed"] > 1 + obs["height"] / 12 else 0
            before = await watch.before_step({"burn": burn}, obs, turn=turn)
            obs, reward, done, _, _ = env.step(burn)
            await watch.after_step({"burn": burn}, before, obs, reward, turn=turn)
            turn += 1
            await asyncio.sleep(0.5)
        await watch.end(obs)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"))

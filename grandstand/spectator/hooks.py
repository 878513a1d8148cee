"""Hooks that show an environment live: four calls around the loop of any Gymnasium- or PettingZoo-style environment.

    async with Publisher(url, token, Path("buffer.db")) as publisher:
        watch = EnvObserver(publisher, "cartpole", seats=["agent"])
        await watch.start(obs)
        while not done:
            pre = await watch.before_step(action, obs, turn=turn)
            obs, reward, done, _, info = env.step(action)
            await watch.after_step(action, pre, obs, reward, turn=turn)
        await watch.end(state)

The page shows the episode with the generic board, which displays `state` as a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.events import ActionChosen, EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.models import Draft, OutcomeData
from grandstand.spectator.publisher import Publisher


class EnvObserver:
    """A publisher of one episode of an environment. Observations must be convertible to JSON by `plain`."""

    def __init__(
        self,
        publisher: Publisher,
        game: str,
        *,
        seats: Sequence[str] = ("agent",),
        players: Mapping[str, str] | None = None,
        title: str = "",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._publisher = publisher
        self._seats = list(seats)
        self._returns = dict.fromkeys(seats, 0.0)
        self._players = dict(players or {})
        self._game = game
        self._title = title or game
        self._options = dict(options or {})
        self.episode_id = ""

    async def start(self, obs: Any) -> str:
        """Begin the episode with `obs` and return its id, which is also the last part of its address."""
        self.episode_id = self._publisher.open(self._game)
        created = EpisodeCreated(
            game=self._game,
            title=self._title,
            options=self._options,
            seats=[SeatInfo(seat=seat, player=self._players.get(seat, seat), kind="remote") for seat in self._seats],
            origin="publisher",
        )
        self._publish(
            Draft.of(created), Draft.of(EpisodeStarted()), Draft("Observed", {"state": plain(obs)}), self._turn(0)
        )
        return self.episode_id

    async def before_step(self, action: Any, obs: Any, *, turn: int, seat: str | None = None) -> str:
        """Publish the `action` of `seat`, by default the first; return the value for `pre` of `after_step`."""
        seat = seat or self._seats[0]
        decision = ActionChosen(seat=seat, index=turn, action=_mapping(action), source="remote")
        self._publish(Draft.of(decision))
        return seat

    async def after_step(
        self, action: Any, pre: str, next_obs: Any, reward: float | Mapping[str, float] | None, *, turn: int
    ) -> None:
        """Publish the next observation and the reward, a number for the acting seat or a mapping by seat."""
        rewards = reward if isinstance(reward, Mapping) else {pre: float(reward or 0.0)}
        for seat, value in rewards.items():
            self._returns[seat] = self._returns.get(seat, 0.0) + float(value)
        observed = Draft("Observed", {"state": plain(next_obs), "rewards": plain(rewards)})
        self._publish(observed, self._turn(turn + 1))

    async def end(self, state: Any = None) -> None:
        """End the episode; `state` is its final state, if any."""
        best = max(self._returns.values(), default=0.0)
        outcome = OutcomeData(
            reason="ended",
            winners=[seat for seat, value in self._returns.items() if value == best],
            scores=dict(self._returns),
            text=", ".join(f"{seat} {value:g}" for seat, value in self._returns.items()),
        )
        last = [Draft("Observed", {"state": plain(state)})] if state is not None else []
        self._publish(*last, Draft.of(EpisodeEnded(status="finished", outcome=outcome)))

    def _turn(self, index: int) -> Draft:
        turn = TurnStarted(index=index, turn=str(index), to_act=self._seats, scores=dict(self._returns))
        return Draft.of(turn)

    def _publish(self, *drafts: Draft) -> None:
        self._publisher.publish(self.episode_id, drafts)


def plain(value: Any) -> Any:
    """Convert `value` to JSON-ready data: numbers, strings, lists and mappings; arrays by their `tolist`."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return str(value)


def _mapping(action: Any) -> dict[str, Any]:
    data = plain(action)
    return data if isinstance(data, dict) else {"action": data}

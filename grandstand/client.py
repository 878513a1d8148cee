"""The typed client of the OpenEnv environment: a seat of a match, from any program.

    from client import GrandstandEnv
    from models import MatchAction

    with GrandstandEnv(base_url="http://127.0.0.1:8000") as env:
        result = env.reset(game="diplomacy", seat="FRANCE", opponents="dumbbot")
        while not result.done:
            reply = model(result.observation.system_prompt, result.observation.text)
            result = env.step(MatchAction(reply=reply))

It works in `async` code too, with `async with` and `await`. The arguments of `reset` are described in docs/openenv.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient

if TYPE_CHECKING or not __package__:
    from grandstand.models import MatchAction, MatchObservation, MatchState
else:  # in the client's own distribution, where this module is in a package
    from .models import MatchAction, MatchObservation, MatchState  # noqa: TID252


class GrandstandEnv(EnvClient[MatchAction, MatchObservation, MatchState]):  # type: ignore[misc]
    """One session: one seat of a match. `rejoin` resumes a seat after its connection was lost."""

    def rejoin(self, first: MatchObservation, **words: Any) -> Any:
        """Resume the seat of the observation `first` over a new connection. Returns what `reset` returns."""
        return self.reset(match=first.match_id, seat=first.seat, seat_token=first.seat_token, **words)

    def _step_payload(self, action: MatchAction) -> dict[str, Any]:
        return action.model_dump(mode="json", exclude_none=True)

    def _parse_result(self, payload: Mapping[str, Any]) -> StepResult[MatchObservation]:
        reward, done = payload["reward"], payload["done"]
        observation = MatchObservation(**{**payload["observation"], "reward": reward, "done": done})
        return StepResult(observation=observation, reward=reward, done=done, metadata=payload.get("metadata"))

    def _parse_state(self, payload: Mapping[str, Any]) -> MatchState:
        return MatchState(**payload)

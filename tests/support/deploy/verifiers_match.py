"""Episodes through the released verifiers, for `test_verifiers.py`: each is a line of settings in, one of traces out.

Runs in verifiers' environment, whose imports take most of the time of a short match. The environment of a game is found
by its id, as verifiers' own commands find it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from verifiers.v1.clients import EvalClientConfig, ModelContext
from verifiers.v1.configs.env import EnvConfig
from verifiers.v1.env import Env
from verifiers.v1.utils.generic import concrete_type
from verifiers.v1.utils.loaders import environment_class, load_environment


async def play(asked: dict[str, Any]) -> dict[str, Any]:
    config_class: Any = concrete_type(environment_class(asked["id"]), EnvConfig, origin=Env)
    config = config_class.model_validate({**asked["env"], "taskset": {"id": asked["id"], **asked["taskset"]}})
    environment = load_environment(config)
    context = ModelContext(model="model", client=EvalClientConfig(base_url=asked["url"], api_key_var="NO_KEY"))
    task = next(iter(environment.taskset))
    async with environment.serving():
        (slot,) = environment.slots(task)
        episode = await environment.run_slot(slot, context)
    return {
        "ok": episode.ok,
        "errors": [error.message for error in episode.errors],
        "traces": {trace.agent.name: described(trace) for trace in episode.traces},
    }


def described(trace: Any) -> dict[str, Any]:
    return {
        "trainable": trace.agent.trainable,
        "rewards": {name: reward.value for name, reward in trace.rewards.items()},
        "metrics": dict(trace.metrics),
        "branches": [[message.role for message in branch.messages] for branch in trace.branches],
        "texts": [str(message.content) for branch in trace.branches for message in branch.messages],
        "stop": trace.stop_condition,
        "errors": [error.type for error in trace.errors],
    }


for line in sys.stdin:
    sys.stdout.write(json.dumps(asyncio.run(play(json.loads(line)))) + "\n")
    sys.stdout.flush()

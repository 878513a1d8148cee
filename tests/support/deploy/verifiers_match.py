"""Episodes through the released verifiers, for `test_verifiers.py`: each is a line of settings in, one of traces out.

Runs in verifiers' environment, whose imports take most of the time of a short match.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from grandstand_verifiers import load_environment
from verifiers.v1.clients import EvalClientConfig, ModelContext


async def play(asked: dict[str, Any]) -> dict[str, Any]:
    environment = load_environment(asked["game"], **asked["settings"])
    context = ModelContext(model="model", client=EvalClientConfig(base_url=asked["url"], api_key_var="NO_KEY"))
    task = next(iter(environment.taskset))
    async with environment.serving():
        (slot,) = environment.slots(task)
        episode = await environment.run_slot(slot, context)
    return {
        "ok": episode.ok,
        "errors": [error.message for error in episode.errors],
        "traces": {trace.task.data.description: described(trace) for trace in episode.traces},
    }


def described(trace: Any) -> dict[str, Any]:
    return {
        "agent": trace.agent.name,
        "trainable": trace.agent.trainable,
        "rewards": {name: reward.value for name, reward in trace.rewards.items()},
        "metrics": dict(trace.metrics),
        "branches": [[message.role for message in branch.messages] for branch in trace.branches],
        "texts": [str(message.content) for branch in trace.branches for message in branch.messages],
        "stop": trace.stop_condition,
        "errors": [error.type for error in trace.errors],
    }


def answered(line: str) -> dict[str, Any]:
    try:
        return asyncio.run(play(json.loads(line)))
    except ValueError as error:
        return {"refused": str(error)}


for line in sys.stdin:
    sys.stdout.write(json.dumps(answered(line)) + "\n")
    sys.stdout.flush()

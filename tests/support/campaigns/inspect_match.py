"""An evaluation by Inspect with a model that keeps to the schema, for `test_inspect_task.py`; runs where Inspect is."""

from __future__ import annotations

import json
import sys
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.model import GenerateConfig, ModelOutput, get_model

from grandstand.campaigns.evaluation.inspect_task import match
from tests.support.players.schema_answers import answer_to


def answered(messages: Any, tools: Any, choice: Any, config: GenerateConfig) -> ModelOutput:
    assert config.response_schema is not None
    schema = config.response_schema.json_schema.model_dump(exclude_none=True)
    return ModelOutput.from_content("mockllm", json.dumps(answer_to(schema)))


asked = json.loads(sys.argv[1])
model = get_model("mockllm/model", custom_outputs=answered)
(log,) = evaluate(match(**asked["task"]), model=model, log_dir=asked["logs"], display="none", limit=asked["limit"])
scores = {score.name: next(iter(score.metrics.values())).value for score in log.results.scores} if log.results else {}
metrics = {
    score.name: {name: metric.value for name, metric in score.metrics.items()}
    for score in (log.results.scores if log.results else [])
}
samples = [
    {
        "messages": [message.role for message in sample.messages],
        "scores": {name: score.value for name, score in (sample.scores or {}).items()},
        "shown": sample.metadata.get("grandstand"),
        "error": sample.error.message if sample.error else None,
    }
    for sample in log.samples or []
]
print(json.dumps({"status": log.status, "metrics": metrics, "samples": samples}))  # noqa: T201

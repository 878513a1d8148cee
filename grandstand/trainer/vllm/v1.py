"""The logits processor that vLLM's V1 model runner loads, by name. Imported in the engine's process alone."""

from vllm.v1.sample.logits_processor import LogitsProcessor

from grandstand.trainer.vllm.processors import Rows


class V1Processor(Rows, LogitsProcessor):  # type: ignore[misc]
    """Masks what is not legal."""

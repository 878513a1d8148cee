"""The logits processor that vLLM's Model Runner V2 loads, by name. Imported in the engine's process alone."""

from vllm.v1.worker.gpu.sample.logits_processor import LogitsProcessor

from grandstand.trainer.vllm.processors import Slots


class V2Processor(Slots, LogitsProcessor):  # type: ignore[misc]
    """Masks what is not legal."""

"""A policy: a causal language model with a LoRA adapter, and the codec of its prompts and replies.

`nano` is the built-in one: a small randomly initialized Llama over the game's shorthand. Any other name is the folder
of a saved policy, or a model of the Hugging Face Hub.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model, get_peft_model_state_dict
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedModel
from transformers.utils.logging import disable_progress_bar

from grandstand.games.spec import GameSpec
from grandstand.trainer.config.sections import NANO, PolicySettings
from grandstand.trainer.model.codec import WORDS, ChatCodec, Codec, WordCodec
from grandstand.trainer.model.legal_softmax import LegalTokens, legal_logprobs
from grandstand.trainer.model.versions import ADAPTER

TARGETS: dict[str, list[str]] = {
    "attention": ["q_proj", "k_proj", "v_proj", "o_proj"],
    "mlp": ["gate_proj", "up_proj", "down_proj"],
}
TARGETS["both"] = TARGETS["attention"] + TARGETS["mlp"]
_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


disable_progress_bar()  # type: ignore[no-untyped-call]  # a run has its own


class PolicyError(ValueError):
    """An unusable policy; the message names the setting and the remedy."""


class Policy:
    """A causal LM (`model`, wrapped by peft if it has an adapter) and its codec.

    `decoder` is the part below the output head.
    """

    def __init__(self, model: PreTrainedModel | PeftModel, codec: Codec) -> None:
        self.model = model
        self.codec = codec
        causal: Any = model.get_base_model() if isinstance(model, PeftModel) else model
        self.decoder: nn.Module = causal.base_model
        self.head: Tensor = causal.get_output_embeddings().weight
        self.pad: int = causal.config.pad_token_id or 0
        """The token that pads rows; it is never attended to."""

    @property
    def device(self) -> torch.device:
        return self.head.device

    def trainable(self) -> list[tuple[str, nn.Parameter]]:
        """Return the trainable parameters by name, in a fixed order."""
        return [(name, p) for name, p in sorted(self.model.named_parameters()) if p.requires_grad]

    def hidden(self, ids: Tensor, **kwargs: Any) -> Any:
        """Return the decoder's output: `.last_hidden_state` [B, L, H], `.past_key_values`."""
        return self.decoder(input_ids=ids, **kwargs)

    @contextmanager
    def without_adapter(self) -> Iterator[None]:
        """Disable the adapter inside the block."""
        if not isinstance(self.model, PeftModel):
            raise PolicyError("policy: it has no adapter, and so no base policy without it")
        with self.model.disable_adapter():
            yield

    def adapter(self) -> dict[str, Tensor]:
        """Return the adapter's tensors by peft's names, shared, not copied."""
        # By default peft asks the Hub at every call whether the vocabulary has grown; ours never grows.
        state: dict[str, Tensor] = get_peft_model_state_dict(self.model, save_embedding_layers=False)
        return state

    def load_adapter(self, state: Mapping[str, Tensor]) -> None:
        """Copy in tensors as `adapter()` returns them. Raises PolicyError if names or shapes differ."""
        own = self.adapter()
        shapes, theirs = ({name: t.shape for name, t in tensors.items()} for tensors in (own, state))
        if shapes != theirs:
            raise PolicyError(f"policy: the adapter's tensors differ: {sorted(shapes.items() ^ theirs.items())[:3]}")
        with torch.no_grad():
            for name, tensor in own.items():
                tensor.copy_(state[name])

    def save(self, folder: Path) -> None:
        """Save the policy in `folder`; if it has an adapter, the adapter alone, as peft saves it."""
        if isinstance(self.model, PeftModel):
            self.model.save_pretrained(str(folder), save_embedding_layers=False)
        else:
            self.model.save_pretrained(str(folder))
            self.codec.save(folder)


def load(settings: PolicySettings, spec: GameSpec, base: Path | None = None) -> Policy:
    """Load the policy of `settings`, without an adapter; from the folder `base` if there is one.

    Raises PolicyError if it cannot be loaded, or if its output is not its head times its last hidden state.
    """
    if base is None and settings.model == NANO:
        return _move(nano(spec, seed=0), settings)
    source = str(base or settings.model)
    try:
        attention = "flex_attention" if settings.attention == "flex" else "sdpa"
        model = AutoModelForCausalLM.from_pretrained(
            source, dtype=_DTYPES[settings.dtype], attn_implementation=attention
        )
        codec = load_codec(source, spec)
    except (OSError, ValueError) as error:
        if (Path(source) / ADAPTER).is_file():
            raise PolicyError(f"policy.model: {source!r} is a version of a run; name it by policy.init") from error
        raise PolicyError(f"policy.model: cannot load {source!r}: {error}") from error
    policy = _move(Policy(model, codec), settings)
    _check_head(policy)
    return policy


def load_codec(source: str, spec: GameSpec) -> Codec:
    """Load the codec of the policy in a folder or of the Hub. Raises OSError or ValueError."""
    if (Path(source) / WORDS).is_file():
        return WordCodec.load(Path(source), spec.training)
    return ChatCodec(AutoTokenizer.from_pretrained(source), spec)


def nano(spec: GameSpec, seed: int) -> Policy:
    """Build a fresh policy over the game's shorthand: about 0.18 million parameters, depending on its vocabulary."""
    codec = WordCodec(spec.training)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=len(codec.words),
                hidden_size=64,
                intermediate_size=192,
                num_hidden_layers=3,
                num_attention_heads=4,
                num_key_value_heads=4,
                max_position_embeddings=512,
                tie_word_embeddings=True,
                attention_dropout=0.0,
                pad_token_id=WordCodec.PAD,
                bos_token_id=None,
                eos_token_id=WordCodec.END,
            )
        )
    return Policy(model, codec)


def with_adapter(policy: Policy, settings: PolicySettings, seed: int) -> Policy:
    """Return the policy with a fresh LoRA adapter, which changes nothing yet: its second factors are zero."""
    config = LoraConfig(
        r=settings.lora_rank,
        lora_alpha=settings.lora_alpha or 2 * settings.lora_rank,
        lora_dropout=settings.lora_dropout,
        target_modules=TARGETS[settings.lora_targets],
        bias="none",
        task_type="CAUSAL_LM",
    )
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        # peft uses an older name in transformers.
        warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated", FutureWarning)
        torch.manual_seed(seed)
        model = get_peft_model(policy.model, config)
    if settings.gradient_checkpointing:
        model.enable_input_require_grads()
        model.activation_checkpointing_enable({"use_reentrant": False})
    return Policy(model.eval(), policy.codec)


def read_adapter(folder: Path) -> dict[str, Tensor]:
    """Read the tensors of an adapter's folder, by the names of `Policy.adapter`."""
    return load_file(folder / ADAPTER)


def _move(policy: Policy, settings: PolicySettings) -> Policy:
    device = settings.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    model: Any = policy.model
    return Policy(model.to(device=device, dtype=_DTYPES[settings.dtype]).eval(), policy.codec)


@torch.no_grad()
def _check_head(policy: Policy) -> None:
    """Raise PolicyError unless the logits are the head times the last hidden state, as `legal_softmax` assumes."""
    ids = torch.arange(1, 5, device=policy.device)[None]
    causal: Any = policy.model
    expected = causal(input_ids=ids).logits[0].float().log_softmax(-1)
    vocabulary = torch.arange(len(policy.head), device=policy.device).expand(4, -1)
    everything = LegalTokens(vocabulary, torch.ones_like(vocabulary, dtype=torch.bool))
    ours = legal_logprobs(policy.hidden(ids).last_hidden_state[0], policy.head, everything, 1.0)
    if (expected - ours).abs().max() > (0.25 if policy.head.dtype == torch.bfloat16 else 1e-3):
        raise PolicyError(
            "policy.model: its logits are not its output embedding times its last hidden state (soft-capped or scaled"
            " logits, or a bias); such models are not supported"
        )

"""The card of a pushed policy: base model, game, prompt, training, and evaluation with intervals."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from grandstand.campaigns.markdown import rows as table
from grandstand.games.registry import game_spec
from grandstand.players.llm.prompt import prompt_hash
from grandstand.players.options import LLMOptions
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.metrics import MetricsRow, read_lines
from grandstand.trainer.model.codec import WORDS

EVALUATIONS = {"vs_base": "the policy that it began as", "vs_field": "the opponents of training"}


def card(config: TrainConfig, run: Path, step: int, base: Path | None, licence: str) -> str:
    """Return the card of a version of the run in the folder `run`; `base` is the model in its repository, if any."""
    spec = game_spec(config.game.name)
    tags = ("grandstand", "reinforcement-learning", "grpo", "lora", spec.name)
    head = [
        "---",
        *([f"license: {json.dumps(licence)}"] if licence else []),
        "library_name: peft",
        "pipeline_tag: text-generation",
        *([] if base else [f"base_model: {json.dumps(config.policy.model)}"]),
        "tags:",
        *(f"- {tag}" for tag in tags),
        "---",
        "",
    ]
    return "\n".join(
        [
            *head,
            f"# {config.run.name}, version {step}",
            "",
            f"A policy for {spec.rules.title}, trained by Grandstand on recorded matches. All its settings are in "
            "`grandstand/config.toml`.",
            "",
            table(["setting", "value"], _settings(config, step, base)),
            "",
            "## Evaluation",
            "",
            *_evaluation(run, step),
            "",
            "## Use",
            "",
            "`grandstand train pull --from hf:OWNER/NAME --out FOLDER` makes a folder that a roster entry of kind",
            "`trained`, and the setting `policy.init`, take. Other programs load the adapter with peft.",
            "",
        ]
    )


def _settings(config: TrainConfig, step: int, base: Path | None) -> list[tuple[str, str]]:
    """Return the settings of the run that the card names, each with its value."""
    spec, optimizer = game_spec(config.game.name), config.optimizer
    below = "the model in `base/`" if base else f"`{config.policy.model}`"
    origin = f", first cloned from {', '.join(config.clone.bots)}" if config.clone.bots else ""
    if config.policy.init:
        origin = ", from a version of another run"
    return [
        ("game", f"{spec.rules.title}, options `{json.dumps(dict(config.game.options))}`"),
        ("base model", f"{below}{origin}"),
        ("prompt", f"`{_prompt(config, base)}`"),
        ("adapter", f"LoRA of rank {config.policy.lora_rank} on {config.policy.lora_targets}"),
        ("steps", f"{step} of {config.run.steps}, seed {config.run.seed}"),
        (
            "a step",
            f"{config.rollout.groups} groups of {config.rollout.samples} forks, horizon {config.rollout.horizon:g}, "
            f"temperature {config.rollout.temperature:g}",
        ),
        ("loss", f"{config.loss.variant}, KL coefficient {config.kl.beta:g} to `{config.kl.reference}`"),
        ("optimizer", f"AdamW, learning rate {optimizer.learning_rate:g}, {optimizer.schedule}"),
        ("reward", ", ".join(f"{name} {weight:g}" for name, weight in config.reward.worth.items())),
        ("opponents", ", ".join(config.rollout.opponents)),
    ]


def _prompt(config: TrainConfig, base: Path | None) -> str:
    """Return the version of the prompt; for a policy that reads shorthand, a hash of its vocabulary."""
    if base is not None and (base / WORDS).is_file():
        return f"shorthand {hashlib.blake2b((base / WORDS).read_bytes(), digest_size=6).hexdigest()}"
    return prompt_hash(game_spec(config.game.name), LLMOptions(base_url="http://127.0.0.1", model=config.policy.model))


def _evaluation(run: Path, step: int) -> list[str]:
    """Return lines on the newest evaluation up to `step`, as the run recorded it."""
    evaluated = [
        row for row in read_lines(run) if row["step"] <= step and any(f"eval/{e}/gain" in row for e in EVALUATIONS)
    ]
    if not evaluated:
        return ["This version was not evaluated."]
    row = evaluated[-1]
    return [
        f"Version {row['step']:.0f} and the policy that it began as, in the same seats of the same new situations with "
        "the same seeds. Intervals are of 95 %.",
        "",
        table(
            ["against", "situations", "mean score", "score before", "gain", "Elo difference"],
            (_cells(row, label) for label in EVALUATIONS if f"eval/{label}/gain" in row),
        ),
    ]


def _cells(row: MetricsRow, label: str) -> list[str]:
    value = {
        key: row.get(f"eval/{label}/{key}") for key in ("games", "mean", "base", "gain", "ci95", "elo", "elo_ci95")
    }
    return [
        EVALUATIONS[label],
        f"{value['games']:.0f}",
        f"{value['mean']:.3f}",
        f"{value['base']:.3f}",
        _interval(value["gain"], value["ci95"], ".3f"),
        _interval(value["elo"], value["elo_ci95"], ".0f"),
    ]


def _interval(mean: float | None, half: float | None, form: str) -> str:
    if mean is None:
        return "too few matches"
    return f"{mean:{form}} ± {half:{form}}" if half is not None else f"{mean:{form}}, no interval"

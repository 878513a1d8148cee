"""Second names of metrics, for dashboards that expect these. No tensors."""

from __future__ import annotations

import re
from collections.abc import Mapping

ALIASES: tuple[tuple[str, str], ...] = (
    ("kl/mean", "benchmark/kl"),
    ("buffer/consumed", "game/total_games"),
    ("result/centers", "game/avg_sc_count"),
    ("game/win", "game/win_bonus_rate"),
    ("result/first", "placement/1st_rate"),
    ("result/top3", "placement/top3_rate"),
    ("result/rank", "placement/mean_rank"),
    ("rollout/valid_share", "extraction/rate"),
    ("league/members", "league/num_checkpoints"),
    ("league/share/NAME", "pfsp/NAME_rate"),
    ("league/rating/v0", "elo/base_model"),
    ("league/rating/vN", "elo/adapter_vN"),
    ("league/rating/policy", "elo/policy"),
    ("league/rating/dumbbot", "elo/dumb_bot"),
    ("league/rating/NAME", "elo/NAME_bot"),
    ("optimizer/learning_rate", "optimiser/learning_rate"),
    ("eval/vs_NAME/centers", "eval/vs_NAME/avg_centers"),
    ("eval/vs_NAME/survived", "eval/vs_NAME/survival_rate"),
)
"""Metric and its second name; the first that fits counts. N is the number of a version, NAME a name without `/`."""
RENAMED = {"optimiser/learning_rate": "optimizer/learning_rate"}
"""Former name of a metric in the tables of older runs -> its present name."""
_WORDS = {"N": r"(\d+)", "NAME": r"([A-Za-z][\w.-]*)"}
_PLACE = re.compile(r"NAME|N(?![A-Z])")


def _pattern(name: str) -> re.Pattern[str]:
    parts = _PLACE.split(name)
    places = [_WORDS[place] for place in _PLACE.findall(name)]
    text = "".join(re.escape(part) + place for part, place in zip(parts, [*places, ""], strict=True))
    return re.compile(text)


_PATTERNS = [(_pattern(name), _PLACE.sub(r"\\1", alias)) for name, alias in ALIASES]


def with_aliases(metrics: Mapping[str, float]) -> dict[str, float]:
    """Return the metrics, and those that have a second name under it too; a metric of that name stays as it is."""
    aliases = {alias: value for name, value in metrics.items() if (alias := _alias(name))}
    return aliases | dict(metrics)


def with_present_names(metrics: Mapping[str, float]) -> dict[str, float]:
    """Return the metrics of a run, those of an older one by their present names."""
    former = {old for old, name in RENAMED.items() if name not in metrics}
    return {RENAMED[name] if name in former else name: value for name, value in metrics.items()}


def _alias(name: str) -> str | None:
    """Return the second name of a metric, or None."""
    for pattern, alias in _PATTERNS:
        if match := pattern.fullmatch(name):
            return match.expand(alias)
    return None

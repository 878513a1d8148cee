"""Counts and names as words of a run's report."""

from __future__ import annotations

from collections.abc import Sequence

POLICY = "policy"
"""The label of the present policy: its versions since the last checkpoint."""


def title(name: str) -> str:
    """Return the name of a metric as a title: `reward_mean` -> `Reward mean`."""
    words = name.replace("_", " ").replace("/", " ")
    return words[:1].upper() + words[1:]


def joined(parts: Sequence[str], by: str = ", ") -> str:
    """Return those parts that are not empty, joined."""
    return by.join(part for part in parts if part)


def called(label: str) -> str:
    """Return the name of a player of the league, by its label in metrics."""
    return {POLICY: "Policy", "self": "Itself", "v0": "Base"}.get(label, label)


def among(label: str) -> str:
    """Return the opponents of an evaluation: `vs_field` -> `in the field it trains in`, `vs_x` -> `against x`."""
    if label == "vs_base":
        return "among copies of its base"
    return "in the field it trains in" if label == "vs_field" else f"against {plain(label.removeprefix('vs_'))}"


def plain(name: str) -> str:
    return name.replace("_", " ")

"""Numbers, times and names as words of a report, with a minus sign instead of a hyphen."""

from __future__ import annotations

from collections.abc import Sequence

MINUS = "−"
POLICY = "policy"
"""The label of the present policy: its versions since the last checkpoint."""


def short(value: float) -> str:
    """Return a number with three significant digits: `0.0464`, `12.3`, `1,730`, `3.1e−6`."""
    size = abs(value)
    if size == 0:
        return "0"
    if size < 1e-3 or size >= 1e6:
        digits, power = f"{value:.1e}".split("e")
        return _signless(f"{digits.removesuffix('.0')}e{int(power)}")
    if size >= 1000:
        return _signless(f"{round(value):,}")
    return _signless(f"{float(f'{value:.3g}'):g}")


def signed(value: float, places: int = 3) -> str:
    """Return a number with its sign: `+0.046`."""
    text = f"{abs(value):.{places}f}"
    return text if float(text) == 0 else f"{MINUS if value < 0 else '+'}{text}"


def percent(share: float) -> str:
    """Return a share as a percentage: `12 %`."""
    part = 100 * share
    return _signless(f"{part:.1g} %" if 0 < abs(part) < 1 else f"{round(part)} %")


def duration(seconds: float) -> str:
    """Return a time as `0.42 s`, `41 s`, `3 min` or `1 h 20 min`."""
    if seconds < 10:
        return f"{short(float(f'{seconds:.2g}'))} s"
    if seconds < 100:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h{f' {rest} min' if rest else ''}"


def many(count: int, noun: str, nouns: str = "") -> str:
    """Return a number of things: `1 match`, `12 matches`."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


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


def _signless(text: str) -> str:
    return text.replace("-", MINUS)

"""The values of a report: estimates, and numbers in words."""

from __future__ import annotations

from math import isfinite

from grandstand.campaign_events import Estimate
from grandstand.play.ratings.intervals import FEWEST, LEVEL, Interval
from grandstand.report import Behind, Unit, Value

MINUS, DASH = "−", "–"


def estimate(
    known: Interval | Estimate, *, level: float = LEVEL, behind: Behind | None = None, none: str = ""
) -> Value:
    """Return an estimate with its interval, or why it has none.

    `none` is the note of an estimate without a mean. Numbers that are not finite are left out.
    """
    mean, low, high = finite(known.mean), finite(known.low), finite(known.high)
    if mean is None or low is None or high is None:
        low = high = None
    note = none if mean is None else few(known)
    return Value(value=mean, low=low, high=high, n=known.n or None, level=level, note=note, behind=behind)


def few(known: Interval | Estimate) -> str:
    """Return why an estimate has no interval; '' if it has one, or no mean."""
    if known.mean is None or known.low is not None:
        return ""
    return "n too small for an interval" if known.n < FEWEST else "no interval: all are equal"


def finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def written(value: float | str | None, unit: Unit = "") -> str:
    """Return a value with its unit: `12 %`, `+0.086`, `$1.20`; a dash for None."""
    if value is None:
        return DASH
    if isinstance(value, str):
        return value
    match unit:
        case "share":
            text = f"{100 * value:.0f} %"
        case "elo":
            text = f"{value:.0f}"
        case "signed elo":
            text = f"{value:+.0f}"
        case "dollars":
            text = f"${value:.2f}" if abs(value) >= 0.1 or value == 0 else f"${value:.2g}"
        case "seconds":
            text = _duration(value)
        case "count":
            text = f"{value:,.0f}"
        case "bytes":
            text = _size(value)
        case "signed":
            text = _digits(value, "+")
        case "":
            text = _digits(value, "")
    return text.replace("-", MINUS)


def interval(value: Value, unit: Unit = "") -> str:
    """Return the interval of a value, such as `0.73 to 0.93`, with a level that is not the usual one; '' for none."""
    if value.low is None or value.high is None:
        return ""
    level = "" if value.level == LEVEL else f" at {round(100 * value.level, 1):g} %"
    return f"{written(value.low, unit)} to {written(value.high, unit)}{level}"


def with_interval(value: Value, unit: Unit = "") -> str:
    """Return a value with its interval in brackets, if it has one."""
    bounds = interval(value, unit)
    return f"{written(value.value, unit)} ({bounds})" if bounds else written(value.value, unit)


def _digits(value: float, sign: str) -> str:
    size = abs(value)
    if value == 0 or (value == round(value) and size < 1e6):
        return f"{value:{sign},.0f}"
    if 0.001 <= size < 0.01:
        return f"{value:{sign}.3g}"
    if 0.01 <= size < 1e6:
        places = 3 if size < 10 else 1 if size < 100 else 0
        return f"{value:{sign},.{places}f}"
    return f"{value:{sign}.2e}"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _size(count: float) -> str:
    for name, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {name}"
    return f"{count:.0f} bytes"

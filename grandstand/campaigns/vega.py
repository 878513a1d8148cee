"""Charts of reports as Vega-Lite specifications, and as SVG.

https://vega.github.io/vega-lite/docs/spec.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grandstand.report import Axis, Chart, Mark, Tone

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
WIDTH = 640
HEIGHT: Mapping[str, int] = {"large": 260, "small": 150}
STRIP = 40
"""The height of a chart without a y axis, in pixels."""

COLOURS = ("#1f6f9f", "#9a5f27", "#3f7f5b", "#a1544f", "#7a5ea8", "#5b6b73", "#b58900", "#2a8c8c")
"""Colours of the owners in order, used again from the first if there are more owners."""
INK = "#2b2f33"
"""The colour of rules."""
TONES: Mapping[Tone, str] = {"good": "#2f6b3d", "bad": "#b3301f", "warning": "#8a5a00", "faint": "#8b8f94"}

Json = dict[str, Any]


def specification(chart: Chart, title: str = "", owners: tuple[str, ...] = ()) -> Json:
    """Return a chart as a Vega-Lite specification with its data."""
    strip = chart.y is None
    height = STRIP if strip else HEIGHT[chart.size]
    legend = _legend(chart, owners)
    return {
        "$schema": SCHEMA,
        "title": title,
        "description": chart.describe,
        "width": WIDTH,
        "height": height,
        "layer": [
            layer | {"encoding": layer["encoding"] | ({"color": legend | {"datum": mark.name}} if mark.name else {})}
            for mark in chart.marks
            for layer in _layers(chart, mark, _colour(chart, mark, owners))
        ],
    }


def _legend(chart: Chart, owners: tuple[str, ...]) -> Json:
    """Return the colours of the marks that have names."""
    named = {mark.name: _colour(chart, mark, owners) for mark in chart.marks if mark.name}
    scale = {"domain": list(named), "range": list(named.values())}
    return {"type": "nominal", "scale": scale, "legend": {"title": None, "orient": "bottom", "labelLimit": 0}}


def picture(chart: Chart, path: Path, title: str = "", owners: tuple[str, ...] = ()) -> Path | None:
    """Write a chart as SVG, and return its path; None without vl-convert, with which it is drawn.

    `vl-convert-python` comes with the extra `figures`. The specification is written beside it in any case.
    """
    text = json.dumps(specification(chart, title, owners), ensure_ascii=False, indent=1)
    path.with_suffix(".vl.json").write_text(text + "\n", "utf-8")
    if find_spec("vl_convert") is None:
        return None
    import vl_convert

    path.write_text(vl_convert.vegalite_to_svg(text), "utf-8")
    return path


def _layers(chart: Chart, mark: Mark, colour: str) -> Iterator[Json]:
    """Yield the layers of one mark: its intervals, then what is drawn upon them."""
    rows = [{"x": point.x, "y": point.y, "low": point.low, "high": point.high} for point in mark.points]
    if not rows:
        return
    strip = chart.y is None
    x, y = _channel("x", chart.x), _channel("y", chart.y or Axis())
    across = "x" if strip else "y"
    axes: Json = {"x": x} if strip else {"x": x, "y": y}
    ends = {across: axes[across] | {"field": "low"}, f"{across}2": {"field": "high"}}
    data = {"values": rows}
    bounded = {"values": [row for row in rows if row["low"] is not None and row["high"] is not None]}
    match mark.kind:
        case "line":
            drawn: Json = {"type": "line", "color": colour, "strokeWidth": 2.5 if mark.strong else 1.2}
        case "band":
            kind = "rect" if strip else "area"
            yield {"data": bounded, "mark": {"type": kind, "color": colour, "opacity": 0.18}, "encoding": axes | ends}
            return
        case "dots":
            drawn = {"type": "point", "color": colour, "filled": True, "size": 60 if mark.strong else 24}
        case "bars":
            drawn = {"type": "bar", "color": colour}
        case "rule":
            drawn = {"type": "rule", "color": colour, "strokeDash": [4, 3]}
            axes = {across: axes[across]}
    if bounded["values"]:
        yield {
            "data": bounded,
            "mark": {"type": "rule", "color": colour, "strokeWidth": 2},
            "encoding": axes | ends,
        }
    yield {"data": data, "mark": drawn, "encoding": axes}


def _channel(name: str, axis: Axis) -> Json:
    scale: Json = {"zero": False}
    if axis.low is not None:
        scale["domainMin"] = axis.low
    if axis.high is not None:
        scale["domainMax"] = axis.high
    return {"field": name, "type": "quantitative", "title": axis.title or None, "scale": scale}


def _colour(chart: Chart, mark: Mark, owners: tuple[str, ...]) -> str:
    if mark.tone:
        return TONES[mark.tone]
    if mark.owner in owners:
        return COLOURS[owners.index(mark.owner) % len(COLOURS)]
    return INK if mark.kind == "rule" else COLOURS[chart.marks.index(mark) % len(COLOURS)]

"""A report with every kind of section."""

from __future__ import annotations

from grandstand.report import (
    Axis,
    Chart,
    Column,
    Figure,
    Figures,
    Mark,
    Note,
    Notes,
    Point,
    Report,
    Row,
    Section,
    Table,
    Value,
)

FIRST = Value(value="heron", note="not separated from kite")
SCORES = Table(
    columns=[Column(id="player", title="Player"), Column(id="score", title="Score", shape="whisker", low=0, high=1)],
    rows=[
        Row(id="heron", owner="heron", cells=[Value(value="heron"), Value(value=0.5, low=0.3, high=0.7)]),
        Row(id="kite", owner="kite", cells=[Value(value="kite | 2"), Value(value=0.25, note="n too small")]),
    ],
)
CURVE = [Point(x=step, y=step / 10, low=step / 10 - 0.1, high=step / 10 + 0.1) for step in range(8)]
REWARD = Chart(
    x=Axis(title="step"),
    y=Axis(title="reward", low=0),
    marks=[
        Mark(id="spread", kind="band", points=CURVE),
        Mark(id="mean", kind="line", name="mean", owner="heron", points=[Point(x=p.x, y=p.y) for p in CURVE]),
        Mark(id="goal", kind="rule", tone="warning", points=[Point(x=0, y=0.5)]),
    ],
    describe="The reward grows from 0 to 0.7.",
)
CLAIM = Chart(
    x=Axis(title="difference"),
    marks=[
        Mark(id="zero", kind="rule", points=[Point(x=0)]),
        Mark(id="mean", kind="dots", tone="good", points=[Point(x=0.1, low=0.05, high=0.15)]),
    ],
    figures=[Figure(label="Verdict", value=Value(value="supported", tone="good"))],
    describe="The difference is above 0.",
)
REPORT = Report(
    headline="Undecided",
    summary="heron leads.",
    owners=["heron", "kite"],
    sections=[
        Section(
            id="head",
            body=Figures(
                figures=[Figure(label="First", value=FIRST), Figure(label="Played", value=Value(value=12), of=30)]
            ),
        ),
        Section(id="scores", title="Standings", note="Bold: separated.", tab="Table", body=SCORES),
        Section(id="reward", title="Reward", tab="Curves", body=REWARD),
        Section(id="claim 1", title="A claim", tab="Curves", body=CLAIM),
        Section(id="notes", tab="Method", body=Notes(notes=[Note(title="Seeds.", text="Every arm has the same.")])),
    ],
)

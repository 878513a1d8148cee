"""The results of the thirteen experiments as campaigns, from the page of the documentation that states them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grandstand.campaign_events import EXPERIMENT
from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo
from grandstand.models import Draft, Event
from grandstand.report import Column, Note, Notes, Report, ReportLog, Row, Section, Table, Tone, Value

PAGE = Path("docs/results/experiments.md")
REPORTED = datetime(2026, 11, 23, 17, 24, tzinfo=UTC).timestamp()
"""The time at which that page was last changed."""

TONES: dict[str, Tone] = {"supported": "good", "refuted": "bad", "undecided": "faint"}
INTERVAL = re.compile(r"(?P<mean>\S+) \((?P<low>\S+) to (?P<high>\S+)\)")
SMALL = (
    "These are runs of the built-in policy of 0.18 million parameters on a CPU, of 5 to 12 steps with three seeds, so "
    "most claims stay undecided. The page experiments.md of the documentation says what they show."
)


@dataclass(frozen=True, slots=True)
class Experiment:
    """What the page says of an experiment: its number and title, its hypothesis, its claims and its arms."""

    number: int
    title: str
    hypothesis: str
    claims: Sequence[Sequence[str]]
    arms: Sequence[Sequence[str]]
    head: Sequence[str]
    """The titles of the columns of the arms."""


def read_experiments(page: Path = PAGE) -> list[Experiment]:
    """Return the experiments of the page."""
    found = []
    for part in page.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, text = part.partition("\n")
        numbered = re.fullmatch(r"Experiment (\d+): .*", title)
        if numbered is None:
            continue
        blocks = [block for block in text.strip().split("\n\n") if block]
        claims, arms = ([*map(_cells, block.splitlines())] for block in blocks if block.startswith("|"))
        found.append(Experiment(int(numbered[1]), title, _plain(blocks[0]), claims[2:], arms[2:], arms[0]))
    return found


def _cells(line: str) -> list[str]:
    return [_plain(cell) for cell in line.strip("| ").split(" | ")]


def _plain(text: str) -> str:
    return re.sub(r"[`*]", "", text).strip()


def episode(experiment: Experiment) -> list[Event]:
    """Return the episode of an experiment, with its report."""
    created = EpisodeCreated(
        game=EXPERIMENT,
        title=experiment.title,
        options={"hypothesis": experiment.hypothesis, "scale": "micro"},
        seats=[SeatInfo(seat=arm, player=name, kind="trained") for arm, name, _ in experiment.arms],
        origin="trainer",
    )
    drafts = [
        Draft.of(created),
        Draft.of(EpisodeStarted()),
        *ReportLog().drafts(report(experiment)),
        Draft.of(EpisodeEnded(status="finished")),
    ]
    episode_id = f"reference-experiment-{experiment.number:02}"
    return [
        Event(
            episode_id=episode_id,
            epoch=0,
            seq=seq,
            at=REPORTED,
            type=draft.type,
            audience=draft.audience,
            data=draft.data,
        )
        for seq, draft in enumerate(drafts)
    ]


def report(experiment: Experiment) -> Report:
    """Return the report of an experiment: its claims with their verdicts, and its arms."""
    verdicts = Counter(claim[2] for claim in experiment.claims)
    counts = ", ".join(f"{verdicts[name]} {name}" for name in TONES if verdicts[name])
    return Report(
        headline=f"{len(experiment.claims)} claims: {counts}" if len(experiment.claims) > 1 else f"One claim: {counts}",
        summary=experiment.hypothesis,
        owners=[arm[0] for arm in experiment.arms],
        sections=[
            Section(id="claims", title="Claims", body=_claims(experiment)),
            Section(id="arms", title="Arms", body=_arms(experiment)),
            Section(id="size", body=Notes(notes=[Note(text=SMALL, tone="faint")])),
        ],
    )


def _claims(experiment: Experiment) -> Table:
    titles = (
        "Claim",
        "Verdict",
        "Compared",
        "Difference (95 % interval)",
        "Least effect",
        "Power",
        "What would decide",
    )
    columns = [Column(id=title.lower(), title=title, drop=max(0, number - 2)) for number, title in enumerate(titles)]
    rows = []
    for number, claim in enumerate(experiment.claims):
        text, compared, verdict, difference, least, _, power, decides = claim
        cells = [text, verdict, compared, difference.removesuffix(" at 0.95"), least, power, decides]
        values = [Value(value=cell) for cell in cells]
        values[1] = Value(value=verdict, tone=TONES[verdict], strong=verdict != "undecided")
        rows.append(Row(id=str(number), cells=values))
    return Table(columns=columns, rows=rows)


def _arms(experiment: Experiment) -> Table:
    measure = experiment.head[2].partition(",")[0]
    columns = [
        Column(id="arm", title="Arm"),
        Column(id="mean", title=measure, shape="whisker", help="The mean over seeds with its 95 % interval."),
    ]
    rows = []
    for arm, name, text in experiment.arms:
        value = Value(value=text)
        if known := INTERVAL.match(text):
            value = Value(value=float(known["mean"]), low=float(known["low"]), high=float(known["high"]))
        rows.append(Row(id=arm, cells=[Value(value=f"{arm}: {name}"), value], owner=arm))
    return Table(columns=columns, rows=rows)

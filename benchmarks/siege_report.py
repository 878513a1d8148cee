"""The result of a siege, its report, and its own episode."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.report import Cell, table
from benchmarks.siege_cluster import Cluster, Usage
from benchmarks.siege_network import Network
from benchmarks.siege_viewers import FAULTS, Match
from grandstand.campaign_events import SERIES
from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted
from grandstand.models import Draft
from grandstand.report import Figure, Figures, Note, Notes, Report, ReportLog, Section, Value
from grandstand.spectator.bus import Bus, Observer, new_epoch
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import to_lines
from grandstand.spectator.viewpoint import OPERATOR

FILES = 20
"""Open files that a server at rest may have more than at its start: connections to PostgreSQL and Redis."""

TASKS = 5
"""Tasks of the event loop that it may have more."""

MIB = 1 << 20

BUGS = re.compile(
    r" (?:broke|failed and is removed)|a bug of ours|never retrieved"
    r"|^(?:Key|Attribute|Assertion|Type|Runtime|Index)Error\b",
    re.MULTILINE,
)
"""What the log says of a fault of the product."""


class Struck(Protocol):
    """A fault that has happened."""

    name: str
    began: float
    ended: float
    standstill: float


@dataclass(frozen=True)
class Resources:
    """The resources of one server while its last process ran: at its start, at most, and at the end."""

    name: str
    seconds: float
    start: Usage
    most: Usage
    end: Usage

    @property
    def leaked(self) -> Sequence[str]:
        """Return what is left over at the end."""
        left = {
            "sockets": self.end.files > self.start.files + FILES,
            "tasks": self.end.tasks > self.start.tasks + TASKS,
            "viewers": self.end.viewers > 0,
        }
        return [name for name, more in left.items() if more]


def resources(cluster: Cluster) -> list[Resources]:
    """Return the resources of all servers that have been measured."""
    lines = []
    for node in cluster.nodes:
        if usage := node.usage:
            pairs = (max(getattr(sample, name) for sample in usage) for name in ("memory", "files", "tasks", "viewers"))
            lines.append(Resources(node.name, time.monotonic() - node.since, usage[0], Usage(*pairs), usage[-1]))
    return lines


@dataclass
class Result:
    """What came of a siege."""

    seed: int
    seconds: float
    viewers: int
    missing: Sequence[str]
    cuts: Counter[str] = field(default_factory=Counter)
    disconnects: int = 0
    matches: int = 0
    logs: int = 0
    recorded: int = 0
    compared: int = 0
    takeovers: int = 0
    deaths: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    strikes: list[Struck] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    nodes: Sequence[Resources] = ()
    problems: Counter[str] = field(default_factory=Counter)
    """Errors in the servers' logs: the last lines of tracebacks, and the messages."""
    bugs: int = 0
    """Those of them that no fault of a machine explains."""
    lines: Sequence[str] = ()
    """The siege's own episode, as a file."""

    @property
    def conditions(self) -> str:
        return f"{self.seconds / 60:g} minutes, seed {self.seed}, {self.viewers} viewers at a time, two servers"

    def count(self, network: Network, matches: Sequence[Match], cluster: Cluster) -> None:
        """Take over the counts of the moment."""
        self.cuts, self.disconnects = network.counts.copy(), network.disconnects
        self.matches, self.logs = len(matches), sum(len(match.logs) for match in matches)
        self.answers, self.deaths = cluster.answers.copy(), cluster.deaths

    def read_log(self, log: Path) -> None:
        """Count the tracebacks in a server's log."""
        text = log.read_text("utf-8", "replace")
        for found in re.finditer(r"^(?:[\w.]+(?:Error|Exception|Outcome)\b.*|.*\bERROR\b.*)", text, re.MULTILINE):
            self.problems[re.sub(r"[0-9a-f]{6,}|\d+", "N", found[0])[:160]] += 1
        self.bugs += len(BUGS.findall(text))


NEVER = (
    "servers that ended by themselves",
    "answers 500",
    "bugs in the logs",
    "sockets left over",
    "tasks left over",
    "viewers left over",
)
"""What must not happen to the servers."""


def verdict(result: Result) -> Counter[str]:
    """Return all that must not happen, with its number."""
    faults = +result.faults
    faults["servers that ended by themselves"] += result.deaths
    faults["bugs in the logs"] += result.bugs
    faults["answers 500"] += sum(count for code, count in result.answers.items() if code >= 500 and code != 503)
    for line in result.nodes:
        faults.update(f"{name} left over" for name in line.leaked)
    return +faults


def sections(result: Result) -> list[Section]:
    """Return the parts of the report."""
    counted: list[tuple[str, float]] = [
        ("disconnects", result.disconnects),
        ("logs of viewers", result.logs),
        ("matches", result.matches),
        ("events compared", result.compared),
        ("matches taken up again", result.takeovers),
    ]
    figures = [Figure(label=label, value=Value(value=value)) for label, value in counted]
    parts = [Section(id="figures", body=Figures(figures=figures))]
    never = dict.fromkeys((*FAULTS, *NEVER), 0) | verdict(result)
    parts.append(table("What must not happen", ["what", "times"], list(never.items())))
    if result.strikes:
        columns = ["fault", "times", "longest standstill of a match meanwhile, s"]
        parts.append(table("Faults", columns, _strikes(result)))
    if result.nodes:
        parts.append(table("Resources", RESOURCES, map(_resources, result.nodes)))
    parts.append(table("Cut connections", ["how", "times"], sorted(result.cuts.items())))
    parts.append(
        table("Answers to floods", ["status", "times"], [(str(k), n) for k, n in sorted(result.answers.items())])
    )
    if result.missing:
        notes = [Note(text=text, tone="warning") for text in result.missing]
        parts.append(Section(id="missing", title="Not tried", body=Notes(notes=notes)))
    return parts


def _strikes(result: Result) -> Iterator[list[Cell]]:
    by_name: dict[str, list[float]] = defaultdict(list)
    for strike in result.strikes:
        by_name[strike.name].append(strike.standstill)
    for name, standstills in sorted(by_name.items()):
        yield [name, len(standstills), max(standstills)]


RESOURCES = (
    "server",
    "seconds since its start",
    "MiB at its start",
    "MiB at most",
    "MiB at the end",
    "open files: start / most / end",
    "tasks: start / most / end",
)


def _resources(line: Resources) -> list[Cell]:
    three = (line.start, line.most, line.end)
    files = " / ".join(f"{usage.files:.0f}" for usage in three)
    tasks = " / ".join(f"{usage.tasks:.0f}" for usage in three)
    return [line.name, line.seconds, *(usage.memory / MIB for usage in three), files, tasks]


class SiegeRecord:
    """The siege as an episode: its report after every fault."""

    def __init__(self, result: Result, viewer: Observer | None = None) -> None:
        """Show the episode to `viewer` while it is made."""
        self._result = result
        self._recorder = Recorder(":memory:")
        self._bus = Bus(self._recorder)
        if viewer is not None:
            self._bus.add(viewer)
        self._log = ReportLog()
        self._episode = f"siege-{result.seed}-{new_epoch()}"
        self._bus.open(self._episode, new_epoch())
        title, origin = f"A siege, seed {result.seed}", "cli" if viewer is None else "publisher"
        created = EpisodeCreated.model_validate(
            {"game": SERIES, "title": title, "options": {}, "seats": [], "origin": origin, "reveal": "live"}
        )
        self._bus.publish(self._episode, [Draft.of(created), Draft.of(EpisodeStarted())])

    def add(self, text: str) -> None:
        """Record the present report, with what happens in words."""
        self._publish(f"{text[0].upper()}{text[1:]}.", mark=True)

    def end(self) -> None:
        """Record the last report and the end, and put the file of the episode into the result."""
        self._publish("The siege is over.", mark=False)
        self._bus.publish(self._episode, [Draft.of(EpisodeEnded(status="finished"))])
        self._result.lines = list(to_lines(list(self._recorder.events(self._episode)), OPERATOR))
        self._recorder.close()

    def _publish(self, text: str, *, mark: bool) -> None:
        faults = verdict(self._result)
        headline = ", ".join(f"{count} {name}" for name, count in faults.items()) or "Nothing lost, doubled or leaked"
        report = Report(headline=headline, summary=self._result.conditions, sections=sections(self._result))
        self._bus.publish(self._episode, self._log.drafts(report, text, mark=mark))

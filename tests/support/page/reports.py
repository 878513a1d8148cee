"""Made-up reports of campaigns with every kind of section, and their episodes, for tests of their page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.models import Draft
from grandstand.report import (
    Axis,
    Behind,
    Chart,
    Column,
    Figure,
    Figures,
    Link,
    Mark,
    Note,
    Notes,
    Point,
    Progress,
    Report,
    ReportLog,
    Row,
    Section,
    Table,
    Value,
)
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder

PLAYERS = ("heron-2", "dumbbot", "kite-mini", "heuristic", "random")
MATCHES = 30
SEPARATED = 24
"""The number of matches from which the first player is ahead."""
SHOWN = 12
"""Rows of matches that are not folded away."""


def _players(done: int) -> Table:
    """Return the standings after `done` matches."""
    columns = [
        Column(id="rank", title="Rank", drop=2),
        Column(id="player", title="Player"),
        Column(id="score", title="Score", shape="whisker", low=0, high=1),
        Column(id="rating", title="Rating", shape="whisker", unit="elo", drop=3),
        Column(id="cost", title="Cost", shape="number", unit="dollars", drop=4, help="Of its language model"),
    ]
    rows = []
    for place, name in enumerate(PLAYERS):
        mean, half = 0.85 - 0.19 * place, 0.6 / math.sqrt(done + 2)
        elo = 1780 - 170 * place
        behind = Behind(title=f"Matches of {name}", table="matches", rows=f"0-{done - 1}" if done else "")
        score = Value(value=mean, low=max(0, mean - half), high=min(1, mean + half), n=done, behind=behind, strong=True)
        if done < 6:
            score = Value(value=mean, n=done, note="n too small for an interval", behind=behind)
        cells = [
            Value(value=f"{place + 1}–{min(5, place + 3)}"),
            Value(
                value=name,
                link=Link(page=f"/player/{name}"),
                note="12 faults, 24 fallbacks" if name == "kite-mini" else f"{done} matches",
                tone="warning" if name == "kite-mini" else "",
            ),
            score,
            Value(value=elo, low=elo - 4000 / (done + 9), high=elo + 4000 / (done + 9), behind=behind),
            Value(value=43.2 if place == 0 else None),
        ]
        rows.append(Row(id=name, cells=cells, owner=name))
    return Table(columns=columns, rows=rows)


def _pairs(done: int) -> Table:
    columns = [Column(id="player", title="")]
    columns += [Column(id=name, title=name, shape="heat", unit="share", middle=0.5, low=0, high=1) for name in PLAYERS]
    rows = []
    for a, row in enumerate(PLAYERS):
        cells = [Value(value=row)]
        for b, column in enumerate(PLAYERS):
            share = min(1, max(0, 0.5 + 0.14 * (b - a)))
            title = f"{row} against {column}"
            behind = Behind(
                title=title, note=f"{title}: {100 * share:.0f} %, 95 % interval 10 to 90 %", table="matches", rows="0-3"
            )
            if a == b:
                cells.append(Value())
            elif {a, b} == {3, 4}:
                cells.append(Value(note="3 situations"))
            else:
                cells.append(
                    Value(value=share, low=max(0, share - 0.2), high=min(1, share + 0.2), behind=behind, strong=b > a)
                )
        rows.append(Row(id=row, cells=cells, owner=row))
    return Table(columns=columns, rows=rows)


def _matches(done: int) -> Table:
    columns = [
        Column(id="match", title="Match"),
        Column(id="result", title="Result"),
        Column(id="length", title="Length", shape="number", unit="seconds", drop=1),
        Column(id="opening", title="Opening", shape="number", unit="count", drop=2),
    ]
    rows = []
    for number in range(done):
        first, second = PLAYERS[number % 5], PLAYERS[(number + 1) % 5]
        failed = number == 7
        cells = [
            Value(value=f"Match {number + 1}", link=Link(episode_id=f"cricket-cup-{number + 1}")),
            Value(
                value="failed: HTTP 529" if failed else f"{first} 1.000, {second} 0.000", tone="bad" if failed else ""
            ),
            Value(value=40 + 13 * ((number * 7) % 11)),
            Value(value=number // 4 + 1),
        ]
        rows.append(Row(id=str(number), cells=cells, owner=first, tone="bad" if failed else ""))
    return Table(columns=columns, rows=rows, shown=SHOWN)


def _ratings(done: int) -> Chart:
    marks = []
    for place, name in enumerate(PLAYERS):
        at = range(2, done + 1, 2)
        points = [
            Point(
                x=n,
                y=1500 + (280 - 170 * place) * (1 - math.exp(-n / 8)) + 20 * math.sin(n + place),
                low=1400 + (280 - 170 * place) * (1 - math.exp(-n / 8)) if place == 0 else None,
                high=1600 + (280 - 170 * place) * (1 - math.exp(-n / 8)) if place == 0 else None,
                behind=Behind(title=f"Matches of {name} up to {n}", table="matches", rows=f"0-{n - 1}"),
            )
            for n in at
        ]
        if place == 0:
            marks.append(Mark(id=f"{name}-band", kind="band", owner=name, points=points))
        bare = [point.model_copy(update={"low": None, "high": None}) for point in points]
        marks.append(Mark(id=name, kind="line", name=name, owner=name, strong=place == 0, points=bare))
    marks.append(Mark(id="start", kind="rule", name="where all begin", tone="faint", points=[Point(x=0, y=1500)]))
    return Chart(
        x=Axis(title="Matches", unit="count"),
        y=Axis(title="Elo points", unit="elo"),
        marks=marks,
        describe="heron-2 rises.",
    )


def _gain() -> Chart:
    points = [Point(x=x, y=0.02 * x**0.5, low=0.02 * x**0.5 - 0.02, high=0.02 * x**0.5 + 0.02) for x in range(5, 31, 5)]
    other = [
        point.model_copy(update={"y": point.y / 2, "low": point.y / 2 - 0.02, "high": point.y / 2 + 0.02})
        for point in points
    ]
    return Chart(
        x=Axis(title="Step"),
        y=Axis(unit="signed", low=0),
        marks=[
            Mark(id="base", kind="dots", name="among copies of its base", points=points),
            Mark(id="field", kind="dots", name="in the field it trains in", points=other),
            Mark(id="goal", kind="rule", name="goal", points=[Point(x=0, y=0.1)]),
        ],
        describe="Both gains grow.",
        size="small",
    )


def _shares() -> Chart:
    names = ("centers", "units", "territory")
    marks, low = [], [0.0] * 21
    for index, name in enumerate(names):
        heights = [(0.5, 0.3, 0.2)[index] + (0.04 * math.sin(x) if index == 0 else 0) for x in range(21)]
        high = [1.0] * 21 if index == 2 else [a + b for a, b in zip(low, heights, strict=True)]
        points = [Point(x=x, y=high[x] - low[x], low=low[x], high=high[x]) for x in range(21)]
        marks.append(Mark(id=name, kind="band", name=name, strong=True, points=points))
        low = high
    return Chart(
        x=Axis(title="Step"),
        y=Axis(unit="share", low=0, high=1),
        marks=marks,
        describe="Half is of centres.",
        size="small",
    )


def _times() -> Chart:
    parts = ("play", "learn", "save", "wait")
    points = [Point(x=n, y=value, label=parts[n]) for n, value in enumerate((41, 22, 3, 9))]
    return Chart(
        x=Axis(),
        y=Axis(unit="seconds"),
        marks=[Mark(id="time", kind="bars", name="of a step", points=points)],
        describe="Play takes most.",
        size="small",
    )


def _claim(supported: bool) -> Chart:
    mean = 0.115 if supported else 0.02
    return Chart(
        x=Axis(unit="signed", low=0),
        marks=[
            Mark(id="holds", kind="band", tone="good", points=[Point(x=0.05, low=0.05, high=0.17)]),
            Mark(id="zero", kind="rule", tone="faint", points=[Point(x=0)]),
            Mark(id="least", kind="rule", name="least effect", points=[Point(x=0.05)]),
            Mark(
                id="difference",
                kind="dots",
                tone="good" if supported else "warning",
                strong=True,
                points=[Point(x=mean, low=mean - 0.03, high=mean + 0.03, label="B − A")],
            ),
            Mark(
                id="seeds",
                kind="dots",
                tone="good" if supported else "warning",
                points=[Point(x=mean + 0.008 * n, label=f"seed {n}") for n in (-3, -1, 0, 2, 4)],
            ),
        ],
        figures=[
            Figure(label="B − A", value=Value(value=mean, low=mean - 0.03, high=mean + 0.03, n=6), unit="signed"),
            Figure(label="p", value=Value(value=8.8e-5)),
        ],
        describe="The interval is above the least effect.",
    )


def report(done: int) -> Report:
    """Return a report after `done` matches, with every kind of section."""
    ahead = done >= SEPARATED
    all_ = Behind(title="Played matches", table="matches", rows=f"0-{done - 1}" if done else "")
    figures = [
        Figure(
            label="First" if done == MATCHES else "Leads",
            value=Value(
                value="heron-2" if done else None,
                note="not separated from dumbbot" if not ahead else "ahead of all others",
                tone="good" if ahead else "",
            ),
        ),
        Figure(label="Played", value=Value(value=done, behind=all_), unit="count", of=MATCHES),
        Figure(
            label="Gain",
            value=Value(value=0.076, low=0.055, high=0.097, n=70, tone="good", note="among copies of its base"),
            unit="signed",
            help="Over the policy with which it began",
        ),
        Figure(
            label="Failed",
            value=Value(value=int(done > 7), tone="warning" if done > 7 else "", note="not in any score"),
        ),
        Figure(label="Cost", value=Value(value=2.08 * done, note="4.3M tokens"), unit="dollars"),
    ]
    notes = [
        Note(title="Separated", text="heron-2 is ahead of all others.", tone="good")
        if ahead
        else Note(title="Not separated", text="heron-2 and dumbbot, and 9 other pairs.", tone="warning"),
        Note(text="Whiskers are 95 % intervals. A fallback's decision counts for nobody.", tone="faint"),
        Note(text="The method is in the documentation.", link=Link(text="Leaderboard", page="/leaderboard")),
    ]
    sections = [
        Section(id="state", body=Figures(figures=figures)),
        Section(id="standings", title="Standings", tab="Standings", body=_players(done)),
        Section(
            id="ratings",
            title="Ratings",
            note="Shaded: the 95 % interval.",
            tab="Standings",
            width="half",
            body=_ratings(done),
        ),
        Section(id="shown", title="What the results show", tab="Standings", width="half", body=Notes(notes=notes)),
        Section(
            id="pairs",
            title="Head to head",
            note="Per cent that the player of the row won. Hatched: too few situations to say.",
            tab="Pairs",
            body=_pairs(done),
        ),
        Section(
            id="gain", title="Gain over its base", note="95 % interval", tab="Learning", width="third", body=_gain()
        ),
        Section(id="shares", title="Share of the variance", tab="Learning", width="third", body=_shares()),
        Section(id="times", title="Time of a step", tab="Learning", width="third", body=_times()),
        Section(id="claim", title="The early rewards are higher", tab="Claims", width="half", body=_claim(True)),
        Section(id="other", title="The policy drifts no farther", tab="Claims", width="half", body=_claim(False)),
        Section(id="matches", title="Matches", tab="Matches", body=_matches(done)),
        Section(
            id="training",
            title="Of the trainer",
            tab="Matches",
            width="half",
            body=Table(
                columns=[Column(id="step", title="Step"), Column(id="share", title="Share", shape="bar", unit="share")],
                rows=[
                    Row(
                        id=str(n),
                        cells=[
                            Value(value=f"Step {n}", behind=Behind(title=f"Matches of step {n}", first=n, last=n)),
                            Value(value=n / 5),
                        ],
                    )
                    for n in range(1, 5)
                ],
            ),
        ),
    ]
    return Report(
        headline="heron-2 is first" if ahead else "Undecided",
        summary="heron-2 leads with a mean score of 0.850"
        + ("." if ahead else ", but not significantly over dumbbot."),
        tone="good" if ahead else "",
        progress=Progress(
            done=done, total=MATCHES, unit="matches", failed=int(done > 7), seconds=12.0 * (MATCHES - done)
        ),
        owners=list(PLAYERS),
        sections=sections,
    )


class MadeUpCampaign:
    """The episode of a campaign. Its events are published in order: `opening`, `until`, `ending`."""

    def __init__(self, title: str = "The autumn cup", game: str = "tournament") -> None:
        self.title = title
        self.game = game
        self._log = ReportLog()
        self._done = 0

    def opening(self, origin: Literal["publisher", "api", "cli"] = "publisher") -> list[Draft]:
        seats = [SeatInfo(seat=name, player=name, kind="bot") for name in PLAYERS]
        created = EpisodeCreated(game=self.game, title=self.title, options={}, seats=seats, origin=origin)
        return [Draft.of(created), Draft.of(EpisodeStarted())]

    def until(self, done: int) -> Iterator[Draft]:
        """Yield the events up to the match `done`."""
        while self._done < done:
            self._done += 1
            text = f"Match {self._done}: {PLAYERS[(self._done - 1) % 5]} won"
            event = self._log.update(report(self._done), text, mark=self._done == SEPARATED)
            assert event is not None
            yield Draft.of(TurnStarted(turn=f"{self._done} of {MATCHES}", index=self._done, to_act=[], scores={}))
            yield Draft.of(event)

    def ending(self) -> list[Draft]:
        return [Draft.of(EpisodeEnded(status="finished", message=f"{MATCHES} matches"))]


def record(folder: Path, campaigns: Sequence[tuple[str, Sequence[Draft]]]) -> None:
    """Write episodes into the record of a server that is started on `folder` afterwards."""
    recorder = Recorder(folder / "grandstand.db")
    bus = Bus(recorder)
    for name, drafts in campaigns:
        bus.open(name, 1)
        bus.publish(name, drafts)
    recorder.close()


def over(title: str = "The autumn cup", game: str = "tournament") -> list[Draft]:
    """Return the events of a campaign from its beginning to its end."""
    made_up = MadeUpCampaign(title, game)
    return [*made_up.opening("cli"), *made_up.until(MATCHES), *made_up.ending()]

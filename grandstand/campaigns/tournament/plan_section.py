"""The plan of a tournament as sections of its report: a table of its options, and the command that repeats it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any

from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.words import called, cut, matches
from grandstand.report import Column, Note, Notes, Row, Section, Table, Value

TAB = "Plan"
LONGEST = 200
TITLES = {
    "game": "Game",
    "title": "Title",
    "format": "Format",
    "pack": "Situations",
    "until": "Half-width of the intervals at the end",
    "goal": "Whose intervals",
    "on_fault": "After a fault",
    "max_tokens": "Most tokens",
    "max_dollars": "Most dollars",
    "pilot": "Matches of the pilot",
}
"""The fields of a plan that are shown unchanged, without the seeds."""
OPTIONS = (
    "title",
    "format",
    "pack",
    "matches",
    "until",
    "goal",
    "max_matches",
    "on_fault",
    "max_tokens",
    "max_dollars",
)
"""The fields of a plan that are options of the command line with the same name."""


def plan_sections(plan: TournamentPlan) -> list[Section]:
    """Return the options of the plan, and how to play it again."""
    rows = [Row(id=name, cells=[Value(value=title), Value(value=value)]) for name, title, value in _options(plan)]
    columns = [Column(id="option", title="Option"), Column(id="value", title="Value")]
    sections = [Section(id="plan", title="Options", tab=TAB, body=Table(columns=columns, rows=rows))]
    if command := _command(plan):
        note = Note(title="Play it again", text=command)
        explained = "The seeds of this tournament are its operators' alone: the command draws its own."
        sections.append(Section(id="repeat", note=explained, tab=TAB, body=Notes(notes=[note])))
    return sections


def _options(plan: TournamentPlan) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the title and the value of each option that is set."""
    fields = plan.public()
    yield "players", "Players", ", ".join(called(player) for player in plan.players)
    for name, title in TITLES.items():
        if fields[name] not in (None, "", 0, 0.0) and (name != "goal" or plan.until):
            yield name, title, _words(fields[name])
    each = f"{plan.last_opening:,} of {matches(plan.per_opening)}"
    yield "length", "Rounds" if plan.format == "swiss" else "Openings", f"at most {each}" if plan.until else each
    for number, players in enumerate(plan.pairings):
        yield f"pairing {number}", f"Pairing {number + 1}", ", ".join(called(player) for player in players)
    for name, value in sorted(plan.options.items()):
        yield f"option {name}", f"Option {called(name)}", _words(value)


def _words(value: Any) -> str:
    return cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), LONGEST)


def _command(plan: TournamentPlan) -> str:
    """Return the command that plays the plan with other seeds; '' if the command line cannot express it."""
    if plan.format == "fixed":
        return ""
    words = ["grandstand", "tournament", plan.game, "--players", ",".join(plan.players)]
    usual = TournamentPlan(plan.game, plan.players, matches=1)
    for name in OPTIONS:
        value = getattr(plan, name)
        if value != (0 if name == "matches" else getattr(usual, name)):
            words += [f"--{name.replace('_', '-')}", str(value)]
    for name, value in plan.options.items():
        words += ["--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    return shlex.join(words)

"""The report of a tournament: its result, the figures behind it, and every match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grandstand.campaigns.numbers import few
from grandstand.campaigns.tournament.matches import Matches
from grandstand.campaigns.tournament.plan_section import plan_sections
from grandstand.campaigns.tournament.standings import Standings
from grandstand.campaigns.tournament.tables import result_sections
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.campaigns.tournament.words import Evidence, behind, lead, leader, score
from grandstand.campaigns.words import called, many, matches
from grandstand.models import OutcomeData
from grandstand.report import Figure, Figures, Note, Notes, Progress, Report, Section, Tone, Value


@dataclass(frozen=True)
class TournamentState:
    """The present state of a tournament beyond its results.

    `live` has the episodes of the matches that have begun, by number. `end` is None while it continues, '' after its
    regular end, and else the reason why it stopped. `seconds` is the time so far, and `left` the estimate of
    the time left; None if unknown.
    """

    live: Mapping[int, str]
    end: str | None = None
    seconds: float | None = None
    left: float | None = None


@dataclass(frozen=True)
class Findings:
    """The figures after some matches, which take long to compute and are published from time to time."""

    standings: Standings
    outcome: OutcomeData
    evidence: Evidence

    @classmethod
    def of(cls, tournament: Tournament) -> Findings:
        """Return the results of the matches that were played so far."""
        evidence = Evidence(tournament.plan, tournament.played.values())
        return cls(tournament.standings(), tournament.outcome(), evidence)


class ReportBuilder:
    """Builds the reports of a tournament one after the other, and keeps the parts that do not change."""

    def __init__(self, tournament: Tournament, *, watchable: bool = True) -> None:
        """`watchable` is false if viewers have no records of matches."""
        self._tournament = tournament
        self._matches = Matches(tournament, watchable=watchable)
        self._plan = plan_sections(tournament.plan)
        self._shown: tuple[Findings, bool, list[Section]] | None = None

    def build(self, findings: Findings, state: TournamentState) -> Report:
        """Return the report; `findings` may be older than `state`."""
        over = state.end is not None
        if self._shown is None or self._shown[0] is not findings or self._shown[1] != over:
            self._shown = (findings, over, self._result_sections(findings, over=over))
        played = self._tournament.played
        failed = sum(match.failed for match in played.values())
        headline, summary, tone = _head(self._tournament, findings, state)
        return Report(
            headline=headline,
            summary=summary,
            tone=tone,
            progress=None
            if self._tournament.plan.endless
            else Progress(
                done=len(played),
                total=self._tournament.planned,
                unit="matches",
                failed=failed,
                seconds=None if over else state.left,
            ),
            owners=list(self._tournament.plan.players),
            sections=[
                Section(id="figures", body=Figures(figures=_figures(self._tournament, findings, state, failed))),
                *self._in_tab("Results"),
                *_aside(self._tournament),
                *self._matches.sections({} if over else state.live),
                *self._in_tab("Seats"),
                *self._in_tab("Cost"),
                *self._plan,
            ],
        )

    def _result_sections(self, findings: Findings, *, over: bool) -> list[Section]:
        plan = self._tournament.plan
        if leader(findings.standings) is not None:
            return result_sections(plan, findings.standings, findings.evidence, over=over)
        text = (
            "The standings appear here after the first match, with an interval as soon as there are enough matches for"
            " one."
        )
        notes = Notes(notes=[Note(text="No match counts for any player." if over else text, tone="faint")])
        return [Section(id="waiting", title="Standings", tab="Results", body=notes)]

    def _in_tab(self, tab: str) -> list[Section]:
        assert self._shown is not None
        return [section for section in self._shown[2] if section.tab == tab]


def _aside(tournament: Tournament) -> list[Section]:
    """Return the players of a ladder that are not paired any more, with the reasons."""
    aside = tournament.ladder.aside if tournament.plan.format == "ladder" else {}
    notes = [Note(title=called(player), text=f"{reason}.", tone="warning") for player, reason in aside.items()]
    return [Section(id="aside", title="Set aside", tab="Results", body=Notes(notes=notes))] if notes else []


def report(tournament: Tournament, state: TournamentState) -> Report:
    """Return the report of a tournament in a state."""
    return ReportBuilder(tournament).build(Findings.of(tournament), state)


def _head(tournament: Tournament, findings: Findings, state: TournamentState) -> tuple[str, str, Tone]:
    """Return the headline, the summary and the tone."""
    first, plan = leader(findings.standings), tournament.plan
    if state.end:
        held = "The standings hold for the matches that were played."
        return "Not finished", f"{state.end[:1].upper()}{state.end[1:].rstrip('.')}. {held}", "warning"
    if first is None:
        most = "at most " if plan.until else ""
        length = f"{most}{matches(tournament.planned)} of {plan.game}"
        length = f"{plan.game} until it is stopped" if plan.endless else length
        text = f"{many(len(plan.players), 'player')} play {length}."
        return ("No result yet", text, "") if state.end is None else ("No result", findings.outcome.text, "")
    name = called(first.player)
    if state.end is None:
        text = f"{name} has a mean score of {score(first.score.mean)}, {lead(findings.standings, over=False)}."
        return f"{name} leads", text, ""
    if findings.outcome.winners:
        return f"{name} won", findings.outcome.text, "good"
    return "Undecided", findings.outcome.text, ""


def _figures(tournament: Tournament, findings: Findings, state: TournamentState, failed: int) -> list[Figure]:
    played, over, spent = tournament.played, state.end is not None, findings.standings.spent
    numbers = sorted(played)
    rests = behind("Played matches", numbers) if numbers else None
    live = "" if over or not state.live else f"{len(state.live)} live"
    ended = Value(value=len(played), note=live, behind=rests)
    broken = Value(value=0, note="all to their end" if over else "")
    if failed:
        rests = behind("Failed matches", (number for number in numbers if played[number].failed))
        broken = Value(value=failed, note="in no score", tone="warning", behind=rests)
    figures = [
        Figure(label="First" if over else "Leads", value=_first(findings, over=over)),
        Figure(label="Played", value=ended, unit="count", of=None if tournament.plan.endless else tournament.planned),
        Figure(label="Failed", value=broken, unit="count"),
    ]
    if spent.answers:
        cost = Value(value=spent.dollars, note=many(spent.tokens, "token"))
        figures.append(Figure(label="Cost", value=cost, unit="dollars"))
    if state.seconds is not None:
        figures.append(Figure(label="Time", value=Value(value=state.seconds), unit="seconds"))
    return figures


def _first(findings: Findings, *, over: bool) -> Value:
    """Return the first player with its score, and whether it is separated from the others."""
    first = leader(findings.standings)
    if first is None:
        return Value(note="no match counts" if over else "after the first match")
    own = first.score
    bounds = few(own) or f"{score(own.low)} to {score(own.high)}"
    ahead = lead(findings.standings, over=over)
    certain = not findings.standings.equals(first.player)
    return Value(
        value=called(first.player),
        note=f"{score(own.mean)} ({bounds}), {ahead}",
        tone="good" if certain else "",
    )

"""The tournament's own episode: the drafts of its events, from its creation to its outcome, and its report.

Its game is `tournament`, and its seats are the players by name. Seeds are in no event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grandstand.campaign_events import TOURNAMENT, Pairing, PairingBegan, PairingPlayed, PairingsDrawn
from grandstand.campaigns.numbers import few
from grandstand.campaigns.tournament.matches import Matches
from grandstand.campaigns.tournament.plan_section import plan_sections
from grandstand.campaigns.tournament.standings import Standing, Standings
from grandstand.campaigns.tournament.tables import result_sections
from grandstand.campaigns.tournament.tournament import Tournament, milestone
from grandstand.campaigns.tournament.words import Evidence, behind, lead, leader, named, result, score, versus
from grandstand.campaigns.words import called, many, matches
from grandstand.campaigns.words import matches as in_words
from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.games.registry import game_spec
from grandstand.models import Draft, OutcomeData
from grandstand.report import Figure, Figures, Note, Notes, Progress, Report, ReportLog, Section, Tone, Value

DRAWN_AT_ONCE = 200
"""The most pairings in one event."""
EACH = 1000
"""Number of changes that each have a report of their own; later reports combine several."""


class TournamentEpisode:
    """The drafts of a tournament's events, each to be published in order.

    The results are computed again, and a turn begins, after every match at first, and then each time that matches have
    increased by a tenth.
    """

    def __init__(
        self,
        tournament: Tournament,
        kinds: Mapping[str, str] | None = None,
        *,
        watchable: bool = True,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """`kinds` are the kinds of the players by name; `watchable` is false if viewers have no records of matches.

        `clock` returns Unix seconds; without one the report has no times.
        """
        self.tournament = tournament
        self._watchable = watchable
        self._kinds = kinds or {}
        self._due = 1
        self._turns = 0
        self._log = ReportLog()
        self._builder = ReportBuilder(tournament, watchable=watchable)
        self._findings: Findings | None = None
        self._live: dict[int, str] = {}
        self._untold: list[str] = []
        self._marked = False
        self._changes = 0
        self._time = Stopwatch(clock)

    @property
    def leader(self) -> Standing | None:
        """Return the first player of the last results; None before the first one."""
        return None if self._findings is None else leader(self._findings.standings)

    def continue_after(
        self, reports: Iterable[Mapping[str, Any]], live: Mapping[int, str], turns: int, played: int, began: float
    ) -> None:
        """Continue after the `reports` that were published.

        `live` are the episodes of the matches in progress by number. The last of `turns` was after `played` matches,
        and the tournament `began` at that Unix time.
        """
        for data in reports:
            self._log.follow(data)
        self._live = dict(live)
        self._due = milestone(played)
        self._turns = turns
        self._time.began = began
        self._changes = 2 * len(self.tournament.played)
        self._findings = Findings.of(self.tournament)

    def created(self, **about: Any) -> list[Draft]:
        """Return the first drafts; `about` has fields of EpisodeCreated that the tournament does not know."""
        plan = self.tournament.plan
        seats = [SeatInfo(seat=name, player=name, kind=self._kinds.get(name, "bot")) for name in plan.players]
        title = plan.title or f"{plan.game}: {plan.format} of {len(plan.players)} players"
        rules = game_spec(plan.game).rules.version
        created = EpisodeCreated(game=TOURNAMENT, title=title, options=plan.public(), seats=seats, rules=rules, **about)
        return [Draft.of(created), Draft.of(EpisodeStarted())]

    def drawn(self, pairings: Sequence[Pairing]) -> list[Draft]:
        """Return the drafts for pairings that were drawn."""
        pieces = [pairings[at : at + DRAWN_AT_ONCE] for at in range(0, len(pairings), DRAWN_AT_ONCE)]
        planned = self.tournament.planned
        drafts = [Draft.of(PairingsDrawn(planned=planned, pairings=list(piece))) for piece in pieces]
        return drafts + self.report(f"{in_words(len(pairings))} drawn.")

    def began(self, number: int, episode_id: str = "") -> list[Draft]:
        """Return the drafts for the beginning of a match; without an id no viewer can watch it."""
        self._live[number] = shown = self._shown_id(episode_id)
        words = f"{named(number)} began: {versus(self.tournament.pairings[number])}."
        return [Draft.of(PairingBegan(number=number, episode_id=shown)), *self._changed(words)]

    def ended(self, number: int) -> list[Draft]:
        """Return the drafts for the end of a match whose result was added, with a turn if it is due."""
        played = self._played(number)
        return [*played, *(self.standings() if self._standings_due else self._changed(""))]

    def stored(self, number: int, episode_id: str) -> list[Draft]:
        """Return the drafts for a match that was played earlier, without a report."""
        return [Draft.of(PairingBegan(number=number, episode_id=self._shown_id(episode_id))), *self._played(number)]

    def _played(self, number: int) -> list[Draft]:
        match = self.tournament.played[number]
        self._live.pop(number, None)
        self._time.ended += 1
        self._untold.append(f"{named(number)}{' failed' if match.failed else ''}: {result(match).rstrip('.')}.")
        self._marked |= match.failed
        played = PairingPlayed(
            number=number,
            episode_id=self._shown_id(match.episode_id),
            status=match.status,
            message=match.message,
            scores=match.scores,
            counted=list(match.counted),
            faults={record.seat: record.faults for record in match.seats if record.faults},
            fallbacks={record.seat: record.fallbacks for record in match.seats if record.fallbacks},
        )
        return [Draft.of(played)]

    def standings(self) -> list[Draft]:
        """Return a report with new results, and a turn of the episode with the mean scores."""
        self._look_again()
        assert self._findings is not None
        standings = self._findings.standings
        self._due = milestone(standings.played)
        self._turns += 1
        scores = {row.player: row.score.mean for row in standings.table if row.score.mean is not None}
        turn = f"{standings.played}" if self.tournament.plan.endless else f"{standings.played} of {standings.planned}"
        begun = TurnStarted(index=self._turns - 1, turn=turn, to_act=[], scores=scores)
        return [*self.report(), Draft.of(begun)]

    def over(self, message: str = "") -> list[Draft]:
        """Return the last drafts: the final report and the outcome, or `message` on why it stopped early."""
        self._look_again()
        assert self._findings is not None
        report = self.report(end=message)
        if message:
            return [*report, Draft.of(EpisodeEnded(status="stopped", message=message))]
        return [*report, Draft.of(EpisodeEnded(status="finished", outcome=self._findings.outcome))]

    def report(self, text: str = "", *, end: str | None = None) -> list[Draft]:
        """Return the current report; none if nothing changed and `text` is empty.

        `end` is '' after the regular end, and else the reason why the tournament stopped.
        """
        if self._findings is None:
            self._look_again()
        assert self._findings is not None
        told = " ".join(filter(None, (self._told(), text)))
        endless = self.tournament.plan.endless
        left = None if endless else self._time.left(self.tournament.planned - len(self.tournament.played))
        state = TournamentState(self._live, end, self._time.seconds, left)
        marked, self._untold, self._marked = self._marked, [], False
        return self._log.drafts(self._builder.build(self._findings, state), told, mark=marked)

    @property
    def _standings_due(self) -> bool:
        """Return whether results have increased by a tenth, or all drawn matches are over in a format that seldom
        draws."""
        played, often = len(self.tournament.played), self.tournament.plan.format in ("swiss", "ladder")
        last = self.tournament.planned if often else len(self.tournament.pairings)
        return played >= min(self._due, last)

    def _look_again(self) -> None:
        """Compute the results, and note a change of the lead."""
        before = self.leader
        self._findings = Findings.of(self.tournament)
        now = self.leader
        if now is not None and (before is None or now.player != before.player):
            self._untold.append(f"{called(now.player)} takes the lead.")
            self._marked |= before is not None

    def _changed(self, words: str) -> list[Draft]:
        """Return a report on a change of a match, if it is due."""
        if words:
            self._untold.append(words)
        self._changes += 1
        return [] if self._changes % max(1, self._changes // EACH) else self.report()

    def _told(self) -> str:
        """Return a sentence on the changes since the last report."""
        *others, last = self._untold or [""]
        if len(others) <= 2:
            return " ".join([*others, last])
        return f"{last} Before: {many(len(others), 'other change')}."

    def _shown_id(self, episode_id: str) -> str:
        return episode_id if self._watchable else ""


class Stopwatch:
    """The time that a tournament takes, and the pace of its matches in this process."""

    def __init__(self, clock: Callable[[], float] | None) -> None:
        self._clock = clock
        self._since = self.began = 0.0 if clock is None else clock()
        self.ended = 0
        """Matches that ended in this process."""

    @property
    def seconds(self) -> float | None:
        return None if self._clock is None else self._clock() - self.began

    def left(self, matches: int) -> float | None:
        """Return the seconds for so many matches at the present pace; None if it is not known yet."""
        if self._clock is None or self.ended < 2 or not matches:
            return None
        return (self._clock() - self._since) / self.ended * matches


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

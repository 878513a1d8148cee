"""The matches of a tournament as tables of its report: live ones, failed ones, rounds, and all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.standings import PlayedMatch
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.campaigns.tournament.words import MATCHES, behind, named, points, result, scored, versus
from grandstand.campaigns.words import called, many
from grandstand.report import Column, Link, Note, Notes, Row, Section, Table, Value

TAB = "Matches"
NO_FAULTS = Value(value="")
FOLDED = 60
"""Rows beyond these are folded away."""
BY_ROUNDS = ("swiss", "fixed")
"""Formats whose rounds depend on earlier results, or are the plan itself."""
ROUND_COLUMNS = [
    Column(id="round", title="Round"),
    Column(id="players", title="Players"),
    Column(id="points", title="Points"),
    Column(id="played", title="Played", drop=1),
]


class Matches:
    """The tables of a tournament's matches.

    A row that did not change is the same object as before, so that reports of many matches are compared fast.
    """

    def __init__(self, tournament: Tournament, *, watchable: bool) -> None:
        self._tournament = tournament
        self._watchable = watchable
        self._rows: dict[int, tuple[str, Row]] = {}
        self._rounds: dict[tuple[int, int], tuple[int, Row]] = {}
        swiss = tournament.plan.format == "swiss"
        opening = Column(
            id="opening",
            title="Round" if swiss else "Opening",
            shape="number",
            unit="count",
            help="Matches of the same one start from the same situation and luck.",
            drop=1,
        )
        self._columns = [
            Column(id="match", title="Match"),
            Column(id="state", title="State"),
            Column(id="result", title="Result"),
            Column(id="faults", title="Faults", drop=2),
            opening,
        ]

    def sections(self, live: Mapping[int, str]) -> list[Section]:
        """Return the tables; `live` has the episodes of the matches that have begun, by number."""
        drawn, played = self._tournament.pairings, self._tournament.played
        if not drawn:
            return []
        rows = [self._row(pairing, played.get(pairing.number), live.get(pairing.number)) for pairing in drawn]
        failed = [rows[number] for number in sorted(played) if played[number].failed]
        sections = [
            self._section("live", "Live now", [rows[number] for number in sorted(live)]),
            self._section("failed", "Failed", failed, "They are in no score."),
        ]
        if self._tournament.plan.format in BY_ROUNDS:
            body = Table(columns=ROUND_COLUMNS, rows=list(self._encounters()), shown=FOLDED)
            sections.append(Section(id="rounds", title="Rounds", tab=TAB, body=body))
        note = "" if self._watchable else "The matches themselves are not on this server."
        sections.append(self._section(MATCHES, "All matches", rows, note))
        later = 0 if self._tournament.plan.endless else self._tournament.planned - len(drawn)
        if later:
            more = many(later, "more match", "more matches")
            # A note in the table itself would send all of its rows again.
            notes = Notes(notes=[Note(text=f"At most {more} are drawn later, from the results.")])
            sections.append(Section(id="later", tab=TAB, body=notes))
        return [section for section in sections if not isinstance(section.body, Table) or section.body.rows]

    def _section(self, name: str, title: str, rows: Sequence[Row], note: str = "") -> Section:
        body = Table(columns=self._columns, rows=list(rows), shown=FOLDED)
        return Section(id=name, title=title, note=note, tab=TAB, body=body)

    def _row(self, pairing: Pairing, match: PlayedMatch | None, live: str | None) -> Row:
        state = "waiting" if live is None else "live"
        if match is not None:
            state = "failed" if match.failed else "played"
        known = self._rows.get(pairing.number)
        if known is None or known[0] != state:
            episode = live or "" if match is None else match.episode_id
            known = self._rows[pairing.number] = (state, self._new_row(pairing, match, state, episode))
        return known[1]

    def _new_row(self, pairing: Pairing, match: PlayedMatch | None, state: str, episode: str) -> Row:
        number = pairing.number
        link = Link(episode_id=episode) if episode and self._watchable else None
        cells = [
            Value(value=named(number), link=link),
            {
                "waiting": Value(value=state, tone="faint"),
                "live": Value(value=state, tone="good", strong=True),
                "failed": Value(value=state, tone="warning"),
                "played": Value(value=state),
            }[state],
            Value(value=versus(pairing) if match is None else result(match)),
            NO_FAULTS if match is None else _faults(match),
            Value(value=pairing.opening + 1),
        ]
        return Row(id=str(number), cells=cells)

    def _encounters(self) -> Iterable[Row]:
        """Yield the matches of the same players in a round."""
        groups: dict[tuple[int, tuple[str, ...]], list[Pairing]] = defaultdict(list)
        for pairing in self._tournament.pairings:
            groups[pairing.round, tuple(sorted(set(pairing.players.values())))].append(pairing)
        for place, ((round, _), pairings) in enumerate(groups.items()):
            ended = [match for pairing in pairings if (match := self._tournament.played.get(pairing.number))]
            key = (round, place)
            known = self._rounds.get(key)
            if known is None or known[0] != len(ended):
                known = self._rounds[key] = (len(ended), _encounter(place, round, pairings, ended))
            yield known[1]


def _encounter(place: int, round: int, pairings: Sequence[Pairing], ended: Sequence[PlayedMatch]) -> Row:
    sums: dict[str, float] = {}
    for match in ended:
        for player, value in points(match).items():
            sums[player] = sums.get(player, 0.0) + value
    players = versus(pairings[0])
    rests = behind(f"Round {round}: {players}", (pairing.number for pairing in pairings))
    best = dict(sorted(sums.items(), key=lambda item: -item[1]))
    cells = [
        Value(value=str(round)),
        Value(value=players, behind=rests),
        Value(value=scored(best) or None),
        Value(value=f"{len(ended)} of {len(pairings)}"),
    ]
    return Row(id=str(place), cells=cells)


def _faults(match: PlayedMatch) -> Value:
    """Return the faults and fallbacks of each player of a match in words."""
    parts = []
    for player in dict.fromkeys(match.pairing.players.values()):
        own = [record for record in match.seats if record.player == player]
        faults, fallbacks = sum(record.faults for record in own), sum(record.fallbacks for record in own)
        words = [many(faults, "fault") if faults else "", many(fallbacks, "fallback") if fallbacks else ""]
        if any(words):
            parts.append(f"{called(player)} {', '.join(filter(None, words))}")
    return Value(value="; ".join(parts), tone="warning") if parts else NO_FAULTS

"""The report of a leaderboard: who leads, the ratings with results and costs, the seats, and the unrated players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from grandstand.campaigns.numbers import estimate
from grandstand.campaigns.words import cut, many, matches, seat_name
from grandstand.games.catalog import GAMES
from grandstand.report import Column, Figure, Figures, Note, Notes, Report, Row, Section, Table, Value
from grandstand.server.bodies.players import Leaderboard, LeaderboardRow, PageReport, ReportChoice
from grandstand.server.reports.words import (
    CAME,
    OVERLONG,
    REFERENCE,
    choice,
    counted,
    game_title,
    kind_title,
    leaderboard_page,
    page,
    per_answer,
    per_dollar,
    per_match,
    player_page,
    reading,
    some,
    tokens_per_match,
)

FEW, UNFOLDED = 3, 12
"""The most names in a cell, and the most rows of players without a rating that are not folded away."""

VISITORS = (
    "Visitors choose the players of their matches, so these results are not counted in the ratings of this server's "
    "matches."
)
UNCOUNTED = "Forks, imported matches and seats in which a fallback or another person decided do not count."


def leaderboard_report(board: Leaderboard, kind: str = "") -> PageReport:
    """Return the report of a leaderboard, of the players of one `kind` alone if there are such."""
    kinds = list(dict.fromkeys(row.kind for row in board.table))
    kind = kind if kind in kinds else ""
    shown = [row for row in board.table if kind in ("", row.kind)]
    return PageReport(report=_report(board, shown), choices=_choices(board, kinds, kind), unread=board.unread)


def _choices(board: Leaderboard, kinds: Sequence[str], kind: str) -> list[ReportChoice]:
    game, visitors, setting = board.game, board.visitors, "" if board.setting is None else board.setting.id
    games = {name: (game_title(name), leaderboard_page(name, visitors=visitors)) for name in (*GAMES, game)}
    choices = [choice("Game", games, game)]
    if visitors or board.visitor_matches:
        whose = {
            "": ("This server's", leaderboard_page(game)),
            "visitors": (f"Started by visitors ({board.visitor_matches})", leaderboard_page(game, visitors=True)),
        }
        choices.append(choice("Matches", whose, "visitors" if visitors else ""))
    if board.settings:
        settings = {
            info.id: (
                f"{cut(info.label, OVERLONG)} ({info.matches})",
                leaderboard_page(game, info.id, kind, visitors=visitors),
            )
            for info in board.settings
        }
        choices.append(choice("Options", settings, setting))
    if len(kinds) > 1:
        titles = {"": "All kinds", **{name: kind_title(name) for name in kinds}}
        players = {
            name: (title, leaderboard_page(game, setting, name, visitors=visitors)) for name, title in titles.items()
        }
        choices.append(choice("Players", players, kind))
    return choices


def _report(board: Leaderboard, shown: Sequence[LeaderboardRow]) -> Report:
    if board.setting is None:
        return _empty(board)
    ranks = Ranks.of(board)
    sections = reading(board.unread)
    if board.visitors:
        sections.append(Section(id="visitors", body=Notes(notes=[Note(text=VISITORS, tone="faint")])))
    if board.table:
        sections += [_figures(board), _ratings(board, shown, ranks), _results(board, shown), *_seats(board)]
    if board.unrated:
        sections.append(_unrated(board))
    return Report(
        headline=_headline(board, ranks),
        summary=_summary(board),
        owners=[row.player for row in board.table],
        sections=sections,
    )


def _empty(board: Leaderboard) -> Report:
    title = game_title(board.game)
    if board.unread:
        summary = "The leaderboard appears as soon as its first matches are read."
        return Report(headline="Reading the record", summary=summary, sections=reading(board.unread))
    summary = f"The leaderboard of {title} begins with its first finished match."
    note = Note(text="Begin it:", link=page("/cockpit?new", "Start a match"))
    return Report(
        headline="No finished match yet", summary=summary, sections=[Section(id="start", body=Notes(notes=[note]))]
    )


def _summary(board: Leaderboard) -> str:
    assert board.setting is not None
    words = (
        f"{game_title(board.game)}, {cut(board.setting.label, OVERLONG)}: the newest {matches(board.setting.matches)}"
    )
    left_out = ""
    if board.repeats:
        several = f"{board.repeats:,} matches are"
        left_out = f" {'One match is' if board.repeats == 1 else several} left out, with the same seed and the same "
        left_out += "players in the same seats as another."
    reference = (
        f" Of the matches, {board.setting.reference:,} are reference: {CAME}." if board.setting.reference else ""
    )
    return f"{words} of these options.{reference} {UNCOUNTED}{left_out}"


@dataclass(frozen=True, slots=True)
class Ranks:
    """Which players are significantly different, given the players in the order of their ratings."""

    players: Sequence[str]
    equals: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, board: Leaderboard) -> Ranks:
        players = [row.player for row in board.table]
        equal = {name for pair in board.pairs if not pair.differ for name in ((pair.a, pair.b), (pair.b, pair.a))}
        return cls(players, {a: [b for b in players if (a, b) in equal] for a in players})

    def rank(self, player: str) -> str:
        """Return the ranks that a player may have: `1`, or `2–4` where players are not separated."""
        place, near = self.players.index(player), set(self.equals[player])
        best = 1 + sum(name not in near for name in self.players[:place])
        worst = len(self.players) - sum(name not in near for name in self.players[place + 1 :])
        return str(best) if best == worst else f"{best}–{worst}"


def _headline(board: Leaderboard, ranks: Ranks) -> str:
    if not board.table:
        return f"No player has {board.needed} matches that count yet"
    first = cut(ranks.players[0], 40)
    if len(ranks.players) == 1:
        return f"{first} is the only rated player"
    rest = len(ranks.equals[ranks.players[0]])
    if not rest:
        return f"{first} leads, separated from every other player"
    if rest + 1 == len(ranks.players):
        return f"Nobody is separated from {first}, the highest"
    return f"{first} is the highest; {many(rest, 'other player is', 'other players are')} not separated from it"


def _figures(board: Leaderboard) -> Section:
    assert board.setting is not None
    first, pairs = board.table[0], board.pairs
    others = f"{len(board.unrated):,} not rated yet" if board.unrated else ""
    figures = [
        Figure(label=first.player, value=estimate(first.rating), unit="elo", help="The rating of the first player."),
        Figure(label="Rated players", value=Value(value=len(board.table), note=others), unit="count"),
    ]
    if pairs:
        note = "at 5 % for all pairs together"
        separated = Value(value=sum(pair.differ for pair in pairs), note=note)
        figures.append(Figure(label="Separated pairs", value=separated, of=len(pairs)))
    note = f"{board.setting.reference:,} reference" if board.setting.reference else ""
    number = Value(value=board.setting.matches, note=note)
    figures.append(Figure(label="Matches", value=number, unit="count", help=REFERENCE if note else ""))
    return Section(id="figures", body=Figures(figures=figures))


@dataclass(frozen=True, slots=True)
class CostColumn:
    """A column of costs, which is left out if no player has any."""

    column: Column
    of: Callable[[LeaderboardRow], float | None]


COSTS = (
    CostColumn(
        Column(id="cost", title="Cost / match", shape="number", unit="dollars", drop=4, help="At known prices."),
        per_match,
    ),
    CostColumn(
        Column(id="value", title="Score / $", shape="number", drop=5, help="The mean score for a dollar."), per_dollar
    ),
    CostColumn(
        Column(id="tokens", title="Tokens / match", shape="number", unit="count", drop=6, help="Read and written."),
        tokens_per_match,
    ),
    CostColumn(
        Column(id="seconds", title="Time / answer", shape="number", unit="seconds", drop=6, help="From its request."),
        per_answer,
    ),
)


def _ratings(board: Leaderboard, shown: Sequence[LeaderboardRow], ranks: Ranks) -> Section:
    bounds = [bound for row in board.table for bound in (row.rating.low, row.rating.high) if bound is not None]
    least, most = min(bounds, default=None), max(bounds, default=None)
    columns = [
        Column(id="rank", title="Rank", drop=1, help="The ranks that it may have: a range where it is not separated."),
        Column(id="player", title="Player", help="Name and kind."),
        Column(id="rating", title="Rating", shape="whisker", unit="elo", low=least, high=most, help="In Elo points."),
        Column(
            id="near",
            title="Not separated from",
            drop=2,
            help="Players from whom its matches do not separate it, at 5 % for all pairs together.",
        ),
    ]
    rows = []
    for row in shown:
        equals = ranks.equals[row.player]
        cells = [
            Value(value=ranks.rank(row.player), strong=True),
            _name(board, row),
            estimate(row.rating).model_copy(update={"n": None}),
            Value(value=some(equals, FEW) if equals else "nobody", tone="" if equals else "faint"),
        ]
        rows.append(Row(id=row.player, cells=cells, owner=row.player))
    note = (
        "Dots are ratings in Elo points, lines their 95 % intervals. A rank is a range where matches do not separate "
        "players, at 5 % for all pairs together."
    )
    body = Table(columns=columns, rows=rows, sort="rating")
    return Section(id="ratings", title="Ratings", note=note, body=body)


RESULTS = (
    Column(id="player", title="Player"),
    Column(
        id="counted",
        title="Matches",
        shape="number",
        unit="count",
        drop=1,
        help="Matches that count: it made every decision of its seat itself.",
    ),
    Column(id="score", title="Score", shape="number", help="Mean score with its 95 % interval."),
    Column(id="wins", title="Wins", shape="number", unit="count", help="Seats that count in which it won."),
    Column(
        id="fallbacks",
        title="Fallbacks",
        shape="number",
        unit="count",
        drop=5,
        help="Decisions that its fallback made after a fault; their matches do not count.",
    ),
    Column(
        id="faults",
        title="Faults",
        shape="number",
        unit="count",
        drop=3,
        help="Failures to answer, or answers that could not be used.",
    ),
    Column(id="forfeits", title="Forfeits", shape="number", unit="count", drop=6, help="Seats lost because it failed."),
)


def _results(board: Leaderboard, shown: Sequence[LeaderboardRow]) -> Section:
    """Return the tables of results, faults and costs. Each number of matches links to their list."""
    assert board.setting is not None
    setting, visitors = board.setting.id, board.visitors
    costs = [cost for cost in COSTS if any(cost.of(row) is not None for row in shown)]
    rows = []
    for row in shown:
        linked = {"all": row.counted, "won": row.wins, "fallbacks": row.fallbacks, "faults": row.faults}
        linked["forfeited"] = row.forfeits
        numbers = [
            counted(count, player_page(row.player, setting, show, visitors=visitors)) for show, count in linked.items()
        ]
        cells = [_name(board, row), numbers[0], estimate(row.score), *numbers[1:]]
        rows.append(
            Row(id=row.player, cells=[*cells, *(Value(value=cost.of(row)) for cost in costs)], owner=row.player)
        )
    body = Table(columns=[*RESULTS, *(cost.column for cost in costs)], rows=rows)
    return Section(id="results", title="Results", body=body)


def _name(board: Leaderboard, row: LeaderboardRow) -> Value:
    assert board.setting is not None
    address = player_page(row.player, board.setting.id, visitors=board.visitors)
    return Value(value=row.player, note=kind_title(row.kind), link=page(address))


def _seats(board: Leaderboard) -> list[Section]:
    """Return the advantage of each seat, if there are several."""
    known = {seat: effect for seat, effect in board.seat_effects.items() if effect.low is not None}
    if len(known) < 2:
        return []
    columns = [
        Column(id="seat", title="Seat"),
        Column(id="effect", title="Advantage", shape="whisker", unit="signed elo", middle=0.0),
    ]
    rows = [
        Row(id=seat, cells=[Value(value=seat_name(seat)), estimate(effect).model_copy(update={"n": None})])
        for seat, effect in known.items()
    ]
    note = "The advantage of a seat in Elo points against the average seat, which the ratings allow for."
    return [Section(id="seats", title="Seats", note=note, width="half", body=Table(columns=columns, rows=rows))]


def _unrated(board: Leaderboard) -> Section:
    columns = [
        Column(id="player", title="Player"),
        Column(id="counted", title="Matches that count", shape="bar", unit="count", high=float(board.needed)),
    ]
    rows = []
    for row in board.unrated:
        rest = row.matches - row.counted
        note = f"of {board.needed} matches" + (f", {rest:,} not counted" if rest else "")
        rows.append(Row(id=row.player, cells=[_name(board, row), Value(value=row.counted, note=note)]))
    note = (
        f"A rating needs {board.needed} matches in which the player made every decision of its seat itself, against "
        "another player who did too."
    )
    return Section(
        id="unrated",
        title="Not rated yet",
        note=note,
        width="half",
        body=Table(columns=columns, rows=rows, shown=UNFOLDED),
    )

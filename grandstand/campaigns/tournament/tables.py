"""The results of a tournament as sections of its report: standings, comparisons, seats, cost."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from grandstand.campaigns.numbers import estimate, few
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.standings import Duel, Standing, Standings
from grandstand.campaigns.tournament.words import Evidence, rank, separated, troubles
from grandstand.campaigns.words import called, listed, many, matches, seat_name
from grandstand.report import Column, Note, Notes, Row, Section, Table, Tone, Value

FEW = 6
"""The most sentences on players that are not separated."""
NONE = "no match yet"


def result_sections(plan: TournamentPlan, standings: Standings, evidence: Evidence, *, over: bool) -> list[Section]:
    """Return the sections on the results, of the tabs `Results`, `Seats` and `Cost`."""
    return [
        _standings(plan, standings, evidence),
        _heads(standings, evidence),
        _separation(standings, over=over),
        _seats(plan, standings, evidence),
        *_effects(standings),
        _cost(standings, evidence),
    ]


def _standings(plan: TournamentPlan, standings: Standings, evidence: Evidence) -> Section:
    table = standings.table
    troubled = any(troubles(row.total) for row in table)
    paid = any(row.total.spent.answers for row in table)
    columns = [
        Column(
            id="rank", title="Rank", help="The ranks that the player may have: a range where players are not separated."
        ),
        Column(id="player", title="Player", help="With the number of its matches, and of those that count."),
        Column(
            id="score",
            title="Score",
            shape="whisker",
            help="The mean over openings, of the matches in which the player made every decision itself.",
        ),
        Column(id="rating", title="Rating", shape="whisker", unit="elo", help="In Elo points.", drop=1),
    ]
    columns += [Column(id="faults", title="Faults", drop=2)] if troubled else []
    columns += [
        Column(id="cost", title="Cost per match", shape="number", unit="dollars", drop=3),
        Column(id="seconds", title="Answer", shape="number", unit="seconds", drop=4, help="Mean time of an answer."),
    ] * paid
    rows = []
    for row in table:
        count = ("" if row.counted == row.matches else f"{row.counted:,} of ") + matches(row.matches)
        score = evidence.score_of(row.player)
        cells = [
            Value(value=rank(standings, row.player), strong=True),
            Value(value=called(row.player), note=count, behind=evidence.matches_of(row.player)),
            estimate(row.score, behind=score, none=NONE),
            estimate(row.rating, behind=score if row.rating.mean is not None else None, none=NONE),
        ]
        cells += [_troubles(row, evidence)] if troubled else []
        cells += [Value(value=row.dollars_per_match), Value(value=row.seconds_per_answer)] if paid else []
        rows.append(Row(id=row.player, cells=cells, owner=row.player))
    note = "The best first, with 95 % intervals" + (" that hold at every look at the results." if plan.until else ".")
    return Section(id="standings", title="Standings", note=note, tab="Results", body=Table(columns=columns, rows=rows))


def _troubles(row: Standing, evidence: Evidence) -> Value:
    words = troubles(row.total)
    return (
        Value(value=words, tone="warning", behind=evidence.faults_of(row.player))
        if words
        else Value(value="none", tone="faint")
    )


def _heads(standings: Standings, evidence: Evidence) -> Section:
    """Return every player against every other: the share of comparisons that the row's player won."""
    names = [row.player for row in standings.table]
    columns = [Column(id="player", title="")]
    columns += [
        Column(id=f"against {name}", title=called(name), shape="heat", unit="share", low=0.0, high=1.0, middle=0.5)
        for name in names
    ]
    rows = []
    for name in names:
        duels = [Value() if name == other else _duel(standings.duels[name, other], evidence) for other in names]
        rows.append(Row(id=name, cells=[Value(value=called(name)), *duels], owner=name))
    note = "The share of their comparisons that the player of the row won. Bold: separated."
    body = Table(columns=columns, rows=rows)
    return Section(id="heads", title="Head to head", note=note, tab="Results", width="half", body=body)


def _duel(pair: Duel, evidence: Evidence) -> Value:
    share = pair.share
    if share.mean is None:
        return Value(note="no comparison yet")
    note = "; ".join(filter(None, (few(share), separated(pair))))
    return estimate(share, behind=evidence.duel(pair)).model_copy(update={"note": note, "strong": pair.differ})


def _separation(standings: Standings, *, over: bool) -> Section:
    """Return the section on the players that are separated, and on those that are not yet."""
    yet = "" if over else " yet"
    ahead, level = [], []
    pairs = {(pair.a, pair.b) for pair in standings.cross if not (pair.ahead or pair.turned.ahead)}
    for row in standings.table:
        others = [other.player for other in standings.table if other.player != row.player]
        below = [called(other) for other in others if standings.duels[row.player, other].ahead]
        equal = [called(other) for other in others if (row.player, other) in pairs]
        if below:
            ahead.append(f"{called(row.player)} is ahead of {listed(below)}.")
        if equal:
            level.append(f"{called(row.player)} from {listed(equal)}.")
    notes = _titled("Separated", ahead, "good")
    if not ahead:
        text = "Every difference so far may be luck."
        notes = [Note(title=f"Nobody is separated{yet}", text=text, tone="warning")]
    elif level:
        rest = len(level) - FEW
        more = [f"{many(rest, 'more player')} from those below."] if rest > 0 else []
        notes += _titled(f"Not separated{yet}", [*level[:FEW], *more], "")
    note = (
        "Separated: the difference is beyond chance at 5 % for all pairs together. An interval is that of one player"
        " alone. Matches of one opening share their luck, so an opening counts once. A fallback's decisions count for"
        " nobody."
    )
    return Section(
        id="separated",
        title="What the results show",
        note=note,
        tab="Results",
        width="half",
        body=Notes(notes=notes),
    )


def _titled(title: str, texts: Sequence[str], tone: Tone) -> list[Note]:
    return [Note(title=title if at == 0 else "", text=text, tone=tone) for at, text in enumerate(texts)]


def _seats(plan: TournamentPlan, standings: Standings, evidence: Evidence) -> Section:
    scores = {(cell.player, cell.seat): cell.score for cell in standings.seats}
    means = [own.mean for own in scores.values() if own.mean is not None]
    middle = fmean(means) if means else 0.0
    reach = max((abs(mean - middle) for mean in means), default=0.0)
    low, high = middle - reach, middle + reach
    columns = [Column(id="player", title="Player")]
    columns += [
        Column(id=seat, title=seat_name(seat), shape="heat", low=low, high=high, middle=middle) for seat in plan.seats
    ]
    rows = []
    for row in standings.table:
        cells = [Value(value=called(row.player))]
        for seat in plan.seats:
            own = scores[row.player, seat]
            seated = None if own.mean is None else evidence.seat(row.player, seat, own)
            cells.append(estimate(own, behind=seated, none=NONE))
        rows.append(Row(id=row.player, cells=cells, owner=row.player))
    note = "The mean score of each player in each seat."
    body = Table(columns=columns, rows=rows)
    return Section(id="seats", title="Score by seat", note=note, tab="Seats", width="half", body=body)


def _effects(standings: Standings) -> list[Section]:
    """Return the advantage of each seat, once the ratings have an estimate."""
    if not standings.seat_effects:
        return []
    columns = [
        Column(id="seat", title="Seat"),
        Column(id="effect", title="Elo points", shape="whisker", unit="signed elo", middle=0.0),
    ]
    rows = [
        Row(id=seat, cells=[Value(value=seat_name(seat)), estimate(effect)])
        for seat, effect in standings.seat_effects.items()
    ]
    note = "Against the average seat, with 95 % intervals; the ratings allow for it."
    body = Table(columns=columns, rows=rows)
    return [Section(id="effects", title="What a seat is worth", note=note, tab="Seats", width="half", body=body)]


COST_COLUMNS = [
    Column(id="cost", title="Cost", shape="number", unit="dollars"),
    Column(id="per_match", title="Cost per match", shape="number", unit="dollars", drop=3),
    Column(id="per_dollar", title="Score per dollar", shape="number", drop=2),
    Column(id="tokens", title="Tokens a match", shape="bar", unit="count", drop=4),
    Column(id="seconds", title="Seconds an answer", shape="bar", unit="seconds", drop=5),
    Column(id="answers", title="Answers", shape="number", unit="count", drop=6),
    Column(id="all_tokens", title="Tokens in all", shape="number", unit="count", drop=7),
]
DECISION_COLUMNS = [
    Column(id="decisions", title="Decisions", shape="number", unit="count", drop=8),
    Column(id="faults", title="Faults", shape="number", unit="count"),
    Column(id="fallbacks", title="Fallbacks", shape="number", unit="count"),
    Column(id="forfeits", title="Forfeits", shape="number", unit="count", drop=1),
]


def _cost(standings: Standings, evidence: Evidence) -> Section:
    """Return the cost of each player's answers, beside its score."""
    asked = any(row.total.spent.answers for row in standings.table)
    columns = [Column(id="player", title="Player"), *(COST_COLUMNS if asked else []), *DECISION_COLUMNS]
    rows = []
    for row in standings.table:
        total, faults = row.total, evidence.faults_of(row.player)
        name = Value(value=called(row.player), behind=evidence.matches_of(row.player))
        counts = [
            Value(value=count, tone="warning", behind=faults) if count else Value(value=0)
            for count in (total.faults, total.fallbacks, total.forfeits)
        ]
        cells = [name, *(_spent(row) if asked else []), Value(value=total.decisions), *counts]
        rows.append(Row(id=row.player, cells=cells, owner=row.player))
    note = (
        "Decisions of a fallback are counted apart and are in no score. Matches that failed are in the cost, and in no"
        " score."
    )
    if not asked:
        note = f"No language model plays: the answers cost nothing. {note}"
    return Section(
        id="cost", title="What each player cost", note=note, tab="Cost", body=Table(columns=columns, rows=rows)
    )


def _spent(row: Standing) -> list[Value]:
    spent = row.total.spent
    if not spent.answers:
        return [Value() for _ in COST_COLUMNS]
    per_match = [Value(value=row.score_per_dollar), Value(value=row.tokens_per_match)]
    return [
        Value(value=spent.dollars),
        Value(value=row.dollars_per_match),
        *per_match,
        Value(value=row.seconds_per_answer),
        Value(value=spent.answers),
        Value(value=spent.tokens),
    ]

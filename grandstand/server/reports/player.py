"""The report of a player: its rating, its opponents, its style, its best moments, and its matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from grandstand.campaigns.numbers import estimate, with_interval
from grandstand.campaigns.words import capital, cut, many, matches, seat_name
from grandstand.games.story import times
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
from grandstand.server.bodies.lobby import Highlight
from grandstand.server.bodies.players import HeadToHead, PageReport, PlayerMatch, PlayerPage, ReportChoice, Rivalry
from grandstand.server.reports.words import (
    CAUSES,
    OVERLONG,
    REFERENCE,
    ago,
    chance,
    choice,
    counted,
    game_title,
    kind_title,
    leaderboard_page,
    ordinal,
    page,
    per_answer,
    per_dollar,
    per_match,
    player_page,
    reading,
    some,
    tokens_per_match,
)

OPPONENTS, MATCHES = 12, 20
"""The rows of the tables of opponents and matches that are not folded away."""

SHOWS: Mapping[str, tuple[str, Callable[[PlayerMatch], bool]]] = {
    "all": ("All", lambda match: True),
    "won": ("Won", lambda match: match.won),
    "counted": ("Counted", lambda match: match.counted),
    "uncounted": ("Not counted", lambda match: not match.counted),
    "faults": ("With faults", lambda match: match.faults > 0),
    "fallbacks": ("With fallbacks", lambda match: match.fallbacks > 0),
    "forfeited": ("Forfeited", lambda match: match.forfeited),
}
AGAINST = "against:"


def player_report(player: PlayerPage, show: str, now: float) -> PageReport:
    """Return the report of a player, with those of its matches that `show` names: `won`, or `against:heron-2`."""
    show = show if show in SHOWS or show.startswith(AGAINST) else "all"
    sections = [
        *reading(player.unread),
        _figures(player),
        *_costs(player),
        *_history(player),
        *_opponents(player),
        *_rivalries(player),
        *_style(player),
        *_seats(player),
        *_moments(player, now),
        _matches(player, show, now),
    ]
    kind = capital(kind_title(player.kind))
    report = Report(
        headline=f"{ordinal(player.rank)} on the leaderboard" if player.rank else "Not rated yet",
        summary=f"{kind}: {player.description}" if player.description else f"{kind}.",
        owners=[player.player],
        sections=sections,
    )
    return PageReport(report=report, choices=_choices(player, show), unread=player.unread)


def _at(player: PlayerPage, show: str) -> str:
    return player_page(player.player, player.setting.id, show, visitors=player.visitors)


def _choices(player: PlayerPage, show: str) -> list[ReportChoice]:
    settings = {
        info.id: (
            f"{game_title(info.game)}: {cut(info.label, OVERLONG)}",
            player_page(player.player, info.id, visitors=player.visitors),
        )
        for info in player.settings
    }
    counts = {name: len(_those(player, name)) for name in dict.fromkeys((*SHOWS, show))}
    matches = {
        name: (f"{_title(name)} ({count})", _at(player, name))
        for name, count in counts.items()
        if count or name == show
    }
    return [choice("Game and options", settings, player.setting.id), choice("Matches", matches, show)]


def _title(show: str) -> str:
    return f"Against {cut(show.removeprefix(AGAINST), 40)}" if show.startswith(AGAINST) else SHOWS[show][0]


def _those(player: PlayerPage, show: str) -> list[PlayerMatch]:
    if show.startswith(AGAINST):
        return [match for match in player.matches if show.removeprefix(AGAINST) in match.opponents]
    _, holds = SHOWS[show]
    return [match for match in player.matches if holds(match)]


def _figures(player: PlayerPage) -> Section:
    row = player.figures
    leaderboard = page(leaderboard_page(player.setting.game, player.setting.id, visitors=player.visitors))
    rating = estimate(row.rating).model_copy(update={"link": leaderboard, "n": None})
    if player.rank is None:
        rating = Value(value="not yet", note=f"{row.counted} of {player.needed} matches", link=leaderboard)
    causes = "; ".join(f"{CAUSES.get(boundary, boundary)}: {n}" for boundary, n in player.causes.items())
    assisted = f", {row.assisted:,} by others" if row.assisted else ""
    reference = f", {player.reference:,} reference" if player.reference else ""

    def linked(label: str, count: int, show: str, note: str) -> Figure:
        return Figure(label=label, value=counted(count, _at(player, show), note), unit="count")

    figures = [
        Figure(label="Rating", value=rating, unit="elo", help="In Elo points; it leads to the leaderboard."),
        Figure(label="Score", value=estimate(row.score), help="The mean over the matches that count."),
        linked("Matches", player.played, "all", f"{row.counted:,} compared with others{reference}"),
        linked("Wins", row.wins, "won", f"of {row.scored:,} seats that count"),
        linked("Fallbacks", row.fallbacks, "fallbacks", f"of {row.decisions:,} decisions{assisted}"),
        linked("Faults", row.faults, "faults", causes or "none"),
    ]
    if row.forfeits:
        figures.append(linked("Forfeits", row.forfeits, "forfeited", "seats lost by failing"))
    return Section(id="figures", body=Figures(figures=figures))


def _costs(player: PlayerPage) -> list[Section]:
    """Return what the player has cost, where it is known."""
    row = player.figures
    dollars, tokens, seconds = per_match(row), tokens_per_match(row), per_answer(row)
    figures = []
    if dollars is not None:
        sum_note = f"in sum ${row.dollars:,.2f} in {many(row.costed, 'match', 'matches')}"
        figures.append(Figure(label="Cost of a match", value=Value(value=dollars, note=sum_note), unit="dollars"))
    if (value := per_dollar(row)) is not None:
        figures.append(Figure(label="Score for $1", value=Value(value=value)))
    if tokens is not None:
        note = f"{row.tokens:,} in all"
        figures.append(Figure(label="Tokens of a match", value=Value(value=tokens, note=note), unit="count"))
    if seconds is not None:
        note = f"of {many(row.answers, 'answer')}"
        figures.append(Figure(label="Time of an answer", value=Value(value=seconds, note=note), unit="seconds"))
    return [Section(id="costs", body=Figures(figures=figures))] if figures else []


def _history(player: PlayerPage) -> list[Section]:
    """Return the rating over time, if there are several."""
    if len(player.history) < 2:
        return []
    points = []
    for at in player.history:
        mean, low, high = at.rating.mean, at.rating.low, at.rating.high
        if mean is not None:
            points.append(Point(x=at.matches, y=mean, low=low, high=high))
    told = ", ".join(f"after {at.matches} matches {with_interval(estimate(at.rating), 'elo')}" for at in player.history)
    marks = [
        Mark(id="interval", kind="band", owner=player.player, points=points),
        Mark(id="rating", kind="line", owner=player.player, points=points, strong=True),
        Mark(
            id="ratings",
            kind="dots",
            owner=player.player,
            points=[p.model_copy(update={"low": None, "high": None}) for p in points],
        ),
    ]
    chart = Chart(
        x=Axis(title="matches"), y=Axis(title="Rating", unit="elo"), marks=marks, describe=f"Rating over time: {told}"
    )
    note = (
        "The rating that the leaderboard had after so many matches of these options, from all matches up to then, with "
        "its 95 % interval."
    )
    return [Section(id="history", title="Rating over time", note=note, tab="Overview", body=chart)]


def _opponents(player: PlayerPage) -> list[Section]:
    if not player.opponents:
        return []
    columns = [
        Column(id="opponent", title="Opponent"),
        Column(id="share", title="Comparisons won", shape="whisker", unit="share", low=0.0, high=1.0, middle=0.5),
        Column(id="strength", title="By the ratings", drop=2),
        Column(id="matches", title="Matches", shape="number", unit="count", drop=1),
    ]
    rows = []
    for pair in player.opponents:
        address = player_page(pair.b, player.setting.id, visitors=player.visitors)
        share = estimate(pair.share).model_copy(update={"n": None})
        cells = [Value(value=pair.b, link=page(address)), share, Value(value=_strength(pair))]
        rows.append(Row(id=pair.b, cells=[*cells, counted(pair.share.n, _at(player, AGAINST + pair.b))]))
    note = (
        "The share of direct comparisons won, ties as half, with its 95 % interval; and by the ratings, the "
        "probability that it is the stronger or the weaker."
    )
    body = Table(columns=columns, rows=rows, shown=OPPONENTS)
    return [Section(id="opponents", title="Head to head", note=note, tab="Overview", body=body)]


def _strength(pair: HeadToHead) -> str:
    """Return how the ratings compare the player with an opponent."""
    if pair.stronger is None:
        return "not rated yet"
    side = "stronger" if pair.stronger >= 0.5 else "weaker"
    return f"{side} with {chance(max(pair.stronger, 1 - pair.stronger))}{'' if pair.differ else ', not separated'}"


def _rivalries(player: PlayerPage) -> list[Section]:
    """Return what the player and its rivals did to each other over all matches."""
    if not player.rivalries:
        return []
    body = Notes(notes=[_rivalry(player, rivalry) for rivalry in player.rivalries])
    reference = f" {REFERENCE}" if any(rivalry.reference for rivalry in player.rivalries) else ""
    note = f"What the players did to each other over all matches of the game.{reference}"
    return [Section(id="rivalries", title="Rivalries", note=note, tab="Overview", width="half", body=body)]


def _rivalry(player: PlayerPage, rivalry: Rivalry) -> Note:
    name, other = cut(player.player, 40), cut(rivalry.other, 40)
    if rivalry.done:
        text = f"{name} has {rivalry.deed} {other} {times(rivalry.done)}"
        text += f", and was {rivalry.deed} {times(rivalry.suffered)} in return." if rivalry.suffered else "."
    else:
        text = f"{other} has {rivalry.deed} {name} {times(rivalry.suffered)}."
    reference = f", {rivalry.reference:,} reference" if rivalry.reference else ""
    address = player_page(rivalry.other, visitors=player.visitors)
    return Note(text=text, link=page(address, f"{matches(rivalry.matches)}{reference}"))


def _style(player: PlayerPage) -> list[Section]:
    if not player.style:
        return []
    columns = [
        Column(id="measure", title="Measure"),
        Column(id="own", title=cut(player.player, 40), shape="number"),
        Column(id="others", title="All others", shape="number"),
    ]
    rows = []
    for figure in player.style:
        name = Value(value=capital(figure.name.replace("_", " ")), note=capital(figure.meaning))
        own, others = (estimate(one).model_copy(update={"note": ""}) for one in (figure.own, figure.others))
        rows.append(Row(id=figure.name, cells=[name, own, others]))
    note = (
        "The game's own measures of the player beside those of all others, as means over matches. Where no interval "
        "stands, n is too small for one."
    )
    body = Table(columns=columns, rows=rows)
    return [Section(id="style", title="Style", note=note, tab="Overview", width="half", body=body)]


def _seats(player: PlayerPage) -> list[Section]:
    """Return the score by seat, if there are several."""
    if len(player.seats) < 2:
        return []
    columns = [Column(id="seat", title="Seat"), Column(id="score", title="Score", shape="whisker", low=0.0, high=1.0)]
    rows = [Row(id=one.seat, cells=[Value(value=seat_name(one.seat)), estimate(one.score)]) for one in player.seats]
    body = Table(columns=columns, rows=rows)
    return [Section(id="seats", title="Score by seat", tab="Overview", width="half", body=body)]


def _moments(player: PlayerPage, now: float) -> list[Section]:
    if not player.moments:
        return []
    body = Notes(notes=[_moment(moment, now) for moment in player.moments])
    return [Section(id="moments", title="Best moments", tab="Overview", width="half", body=body)]


def _moment(moment: Highlight, now: float) -> Note:
    when = "reference" if moment.reference else ago(moment.at, now)
    words = ", ".join(filter(None, (moment.turn, cut(moment.title, 60), when)))
    address = f"/episode/{moment.episode_id}?seq={moment.first}&to={moment.last}"
    return Note(text=moment.text, link=page(address, words))


def _matches(player: PlayerPage, show: str, now: float) -> Section:
    newest = len(player.matches)
    note = f"The newest {newest} of its {player.played:,} matches." if player.played > newest else ""
    body = _table(_those(player, show), now)
    return Section(id="matches", title="Matches", note=note, tab="Matches", body=body)


def _table(matches: Sequence[PlayerMatch], now: float) -> Table | Notes:
    if not matches:
        return Notes(notes=[Note(text="No match of this kind.", tone="faint")])
    columns = [
        Column(id="match", title="Match"),
        Column(id="seats", title="As", drop=3),
        Column(id="opponents", title="Against"),
        Column(id="result", title="Result"),
        Column(id="score", title="Score", shape="number", drop=2),
        Column(id="ended", title="Ended", drop=1),
    ]
    return Table(columns=columns, rows=[_row(match, now) for match in matches], shown=MATCHES)


def _row(match: PlayerMatch, now: float) -> Row:
    troubles = [_uncounted(match), many(match.faults, "fault") if match.faults else ""]
    note = ", ".join(filter(None, troubles))
    result = Value(value="Won" if match.won else "Not won", strong=match.won, tone="" if match.won else "faint")
    if note:
        result = result.model_copy(update={"note": note, "tone": "warning"})
    day = datetime.fromtimestamp(match.ended_at, UTC).strftime("%Y-%m-%d %H:%M")
    cells = [
        _title_of(match),
        Value(value=some([seat_name(seat) for seat in match.seats])),
        Value(value=some([cut(name, 30) for name in match.opponents]) if match.opponents else "alone"),
        result,
        Value(value=match.score),
        Value(value=ago(match.ended_at, now), note=f"{day} UTC"),
    ]
    return Row(id=match.episode_id or f"{match.title}/{match.ended_at}", cells=cells)


def _title_of(match: PlayerMatch) -> Value:
    """Return the title of a match, which leads to its record if it is here."""
    link = page(f"/episode/{match.episode_id}") if match.episode_id else None
    note = "" if not match.reference else "reference" if link else "reference, its result alone"
    return Value(value=match.title, note=note, link=link)


def _uncounted(match: PlayerMatch) -> str:
    """Return why a match does not count for the player; '' if it does."""
    if match.forfeited:
        return "forfeited"
    if match.counted:
        return ""
    if match.fallbacks:
        return f"not counted: its fallback made {many(match.fallbacks, 'decision')}"
    return "not counted: another player decided for it" if match.assisted else "not counted: it made no decision"

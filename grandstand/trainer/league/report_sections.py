"""The report of a league as the report of a campaign: players, payoffs and the opponents that its runs met last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grandstand.campaigns.words import listed, many
from grandstand.report import Column, Report, Row, Section, Table, Value
from grandstand.trainer.league.report import LastOpponents, LeagueReport, PairResult, ReportedPlayer

WIDEST = 10
"""The most players of a payoff matrix."""
NUMBERS = (
    Column(id="pairs", title="Pairs", shape="number", unit="count", help="Comparisons of two seats in a match."),
    Column(id="rating", title="Rating", shape="number", unit="elo", help="In Elo points; bases have 1500 on average."),
    Column(id="nash", title="Nash", shape="number", help="Share in the equilibrium of greatest entropy."),
    Column(id="against", title="Against it", shape="number", help="Expected score against that equilibrium."),
    Column(id="alpha", title="Alpha", shape="number", help="Share by alpha-rank."),
)
NOTE = (
    "Pairs: comparisons of two seats in a match. Rating: in Elo points with its 95 % interval; bases have 1500 on "
    "average. Nash: share in the equilibrium of greatest entropy; against it: the expected score. Alpha: alpha-rank. "
    "These three rest on the payoffs as they are, whatever their uncertainty; pairs that never met score by rating."
)


def league_report(league: LeagueReport) -> Report:
    """Return the report of the league of one game with one set of options."""
    labels = _labels(league)
    return Report(
        headline=f"{league.game} {league.options}",
        summary=many(league.matches, "match", "matches"),
        owners=[player.name for player in league.players],
        sections=[
            _players(league, labels),
            _payoffs(league, labels),
            *(_opponents(last, labels) for last in league.opponents),
        ],
    )


def _labels(league: LeagueReport) -> dict[str, str]:
    """Return a short name of each player: `v12` for a version, after the name of its run if there are several."""
    runs = {player.run for player in league.players if player.run}
    return {
        player.name: player.name
        if player.version is None
        else f"v{player.version}"
        if len(runs) == 1
        else f"{player.run} v{player.version}"
        for player in league.players
    }


def _players(league: LeagueReport, labels: Mapping[str, str]) -> Section:
    roles = {player.role for player in league.players if player.role}
    columns = [Column(id="player", title="Player"), *NUMBERS, Column(id="kind", title="Kind")]
    rows = [_player(player, labels, several=len(roles) > 1) for player in league.players if player.games]
    absent = sorted(labels[player.name] for player in league.players if not player.games)
    note = f"{NOTE} Without results: {listed(absent)}." if absent else NOTE
    return Section(id="players", title="Players", note=note, body=Table(columns=columns, rows=rows))


def _player(player: ReportedPlayer, labels: Mapping[str, str], *, several: bool) -> Row:
    """Return the row of a player; `several` is true if there are players of several roles."""
    kind = [
        player.role.replace("_", " ") if several else "",
        "landmark" if player.landmark else player.kind,
        f"from {labels.get(player.parent, player.parent)}" if player.parent else "",
    ]
    cells = [
        Value(value=labels[player.name]),
        Value(value=player.games),
        Value(value=player.rating, low=player.low, high=player.high),
        *(_rounded(figure) for figure in (player.nash, player.against_nash, player.alpha)),
        Value(value=", ".join(filter(None, kind))),
    ]
    return Row(id=player.name, owner=player.name, cells=cells)


def _rounded(figure: float | None) -> Value:
    return Value(value=None if figure is None else round(figure, 3))


def _payoffs(league: LeagueReport, labels: Mapping[str, str]) -> Section:
    """Return the payoff matrix. Of many players, it has those with the greatest shares in the Nash average, then the
    best."""
    met = [player for player in league.players if player.games]
    first = sorted(met, key=lambda player: -(player.nash or 0.0))[:WIDEST]
    shown = [player for player in met if player in first]
    results = {(payoff.player, payoff.opponent): payoff for payoff in league.payoffs}
    columns = [Column(id="player", title="Player")] + [
        Column(id=player.name, title=str(number), shape="heat", unit="share", low=0, high=1, middle=0.5)
        for number, player in enumerate(shown, 1)
    ]
    rows = [
        Row(
            id=player.name,
            owner=player.name,
            cells=[
                Value(value=f"{number} {labels[player.name]}"),
                *(_payoff(results.get((player.name, other.name))) for other in shown),
            ],
        )
        for number, player in enumerate(shown, 1)
    ]
    note = (
        f"Of {len(shown)} of {len(met)} players: the share won by the row against the column, and the pairs, of which "
        "those of a group are dependent."
    )
    return Section(id="payoffs", title="Payoffs", note=note, body=Table(columns=columns, rows=rows))


def _payoff(payoff: PairResult | None) -> Value:
    return Value() if payoff is None else Value(value=payoff.score, note=str(payoff.games))


def _opponents(last: LastOpponents, labels: Mapping[str, str]) -> Section:
    columns = [
        Column(id="player", title="Player"),
        Column(id="chance", title="Chance", shape="number"),
        Column(id="expected", title="Expected score", shape="number"),
    ]
    ordered: Sequence[tuple[str, float]] = sorted(last.chances.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        Row(
            id=name,
            owner=name,
            cells=[Value(value=labels.get(name, name)), Value(value=chance), Value(value=last.expected.get(name))],
        )
        for name, chance in ordered
    ]
    title = f"Opponents of {last.run} at step {last.step}"
    return Section(id=f"opponents {last.run}", title=title, body=Table(columns=columns, rows=rows))

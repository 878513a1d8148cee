"""The tab of the league: ratings, results of every pair, differences, and the opponents of the steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from grandstand.campaign_events import Estimate, LeaguePayoff, LeagueRated, RatedPlayer
from grandstand.campaigns.words import many
from grandstand.report import Axis, Chart, Column, Mark, Note, Notes, Row, Section, Table, Tone, Value
from grandstand.trainer.report.charts import steps
from grandstand.trainer.report.ratings import BAND, ELITE, is_present, met, ranked, result
from grandstand.trainer.report.state import RunState
from grandstand.trainer.report.words import POLICY, called, joined, plain

TAB = "League"
EVEN = 0.5
MATRIX = 14
"""Most players of the matrix."""
KINDS = {"base": "where the run began", "bot": "bot", "policy": "version", "peer": "of another run"}
Verdict = Literal["above", "below", "open", "few"]
"""The conclusion from an estimate: none from few games, or if its interval contains 0."""
VERDICTS: dict[Verdict, str] = {
    "above": "ahead, beyond chance",
    "below": "behind, beyond chance",
    "open": "no difference shown",
    "few": "too few situations to say",
}
TONES: dict[Verdict, Tone] = {"above": "good", "below": "bad", "open": "", "few": "faint"}
DIFFERENCES = {
    "exploitation": ("Exploitation", "Elo points won from each bot (+) or lost to it (−).", 1),
    "forgetting": (
        "Forgetting",
        "Score against each old landmark, in points of 100 above an even one. Below zero: forgotten.",
        100,
    ),
}


def unrated(state: RunState) -> Iterator[Section]:
    """Yield the reason if nobody is rated."""
    if state.step and state.ratings.shown is None:
        yield Section(id="unrated", tab=TAB, body=Notes(notes=[_waiting(state)]))


def standings(state: RunState) -> Iterator[Section]:
    """Yield the ratings, the results of every pair, the exploitation of bots, and forgetting."""
    rated = state.ratings.shown
    if rated is not None:
        yield _ratings(state)
        yield _players(state, rated)
        yield _payoffs(state, rated)
        for kind, differences in state.ratings.differences.items():
            if differences:
                yield _differences(rated, kind, differences)


def rated_words(rated: LeagueRated) -> str:
    """Return a clause on the ratings of a step: who leads, and whether beyond chance."""
    if not rated.players:
        return "nobody is rated yet"
    best, *others = rated.players
    low, high = best.rating.low, others[0].rating.high if others else None
    leads = "leads" if low is not None and high is not None and low > high else "is first, not beyond chance,"
    points = f"{best.rating.mean or 0:.0f}"
    return f"{called(best.label)} {leads} with {points}, of {many(len(rated.players), 'player')}"


def players_in_colour(state: RunState) -> list[str]:
    """Return those players that have a colour of their own: the policy, then the bots."""
    rated = state.ratings.shown
    return ["Policy", *sorted(player.label for player in (rated.players if rated else []) if player.kind == "bot")]


def verdict(estimate: Estimate, even: float) -> Verdict:
    if estimate.mean is None or estimate.low is None or estimate.high is None:
        return "few"
    if estimate.low > even:
        return "above"
    return "below" if estimate.high < even else "open"


def _waiting(state: RunState) -> Note:
    if state.status:
        return Note(
            title="Nobody was rated",
            text="The run ended before its first checkpoint, or rates no matches (league.rated_matches).",
        )
    every = int(state.number("run", "checkpoint_every") or 0)
    if state.number("league", "rated_matches") == 0:
        text = "league.rated_matches is 0: this run rates nobody."
    elif every:
        first = (state.step // every + 1) * every
        text = f"Ratings and results appear at the next checkpoint, after step {first}."
    else:
        text = "Ratings and results appear at the first checkpoint."
    return Note(title="Nobody is rated yet", text=text)


def _owner(player: RatedPlayer) -> str:
    return "Policy" if player.kind == "policy" else player.label if player.kind == "bot" else ""


def _ratings(state: RunState) -> Section:
    marks = []
    for label, (player, curve) in sorted(
        state.ratings.curves.items(), key=lambda item: (item[0] != BAND, item[0] != POLICY)
    ):
        if label == BAND:
            marks.append(Mark(id=BAND, kind="band", owner="Policy", points=curve.points))
            continue
        marks.append(
            Mark(
                id=label,
                kind="line",
                name=called(label),
                owner="Policy" if label == ELITE else _owner(player),
                tone="faint" if label == ELITE or player.kind in ("base", "peer") else "",
                strong=label == POLICY,
                points=curve.points,
            )
        )
    body = Chart(
        x=steps(state),
        y=Axis(unit="elo"),
        marks=marks,
        describe="Ratings in Elo points over the steps: the policy as it was at each step with its 95 % interval, its "
        "base, the bots and its landmarks.",
    )
    note = "Elo points, the base having 1500; shaded: 95 % interval of the policy as it was at each step."
    return Section(id="ratings", title="Ratings", tab=TAB, note=note, width="half", body=body)


def _players(state: RunState, rated: LeagueRated) -> Section:
    first, others = ranked(rated, state.ratings.elite)
    shares = any(player.share is not None for player in rated.players)
    columns = [
        Column(id="player", title="Player"),
        Column(id="rating", title="Elo", shape="whisker", unit="elo"),
        Column(id="games", title="Games", shape="number", unit="count", drop=1),
    ]
    if shares:
        words = "Share of the mixture of players that none of them beats (Nash average)."
        columns.append(Column(id="share", title="Nash share", shape="number", unit="share", help=words, drop=2))
    body = Table(
        columns=columns,
        rows=[_player(state, rated, player, shares) for player in (*first, *others)],
        shown=len(first) if others else 0,
    )
    note = f"Ratings of step {rated.step} with 95 % intervals."
    return Section(id="players", title="Players", tab=TAB, note=note, width="half", body=body)


def _player(state: RunState, rated: LeagueRated, player: RatedPlayer, shares: bool) -> Row:
    rating, step = player.rating, rated.step
    same = rating.low is not None and rating.high is not None and round(rating.low) == round(rating.high)
    where = state.command(step)
    note = "the reference" if same else "" if rating.low is not None else "no interval"
    cells = [
        Value(
            value=called(player.label), note=_kind(player, state.ratings.elite), behind=met(player, step, note=where)
        ),
        Value(
            value=rating.mean,
            low=None if same else rating.low,
            high=None if same else rating.high,
            note=note,
            strong=True,
        ),
        Value(value=rating.n or None),
    ]
    if shares:
        cells.append(Value(value=player.share))
    strong: Tone = "good" if is_present(player, rated) else "faint" if player.kind in ("base", "peer") else ""
    return Row(id=player.label, cells=cells, owner=_owner(player), tone=strong)


def _kind(player: RatedPlayer, elite: int | None) -> str:
    """Return what a player is: `landmark`, `bot`, `main exploiter`."""
    parts = [
        "landmark" if player.landmark else "",
        "best version" if player.version is not None and player.version == elite else "",
        plain(player.role),
    ]
    kind = "since the last checkpoint" if player.label == POLICY else KINDS[player.kind]
    named = player.kind == "policy" and player.version is not None and any(parts)
    return joined(parts if named else [kind, *parts])


def _payoffs(state: RunState, rated: LeagueRated) -> Section:
    first = ranked(rated, state.ratings.elite)[0][:MATRIX]
    columns = [Column(id="player", title="")]
    columns += [
        Column(id=player.label, title=called(player.label), shape="heat", unit="share", low=0, high=1, middle=EVEN)
        for player in first
    ]
    rows = [
        Row(
            id=player.label,
            owner=_owner(player),
            cells=[Value(value=called(player.label)), *(_pair(rated, player, other) for other in first)],
        )
        for player in first
    ]
    among = (
        f" The {len(first)} most important of {len(rated.players)} players." if len(first) < len(rated.players) else ""
    )
    note = (
        "Share that the player of the row won of its comparisons with the player of the column, ties as half, and the "
        "95 % interval. Coloured: beyond chance, for all pairs together; hatched: not. Matches that fork from "
        f"one position are one situation.{among}"
    )
    return Section(id="payoffs", title="Who beats whom", tab=TAB, note=note, body=Table(columns=columns, rows=rows))


def _pair(rated: LeagueRated, player: RatedPlayer, other: RatedPlayer) -> Value:
    if player.label == other.label:
        return Value()
    pair = result(rated, player.label, other.label)
    if pair is None:
        return Value(note="not met")
    share = pair.share
    return Value(
        value=share.mean,
        low=share.low,
        high=share.high,
        n=share.n,
        note=result_words(pair),
        tone="" if pair.differ else "faint",
        strong=pair.differ,
        behind=met(player, rated.step, other),
    )


def pair_verdict(pair: LeaguePayoff) -> Verdict:
    """Return the verdict on a pair, at 5 % for all pairs together: that is stricter than the interval of one pair."""
    alone = verdict(pair.share, EVEN)
    return alone if alone == "few" or pair.differ else "open"


def result_words(pair: LeaguePayoff) -> str:
    """Return a sentence on the results of two players."""
    comparisons = f"{many(pair.games, 'comparison')} in {many(pair.share.n, 'situation')}"
    return f"{VERDICTS[pair_verdict(pair)]}; {pair.wins} won, {pair.draws} drawn, {pair.losses} lost: {comparisons}"


def _differences(rated: LeagueRated, kind: str, differences: dict[str, Estimate]) -> Section:
    name, note, factor = DIFFERENCES[kind]
    unit: Literal["signed elo", "signed"] = "signed elo" if kind == "exploitation" else "signed"
    words: dict[Verdict, str] = {"above": "ahead", "below": "behind", "open": "undecided", "few": "too few games"}
    players = {player.label: player for player in rated.players}
    rows = []
    for label in sorted(differences, key=_natural):
        estimate, player = differences[label], players.get(label)
        known = verdict(estimate, 0)

        def by(value: float | None) -> float | None:
            return None if value is None else round(factor * value, 1)

        cells = [
            Value(value=called(label), behind=met(player, rated.step) if player else None),
            Value(value=by(estimate.mean), low=by(estimate.low), high=by(estimate.high), tone=TONES[known]),
            Value(value=words[known], tone=TONES[known]),
        ]
        rows.append(Row(id=label, cells=cells, owner=_owner(player) if player else ""))
    columns = [
        Column(id="player", title="Player"),
        Column(id="difference", title="Difference", shape="whisker", unit=unit, middle=0),
        Column(id="verdict", title="Beyond chance", drop=1),
    ]
    return Section(id=kind, title=name, tab=TAB, note=note, width="half", body=Table(columns=columns, rows=rows))


def _natural(label: str) -> tuple[str, int]:
    digits = label.lstrip("abcdefghijklmnopqrstuvwxyz")
    return (label[: len(label) - len(digits)], int(digits)) if digits.isdecimal() else (label, -1)


SHARES = {
    "chance": ("Chances of the opponents", "The chance that an opponent is drawn for a seat."),
    "met": ("Opponents met", "Each opponent's share of the seats that were played."),
}


def opponents(state: RunState) -> Iterator[Section]:
    """Yield the chances that opponents are drawn with, and their shares of the seats that were played."""
    for share, (name, note) in SHARES.items():
        kinds = state.curves.names(f"{share}/")
        marks = [
            Mark(id=kind, kind="line", name=called(kind), points=state.curves.points(f"{share}/{kind}"))
            for kind in kinds
        ]
        if marks:
            body = Chart(
                x=steps(state),
                y=Axis(unit="share", low=0),
                marks=marks,
                describe=f"{note} Over the steps, by opponent.",
            )
            yield Section(id=share, title=name, tab=TAB, note=note, width="half", body=body)


def meetings(state: RunState) -> Iterator[Section]:
    """Yield the opponents of a step."""
    if rows := _opponents(state):
        columns = [
            Column(id="opponent", title="Opponent"),
            Column(id="chance", title="Chance", shape="number", unit="share"),
            Column(id="met", title="Met", shape="number", unit="share"),
            Column(id="expected", title="Expected", shape="number", unit="share", drop=2,
                   help="The policy's expected score against it, by earlier results."),
            Column(id="score", title="Score", shape="number", unit="share", drop=1,
                   help="The policy's score in the step's matches with it."),
        ]  # fmt: skip
        name = f"Opponents in step {state.snapshot.step}"
        yield Section(id="meetings", title=name, tab=TAB, body=Table(columns=columns, rows=rows, shown=10))


def _opponents(state: RunState) -> list[Row]:
    """Return the opponents of the step of the snapshot, those with the greatest chance first."""
    metrics, step = state.snapshot.metrics, state.snapshot.step
    names = {name.split("/", 2)[2] for name in metrics if name.startswith(("league/chance/", "league/met/"))}
    rated = state.ratings.shown
    players = {player.label: player for player in (rated.players if rated else [])}
    measured = any(name.startswith("league/met/") for name in metrics)
    rows = []
    for name in sorted(names, key=lambda name: (-metrics.get(f"league/chance/{name}", 0.0), _natural(name))):
        player = players.get(name)
        share = metrics.get(f"league/met/{name}", 0.0 if measured else None)
        cells = [
            Value(value=called(name), behind=met(player, step) if player else None),
            Value(value=metrics.get(f"league/chance/{name}", 0.0)),
            Value(value=share, strong=True),
            Value(value=metrics.get(f"league/expected/{name}")),
            Value(value=metrics.get(f"league/score/{name}")),
        ]
        rows.append(Row(id=name, cells=cells, owner=_owner(player) if player else ""))
    return rows

"""A tournament made up for tests of its page: events as a tournament publishes them, without matches behind them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from grandstand.models import (
    Draft,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeStarted,
    Estimate,
    HeadToHead,
    OutcomeData,
    Pairing,
    PairingBegan,
    PairingPlayed,
    PairingsDrawn,
    SeatInfo,
    SeatScore,
    Standing,
    StandingsUpdated,
    TurnStarted,
)

PLAYERS = ("claude-vale", "dumbbot", "gpt-hill", "heuristic", "random")
STRENGTH = dict(zip(PLAYERS, (0.74, 0.6, 0.57, 0.45, 0.14), strict=True))
MODELS = {"claude-vale": (0.9, 6.2), "gpt-hill": (0.4, 2.8)}
"""Dollars per match and seconds per answer of the language models."""
SEATS = ("home", "away")
ROUNDS = 4
FAILED = 13
"""The number of the match that fails."""


def pairings() -> list[Pairing]:
    """Return the matches of all rounds: each pair in each round, the seats in turn."""
    pairs = [(a, b) for index, a in enumerate(PLAYERS) for b in PLAYERS[index + 1 :]]
    return [
        Pairing(
            number=number,
            round=1 + number // len(pairs),
            opening=number // len(pairs),
            players=dict(zip(SEATS, pair if number // len(pairs) % 2 else pair[::-1], strict=True)),
        )
        for number, pair in enumerate(pair for _ in range(ROUNDS) for pair in pairs)
    ]


def opening(title: str = "The autumn cup", *, origin: str = "cli") -> list[Draft]:
    """Return the events before the first match."""
    created = EpisodeCreated(
        game="tournament",
        title=title,
        options={"game": "cricket", "format": "round-robin", "players": list(PLAYERS), "matches": ROUNDS * 10},
        seats=[SeatInfo(seat=name, player=name, kind="llm" if name in MODELS else "bot") for name in PLAYERS],
        origin=origin,  # type: ignore[arg-type]
    )
    drawn = PairingsDrawn(planned=len(pairings()), pairings=pairings())
    return [Draft.of(created), Draft.of(EpisodeStarted()), Draft.of(drawn)]


def matches(
    count: int | None = None, *, live: int = 0, seed: int = 1, episode_id: str = "cricket-cup-{}"
) -> Iterator[Draft]:
    """Yield the events of the first `count` matches, and of the beginning of `live` more."""
    luck = random.Random(seed)
    results: list[PairingPlayed] = []
    drawn = pairings()
    count = len(drawn) if count is None else count
    for pairing in drawn[:count]:
        where = episode_id.format(pairing.number)
        yield Draft.of(PairingBegan(number=pairing.number, episode_id=where))
        played = _played(pairing, where, luck)
        results.append(played)
        yield Draft.of(played)
        standings = _standings(drawn, results)
        scores = {row.player: row.score.mean for row in standings.table if row.score.mean is not None}
        yield Draft.of(standings)
        turn = f"{standings.played} of {standings.planned}"
        yield Draft.of(TurnStarted(index=len(results) - 1, turn=turn, to_act=[], scores=scores))
    for pairing in drawn[count : count + live]:
        yield Draft.of(PairingBegan(number=pairing.number, episode_id=episode_id.format(pairing.number)))


def ending(status: str = "finished") -> Draft:
    """Return the last event: a result, or the end at the budget."""
    if status != "finished":
        message = "budget: $20 are spent; raise max_dollars to play the rest"
        return Draft.of(EpisodeEnded(status="stopped", message=message))
    text = "claude-vale leads with a mean score of 0.741, but not significantly over dumbbot."
    outcome = OutcomeData(reason="undecided", winners=[], scores=dict(STRENGTH), text=text)
    return Draft.of(EpisodeEnded(status="finished", outcome=outcome))


def _played(pairing: Pairing, episode_id: str, luck: random.Random) -> PairingPlayed:
    if pairing.number == FAILED:
        message = "the provider of gpt-hill did not answer (HTTP 529, after 6 attempts)"
        return PairingPlayed(number=pairing.number, episode_id=episode_id, status="stopped", message=message)
    home, away = (STRENGTH[pairing.players[seat]] for seat in SEATS)
    score = float(luck.random() < 0.04 + home / (home + away))
    faulty = [seat for seat in SEATS if pairing.players[seat] == "gpt-hill" and luck.random() < 0.25]
    return PairingPlayed(
        number=pairing.number,
        episode_id=episode_id,
        status="finished",
        scores={"home": score, "away": 1 - score},
        counted=[seat for seat in SEATS if seat not in faulty],
        faults=dict.fromkeys(faulty, 1),
        fallbacks=dict.fromkeys(faulty, 2),
    )


def _estimate(values: Sequence[float], spread: float = 1.0) -> Estimate:
    """Return a mean with a plausible interval: these numbers are for the eye alone."""
    if len(values) < 3:
        return Estimate(mean=sum(values) / len(values) if values else None, n=len(values))
    mean = sum(values) / len(values)
    half = spread / len(values) ** 0.5
    return Estimate(mean=mean, low=max(0.0, mean - half), high=min(1.0, mean + half), n=len(values))


def _standings(drawn: Sequence[Pairing], results: Sequence[PairingPlayed]) -> StandingsUpdated:
    own: dict[tuple[str, str], list[float]] = {}
    against: dict[tuple[str, str], list[float]] = {}
    for result in results:
        players = drawn[result.number].players
        for seat in result.counted:
            own.setdefault((players[seat], seat), []).append(result.scores[seat])
        if len(result.counted) == len(SEATS):
            home, away = (players[seat] for seat in SEATS)
            against.setdefault((home, away), []).append(result.scores["home"])
            against.setdefault((away, home), []).append(result.scores["away"])
    table = [_row(name, drawn, results, own) for name in PLAYERS]
    cross = []
    for index, a in enumerate(PLAYERS):
        for b in PLAYERS[index + 1 :]:
            gap = STRENGTH[a] - STRENGTH[b]
            certain = abs(gap) * len(results) ** 0.5 > 1.5
            share = _estimate(against.get((a, b), []), 0.9)
            stronger = None if not share.n else min(0.999, max(0.001, 0.5 + gap * len(results) ** 0.5 / 4))
            cross.append(HeadToHead(a=a, b=b, share=share, stronger=stronger, differ=certain and share.n > 2))
    return StandingsUpdated(
        played=len(results),
        planned=len(drawn),
        failed=sum(result.status != "finished" for result in results),
        table=table,
        cross=cross,
        seats=[
            SeatScore(player=name, seat=seat, score=_estimate(own.get((name, seat), []), 0.7))
            for name in PLAYERS
            for seat in SEATS
        ],
        seat_effects={
            "home": Estimate(mean=18, low=-31, high=66, n=20),
            "away": Estimate(mean=-18, low=-66, high=31, n=20),
        },
        tokens=sum(row.tokens for row in table),
        dollars=sum(row.dollars or 0.0 for row in table),
    )


def _row(
    name: str,
    drawn: Sequence[Pairing],
    results: Sequence[PairingPlayed],
    own: dict[tuple[str, str], list[float]],
) -> Standing:
    mine = [result for result in results if name in drawn[result.number].players.values()]
    values = [value for seat in SEATS for value in own.get((name, seat), [])]
    seated = [(result, seat) for result in mine for seat in SEATS if drawn[result.number].players[seat] == name]
    score = _estimate(values, 0.8)
    rating = Estimate(n=score.n)
    if score.mean is not None and score.low is not None and score.high is not None:
        rating = Estimate(
            mean=600 * (score.mean - 0.5), low=600 * (score.low - 0.5), high=600 * (score.high - 0.5), n=score.n
        )
    dollars, seconds = MODELS.get(name, (None, 0.0))
    answers = 40 * len(mine) if name in MODELS else 0
    return Standing(
        player=name,
        matches=len(mine),
        counted=len(values),
        score=score,
        rating=rating,
        wins=round(sum(values)),
        decisions=40 * len(mine),
        fallbacks=sum(result.fallbacks.get(seat, 0) for result, seat in seated),
        faults=sum(result.faults.get(seat, 0) for result, seat in seated),
        answers=answers,
        tokens=1300 * answers,
        dollars=None if dollars is None else round(dollars * len(mine), 4),
        seconds=seconds * answers,
    )

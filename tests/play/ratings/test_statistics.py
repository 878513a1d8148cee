"""Intervals hold the truth as often as they say; what a stand-in did is nobody's record."""

from __future__ import annotations

from collections.abc import Callable
from math import log10, nan, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from grandstand.models import Event
from grandstand.play.ratings.distributions import beta_quantile, incomplete_beta, student
from grandstand.play.ratings.statistics import (
    Interval,
    SeatRecord,
    bounded_interval,
    elo_interval,
    grouped_interval,
    mean_interval,
    player_names,
    player_totals,
    seat_records,
    share_interval,
    student_interval,
)

# --- distributions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "exact"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (9, 2.26216), (30, 2.04227), (1000, 1.96234)],
)
def test_students_t_has_the_values_of_the_tables(freedom: int, exact: float) -> None:
    assert student(freedom, 0.95) == pytest.approx(exact, rel=2e-5)


@pytest.mark.parametrize(
    ("a", "b", "x", "exact"), [(1, 1, 0.3, 0.3), (2, 3, 0.5, 0.6875), (0.5, 0.5, 0.25, 1 / 3), (5, 1, 0.9, 0.59049)]
)
def test_the_incomplete_beta_function_has_its_closed_forms(a: float, b: float, x: float, exact: float) -> None:
    assert incomplete_beta(a, b, x) == pytest.approx(exact, abs=1e-12)
    assert incomplete_beta(b, a, 1 - x) == pytest.approx(1 - exact, abs=1e-12)


def test_a_quantile_of_the_beta_distribution_is_where_it_says() -> None:
    for a, b in ((1, 4), (3, 8), (40, 2)):
        assert incomplete_beta(a, b, beta_quantile(0.025, a, b)) == pytest.approx(0.025, abs=1e-12)


# --- intervals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("interval", [mean_interval, student_interval])
def test_students_interval(interval: Callable[[list[float]], Interval]) -> None:
    """That of `mean_interval` is the same for a symmetric sample."""
    result = interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (result.mean, result.n) == (3, 5)
    assert result.half == pytest.approx(2.77645 * 1.5811388 / 5**0.5, rel=1e-5)
    assert result.excludes(5.0)
    assert not result.excludes(3.0)


@pytest.mark.parametrize("values", [[], [3.0], [1.0, 2.0, 3.0, 4.0], [0.5] * 40])
def test_too_few_or_equal_values_have_no_interval(values: list[float]) -> None:
    result = mean_interval(values)
    assert (result.ci95, result.half, result.n) == (None, None, len(values))
    assert not result.excludes(1e9)


def test_means_of_whole_runs_have_an_interval_from_two_on() -> None:
    result = student_interval([1.0, 2.0, 3.0])
    assert result.half == pytest.approx(4.30265 / 3**0.5, rel=1e-5)
    assert student_interval([1.0]).ci95 is None
    assert student_interval([1.0, 1.0]).ci95 is None


def test_the_interval_of_a_skewed_sample_reaches_further_to_the_side_of_its_tail() -> None:
    values = [0.0, 0.0, 0.01, 0.01, 0.02, 0.03, 0.04, 0.3]
    low, high = student_interval(values).ci95 or (nan, nan)
    least, most = mean_interval(values).ci95 or (nan, nan)
    assert least == low
    assert most > high + 0.2
    assert mean_interval([-value for value in values]).ci95 == pytest.approx((-most, -least))
    assert mean_interval(values).margin == pytest.approx(most - fmean(values))


@pytest.mark.parametrize("values", [[0.0] * 8, [1.0] * 8, [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]])
def test_equal_or_few_different_values_with_bounds_have_the_interval_of_scores(values: list[float]) -> None:
    """Hall's alone would reach from -.42 for the last: the skewness of seven values is too uncertain."""
    result, expected = mean_interval(values, bounds=(-1.0, 1.0)), bounded_interval(values, -1.0, 1.0)
    assert result.low == expected.low
    assert result.high == expected.high
    assert mean_interval(values[:4], bounds=(-1.0, 1.0)).ci95 is None


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        (0, 3, 0.0, 0.7076),
        (3, 3, 0.2924, 1.0),
        (1, 2, 0.0126, 0.9874),
        (7, 10, 0.3475, 0.9333),
        (50, 100, 0.3983, 0.6017),
    ],
)
def test_shares_have_clopper_and_pearsons_interval(count: int, n: int, low: float, high: float) -> None:
    result = share_interval(count, n)
    assert result.ci95 == pytest.approx((low, high), abs=5e-5)
    assert bounded_interval([1.0] * count + [0.0] * (n - count)) == result


@pytest.mark.parametrize("values", [[0.0] * 3, [1.0], [0.2] * 7, [1 / 7] * 30])
def test_equal_outcomes_do_not_make_a_sure_score(values: list[float]) -> None:
    result = bounded_interval(values)
    assert result.low is not None
    assert result.high is not None
    assert 0 <= result.low <= fmean(values) <= result.high <= 1
    assert result.high - result.low > 0.1


def test_scores_beyond_their_bounds_are_treated_as_any_numbers() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert bounded_interval(values) == mean_interval(values)


def test_no_elo_from_two_games_nor_from_a_clean_sweep() -> None:
    for shares in ([], [(1.0, 0.5), (0.5, 0.0)], [(1.0, 0.0)] * 100, [(0.5, 0.5)] * 100):
        assert elo_interval(shares) == Interval(None, None, None, len(shares))


def test_elo_is_the_difference_of_log_odds() -> None:
    shares = [(1.0, 1.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)] * 10
    result = elo_interval(shares)
    assert result.mean == pytest.approx(400 * log10(30 / 10))
    assert result.ci95 is not None
    assert result.mean is not None
    assert result.ci95[0] < result.mean < result.ci95[1]


# --- planted truths: over many samples, the truth is in the interval as often as is claimed ---------------------------

RANDOM = Random(20)


def _mixed() -> float:
    """A skewed score: mostly nothing, now and then a share, rarely everything."""
    drawn = RANDOM.random()
    return 0.0 if drawn < 0.4 else RANDOM.betavariate(2, 8) if drawn < 0.93 else 1.0


BOUNDED: dict[str, tuple[Callable[[], float], float]] = {
    "even win": (lambda: float(RANDOM.random() < 0.5), 0.5),
    "likely win": (lambda: float(RANDOM.random() < 0.9), 0.9),
    "win or draw": (lambda: RANDOM.choice((0.0, 0.5, 1.0)), 0.5),
    "uniform": (RANDOM.random, 0.5),
    "skewed": (lambda: RANDOM.betavariate(0.5, 3), 0.5 / 3.5),
    "mixed": (_mixed, 0.53 * 0.2 + 0.07),
    "rare": (lambda: 1.0 if RANDOM.random() < 0.05 else 0.1, 0.145),
}


def covered(
    interval: Callable[[list[float]], Interval], draw: Callable[[], float], truth: float, n: int, samples: int = 800
) -> float:
    hits = 0
    for _ in range(samples):
        ends = interval([draw() for _ in range(n)]).ci95
        assert ends is not None
        hits += ends[0] <= truth <= ends[1]
    return hits / samples


@pytest.mark.parametrize("n", [5, 10, 30])
@pytest.mark.parametrize("name", BOUNDED)
def test_intervals_of_scores_cover(name: str, n: int) -> None:
    draw, truth = BOUNDED[name]
    assert covered(bounded_interval, draw, truth, n) >= 0.93


@pytest.mark.parametrize("n", [5, 10, 30])
@pytest.mark.parametrize("name", BOUNDED)
def test_intervals_of_dependent_scores_cover(name: str, n: int) -> None:
    """Four values a group, of which each is the first one again in three cases of ten."""
    draw, truth = BOUNDED[name]

    def group() -> list[float]:
        first = draw()
        return [first, *(first if RANDOM.random() < 0.3 else draw() for _ in range(3))]

    hits = 0
    for _ in range(800):
        ends = grouped_interval([group() for _ in range(n)]).ci95
        assert ends is not None
        assert 0 <= ends[0] < ends[1] <= 1
        hits += ends[0] <= truth <= ends[1]
    assert hits / 800 >= (0.86 if name == "rare" else 0.92), "a result of one value in twenty escapes some samples"


def test_the_interval_of_dependent_scores_is_wilsons() -> None:
    """At each end, the mean is as many standard errors away as Student's quantile says."""
    means = [0.5, 1.0] * 5 + [0.75]
    result = grouped_interval([[0.0, 1.0], [1.0, 1.0]] * 5 + [[0.5, 1.0]])
    mean = fmean(means)
    trials = mean * (1 - mean) * 11 / stdev(means) ** 2
    assert (result.mean, result.n) == (mean, 11)
    assert result.ci95 is not None
    for end in result.ci95:
        assert abs(mean - end) / sqrt(end * (1 - end) / trials) == pytest.approx(student(10, 0.95))


@pytest.mark.parametrize("n", [5, 10, 30])
def test_intervals_of_means_cover(n: int) -> None:
    assert 0.93 <= covered(mean_interval, lambda: RANDOM.gauss(3, 2), 3, n, samples=2000) <= 0.975


DIFFERENCES: dict[str, tuple[Callable[[], float], float]] = {
    "normal": (lambda: RANDOM.gauss(0.02, 0.05), 0.02),
    "mostly ties": (lambda: RANDOM.choice((-1.0, 1.0)) if RANDOM.random() < 0.1 else 0.0, 0.0),
    "a win in ten": (lambda: float(RANDOM.random() < 0.1), 0.1),
    "skewed": (lambda: RANDOM.expovariate(10), 0.1),
}


@pytest.mark.parametrize(("n", "least"), [(5, 0.9), (10, 0.925), (30, 0.935)])
@pytest.mark.parametrize("name", DIFFERENCES)
def test_intervals_of_paired_differences_cover(name: str, n: int, least: float) -> None:
    """The bounds are three standard errors of 3,000 samples below the coverage of the skewed ones."""
    draw, truth = DIFFERENCES[name]

    def interval(values: list[float]) -> Interval:
        return mean_interval(values, bounds=(-1.0, 1.0))

    assert covered(interval, draw, truth, n, samples=3000) >= least


@pytest.mark.parametrize(("own", "other"), [(0.5, 0.5), (0.7, 0.5), (0.9, 0.6)])
def test_intervals_of_elo_cover(own: float, other: float) -> None:
    """Of the samples that give one: shares of six opponents in thirty situations."""
    truth = 400 * (log10(own / (1 - own)) - log10(other / (1 - other)))
    hits = []
    for _ in range(400):
        drawn = [[fmean(RANDOM.random() < chance for _ in range(6)) for chance in (own, other)] for _ in range(30)]
        ends = elo_interval([(first, second) for first, second in drawn]).ci95
        if ends is not None:
            hits.append(ends[0] <= truth <= ends[1])
    assert len(hits) > 300
    assert fmean(hits) >= 0.93


# --- the account of a seat --------------------------------------------------------------------------------------------


def episode(*acts: tuple[str, dict[str, Any]], status: str = "finished", **created: Any) -> list[Event]:
    """A match of NORTH (a model) and SOUTH (a bot) in which these things happen; NORTH wins it."""
    pair = [{"seat": "NORTH", "player": "gpt", "kind": "llm"}, {"seat": "SOUTH", "player": "bot", "kind": "bot"}]
    about = {"game": "g", "title": "", "options": {}, "seats": pair, "origin": "cli", **created}
    outcome = {"reason": "r", "winners": ["NORTH"], "scores": {"NORTH": 0.75, "SOUTH": 0.25}, "text": ""}
    whole = [
        ("EpisodeCreated", about),
        ("TurnStarted", {}),
        *acts,
        ("EpisodeEnded", {"status": status, "outcome": outcome if status == "finished" else None}),
    ]
    return [
        Event(episode_id="e", epoch=0, seq=seq, at=0.0, type=kind, audience="public", data=data)
        for seq, (kind, data) in enumerate(whole)
    ]


def chose(source: str, seat: str = "NORTH") -> tuple[str, dict[str, Any]]:
    return "ActionChosen", {"seat": seat, "index": 0, "action": {}, "source": source}


def fault(seat: str = "NORTH") -> tuple[str, dict[str, Any]]:
    return "PlayerFault", {"seat": seat, "boundary": "provider", "message": "m"}


def steered(command: str) -> tuple[str, dict[str, Any]]:
    return "ControlChanged", {"command": command, "value": "NORTH", "by": "operator"}


def reported(tokens: int, dollars: float | None) -> tuple[str, dict[str, Any]]:
    usage = {"seconds": 2.0, "calls": 1, "tokens_in": tokens, "tokens_out": 1, "dollars": dollars}
    data = {"seat": "NORTH", "index": 0, "task": "choose", "source": "policy", "report": {"usage": usage}}
    return "PlayerReported", data


def test_a_match_that_the_player_played_itself_is_scored() -> None:
    north, south = seat_records(episode(chose("policy"), chose("repair"), chose("heuristic", "SOUTH")))
    assert (north.decisions, north.fallbacks, north.assisted, north.score, north.won) == (2, 0, 0, 0.75, True)
    assert north.scored
    assert (south.decisions, south.score, south.won) == (1, 0.25, False)


@pytest.mark.parametrize(
    "acts",
    [
        (chose("policy"), fault(), chose("fallback")),
        (chose("policy"), chose("human")),
        (steered("take_over"), chose("remote"), steered("hand_back"), chose("policy")),
        (steered("leave"), chose("heuristic"), steered("take_over"), chose("policy")),
        (),
    ],
    ids=["fallback", "a person", "taken over", "left to a bot", "no decision"],
)
def test_a_match_in_which_somebody_else_decided_is_not_scored(acts: tuple[tuple[str, dict[str, Any]], ...]) -> None:
    north = seat_records(episode(*acts))[0]
    assert not north.scored
    totals = player_totals([[north]])["gpt"]
    assert (totals.seats, totals.scored, totals.wins, totals.score.mean) == (1, 0, 0, None)


def test_a_fork_is_not_scored_for_its_decisions_were_made_by_others() -> None:
    records = seat_records(episode(chose("policy"), parent={"episode_id": "p", "seq": 9}))
    assert not records[0].scored


def test_a_match_that_was_not_played_to_its_end_has_no_score() -> None:
    assert [record.score for record in seat_records(episode(chose("policy"), status="stopped"))] == [None, None]


def test_messages_are_no_decisions() -> None:
    held = ("NegotiationHeld", {"index": 0, "round": 1, "rounds": 1})
    north = seat_records(episode(chose("policy"), chose("policy"), fault(), held, chose("policy")))[0]
    assert (north.decisions, north.faults) == (1, 1)
    assert north.scored, "a failure to speak has no stand-in"


def test_a_forfeit_loses_the_score_and_counts() -> None:
    north = seat_records(episode(chose("policy"), fault(), chose("fallback")))[0]
    north.forfeit()
    totals = player_totals([[north]])["gpt"]
    assert (totals.scored, totals.forfeits, totals.wins, totals.score.mean) == (1, 1, 0, 0.0)
    clean = seat_records(episode(chose("policy")))[0]
    clean.forfeit()
    assert (clean.score, clean.forfeited) == (0.75, False)


def test_what_answers_took_is_added_up() -> None:
    north, south = seat_records(episode(reported(100, 0.5), reported(50, 0.25), chose("policy")))
    assert (north.spent.tokens_in, north.spent.tokens_out, north.spent.dollars) == (150, 2, 0.75)
    assert (north.spent.answers, north.spent.calls, north.spent.seconds) == (2, 2, 4.0)
    assert south.spent.dollars is None


def test_seats_of_one_match_are_one_observation() -> None:
    records = [seat_records(episode(chose("policy"), chose("heuristic", "SOUTH"))) for _ in range(3)]
    for match in records:
        for record in match:
            record.player = "same"
    totals = player_totals(records)["same"]
    assert (totals.seats, totals.scored, totals.score.n, totals.score.mean) == (6, 6, 3, 0.5)


# --- prompts ----------------------------------------------------------------------------------------------------------


def prompted(prompt: str, player: str = "gpt") -> list[SeatRecord]:
    """Return the seats of a match that a player with this prompt won against a built-in player."""
    north = {"seat": "NORTH", "player": player, "kind": "llm", **({"prompt": prompt} if prompt else {})}
    seats = [north, {"seat": "SOUTH", "player": "bot", "kind": "bot"}]
    return seat_records(episode(chose("policy"), chose("heuristic", "SOUTH"), seats=seats))


def test_prompts_of_one_name_are_never_totalled_together() -> None:
    same = [prompted("1a2b3c4d5e6f") for _ in range(3)]
    assert {name: total.seats for name, total in player_totals(same).items()} == {"gpt": 3, "bot": 3}
    totals = player_totals([*same, prompted("9f8e7d6c5b4a"), prompted("")])
    assert {name: total.seats for name, total in totals.items()} == {
        "gpt (prompt 1a2b…)": 3,
        "gpt (prompt 9f8e…)": 1,
        "gpt (prompt not recorded)": 1,
        "bot": 5,
    }
    assert totals["gpt (prompt 1a2b…)"].score.n == 3


def test_names_have_as_many_digits_as_tell_prompts_apart() -> None:
    names = player_names([("a", "1a2b3c"), ("a", "1a2b4d"), ("b", "1a2b3c"), ("b", "1a2b3c")])
    assert names == {
        ("a", "1a2b3c"): "a (prompt 1a2b3…)",
        ("a", "1a2b4d"): "a (prompt 1a2b4…)",
        ("b", "1a2b3c"): "b",
    }


def test_a_match_that_goes_on_with_another_prompt_is_not_scored() -> None:
    """As after a restart of the server with another roster."""
    seats = [
        {"seat": "NORTH", "player": "gpt", "kind": "llm", "prompt": "1a2b"},
        {"seat": "SOUTH", "player": "bot", "kind": "bot"},
    ]

    def asked(prompt: str) -> tuple[str, dict[str, Any]]:
        kind, data = reported(10, None)
        return kind, {**data, "report": {**data["report"], "prompt": prompt}}

    same = seat_records(episode(asked("1a2b"), chose("policy"), asked("1a2b"), chose("policy"), seats=seats))[0]
    assert same.scored
    other = seat_records(episode(asked("1a2b"), chose("policy"), asked("3c4d"), chose("policy"), seats=seats))[0]
    assert (other.scored, other.decisions, other.assisted) == (False, 2, 1)
    assert other.spent.answers == 2

"""Nothing in the picture of a ball contradicts the rest of it, by the rules of `contradictions.py`."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import atan2, degrees
from random import Random

import pytest

from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.laws.field import POSITIONS, PRESETS, field_of
from grandstand.games.cricket.model.picture.story import Facts, story
from grandstand.games.cricket.model.picture.words import describe
from grandstand.games.cricket.model.teams import invented_teams
from grandstand.games.cricket.vocab import GROUPS, LENGTHS, LINES, SHOT_FAMILY, STYLES
from tests.support.cricket.contradictions import Picture, balls, faults, faults_of
from tests.support.cricket.known import known

PER_KIND = 200

# --- every kind of ball -----------------------------------------------------------------------------------------------

KINDS = {
    **{f"{runs}": Ball(runs, boundary=runs >= 4) for runs in (0, 1, 2, 3, 4, 6)},
    "ran four": Ball(4),
    "no-ball, four": Ball(4, boundary=True, noball=True),
    "bye": Ball(1, "byes"),
    "four byes": Ball(4, "byes", boundary=True),
    "run out": Ball(1, dismissal=Dismissal("run out", 0)),
    **{kind: Ball(dismissal=Dismissal(kind, 0)) for kind in ("caught", "caught and bowled", "stumped", "hit wicket")},
    "caught behind": Ball(dismissal=Dismissal("caught", 0)),
    "appeal for lbw": Ball(),
    "appeal for a catch": Ball(),
}
"""Kinds of ball that may land anywhere. Wides, leg-byes, lbw and bowled are told with lines: see the matches below."""
FIELDS = [field_of(places) for places in PRESETS.values()]


def drawn(kind: str, group: int, length: int, rng: Random, shot: str = "natural") -> Picture:
    line = rng.randrange(len(LINES))
    field = rng.choice(FIELDS)
    appeal = {"appeal for lbw": "lbw", "appeal for a catch": "caught"}.get(kind)
    intent = rng.choice(["block", "normal", "attack"])
    ball = KINDS[kind]
    facts = Facts(ball, group, rng.randrange(3), length, line, shot, intent, appeal, kind == "caught behind", field)
    looked = story(facts, rng)
    how = None if ball.dismissal is None else ball.dismissal.kind
    hit = looked.hit
    return Picture(
        group == 1, LENGTHS[length], LINES[line], shot, ball.bat_runs, ball.boundary, ball.extras(), how,
        looked.stroke, looked.contact, (hit.angle, hit.distance) if hit else None, hit.zone if hit else None,
        hit.place if hit else None, describe(looked, ball, how), field.places,
    )  # fmt: skip


@pytest.mark.few(6)
@pytest.mark.parametrize("group", range(len(GROUPS)))
@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_balls_of_every_kind_and_length_hold_no_contradiction(kind: str, group: int) -> None:
    rng, wrong = Random(f"{kind} {group}"), Counter[str]()
    for length in range(len(LENGTHS) - group):
        for _ in range(PER_KIND):
            ball = drawn(kind, group, length, rng)
            wrong.update(f"{fault} [{ball.length}, {ball.line}, {ball.stroke}, {ball.hit}]" for fault in faults(ball))
    assert not wrong


@pytest.mark.few(4)
@pytest.mark.parametrize("shot", SHOT_FAMILY)
def test_a_called_stroke_is_played_only_where_it_can_be(shot: str) -> None:
    rng, wrong, played = Random(shot), Counter[str](), Counter[str | None]()
    kinds = [kind for kind in KINDS if shot != "leave" or kind in {"0", "bye", "stumped"}]
    for kind, group, length in product(kinds, range(len(GROUPS)), range(len(LENGTHS) - 1)):
        for _ in range(8):
            ball = drawn(kind, group, length, rng, shot)
            played[ball.stroke] += 1
            wrong.update(f"{fault} [{ball}]" for fault in faults(ball))
    assert not wrong
    assert played[shot] > 0


# --- whole matches ----------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("captain", ["neutral", "heuristic", "random"])
def test_whole_matches_hold_no_contradiction(captain: str) -> None:
    wrong: Counter[str] = Counter()
    keepers = {team.players[team.keeper].name for seed in range(40, 46) for team in invented_teams(seed)}
    for ball in balls(captain, "neutral", range(40, 46)):
        picture, event, _ = ball
        for fault in faults_of(ball):
            if captain != "random" or not fault.startswith(tuple(picture.places)):  # its fields leave gaps
                wrong[f"{fault}: {picture}"] += 1
        if event.wicket and event.wicket["kind"] == "caught" and event.fielder == "wicketkeeper":
            assert event.wicket["fielders"][0] in keepers
    assert not wrong


@pytest.mark.long
def test_bowlers_bowl_at_the_speed_of_their_style() -> None:
    stock: dict[str, list[int]] = {}
    slower, styles = [], set()
    for _, event, style in balls("neutral", "neutral", range(20)):
        styles.add(style)
        kmh = known(event.kmh)
        assert (65 <= kmh <= 112) if STYLES[style][0] == "spin" else (90 <= kmh <= 165)
        if event.variation == "stock":
            stock.setdefault(style, []).append(kmh)
        elif event.variation == "slower_ball":
            slower.append(kmh)
    mean = {style: sum(values) / len(values) for style, values in stock.items() if len(values) > 100}
    assert abs(mean["RM"] - 125) < 4
    assert abs(mean["RFM"] - 134) < 4
    assert abs(mean["RF"] - 141) < 4
    assert max(mean[s] for s in mean if STYLES[s][0] == "spin") < 95
    assert sum(slower) / len(slower) < 116


def test_a_bowler_keeps_to_a_pace() -> None:
    by_bowler: dict[str, list[int]] = {}
    for _, event, _ in balls("neutral", "neutral", range(4)):
        if event.variation == "stock":
            by_bowler.setdefault(event.bowler, []).append(known(event.kmh))
    for speeds in by_bowler.values():
        assert max(speeds) - min(speeds) <= 22


@pytest.mark.long
def test_strokes_are_as_frequent_as_one_sees_them() -> None:
    spin, pace, death, dots, sixes = (Counter[str]() for _ in range(5))
    carry = []
    for ball, event, _ in balls("neutral", "neutral", range(60, 100)):
        (spin if ball.spin else pace)[ball.stroke or ""] += 1
        if not ball.spin and int(event.ball.split(".")[0]) >= 16:
            death[ball.stroke or ""] += 1
        if event.total == 0 and ball.how is None:
            dots[ball.contact] += 1
        if ball.runs == 6 and ball.hit:
            carry.append(ball.hit[1])
            sixes[ball.stroke or ""] += 1
    swept = sum(spin[s] for s in ("sweep", "slog_sweep", "paddle")) / spin.total()
    assert 0.04 < swept < 0.16
    assert 0.01 < spin["reverse_sweep"] / spin.total() < 0.06
    assert 0.01 < (death["scoop"] + death["ramp"]) / death.total() < 0.08
    assert 0.1 < dots["beaten"] / dots.total() < 0.35
    assert 0.02 < dots["left"] / dots.total() < 0.15
    assert dots["defended"] / dots.total() > 0.1
    assert 75 < sum(carry) / len(carry) < 90
    assert max(carry) > 95
    assert (
        sum(sixes[s] for s in ("loft_straight", "slog", "pull", "inside_out_loft", "slog_sweep")) > 0.6 * sixes.total()
    )


def test_the_angle_of_a_place_is_its_own() -> None:
    """The geometry of these rules agrees with the field's."""
    place = POSITIONS["deep midwicket"]
    assert degrees(atan2(place.x_leg, place.y_bowler)) == pytest.approx(place.angle)

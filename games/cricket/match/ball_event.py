"""Describe a delivery as a page, a voice and a scorer need it: what is fixed before it counts, then the event."""

from __future__ import annotations

from typing import Final, NamedTuple

from grandstand.games.cricket.events import BallBowled
from grandstand.games.cricket.laws.cards import Dismissal, ball_mark
from grandstand.games.cricket.match.state import MatchState
from grandstand.games.cricket.model import ball_geometry as ground
from grandstand.games.cricket.model.engine import BEHIND_SHARE, BallChoice, Delivery
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.types import Wicket
from grandstand.games.cricket.vocab import LEAVE, LENGTHS, LINES

_DOT_TOUCHED: Final = 0.62
"""OURS: share of dot balls that the bat met; a picture only."""


def how_out(kind: str, fielders: tuple[str, ...], bowler: str, keeper: str) -> str:
    """Return the scorecard's words: `c X b Y`, `c & b Y`, `lbw b Y`, `st †K b Y`, `run out (A/B)`."""
    names = ["†" + name if name == keeper else name for name in fielders]
    if kind == "caught":
        return f"c {names[0]} b {bowler}"
    if kind == "caught and bowled":
        return f"c & b {bowler}"
    if kind == "stumped":
        return f"st {names[0]} b {bowler}"
    if kind == "bowled":
        return f"b {bowler}"
    if kind in ("lbw", "hit wicket"):
        return f"{kind} b {bowler}"
    return f"{kind} ({'/'.join(names)})" if names else kind


class BeforeBall(NamedTuple):
    """A delivery as it stands before the innings counts it, which changes the batters and may cancel the dismissal."""

    name: str
    free_hit: bool
    striker: int
    non_striker: int
    bowler: int
    hit: ground.Hit | None
    fielders: tuple[str, ...]
    """Those of the dismissal, if it brings one."""
    how_out: str | None


def before_ball(state: MatchState, delivery: Delivery) -> BeforeBall:
    """Return what `ball_event` needs from the moment before the innings counts `delivery.ball`."""
    innings, dismissal = state.now, delivery.ball.dismissal
    hit, fielders = _hit(state, delivery)
    words = None
    if dismissal is not None:
        side = state.teams[innings.bowling_side]
        assert innings.bowler is not None
        words = how_out(dismissal.kind, fielders, side.players[innings.bowler].name, side.players[side.keeper].name)
    return BeforeBall(innings.name, innings.free_hit, *innings.three, hit, fielders, words)


def ball_event(state: MatchState, delivery: Delivery, before: BeforeBall) -> BallBowled:
    """Return the event of a delivery that the innings has just counted."""
    innings, ball, hit = state.now, delivery.ball, before.hit
    batting, bowling = state.teams[innings.batting_side].players, state.teams[innings.bowling_side].players
    choice, row, group = delivery.setting.choice, delivery.setting.row, delivery.setting.moment.group
    bat, ball_card = innings.batters[before.striker], innings.bowlers[before.bowler]
    return BallBowled(
        innings=innings.number,
        ball=before.name,
        batter=batting[before.striker].name,
        non_striker=batting[before.non_striker].name,
        bowler=bowling[before.bowler].name,
        runs=ball.bat_runs,
        total=ball.total,
        mark=ball_mark(ball),
        extras=ball.extras() or None,
        wicket=_wicket(state, ball.dismissal, before.how_out),
        boundary=ball.boundary,
        free_hit=before.free_hit,
        noball_for=delivery.noball_for,
        aim=_aim(choice),
        landed=[LENGTHS[delivery.length], LINES[delivery.line]],
        variation=delivery.variation,
        intent=choice.intent,
        shot=choice.shot,
        played=ground.played(choice.shot, hit.zone if hit else None, group, delivery.length, ball.runs),
        kmh=ground.speed_kmh(group, delivery.variation, row),
        pitch=ground.pitched(group, delivery.length, delivery.line, row),
        hit=[hit.angle, hit.distance] if hit else None,
        zone=hit.zone if hit else None,
        fielder=hit.place if hit else None,
        batter_card=[bat.runs, bat.balls, bat.fours, bat.sixes],
        bowler_card=[ball_card.balls, ball_card.maidens, ball_card.runs, ball_card.wickets],
        score=[innings.runs, innings.wickets, innings.legal],
        partnership=[innings.partner_runs, innings.partner_balls],
        need=innings.need,
        next_free_hit=innings.free_hit,
    )


def _wicket(state: MatchState, dismissal: Dismissal | None, words: str | None) -> Wicket | None:
    if dismissal is None or words is None:
        return None
    innings = state.now
    card = innings.batters[dismissal.batter]
    return {
        "kind": dismissal.kind,
        "out": state.teams[innings.batting_side].players[dismissal.batter].name,
        "fielders": list(dismissal.fielders),
        "how": words,
        "card": [card.runs, card.balls, card.fours, card.sixes],
    }


def _aim(choice: BallChoice) -> list[str]:
    """Return the length, line and variation that were called, as words."""
    length, line = choice.aim
    return [
        "natural" if length == NATURAL else LENGTHS[length],
        "natural" if line == NATURAL else LINES[line],
        choice.variation or "natural",
    ]


def _hit(state: MatchState, delivery: Delivery) -> tuple[ground.Hit | None, tuple[str, ...]]:
    """Return where the ball went off the bat (None where the bat met nothing) and the fielders of a dismissal."""
    ball, dismissal = delivery.ball, delivery.ball.dismissal
    choice, row, group = delivery.setting.choice, delivery.setting.row, delivery.setting.moment.group
    field = delivery.setting.field
    if dismissal is None or dismissal.kind == "run out":
        hit = None
        met = ball.bat_runs > 0 or dismissal is not None or row[DrawChannel.SHOT] < _DOT_TOUCHED
        touched = met and choice.shot != LEAVE
        if ball.runs_from == "bat" and not ball.wide and touched and delivery.appeal is None:
            landed = delivery.length, delivery.line
            hit = ground.struck(group, *landed, choice.shot, ball.runs, ball.boundary, field, row)
        return hit, () if dismissal is None else _run_out_fielders(state, hit, row)
    side = state.teams[state.now.bowling_side]
    keeper = side.players[side.keeper].name
    if dismissal.kind == "caught":
        behind = delivery.appeal is not None or row[DrawChannel.FIELDER] < BEHIND_SHARE
        place, hit = ground.catcher(field, group, delivery.length, delivery.line, choice.shot, behind, row)
        return hit, (keeper if behind else state.placed()[place],)
    if dismissal.kind == "stumped":
        return None, (keeper,)
    if dismissal.kind == "caught and bowled":
        assert state.now.bowler is not None
        return ground.Hit(0.0, 17.0, "long_on", "bowler"), (side.players[state.now.bowler].name,)
    return None, dismissal.fielders


def _run_out_fielders(state: MatchState, hit: ground.Hit | None, row: Row) -> tuple[str, ...]:
    """Return the thrower and the fielder who broke the wicket; a direct hit names one (42 per cent, measured)."""
    innings = state.now
    side = state.teams[innings.bowling_side]
    assert innings.bowler is not None
    keeper, bowler = side.players[side.keeper].name, side.players[innings.bowler].name
    place = hit.place if hit else "wicketkeeper"
    thrower = {"wicketkeeper": keeper, "bowler": bowler}.get(place) or state.placed()[place]
    if row[DrawChannel.FIELDER] < 0.42:
        return (thrower,)
    helper = keeper if thrower != keeper else bowler
    return (thrower, helper)

"""BallBowled from a delivery: plays it by the Laws and tells it as a page, a voice and a scorer need it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grandstand.games.cricket.events import BallBowled
from grandstand.games.cricket.laws.cards import Dismissal, ball_mark
from grandstand.games.cricket.model import ball_geometry as ground
from grandstand.games.cricket.model.engine import BEHIND_SHARE, Choice, Delivery
from grandstand.games.cricket.model.keyed_random import Channel, Row
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.types import Wicket
from grandstand.games.cricket.vocab import LEAVE, LENGTHS, LINES

if TYPE_CHECKING:
    from grandstand.games.cricket.match.contest import Contest


def how_out(dismissal: Dismissal, bowler: str, keeper: str) -> str:
    """The scorecard's words: `c X b Y`, `c & b Y`, `lbw b Y`, `st †K b Y`, `run out (A/B)`."""
    kind = dismissal.kind
    names = ["†" + name if name == keeper else name for name in dismissal.fielders]
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


def ball_event(contest: Contest, delivery: Delivery) -> BallBowled:
    """Let the innings have `delivery.ball` and describe it. Mutates the innings."""
    innings = contest.now
    striker, non_striker, bowler = innings.three
    batting, bowling = contest.teams[innings.batting_side].players, contest.teams[innings.bowling_side].players
    choice, row, group = delivery.setting.choice, delivery.setting.row, delivery.setting.moment.group
    name, free_hit = innings.name, innings.free_hit
    ball = delivery.ball
    hit = _hit(contest, delivery, choice, group, row)
    dismissal = ball.dismissal
    words = None
    if dismissal is not None:
        keeper = bowling[contest.teams[innings.bowling_side].keeper].name
        words = how_out(dismissal, bowling[bowler].name, keeper)
    innings.play(ball, words)
    wicket: Wicket | None = None
    if ball.dismissal is not None and dismissal is not None and words is not None:
        card = innings.batters[dismissal.batter]
        wicket = {
            "kind": dismissal.kind,
            "out": batting[dismissal.batter].name,
            "fielders": list(dismissal.fielders),
            "how": words,
            "card": [card.runs, card.balls, card.fours, card.sixes],
        }
    bat, ball_card = innings.batters[striker], innings.bowlers[bowler]
    seen = ground.played(choice.shot, hit.zone if hit else None, group, delivery.length, ball.runs)
    return BallBowled(
        innings=innings.number,
        ball=name,
        batter=batting[striker].name,
        non_striker=batting[non_striker].name,
        bowler=bowling[bowler].name,
        runs=ball.bat_runs,
        total=ball.total,
        mark=ball_mark(ball),
        extras=ball.extras() or None,
        wicket=wicket,
        boundary=ball.boundary,
        free_hit=free_hit,
        noball_for=delivery.noball_for,
        aim=[
            "natural" if choice.aim[0] == NATURAL else LENGTHS[choice.aim[0]],
            "natural" if choice.aim[1] == NATURAL else LINES[choice.aim[1]],
            choice.variation or "natural",
        ],
        landed=[LENGTHS[delivery.length], LINES[delivery.line]],
        variation=delivery.variation,
        intent=choice.intent,
        shot=choice.shot,
        played=seen,
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


def _hit(contest: Contest, delivery: Delivery, choice: Choice, group: int, row: Row) -> ground.Hit | None:
    """Where the ball went off the bat, and the fielders of a dismissal filled in; None where the bat met nothing."""
    ball, dismissal = delivery.ball, delivery.ball.dismissal
    field = delivery.setting.field
    if dismissal is None or dismissal.kind == "run out":
        hit = None
        met = ball.bat_runs > 0 or dismissal is not None or row[Channel.SHOT] < _DOT_TOUCHED
        touched = met and choice.shot != LEAVE
        if ball.runs_from == "bat" and not ball.wide and touched and delivery.appeal is None:
            at = ground.struck(group, delivery.length, delivery.line, choice.shot, ball.runs, ball.boundary, field, row)
            hit = at
        if dismissal is not None:
            dismissal.fielders = _run_out_fielders(contest, hit, row)
        return hit
    side = contest.teams[contest.now.bowling_side]
    keeper = side.players[side.keeper].name
    if dismissal.kind == "caught":
        behind = delivery.appeal is not None or row[Channel.FIELDER] < BEHIND_SHARE
        place, hit = ground.catcher(field, group, delivery.length, delivery.line, choice.shot, behind, row)
        dismissal.fielders = (keeper if behind else contest.placed()[place],)
        return hit
    if dismissal.kind == "stumped":
        dismissal.fielders = (keeper,)
    elif dismissal.kind == "caught and bowled":
        assert contest.now.bowler is not None
        dismissal.fielders = (side.players[contest.now.bowler].name,)
        return ground.Hit(0.0, 17.0, "long_on", "bowler")
    return None


def _run_out_fielders(contest: Contest, hit: ground.Hit | None, row: Row) -> tuple[str, ...]:
    """Who threw and who broke the wicket; a direct hit names one (42 per cent, measured)."""
    innings = contest.now
    side = contest.teams[innings.bowling_side]
    assert innings.bowler is not None
    keeper, bowler = side.players[side.keeper].name, side.players[innings.bowler].name
    place = hit.place if hit else "wicketkeeper"
    thrower = {"wicketkeeper": keeper, "bowler": bowler}.get(place) or contest.placed()[place]
    if row[Channel.FIELDER] < 0.42:
        return (thrower,)
    helper = keeper if thrower != keeper else bowler
    return (thrower, helper)


_DOT_TOUCHED = 0.62
"""OURS: share of dot balls that the bat met; a picture only."""

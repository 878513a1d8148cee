"""Describes a delivery for the page, the voice and the scorer: its data before it counts, and its event."""

from __future__ import annotations

from typing import Final, NamedTuple

from grandstand.games.cricket.events import BallBowled
from grandstand.games.cricket.laws.cards import Dismissal, ball_mark
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.engine import BallChoice, Delivery
from grandstand.games.cricket.model.keeper import behind_share
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row, picture_random
from grandstand.games.cricket.model.picture.path import Hit
from grandstand.games.cricket.model.picture.speed import pitched, speed_kmh
from grandstand.games.cricket.model.picture.story import BallStory, Facts, story
from grandstand.games.cricket.model.picture.words import describe
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.types import Wicket
from grandstand.games.cricket.vocab import LENGTHS, LINES

_DIRECT_HITS: Final = 0.42
"""Share of run outs with a single fielder, measured."""


def how_out(kind: str, fielders: tuple[str, ...], bowler: str, keeper: str) -> str:
    """Return the scorecard's words: `c X b Y`, `c & b Y`, `lbw b Y`, `st †K b Y`, `run out (A/B)`."""
    names = ["†" + name if name == keeper else name for name in fielders]
    if kind == "caught":
        return f"c {names[0]} b {bowler}" if names else f"caught b {bowler}"
    if kind == "caught and bowled":
        return f"c & b {bowler}"
    if kind == "stumped":
        return f"st {names[0]} b {bowler}" if names else f"stumped b {bowler}"
    if kind == "bowled":
        return f"b {bowler}"
    if kind in ("lbw", "hit wicket"):
        return f"{kind} b {bowler}"
    return f"{kind} ({'/'.join(names)})" if names else kind


class BeforeBall(NamedTuple):
    """A delivery before the innings counts it, which may change the batters and cancel the dismissal."""

    name: str
    free_hit: bool
    striker: int
    non_striker: int
    bowler: int
    kmh: int
    pitch: list[float]
    story: BallStory
    fielders: tuple[str, ...]
    """The fielders of the dismissal, if there is one."""
    how_out: str | None


def before_ball(state: ContestState, delivery: Delivery) -> BeforeBall:
    """Return the data that `ball_event` needs from the moment before the innings counts `delivery.ball`."""
    innings, dismissal = state.now, delivery.ball.dismissal
    group, bowler = delivery.setting.moment.group, state.teams[innings.bowling_side].players[innings.three[2]]
    rng = picture_random(state.luck, innings.number, innings.legal, innings.attempt)
    kmh = speed_kmh(bowler.kmh, group, delivery.variation, rng)
    pitch = pitched(group, delivery.length, delivery.line, rng)
    picture = story(_facts(delivery), rng)
    fielders = _fielders(state, delivery, picture.hit)
    words = None
    if dismissal is not None:
        side = state.teams[innings.bowling_side]
        assert innings.bowler is not None
        words = how_out(dismissal.kind, fielders, side.players[innings.bowler].name, side.players[side.keeper].name)
    return BeforeBall(innings.name, innings.free_hit, *innings.three, kmh, pitch, picture, fielders, words)


def ball_event(state: ContestState, delivery: Delivery, before: BeforeBall) -> BallBowled:
    """Return the event of a delivery that the innings has just counted."""
    innings, ball, picture = state.now, delivery.ball, before.story
    hit = picture.hit
    batting, bowling = state.teams[innings.batting_side].players, state.teams[innings.bowling_side].players
    choice = delivery.setting.choice
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
        wicket=_wicket(state, ball.dismissal),
        boundary=ball.boundary,
        free_hit=before.free_hit,
        noball_for=delivery.noball_for,
        aim=_aim(choice),
        landed=[LENGTHS[delivery.length], LINES[delivery.line]],
        variation=delivery.variation,
        intent=choice.intent,
        shot=choice.shot,
        played=picture.stroke,
        kmh=before.kmh,
        pitch=before.pitch,
        hit=[hit.angle, hit.distance] if hit else None,
        zone=hit.zone if hit else None,
        fielder=hit.place if hit else None,
        batter_card=[bat.runs, bat.balls, bat.fours, bat.sixes],
        bowler_card=[ball_card.balls, ball_card.maidens, ball_card.runs, ball_card.wickets],
        score=[innings.runs, innings.wickets, innings.legal],
        partnership=[innings.partner_runs, innings.partner_balls],
        need=innings.need,
        next_free_hit=innings.free_hit,
        contact=picture.contact,
        words=describe(picture, ball, None if ball.dismissal is None else ball.dismissal.kind),
    )


def _wicket(state: ContestState, dismissal: Dismissal | None) -> Wicket | None:
    if dismissal is None:
        return None
    innings = state.now
    card = innings.batters[dismissal.batter]
    return {
        "kind": dismissal.kind,
        "out": state.teams[innings.batting_side].players[dismissal.batter].name,
        "fielders": list(dismissal.fielders),
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


def _facts(delivery: Delivery) -> Facts:
    """Return the facts with which the picture of a delivery must agree."""
    setting, appeal = delivery.setting, delivery.appeal
    up = setting.field.keeper_up and setting.moment.group == 0
    return Facts(
        delivery.ball,
        setting.moment.group,
        setting.moment.phase,
        delivery.length,
        delivery.line,
        setting.choice.shot,
        setting.choice.intent,
        None if appeal is None else appeal.kind,
        appeal is not None or setting.row[DrawChannel.FIELDER] < behind_share(up),
        setting.field,
    )


def _fielders(state: ContestState, delivery: Delivery, hit: Hit | None) -> tuple[str, ...]:
    """Return the names of the fielders of a dismissal, if there is one."""
    dismissal = delivery.ball.dismissal
    if dismissal is None:
        return ()
    side = state.teams[state.now.bowling_side]
    if dismissal.kind == "run out":
        return _run_out_fielders(state, hit, delivery.setting.row)
    if dismissal.kind == "stumped":
        return (side.players[side.keeper].name,)
    if dismissal.kind in ("caught", "caught and bowled"):
        assert hit is not None
        assert hit.place is not None
        return (_name_at(state, hit.place),)
    return dismissal.fielders


def _name_at(state: ContestState, place: str) -> str:
    """Return the name of the fielder at a position."""
    innings = state.now
    side = state.teams[innings.bowling_side]
    if place == "wicketkeeper":
        return side.players[side.keeper].name
    return side.players[innings.three[2]].name if place == "bowler" else state.placed()[place]


def _run_out_fielders(state: ContestState, hit: Hit | None, row: Row) -> tuple[str, ...]:
    """Return the thrower and the fielder who broke the wicket; a direct hit names one."""
    keeper, bowler = _name_at(state, "wicketkeeper"), _name_at(state, "bowler")
    thrower = _name_at(state, (hit.place if hit else None) or "wicketkeeper")
    if row[DrawChannel.FIELDER] < _DIRECT_HITS:
        return (thrower,)
    return (thrower, keeper if thrower != keeper else bowler)

"""The constructions of the lines on decisions, fields and the clock, as in `forms.py`."""

from __future__ import annotations

from collections.abc import Mapping

SCENES: Mapping[str, tuple[str, ...]] = {
    "appeal_not_out": (
        "They appeal for {noun} against {batter}: not out. {Evidence}.",
        "A shout for {noun}! The umpire shakes the head: not out. {Evidence}.",
        "{bowler} asks the umpire for {noun}, and {batter} is not out. {Evidence}.",
    ),
    "appeal_out": (
        "The finger goes up: {batter}, {how}. {Evidence}.",
        "{batter} is given out by the umpire, {how}. {Evidence}.",
        "Given, {how}! But {batter} has not gone yet. {Evidence}.",
    ),
    "extra_out": (
        "The umpire calls {noun}. {Evidence}.",
        "{noun}, says the umpire, and {bowler} asks for another look. {Evidence}.",
    ),
    "extra_not_out": (
        "{batter} looks for {noun}, and the umpire does not move. {Evidence}.",
        "Not {noun}, says the umpire, and {batter} is not so sure. {Evidence}.",
    ),
    "extra_review_out": (
        "{side} review, and the screen is with them: it is {noun}.",
        "Upstairs it goes, and the decision is reversed: {noun} after all.",
    ),
    "extra_review_in": (
        "{side} review, and the screen is with them: not {noun}.",
        "Upstairs it goes, and the decision is reversed: the ball counts.",
    ),
    "review_out": (
        "{side} review, and the screen is with them: out.",
        "Upstairs it goes, and the decision is reversed. {batter} has to walk.",
        "Not out on the field, out on the screen: the review of {side} succeeds.",
    ),
    "review_in": (
        "{side} review, and the screen is with them: not out.",
        "Upstairs it goes, and the decision is reversed. {batter} stays.",
        "Out on the field, not out on the screen: {batter} is saved by the review.",
    ),
    "review_call": (
        "{side} review: umpire's call. The decision stands, and the review is not lost.",
        "The screen shows it too close to change: umpire's call, and {side} keep the review.",
    ),
    "review_lost": (
        "{side} review, and the screen is with the umpire: {left}.",
        "The decision stands. That review is lost to {side}: {left}.",
        "Nothing there for {side}, says the screen: {left}.",
    ),
    "field_save_one": (
        "The ring comes in: {side} have to save the single now.",
        "One run decides, and {side} bring the field up to save it.",
    ),
    "keeper_up": (
        "{keeper} comes up to the stumps for {bowler}.",
        "{keeper} stands up to {bowler}, to keep the batters in their ground.",
    ),
    "impact": (
        "{side} bring in {player} as their impact player for {replaced}.",
        "The impact player of {side} is {player}, and {replaced} takes no further part.",
    ),
    "impact_bat": (
        "{side} bring in {player}, {role}, for {replaced}: the impact player makes the batting longer.",
        "The impact player of {side} is {player}, {role}, for more runs now. {replaced} takes no further part.",
        "More batting for {side}: {player} comes in as the impact player, and the match is over for {replaced}.",
    ),
    "impact_bat_later": (
        "{side} bring in {player}, {role}, for {replaced}: the impact player is for the chase to come.",
        "{side} think of the chase already: {player}, {role}, is the impact player, and {replaced} has to go.",
    ),
    "impact_bowl": (
        "{side} bring in {player}, {role}, for {replaced}: the impact player is one more to bowl in this innings.",
        "The impact player of {side} is {player}, {role}, with a whole quota. {replaced} takes no further part.",
        "More bowling for {side}: {player} comes in as the impact player, and the match is over for {replaced}.",
    ),
    "impact_bowl_later": (
        "{side} bring in {player}, {role}, for {replaced}: the impact player is for the innings in which they bowl.",
        "{side} think of their bowling already: {player}, {role}, is the impact player, and {replaced} has to go.",
    ),
    "over-rate": (
        "{side} are behind the clock: one fielder fewer outside the circle from here.",
        "Too slow, say the umpires, and {side} have to bring a fielder in: {outside} outside the circle now.",
        "The over rate costs {side} a man on the boundary: {outside} are left there.",
    ),
}

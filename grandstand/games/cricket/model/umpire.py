"""The umpire's decisions, and the review system.

Rates of decisions on dismissals are fitted by era, so that neutral captains take and win as many reviews as real ones
did (data/README.md). OURS: how well a captain can see that a decision is wrong, and all rates of extras.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.model.ball_model import BallModel
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row
from grandstand.games.cricket.vocab import BOUNCER, FULL_TOSS, LINES, REVIEWED_EXTRAS

HIGH: Final = "waist-high full toss"
"""The cause of a no-ball that may be reviewed."""


@dataclass(slots=True)
class Appeal:
    """A decision under the review system: on a dismissal, or on a wide or a no-ball (`REVIEWED_EXTRAS`).

    `out` is whether it truly is what was asked for, `given_out` whether the umpire gave it.
    """

    kind: str
    out: bool
    given_out: bool
    evidence: str
    umpires_call: bool
    other: Ball
    """The ball as it counts if the truth does not prevail."""

    @property
    def of_batters(self) -> bool:
        """Return whether the batting side may review it."""
        return self.given_out != (self.kind in REVIEWED_EXTRAS)


_SEEN_WRONG = (0.55, 0.30)
"""Shares of wrong decisions that look likely, close to be overturned; the rest look unlikely."""
_SURELY_RIGHT = 0.2
"""The share of right decisions that look right and are appealed or might be reviewed all the same."""
EVIDENCE = ("likely", "close", "unlikely")
NATURALLY_REVIEWED = EVIDENCE[:2]
"""The evidence for which a natural captain reviews."""
UMPIRES_CALL_SHARE = 0.18


def given_or_missed(model: BallModel, how: str, behind: float, striker: int, row: Row) -> Appeal | None:
    """Return the umpire's decision on a true dismissal: lbw and a catch behind, which is the share `behind` of the
    catches, can be missed, or given and doubted."""
    if how not in ("lbw", "caught") or (how == "caught" and row[DrawChannel.FIELDER] >= behind):
        return None
    rates = model.umpire
    if row[DrawChannel.UMPIRE] < rates["missed"]:
        return Appeal(how, True, False, _seen(_SEEN_WRONG, row), False, Ball())
    return _right(how, True, rates["hope"], striker, row)


def turned_down_or_wrong(
    model: BallModel, landed: tuple[int, int], left: bool, striker: int, row: Row
) -> Appeal | None:
    """Return the umpire's decision on a ball without a dismissal: given out wrongly, or an appeal turned down.

    Nobody appeals for lbw off a bouncer or off a ball that pitched outside leg, nor for a catch off a ball left alone.
    """
    rates = model.umpire
    u = row[DrawChannel.UMPIRE]
    if u >= rates["wrong"] + rates["turned_down"]:
        return None
    in_front = is_in_front(*landed)
    if left and not in_front:
        return None
    how = "lbw" if in_front else "caught"
    if u < rates["wrong"]:
        return Appeal(how, False, True, _seen(_SEEN_WRONG, row), False, Ball(dismissal=Dismissal(how, striker)))
    return _right(how, False, rates["chance"], striker, row)


def _right(how: str, out: bool, doubt: float, striker: int, row: Row) -> Appeal | None:
    """Return a right decision: `doubt` is the chance that it looks close, a tenth of it that it looks wrong."""
    evidence = _first_below(row[DrawChannel.EVIDENCE], (0.1 * doubt, doubt, _SURELY_RIGHT))
    if evidence is None:
        return None
    umpires_call = how == "lbw" and row[DrawChannel.CROSSED] < 2 * UMPIRES_CALL_SHARE
    return Appeal(how, out, out, evidence, umpires_call, Ball() if out else Ball(dismissal=Dismissal(how, striker)))


def _seen(shares: tuple[float, float], row: Row) -> str:
    return _first_below(row[DrawChannel.EVIDENCE], shares) or EVIDENCE[-1]


def _first_below(uniform: float, shares: tuple[float, ...]) -> str | None:
    """Return the evidence that `uniform` in (0, 1) draws, None beyond the shares."""
    for evidence, share in zip(EVIDENCE, shares, strict=False):
        uniform -= share
        if uniform < 0:
            return evidence
    return None


def is_in_front(length: int, line: int) -> bool:
    """Return whether the fielders appeal for lbw off a ball that landed here, and not for a catch."""
    return length != BOUNCER and LINES[line] in ("stumps", "off_channel")


# --- reviews of extras ------------------------------------------------------------------------------------------------


class CallRates(NamedTuple):
    """Shares of the balls around a line of the Laws on which the umpire errs, or is right and doubted."""

    missed: float
    wrong: float
    given: float
    """The share of right calls that the bowling side may want to review."""
    denied: float
    """The share of balls rightly not called that the batting side may want to review."""


EXTRA_RATES = {"wide": CallRates(0.012, 0.018, 0.02, 0.02), "no-ball": CallRates(0.1, 0.0003, 0.1, 0.008)}
"""OURS: public records count reviews of dismissals alone. As many extras are missed as called wrongly: .05 each in an
innings of 20 overs."""
_SEEN_AS_WIDE = ("wide_outside_off", "down_leg")
"""The lines of balls without a run that the umpire may take for wides."""
_LIKELY = (0.65, 0.1)
"""OURS: shares of wrong and of right decisions on extras that look likely to be overturned; the rest look close.
Nobody asks about others."""


def doubted_extra(
    reviewed: bool, ball: Ball, landed: tuple[int, int], noball_for: str | None, row: Row
) -> Appeal | None:
    """Return the umpire's decision on a wide or a no-ball for height that a side might review; None without doubt, and
    where such decisions are not `reviewed`."""
    kind = doubtful_extra(ball, *landed, noball_for) if reviewed else None
    if kind is None:
        return None
    true = ball.wide or ball.noball
    rates, u = EXTRA_RATES[kind], 1 - row[DrawChannel.UMPIRE]
    error, doubt = (rates.missed, rates.given) if true else (rates.wrong, rates.denied)
    if u >= error + doubt:
        return None
    errs = u < error
    evidence = EVIDENCE[0 if row[DrawChannel.EVIDENCE] < _LIKELY[0 if errs else 1] else 1]
    other = Ball(ball.runs, ball.runs_from, ball.boundary)
    if kind == "wide":
        other = Ball() if true else Ball(runs_from="wides", wide=True)
    elif not true:
        other.noball = True
    return Appeal(kind, true, true != errs, evidence, False, other)


def doubtful_extra(ball: Ball, length: int, line: int, noball_for: str | None) -> str | None:
    """Return the kind of extra that the umpire may err about on such a ball, if any: a wide without other runs, a ball
    without a run in the place of one, or a full toss that may be too high."""
    if ball.dismissal is not None or ball.runs_from in ("byes", "legbyes"):
        return None
    if length == FULL_TOSS and not ball.wide:
        return "no-ball" if noball_for in (None, HIGH) else None
    if ball.noball or ball.runs:
        return None
    return "wide" if ball.wide or LINES[line] in _SEEN_AS_WIDE else None


def extra_shares(appeal: Appeal) -> tuple[float, float]:
    """Return the probabilities of this decision with its evidence, of a true extra and of a ball that is none."""
    rates = EXTRA_RATES[appeal.kind]
    wrong, right = ((part if appeal.evidence == EVIDENCE[0] else 1 - part) for part in _LIKELY)
    if appeal.given_out:
        return rates.given * right, rates.wrong * wrong
    return rates.missed * wrong, rates.denied * right


def appeal_shares(model: BallModel, appeal: Appeal, behind: float) -> tuple[float, float]:
    """Return the probabilities of this decision with its evidence, of a true dismissal of its kind and of a ball
    without one that landed where it did; `behind` is the share of catches that are the keeper's."""
    rates, number = model.umpire, EVIDENCE.index(appeal.evidence)
    seen = (*_SEEN_WRONG, 1 - sum(_SEEN_WRONG))[number]
    behind = behind if appeal.kind == "caught" else 1.0
    if appeal.given_out:
        doubt = rates["hope"]
        right = (0.1 * doubt, doubt, _SURELY_RIGHT)[number]
        return behind * (1 - rates["missed"]) * right, rates["wrong"] * seen
    doubt = rates["chance"]
    right = (0.1 * doubt, doubt, _SURELY_RIGHT)[number]
    return behind * rates["missed"] * seen, rates["turned_down"] * right

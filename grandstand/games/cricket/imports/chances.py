"""Chances of winning in a recorded match between average players, by the same tables as in a simulated one."""

from __future__ import annotations

from grandstand.games.cricket.imports.scorer import Scorer
from grandstand.games.cricket.laws.rules import FormatRules, format_rules, super_over_rules
from grandstand.games.cricket.model.win_probability import ceiling, win_probability


def rules_of(scorer: Scorer, conditions: str) -> FormatRules:
    """Return the rules of an innings of this length."""
    return super_over_rules(conditions) if scorer.line.super_over else format_rules(scorer.overs, conditions)


def batting_chance(scorer: Scorer, era: str, conditions: str) -> float:
    """Return the chance of the side that bats. A tie is worth its Super Over."""
    rules = rules_of(scorer, conditions)
    tables = win_probability(era, rules)
    if scorer.target is None:
        missing = ceiling(rules) - scorer.runs
        return tables.first().at(_legal(scorer, rules), _wickets(scorer, rules), missing)
    need = scorer.target - scorer.runs
    if need <= 0:
        return 1.0
    if scorer.balls_left and scorer.wickets < rules.wickets:
        return tables.chase.at(_legal(scorer, rules), _wickets(scorer, rules), need)
    return tables.level if need == 1 else 0.0


def chase_chance(overs: int, target: int, era: str, conditions: str) -> float:
    """Return the chance of a side that is about to chase `target` in `overs` overs; 0 overs are a Super Over."""
    rules = format_rules(overs, conditions) if overs else super_over_rules(conditions)
    return win_probability(era, rules).chase_from_start(target)


def _legal(scorer: Scorer, rules: FormatRules) -> int:
    return min(scorer.legal, rules.balls)


def _wickets(scorer: Scorer, rules: FormatRules) -> int:
    return min(scorer.wickets, rules.wickets)

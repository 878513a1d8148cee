"""A position of the tactics set as a match: one power gives its orders once, and the set's replies judge them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.games.base import Action, GameEvent, IllegalAction, Outcome, SeatId
from grandstand.games.diplomacy.agent.text import DEFAULT
from grandstand.games.diplomacy.events import TacticSet
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWER, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import WAIVE
from grandstand.games.diplomacy.rules.position import read_orders
from grandstand.games.diplomacy.tactics.positions import Reply, refutation, tactic
from grandstand.games.prompts import PromptPart, PromptSettings


class TacticGame(DiplomacyGame):
    """The rules of a tactic. The others give the reply that defeats the orders, or else the set's first reply."""

    def to_act(self) -> Sequence[SeatId]:
        seat = tactic(self.options.tactic).seat
        return () if self.outcome is not None or POWER[seat] in self.submitted else (seat,)

    def opening(self) -> list[GameEvent]:
        item = tactic(self.options.tactic)
        return [*super().opening(), TacticSet(item.id, item.title, item.seat, item.task)]

    def parts(self, seat: SeatId, settings: PromptSettings = DEFAULT) -> list[PromptPart]:
        item = tactic(self.options.tactic)
        if seat != item.seat or self.outcome is not None:
            return super().parts(seat, settings)
        aim = (
            f"Your aim: {item.task} Your orders must reach it whatever the other powers order; this is your only turn."
        )
        if item.then:
            aim += f" You then order: {'; '.join(', '.join(orders) for orders in item.then)}, as far as you can."
        return [*super().parts(seat, settings), PromptPart("task", aim)]

    def scores(self) -> dict[SeatId, float]:
        return super().scores() if self.outcome is None else dict(self.outcome.scores)

    def _check(self, seat: SeatId, action: Action) -> int:
        power = super()._check(seat, action)
        if seat not in self.to_act():
            raise IllegalAction("seat", f"{seat} does not play in this position")
        return power

    def _advance(self) -> list[GameEvent]:
        item = tactic(self.options.tactic)
        orders = {UNIT_PROVINCE[order[1]]: order for order in self.submitted[POWER[item.seat]] if order[0] != WAIVE}
        refuted = refutation(item, orders)
        reply = refuted if refuted is not None else item.replies[0] if item.replies else ({},)
        for name, texts in reply[0].items():
            self.submitted[POWER[name]] = tuple(read_orders(self.state, {"orders": {name: texts}}).orders.values())
        events = super()._advance()
        self._outcome = _outcome(self.options.tactic, refuted)
        return events

    def _judge_end(self, year: int) -> None:
        """Do nothing: a tactic always ends in `_advance`, after its first phase."""


def _outcome(name: str, refuted: Reply | None) -> Outcome:
    item = tactic(name)
    winner = item.seat if refuted is None else item.opponent
    text = f"{item.title}: solved. {item.reason}"
    if refuted is not None:
        last = "; ".join(order for orders in refuted[-1].values() for order in orders)
        text = f"{item.title}: not forced. {item.task} It fails{f' against {last}' if last else ''}."
    return Outcome("tactic", [winner], {power: float(power == winner) for power in POWER}, text)


def _rules(options: DiplomacyOptions) -> type[DiplomacyGame]:
    return TacticGame if options.tactic else DiplomacyGame


def new_game(options: DiplomacyOptions, seed: int) -> DiplomacyGame:
    """Return a match as it begins. The rules are deterministic, so the seed has no effect."""
    return _rules(options)(options)


def load_game(data: Mapping[str, Any]) -> DiplomacyGame:
    """Restore a match from the result of `DiplomacyGame.to_json`."""
    return _rules(DiplomacyOptions(**data["options"])).from_json(data)

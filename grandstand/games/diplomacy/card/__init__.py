"""The cards of Diplomacy: the map with owners, units and orders, and the standing."""

from __future__ import annotations

from grandstand.games.cards import CardForm
from grandstand.games.diplomacy.card.board import picture
from grandstand.games.diplomacy.card.standing import card

CARD = CardForm(card, picture, beats={"OrdersResolved": 1.6, "PhaseAdvanced": 1.1})

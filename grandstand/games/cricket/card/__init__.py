"""The cards of cricket: the ground with the last ball, the scorecard of the moment, and the standing."""

from __future__ import annotations

from grandstand.games.cards import CardForm
from grandstand.games.cricket.card.board import picture
from grandstand.games.cricket.card.standing import card

CARD = CardForm(card, picture, beats={"BallBowled": 0.9, "MatchDecided": 3.0})

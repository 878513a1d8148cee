"""How moments of Diplomacy are shown: the map with owners, units and orders, and the standing."""

from __future__ import annotations

from typing import Final

from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.picture.board import picture
from grandstand.games.diplomacy.picture.map import places
from grandstand.games.diplomacy.picture.standing import card
from grandstand.games.picture import Pictures

COLOURS: Final = {
    "AUSTRIA": ("#9c3424", "#ec8f78"),
    "ENGLAND": ("#2c4489", "#9db0f2"),
    "FRANCE": ("#14679a", "#7fcaf5"),
    "GERMANY": ("#484643", "#cfccc6"),
    "ITALY": ("#3a6f2b", "#a5dc90"),
    "RUSSIA": ("#7d4779", "#e6c4e6"),
    "TURKEY": ("#856208", "#f6d277"),
}
"""The strong colours of the powers, as in `frontend/src/boards/diplomacy/map/palette.ts`."""
WASHES: Final = {
    "AUSTRIA": "#cf7656",
    "ENGLAND": "#7a96d0",
    "FRANCE": "#97cdf4",
    "GERMANY": "#9b9890",
    "ITALY": "#95bb78",
    "RUSSIA": "#c9acc1",
    "TURKEY": "#ecd27a",
}
"""The colours of their provinces, as there: they differ for viewers who see fewer colours, too."""

PICTURES: Final[Pictures[DiplomacyGame]] = Pictures(
    scene=picture,
    ground=places,
    card=card,
    colours=COLOURS,
    washes=WASHES,
    beats={"OrdersResolved": 1.6, "PhaseAdvanced": 1.1},
)

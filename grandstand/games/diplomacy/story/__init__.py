"""The story of a match of Diplomacy: what happened, how much it matters, and who is likely to win.

`DiplomacyStory` folds the events of a match, turn by turn. `battles.py` reads a movement phase from its resolved
orders. `conflicts.py`, `relations.py`, `standings.py` and `seasons.py` derive facts; `commentary.py` chooses which of
them are told and in which of the constructions in `forms.py`. `chances.py` has the chance of winning, `outlook.py` the
excitement and the headline.
"""

from __future__ import annotations

from grandstand.games.diplomacy.story.teller import DiplomacyStory

__all__ = ["DiplomacyStory"]

"""What every test shares."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no fault of the code: only a wrong answer fails a property, never a slow one.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

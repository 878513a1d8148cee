"""The operator's token of the tests of OpenEnv."""

from __future__ import annotations

TOKEN = "sesame-sesame"

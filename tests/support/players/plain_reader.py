"""The reader of near-JSON as one would first write it: character by character, with no bound on its work."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import patch

from grandstand.players.llm import replies
from grandstand.players.llm.replies import CLOSING, _BreaksOff, _Reader, parse_reply

BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/|#[^\n]*)*", re.DOTALL)


class PlainReader(_Reader):
    """Steps through every character."""

    def _count(self) -> None: ...

    def _string(self) -> str:
        close = CLOSING[self.text[self.at]]
        parts = []
        position = self.at + 1
        while position < len(self.text):
            mark = self.text[position]
            if mark == "\\":
                piece, position = self._escape(position)
                parts.append(piece)
                continue
            if mark == close and self._ends_string(position + 1):
                self.at = position + 1
                return "".join(parts)
            parts.append(mark)
            position += 1
        raise _BreaksOff("the reply breaks off inside a string")

    def _ends_string(self, position: int) -> bool:
        while self.text[position : position + 1].isspace():
            position += 1
        return self.text[position : position + 1] in ("", ",", ":", "}", "]", "#") or self.text.startswith(
            ("//", "/*"), position
        )

    def _next(self) -> str:
        if blank := BLANK.match(self.text, self.at):
            self.at = blank.end()
        if self.at >= len(self.text):
            raise _BreaksOff("the reply breaks off before its JSON object is closed")
        return self.text[self.at]


def parse_plainly(text: str, keys: tuple[str, ...]) -> dict[str, Any]:
    """`parse_reply` with that reader."""
    with patch.object(replies, "_Reader", PlainReader):
        return parse_reply(text, keys)

"""Keeps tokens and tickets out of the log, whichever library writes it.

At debug level the server's libraries log whole requests. The record is made clean where it is made, so that no
handler, format or destination sees a secret.
"""

from __future__ import annotations

import logging
import re
from typing import Any

HIDDEN = r"\1[hidden]"

SECRETS = (
    # The header, as text or as the repr of bytes, in a mapping or a pair: all of its value.
    re.compile(r"((?:(?:proxy-)?authorization|(?:set-)?cookie)\b['\"]?\s*[:=,]\s*b?['\"]?)[^'\"\r\n]+", re.IGNORECASE),
    re.compile(r"(\bbearer\s+)[^\s'\",;]+", re.IGNORECASE),
    # What an OpenID provider gives and is given.
    re.compile(r"([?&](?:code|state)=)[^&\s'\"]+", re.IGNORECASE),
    re.compile(
        r"(\b(?:access_token|id_token|client_secret|code_verifier)['\"]?\s*[:=]\s*b?['\"]?)[^&\s'\"]+", re.IGNORECASE
    ),
    # Parameters of an address, and fields of a JSON body.
    re.compile(r"(\b(?:ticket|seat_token|operator_token|token|api_key)=)[^&\s'\"]+", re.IGNORECASE),
    re.compile(r"(['\"](?:ticket|seat_token|operator_token|token|api_key)['\"]\s*:\s*b?['\"])[^'\"]+", re.IGNORECASE),
)


def cleaned(text: str) -> str:
    """Return `text` without the secrets in it."""
    for secret in SECRETS:
        text = secret.sub(HIDDEN, text)
    return text


def hide_secrets() -> None:
    """Have every log record of this process made without secrets. Idempotent."""
    make = logging.getLogRecordFactory()
    if getattr(make, "hides_secrets", False):
        return

    def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        try:
            text = record.getMessage()
        except Exception:
            return record  # A wrong format is the handler's to report, as ever.
        if (clean := cleaned(text)) != text:
            record.msg, record.args = clean, None
        return record

    factory.hides_secrets = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(factory)

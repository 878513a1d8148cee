"""Python runs this at its start where the folder is on its path: Inspect counts the tokens of its mock model by a table
that tiktoken would download. Here, a byte is a token."""

from __future__ import annotations

import tiktoken

BYTES = tiktoken.Encoding(
    "bytes", pat_str=r"[\s\S]", mergeable_ranks={bytes([byte]): byte for byte in range(256)}, special_tokens={}
)
tiktoken.get_encoding = lambda name: BYTES

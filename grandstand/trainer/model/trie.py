"""The legal next tokens: a trie over the token sequences of the legal options. No tensors, no tokenizer.

The sampler, the learner and the engine's logits processors all use it: it alone defines what is legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class TokenTrie:
    """The options of one slot as token sequences. None is a prefix of another, so a leaf ends an option."""

    __slots__ = ("root",)

    def __init__(self, options: Sequence[Sequence[int]]) -> None:
        """`options[k]` are the token ids of option k. Raises ValueError where one begins another, or is empty."""
        self.root: dict[int, Any] = {}
        for option, tokens in enumerate(options):
            node = self.root
            if not tokens:
                raise ValueError(f"option {option} has no tokens")
            for token in tokens[:-1]:
                node = node.setdefault(token, {})
                if not isinstance(node, dict):
                    raise ValueError(f"option {option} goes on where another ends: {list(tokens)}")
            if tokens[-1] in node:
                raise ValueError(f"option {option} ends where another goes on, or is there twice: {list(tokens)}")
            node[tokens[-1]] = option

    def sequences(self) -> dict[int, tuple[int, ...]]:
        """Return the tokens of each option."""
        sequences: dict[int, tuple[int, ...]] = {}

        def walk(node: Mapping[int, Any], path: tuple[int, ...]) -> None:
            for token, child in node.items():
                if isinstance(child, dict):
                    walk(child, (*path, token))
                else:
                    sequences[child] = (*path, token)

        walk(self.root, ())
        return sequences


class Walker:
    """A walk through tries, one slot after the other.

    `allowed` are the ids that may come next, ascending; `chosen` the options taken in the slots that are done.
    """

    __slots__ = ("_node", "_tries", "allowed", "chosen")

    def __init__(self, tries: Sequence[TokenTrie]) -> None:
        self._tries = list(tries)
        self.chosen: list[int] = []
        self._enter(self._tries[0].root if self._tries else None)

    @property
    def done(self) -> bool:
        return self._node is None

    def take(self, token: int) -> bool:
        """Take `token` and return whether that completed a slot. Raises ValueError if it is not allowed."""
        if self._node is None or token not in self._node:
            raise ValueError(f"token {token} is not legal here; there are {list(self.allowed)}")
        child = self._node[token]
        if isinstance(child, dict):
            self._enter(child)
            return False
        self.chosen.append(child)
        following = len(self.chosen)
        self._enter(self._tries[following].root if following < len(self._tries) else None)
        return True

    def _enter(self, node: dict[int, Any] | None) -> None:
        self._node = node
        self.allowed: tuple[int, ...] = () if node is None else tuple(sorted(node))

"""Converts between a game's texts and a policy's tokens: prompts, and the legal answers as tries. No tensors.

A policy reads one of two languages. A language model reads the prompt of `players/llm/prompt.py` in its chat template
and answers in the game's JSON; the built-in small one reads the game's shorthand and answers in its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import exp
from pathlib import Path
from typing import Any, Protocol

from grandstand.games.base import Action, SeatId
from grandstand.games.choices import Step, Walk, words_of
from grandstand.games.game import Game
from grandstand.games.spec import GameSpec
from grandstand.games.training import BYTES, Training
from grandstand.players.llm.prompt import first_messages, reply_form
from grandstand.trainer.model.sampler import Ask
from grandstand.trainer.model.trie import TokenTrie

WORDS = "words.json"
"""The file of a policy's folder that holds its vocabulary, where it reads shorthand."""


class Codec(Protocol):
    """The language of a policy. Token ids are of the policy's own vocabulary."""

    def prompt(self, game: Game, seat: SeatId) -> list[int]:
        """Return the prompt of the moment: the same tokens in training, evaluation and live play."""

    def lead(self) -> list[int]:
        """Return the forced tokens that every reply begins with."""

    def options(self, game: Game, seat: SeatId, step: Step) -> list[list[int]]:
        """Return the tokens of each word that may come next; none is a prefix of another."""

    def save(self, folder: Path) -> None: ...


class WordCodec:
    """The game's shorthand: every word is one token, the longest match first. If the vocabulary has bytes, a word
    that it lacks is spelled in bytes. Ids 0 and 1 are padding and the end of an option that is the beginning of
    another."""

    PAD, END = 0, 1

    def __init__(self, training: Training | None, words: Sequence[str] = ()) -> None:
        """`words` are those of a saved policy, by default the game's own."""
        self.words = tuple(words) or ("<pad>", "<end>", *(training.vocabulary if training else ()))
        self._spell = training.spell if training else _itself
        self._shorthand = training.shorthand_of(self.words[2:]) if training else None
        self.ids = {word: number for number, word in enumerate(self.words)}
        spaced = sorted((word for word in self.words[2:] if " " in word), key=len, reverse=True)
        self._pattern = re.compile("|".join([*(rf"{re.escape(word)}(?!\S)" for word in spaced), r"\S+"]))
        self._known: dict[str, list[int]] = {}

    @classmethod
    def load(cls, folder: Path, training: Training) -> WordCodec:
        """Raise ValueError if the policy was made for words that the game's shorthand never had."""
        words = json.loads((folder / WORDS).read_text("utf-8"))
        if training.shorthand_of(words[2:]) is None:
            raise ValueError(f"policy: {folder} was made for words that the game's shorthand does not have; clone anew")
        return cls(training, words)

    def encode(self, text: str) -> list[int]:
        """Raise ValueError with the name of a word that the vocabulary lacks and cannot spell."""
        ids: list[int] = []
        for word in self._pattern.findall(text):
            if word in self.ids:
                ids.append(self.ids[word])
            elif BYTES[0] in self.ids:
                ids += [self.ids[BYTES[byte]] for byte in f"{word} ".encode("utf-8", "replace")]
            else:
                raise ValueError(f"shorthand: {word!r} is not in the vocabulary: {text!r}")
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        return " ".join(self.words[token] for token in ids)

    def prompt(self, game: Game, seat: SeatId) -> list[int]:
        assert self._shorthand is not None
        return self.encode(self._shorthand(game, seat))

    def lead(self) -> list[int]:
        return []

    def options(self, game: Game, seat: SeatId, step: Step) -> list[list[int]]:
        coded = [self._option(self._spell(game, seat, word.slot, word.word)) for word in step]
        begun = {tuple(tokens[:length]) for tokens in coded for length in range(1, len(tokens))}
        return [[*tokens, self.END] if tuple(tokens) in begun else tokens for tokens in coded]

    def save(self, folder: Path) -> None:
        (folder / WORDS).write_text(json.dumps(self.words, ensure_ascii=False), "utf-8")

    def _option(self, word: str) -> list[int]:
        if word not in self._known:
            self._known[word] = self.encode(word)
        return self._known[word]


class ChatCodec:
    """A language model's tokenizer, with its chat template; the answer is the game's JSON, without reasoning.

    An option is tokenized by itself, so it has the same tokens whatever precedes it.
    """

    def __init__(self, tokenizer: Any, spec: GameSpec) -> None:
        self.tokenizer = tokenizer
        self._form = reply_form(spec)
        self._layout = self._form.layout
        self._known: dict[str, list[int]] = {}

    @cached_property
    def _templated(self) -> bool:
        return bool(getattr(self.tokenizer, "chat_template", None))

    def prompt(self, game: Game, seat: SeatId) -> list[int]:
        messages = first_messages(self._form, game, seat)
        if self._templated:
            text = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        else:
            text = "\n\n".join(message["content"] for message in messages) + "\n\n"
        return self._encode(text)

    def lead(self) -> list[int]:
        return self._encode(self._layout.lead)

    def options(self, game: Game, seat: SeatId, step: Step) -> list[list[int]]:
        return [self._option(self._layout.piece(word)) for word in step]

    def save(self, folder: Path) -> None:
        self.tokenizer.save_pretrained(folder)

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
        return ids

    def _option(self, text: str) -> list[int]:
        if text not in self._known:
            self._known[text] = self._encode(text)
        return self._known[text]


class Question:
    """One choice of a seat: makes the Ask for a sampler, and the action from the sampled answer."""

    def __init__(self, spec: GameSpec, codec: Codec, game: Game, seat: SeatId) -> None:
        self._codec, self._game, self._seat = codec, game, seat
        self._training = spec.training
        self._grammar = self._training.grammar(game, seat)
        self._known: dict[tuple[str, ...], Sequence[Step]] = {}

    def ask(self, seed: int, temperature: float) -> Ask:
        return Ask(self._codec.prompt(self._game, self._seat), self._codec.lead(), self.tries, seed, temperature)

    def tries(self, chosen: Sequence[int]) -> list[TokenTrie]:
        """Return the tries that come after these options."""
        return [TokenTrie(self._tokens(step)) for step in self._steps(_words(self._taken(chosen)))]

    def action(self, chosen: Sequence[int]) -> Action:
        """Return the action that the chosen options make."""
        return self._game.action(self._seat, Walk(self._grammar, _words(self._taken(chosen))).chosen)

    def odds(self, chosen: Sequence[int], logprobs: Sequence[float]) -> list[tuple[str, float]]:
        """Return the word and the probability of each chosen option; `logprobs` are those of the completion."""
        taken = [(step[at].word, len(self._tokens(step)[at])) for step, at in self._taken(chosen)]
        odds, done = [], len(logprobs) - sum(length for _, length in taken)
        for word, length in taken:
            odds.append((word, exp(sum(logprobs[done : done + length]))))
            done += length
        return odds

    def features(self) -> Mapping[str, float]:
        return self._training.features(self._game, self._seat)

    def imitate(self, action: Action) -> tuple[list[int], list[list[int]]] | None:
        """Return (completion, allowed) of the answer that stands for `action`; None if there is none."""
        choices = self._training.chosen(self._game, self._seat, action)
        if choices is None:
            return None
        words = words_of(self._grammar, choices)
        completion = list(self._codec.lead())
        allowed: list[list[int]] = [[] for _ in completion]
        done = 0
        while steps := self._steps(tuple(words[:done])):
            for step in steps:
                tokens = self._tokens(step)
                number = next(number for number, word in enumerate(step) if word.word == words[done])
                _follow(TokenTrie(tokens), tokens[number], completion, allowed)
                done += 1
        return completion, allowed

    def _taken(self, chosen: Sequence[int]) -> list[tuple[Step, int]]:
        """Return the chosen options, each with its step."""
        taken: list[tuple[Step, int]] = []
        while left := chosen[len(taken) :]:
            steps = self._steps(_words(taken))
            taken += zip(steps, left[: max(1, len(steps))], strict=True)
        return taken

    def _tokens(self, step: Step) -> list[list[int]]:
        return self._codec.options(self._game, self._seat, step)

    def _steps(self, words: tuple[str, ...]) -> Sequence[Step]:
        """Return the steps that come after the words."""
        if words not in self._known:
            self._known[words] = Walk(self._grammar, words).steps
        return self._known[words]


def _itself(game: Game, seat: SeatId, slot: str, word: str) -> str:
    return word


def _words(taken: Sequence[tuple[Step, int]]) -> tuple[str, ...]:
    return tuple(step[option].word for step, option in taken)


def _follow(trie: TokenTrie, tokens: Sequence[int], completion: list[int], allowed: list[list[int]]) -> None:
    node = trie.root
    for token in tokens:
        completion.append(token)
        allowed.append(sorted(node) if len(node) > 1 else [])
        node = node[token]

"""The games of TextArena, loaded so that a match can be repeated: their chance is drawn from a stream of the match, and
their words are those that the package has, since NLTK's would be downloaded."""

from __future__ import annotations

import importlib
import json
import random
import re
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from random import Random
from types import ModuleType
from typing import Any, Final

import numpy

_STREAM: ContextVar[Random] = ContextVar("stream of the match")
WORD: Final = re.compile(r"[a-z]{3,11}")
DICTIONARIES: Final = ("en_US.dic", "en_GB.dic")
_LOADING: Final = threading.RLock()
"""Held while modules are replaced for an import, since every thread sees the replacements."""


class _Chance(ModuleType):
    """What TextArena's modules use in place of `random`."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_STREAM.get(), name, None) or getattr(random, name)


class _NumpyChance:
    """What TextArena's modules use in place of `numpy.random`."""

    def __getattr__(self, name: str) -> Any:
        own = numpy.random.RandomState(_STREAM.get().getrandbits(32))
        return getattr(own, name, None) or getattr(numpy.random, name)


class _Numpy(ModuleType):
    """What TextArena's modules use in place of `numpy`."""

    random = _NumpyChance()

    def __getattr__(self, name: str) -> Any:
        return getattr(numpy, name)


CHANCE: Final = _Chance("random")
NUMPY: Final = _Numpy("numpy")


@contextmanager
def chance(seed: str) -> Iterator[None]:
    """Draw all chance of the library's code within the block from `seed`."""
    token = _STREAM.set(Random(seed))
    try:
        yield
    finally:
        _STREAM.reset(token)


class Dictionary:
    """The words of TextArena's dictionaries, in place of its class `EnglishDictionary`, which adds those of NLTK."""

    def __init__(
        self, keep_proper_nouns: bool = False, include_nltk: bool = True, keep_non_alpha: bool = False
    ) -> None:
        """Take the arguments of the library. Proper nouns and other signs are never words here."""

    def __deepcopy__(self, memo: object) -> Dictionary:
        return self

    def is_english_word(self, word: str) -> bool:
        return word.lower() in _known()


def _words(fileids: str = "en") -> Sequence[str]:
    """Return the words of a list, as `nltk.corpus.words.words` does: `en-basic` or `en`."""
    return _common() if fileids == "en-basic" else _all()


@cache
def _all() -> Sequence[str]:
    """Return the words of the dictionaries in their base form, in alphabetical order."""
    folder = files("textarena.envs.utils.data")
    lines = (line for name in DICTIONARIES for line in folder.joinpath(name).read_text("utf-8").splitlines())
    return sorted({word for line in lines if WORD.fullmatch(word := line.partition("/")[0])})


@cache
def _known() -> frozenset[str]:
    """Return the words of the dictionaries in all their forms."""
    lists = importlib.import_module("textarena.envs.utils.word_lists")
    own = lists.LibraryDictionary(include_nltk=False)
    return frozenset(own.uk_words | own.us_words)


@cache
def _common() -> Sequence[str]:
    """Return common nouns: those of the package's Twenty Questions."""
    text = files("textarena.envs.TwentyQuestions").joinpath("twenty_questions_words.json").read_text("utf-8")
    groups: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(text)
    listed = {word for group in groups.values() for words in group.values() for word in words}
    return sorted(word for word in listed if WORD.fullmatch(word))


def words_of_length(length: int) -> Sequence[str]:
    """Return words of that length, or common nouns for 0."""
    return [word for word in _all() if len(word) == length] if length else _common()


def _nltk() -> dict[str, ModuleType]:
    """Return modules in place of NLTK, which download nothing."""
    nltk, corpus, words = (ModuleType(name) for name in ("nltk", "nltk.corpus", "nltk.corpus.words"))
    vars(words)["words"] = _words
    vars(corpus)["words"] = words
    vars(nltk).update(
        corpus=corpus,
        download=lambda *names, **options: True,
        pos_tag=lambda tokens, **options: [(token, "NN") for token in tokens],
    )
    return {"nltk": nltk, "nltk.corpus": corpus}


@cache
def _load() -> None:
    with _in_place(_nltk()):
        importlib.import_module("textarena")
    lists = importlib.import_module("textarena.envs.utils.word_lists")
    vars(lists).update(LibraryDictionary=lists.EnglishDictionary, EnglishDictionary=Dictionary)
    _isolate()


def environments() -> Mapping[str, Any]:
    """Return the library's environments by their ids."""
    with _LOADING:
        _load()
    registered: Mapping[str, Any] = sys.modules["textarena.envs.registration"].ENV_REGISTRY
    return registered


def new_environment(name: str, seed: int) -> Any:
    """Return the environment called `name`, without its wrappers: what they do is done here."""
    module, _, kind = environments()[name].entry_point.partition(":")
    with _LOADING:
        if module not in sys.modules:
            with _in_place(_nltk()):
                importlib.import_module(module)
            _isolate()
    with chance(f"{seed}/new"):
        environment = getattr(sys.modules[module], kind)(**environments()[name].kwargs)
    if words := vars(environment).get("word_list"):
        environment.word_list = sorted(words)  # in one game in the order of a set, which differs between processes
    return environment


@contextmanager
def _in_place(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    """Import `modules` instead of those of the same names within the block, and ignore warnings about the code that
    imports them."""
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, module in before.items():
            del sys.modules[name]
            if module is not None:
                sys.modules[name] = module


def _isolate() -> None:
    """Let the library's modules draw from the stream of the match, and print nothing."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "textarena":
            continue
        for attribute, value in list(vars(module).items()):
            if value is random:
                setattr(module, attribute, CHANCE)
            elif value is numpy:
                setattr(module, attribute, NUMPY)
        vars(module)["print"] = lambda *words, **options: None

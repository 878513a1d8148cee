"""Prompts and answers in tokens, over whole matches of both games: what is read and written is what is played."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from pydantic import SecretStr

from grandstand.games.base import Action, SeatId
from grandstand.games.catalog import BUILT_IN
from grandstand.games.choices import Walk, Word, words_of
from grandstand.games.game import Game
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec, Learning
from grandstand.games.training import BYTES
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import Endpoint
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.llm.prompt import first_messages, reply_form
from grandstand.players.options import LLMOptions
from grandstand.trainer.model.codec import ChatCodec, Codec, Question, WordCodec
from tests.support.players.chat_server import ChatServer, says
from tests.support.trainer.chat import moments, tokenizer

SPECS = [game_spec(name) for name in sorted(BUILT_IN)]
CODECS = [ChatCodec, WordCodec]


@pytest.fixture(params=SPECS, ids=[spec.name for spec in SPECS])
def spec(request: pytest.FixtureRequest) -> GameSpec:
    result: GameSpec = request.param
    return result


@pytest.fixture(params=CODECS, ids=[kind.__name__ for kind in CODECS])
def codec(request: pytest.FixtureRequest, spec: GameSpec) -> Codec:
    return ChatCodec(tokenizer(), spec) if request.param is ChatCodec else WordCodec(spec.training)


def drawn(question: Question, rng: Random) -> tuple[list[int], list[int]]:
    """Options chosen at random until the answer is whole, and their tokens one after the other."""
    chosen: list[int] = []
    tokens: list[int] = []
    while tries := question.tries(chosen):
        for options in [trie.sequences() for trie in tries]:
            chosen.append(rng.choice(sorted(options)))
            tokens += options[chosen[-1]]
    return chosen, tokens


# --- prompts ----------------------------------------------------------------------------------------------------------


def test_a_language_model_reads_what_every_model_reads(spec: GameSpec) -> None:
    codec, tokens = ChatCodec(tokenizer(), spec), tokenizer()
    for match, seat, _ in moments(spec, 1):
        messages = [dict(message) for message in first_messages(reply_form(spec), match.game, seat)]
        prompt = codec.prompt(match.game, seat)
        assert prompt == tokens.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
        text = "".join(f"<|im_start|>{item['role']}\n{item['content']}<|im_end|>\n" for item in messages)
        assert tokens.decode(prompt) == text + "<|im_start|>assistant\n"


def test_a_model_in_a_live_match_is_sent_the_same(spec: GameSpec) -> None:
    match, seat, _ = next(moments(spec, 2))
    with ChatServer(says("{}")) as server:
        endpoint = Endpoint(LLMOptions(base_url=server.url, model="m"), SecretStr("key"))
        player = LLMPlayer("model", endpoint, Budget("this seat's"), lambda game, seat, random: {})
        asyncio.run(asyncio.wait_for(_asked(player, match, seat), 20))
        sent = server.requests[0].body["messages"]
    text = tokenizer().apply_chat_template(sent, add_generation_prompt=True, tokenize=False)
    assert tokenizer().decode(ChatCodec(tokenizer(), spec).prompt(match.game, seat)) == text


async def _asked(player: LLMPlayer, match: Match, seat: SeatId) -> None:
    """Have the player asked; what it makes of the answer is not the matter here."""
    await asyncio.gather(player.choose(match, seat), return_exceptions=True)


def test_a_tokenizer_without_a_chat_template_is_given_the_text_alone(spec: GameSpec) -> None:
    bare = tokenizer().__class__(tokenizer_object=tokenizer().backend_tokenizer)
    match, seat, _ = next(moments(spec, 1))
    system, user = first_messages(reply_form(spec), match.game, seat)
    prompt = ChatCodec(bare, spec).prompt(match.game, seat)
    assert bare.decode(prompt) == f"{system['content']}\n\n{user['content']}\n\n"


def test_the_small_policy_reads_the_games_shorthand(spec: GameSpec) -> None:
    training = spec.training
    codec = WordCodec(training)
    for match, seat, _ in moments(spec, 3):
        prompt = codec.prompt(match.game, seat)
        assert codec.decode(prompt) == training.shorthand(match.game, seat)
        assert min(prompt) > WordCodec.END


# --- answers ----------------------------------------------------------------------------------------------------------


def test_every_answer_that_can_be_written_is_read_as_its_action(spec: GameSpec, codec: Codec) -> None:
    """That no option begins another is what TokenTrie insists on."""
    form, rng = reply_form(spec), Random(4)
    for match, seat, _ in moments(spec, 4):
        question = Question(spec, codec, match.game, seat)
        chosen, tokens = drawn(question, rng)
        action = question.action(chosen)
        match.game.clone().apply(seat, action)
        if isinstance(codec, ChatCodec):
            text = closed(codec.tokenizer.decode([*codec.lead(), *tokens]))
            read = form.read(match.game, seat, json.loads(text))[0]
            assert match.game.chosen(seat, read) == match.game.chosen(seat, action)


def closed(text: str) -> str:
    """The JSON with its end."""
    missing: list[str] = []
    for mark in re.sub(r'"[^"]*"', "", text):
        if mark in "[{":
            missing.append("]" if mark == "[" else "}")
        elif mark in "]}":
            missing.pop()
    return text + "".join(reversed(missing))


def imitated_words(spec: GameSpec, game: Game, seat: SeatId, action: Action) -> list[str] | None:
    training = spec.training
    chosen = training.chosen(game, seat, action)
    return None if chosen is None else words_of(training.grammar(game, seat), chosen)


@pytest.mark.few(1)
def test_a_question_can_be_answered_several_times_over(spec: GameSpec, codec: Codec) -> None:
    """As a sampler does that draws many answers to it in step."""
    for match, seat, _ in islice(moments(spec, 7, spec.bots.default), 60):
        alone = [drawn(Question(spec, codec, match.game, seat), Random(seed))[0] for seed in range(4)]
        question = Question(spec, codec, match.game, seat)
        together: list[list[int]] = [[] for _ in alone]
        for taken, chosen in zip(together, alone, strict=True):
            rest = chosen[len(taken) : len(taken) + len(question.tries(taken))]
            taken += rest
        for taken, chosen in zip(together, alone, strict=True):
            while tries := question.tries(taken):
                taken += chosen[len(taken) : len(taken) + len(tries)]
            assert taken == chosen
            assert question.action(taken) == Question(spec, codec, match.game, seat).action(chosen)


def test_to_imitate_an_action_is_to_write_the_answer_that_does_it(spec: GameSpec, codec: Codec) -> None:
    imitated = 0
    for match, seat, action in moments(spec, 5):
        question = Question(spec, codec, match.game, seat)
        result, words = question.imitate(action), imitated_words(spec, match.game, seat, action)
        assert (result is None) == (words is None)
        if result is None:
            continue
        completion, allowed = result
        lead = codec.lead()
        assert completion[: len(lead)] == lead
        assert not any(allowed[: len(lead)])
        chosen = followed(question, completion[len(lead) :], allowed[len(lead) :])
        assert imitated_words(spec, match.game, seat, question.action(chosen)) == words
        imitated += 1
    assert imitated > 10


def followed(question: Question, completion: list[int], allowed: list[list[int]]) -> list[int]:
    """The options that a completion takes; checks what it says was legal on the way."""
    chosen: list[int] = []
    message = iter(zip(completion, allowed, strict=True))
    while tries := question.tries(chosen):
        for options in [trie.sequences() for trie in tries]:
            path: tuple[int, ...] = ()
            while path not in options.values():
                token, legal = next(message)
                following = sorted({option[len(path)] for option in options.values() if option[: len(path)] == path})
                assert legal == (following if len(following) > 1 else [])
                path = (*path, token)
            chosen.append(next(number for number, option in options.items() if option == path))
    assert next(message, None) is None
    return chosen


def test_an_action_that_no_answer_does_is_not_imitated(codec: Codec, spec: GameSpec) -> None:
    unsaid: dict[str, Action] = {
        "cricket": {"tool": "analyze_situation", "arguments": {}},
        "diplomacy": {"vote": "draw"},
        "werewolf": {"vote": "abstain"},
    }
    match, seat, _ = next(moments(spec, 6))
    assert Question(spec, codec, match.game, seat).imitate(unsaid[spec.name]) is None


def test_words_that_begin_others_end_with_a_token_of_their_own() -> None:
    codec = WordCodec(None, ["<pad>", "<end>", "A PAR", "-", "BUR", "H", "VIA"])
    step = [Word("A PAR", word, 0) for word in ("A PAR H", "A PAR - BUR", "A PAR - BUR VIA")]
    assert codec.options(Match(game_spec("diplomacy"), {}, 0).game, "FRANCE", step) == [
        [2, 5],
        [2, 3, 4, WordCodec.END],
        [2, 3, 4, 6],
    ]


# --- vocabularies -----------------------------------------------------------------------------------------------------


def test_the_longest_word_that_fits_is_read() -> None:
    codec = WordCodec(None, ["<pad>", "<end>", "A", "A PAR", "PAR", "A PARIS"])
    assert codec.encode("A PAR A PARIS A A PAR PAR") == [3, 5, 2, 3, 4]


def test_a_word_that_the_vocabulary_lacks_is_named() -> None:
    with pytest.raises(ValueError, match="shorthand: 'XYZ' is not in the vocabulary: 'A XYZ'"):
        WordCodec(None, ["<pad>", "<end>", "A"]).encode("A XYZ")


def test_a_vocabulary_is_kept_with_the_policy_and_refused_for_another_game(tmp_path: Path) -> None:
    cricket, diplomacy = (game_spec(name).training for name in ("cricket", "diplomacy"))
    WordCodec(cricket).save(tmp_path)
    assert WordCodec.load(tmp_path, cricket).words == WordCodec(cricket).words
    with pytest.raises(ValueError, match="words that the game's shorthand does not have; clone anew"):
        WordCodec.load(tmp_path, diplomacy)


def test_a_policy_that_was_saved_with_an_earlier_shorthand_reads_that_one(tmp_path: Path) -> None:
    cricket = game_spec("cricket")
    training = cricket.training
    (older,) = training.older
    assert tuple(older.vocabulary) != tuple(training.vocabulary)
    WordCodec(training, ["<pad>", "<end>", *older.vocabulary]).save(tmp_path)
    codec, present = WordCodec.load(tmp_path, training), WordCodec(training)
    differ = 0
    for match, seat, _ in moments(cricket, 3):
        text = older.write(match.game, seat)
        assert codec.decode(codec.prompt(match.game, seat)) == text
        assert present.decode(present.prompt(match.game, seat)) == training.shorthand(match.game, seat)
        differ += text != training.shorthand(match.game, seat)
        for step in Walk(training.grammar(match.game, seat), ()).steps:
            spelled = [training.spell(match.game, seat, word.slot, word.word) for word in step]
            assert [codec.decode(tokens) for tokens in codec.options(match.game, seat, step)] == spelled
    assert differ > 50


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["werewolf", *(pytest.param(name, marks=pytest.mark.long) for name in BUILT_IN if name != "werewolf")]
)
def test_a_policy_of_any_game_reads_what_its_vocabulary_lacks_byte_by_byte(name: str, tmp_path: Path) -> None:
    own = game_spec(name)
    spec = replace(own, learning=Learning())
    known = spec.training.vocabulary
    few = [*known[: len(BYTES) + 1], *known[len(BYTES) + 1 :: 3]]
    WordCodec(spec.training, ["<pad>", "<end>", *few]).save(tmp_path)
    codec, other = WordCodec.load(tmp_path, spec.training), replace(spec, name="other")
    for match, seat, action in islice(moments(own, 1), 40):
        question, rng = Question(spec, codec, match.game, seat), Random(1)
        assert re.sub(r"\s", "", bytes_read(codec, codec.prompt(match.game, seat))) == re.sub(
            r"\s", "", spec.training.shorthand(match.game, seat)
        )
        assert question.imitate(action) is not None
        chosen, tokens = drawn(question, rng)
        imitated = question.imitate(question.action(chosen))
        assert imitated is not None
        assert imitated[0] == tokens
    with pytest.raises(ValueError, match="clone anew"):
        WordCodec.load(tmp_path, other.training)


def bytes_read(codec: WordCodec, ids: Sequence[int]) -> str:
    """The text of tokens, with spelled words put together."""
    coded = (
        bytes([BYTES.index(word)]) if (word := codec.words[token]) in BYTES else f"{word} ".encode() for token in ids
    )
    return b"".join(coded).decode()

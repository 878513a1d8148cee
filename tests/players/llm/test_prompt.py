"""The core's text around a game's, and the form for a game that has none of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from grandstand.games.base import GameEvent, Outcome
from grandstand.games.choices import Chosen, Number, Slot
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.simple import SimpleGame
from grandstand.games.spec import Bots, GameSpec, Rules
from grandstand.players.llm import prompt
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import Endpoint
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.llm.prompt import (
    GENERAL,
    QUOTED,
    first_messages,
    parse_answer,
    prompt_hash,
    repair_messages,
    reply_form,
)
from grandstand.players.options import LLMOptions
from tests.support.players.chat_server import ChatServer, in_turn, says


class Nim(SimpleGame):
    """Take one to three of the stones; who takes the last one wins. A whole game, with no form for models."""

    def __init__(self) -> None:
        self.stones = 10
        self.takes = 0

    @property
    def turn(self) -> str:
        return f"move {self.takes + 1}"

    @property
    def outcome(self) -> Outcome | None:
        last = ("one", "two")[1 - self.takes % 2]
        return None if self.stones else Outcome("last stone", [last], {last: 1.0}, f"{last} wins")

    def to_act(self) -> Sequence[str]:
        return () if self.outcome else (("one", "two")[self.takes % 2],)

    def opening(self) -> list[GameEvent]:
        return []

    def choices(self, seat: str, chosen: Chosen) -> Sequence[Slot]:
        return () if chosen else [Number("take", 1, min(3, self.stones), unit="stones")]

    def play(self, seat: str, chosen: Chosen) -> list[GameEvent]:
        self.stones -= int(str(chosen["take"]))
        self.takes += 1
        return []

    def observation(self, seat: str) -> Any:
        return {"stones": self.stones}

    def text(self, seat: str) -> str:
        return f"There are {self.stones} stones."

    def scores(self) -> dict[str, float]:
        return {"one": 0.5, "two": 0.5}


@dataclass(frozen=True)
class NoOptions:
    """Nothing to choose."""


NIM: GameSpec[Any] = GameSpec(
    name="nim",
    rules=Rules("Nim", ("one", "two"), NoOptions, lambda options, seed: Nim(), Nim.load, events=()),
    bots=Bots({"one": Nim.random_action}, lambda random: ["one", "one"]),
)


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with ChatServer(says("{}")) as running:
        yield running


def test_a_game_without_a_form_of_its_own_can_be_played(server: ChatServer) -> None:
    server.answer = in_turn(
        says('{"action": {"take": 7}}'), says('{"reasoning": "Leave eight.", "action": {"take": 2}}')
    )
    endpoint = Endpoint(LLMOptions(base_url=server.url, model="m"))
    player = LLMPlayer("model", endpoint, Budget("x"), NIM.bots.players["one"])
    match = Match(NIM, {}, 1)
    choice = asyncio.run(player.choose(match, "one"))
    assert (choice.action, choice.source) == ({"take": 2}, "repair")
    schema = server.requests[0].body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["take"] == {"type": "integer", "minimum": 1, "maximum": 3}
    user = server.requests[0].body["messages"][1]["content"]
    assert user == "There are 10 stones.\n\nWhat you may choose:\ntake: give a whole number from 1 to 3"
    assert (
        "take: '7' is not possible; give a whole number from 1 to 3"
        in server.requests[1].body["messages"][3]["content"]
    )


def test_games_with_a_form_use_it() -> None:
    assert reply_form(NIM) is GENERAL
    for game in ("diplomacy", "cricket"):
        assert reply_form(game_spec(game)) is game_spec(game).talk.reply


@pytest.mark.parametrize("reply", ['{"take": 2}', '{"action": {"take": "2"}}', "2", "I leave eight.\n**2**", "[2]"])
def test_the_general_form_understands_a_number_in_any_form(reply: str) -> None:
    assert GENERAL.read(Nim(), "one", parse_answer(GENERAL, Nim(), "one", reply)) == [{"take": 2}]


def test_the_text_of_the_general_form_is_part_of_its_games_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    options = LLMOptions(base_url="http://127.0.0.1:9/v1", model="m")
    before = {spec.name: prompt_hash(spec, options) for spec in (NIM, game_spec("cricket"))}
    monkeypatch.setattr(prompt, "GENERAL_TEXT", "Other words for {seat}.")
    assert prompt_hash(NIM, options) != before["nim"]
    assert prompt_hash(game_spec("cricket"), options) == before["cricket"]


def test_instructions_and_notes_stand_at_the_end() -> None:
    system, user = first_messages(GENERAL, Nim(), "one", "Be quick.", "Last round.")
    assert system["content"].endswith("\n\nBe quick.")
    assert user["content"].endswith("\n\nLast round.")
    system, user = first_messages(GENERAL, Nim(), "one")
    assert system["content"].endswith(GENERAL.system(Nim(), "one"))


def test_a_repair_is_shown_no_more_than_it_needs() -> None:
    assistant, user = repair_messages("x" * 10_000, "it is wrong")
    assert assistant["content"] == "x" * QUOTED
    assert "it is wrong" in user["content"]
    assert repair_messages("", "it is empty")[0]["content"] == "(nothing)"  # endpoints refuse empty messages


@pytest.mark.parametrize(("game", "seat"), [("cricket", "away"), ("diplomacy", "FRANCE")])
def test_one_form_of_answer_is_asked_for(game: str, seat: str) -> None:
    match = Match(game_spec(game), {}, 3)
    for _ in range(12):
        acting = match.waiting[0]
        system, user = (m["content"] for m in first_messages(reply_form(match.spec), match.game, acting))
        assert system.count("Answer with one JSON object") == 1
        assert '"reasoning"' in system
        assert "Answer with" not in user
        assert '{"' not in user.partition("Your plan:")[0].partition("The scorer's numbers")[0]
        match.apply(acting, match.spec.bots.players["random"](match.game, acting, match.rng(acting)))


@pytest.mark.parametrize(("game", "options"), [("diplomacy", {}), ("cricket", {"overs": 1}), ("werewolf", {})])
def test_the_answer_of_an_action_is_read_as_the_action(game: str, options: dict[str, Any]) -> None:
    match = Match(game_spec(game), options, 1)
    match.opening()
    form = reply_form(match.spec)
    for _ in range(8):
        seat = match.asked[0]
        action = match.spec.bots.players["random"](match.game, seat, match.rng(seat))
        (read,) = form.read(match.game, seat, form.answer(match.game, seat, action))
        assert match.game.chosen(seat, read) == match.game.chosen(seat, action)
        match.apply(seat, action)

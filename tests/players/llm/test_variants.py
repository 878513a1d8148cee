"""Prompt variants of roster entries: the prompts that arrive at an endpoint, their hash, and a comparison of two."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from grandstand.events import EpisodeCreated
from grandstand.games.diplomacy.tactics.positions import tactic, tasks
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.main import app
from grandstand.players.llm.prompt import (
    GAMES_OWN,
    first_messages,
    prompt_hash,
    reply_form,
    with_variants,
)
from grandstand.players.options import PERSONAS, LLMOptions
from grandstand.players.roster import Roster, roster_of
from tests.support.command import words
from tests.support.players.chat_server import ChatServer, Request, says
from tests.support.players.models import HOLD

URL = "http://127.0.0.1:9/v1"

ENTRY = """
[[player]]
name = "{name}"
kind = "llm"
[player.options]
base_url = "{url}"
model = "m"
{more}
"""

TEMPLATE = """
Here is what happened: {{{history}}}

THE BOARD
{position}

{legal}

Think of the other side first."""


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(says(HOLD)) as running:
        yield running


def played(game: str, decisions: int, phase: str = "") -> Match[Any]:
    """Return a match of the game after so many decisions of random players; in Diplomacy they also write.

    It goes on to a turn whose name ends with `phase`.
    """
    options: dict[str, Any] = {"last_year": 1908} if game == "diplomacy" else {"overs": 20}
    match = Match(game_spec(game), options, 5)
    made = 0
    while made < decisions or not match.game.turn.endswith(phase):
        made += 1
        seat = match.waiting[0]
        if game == "diplomacy" and match.game.turn.endswith("M") and seat == "ITALY":
            match.apply(seat, {"message": {"to": ["FRANCE"], "text": f"in {match.game.turn}", "promises": ["A VEN H"]}})
        match.apply(seat, match.spec.bots.players["random"](match.game, seat, Random(f"{match.index}/{seat}")))
    return match


@cache
def situations(game: str) -> Sequence[Match[Any]]:
    """Return moments of one match: its start, and later ones with a past."""
    return [played(game, decisions) for decisions in ((0, 14, 60, 90) if game == "diplomacy" else (0, 1, 40, 80))]


SEATS = {"diplomacy": "FRANCE", "cricket": "home"}


def prompts(game: str, options: LLMOptions) -> list[Any]:
    """Return the prompts of a player with these options in all situations, for its actions and its messages."""
    spec = game_spec(game)
    forms = [reply_form(spec), *([spec.talk.press.form] if spec.talk.press else [])]
    variant = options.prompt or GAMES_OWN
    return [
        first_messages(
            with_variants(form, spec, options.memory, options.intentions),
            match.game,
            SEATS[game] if SEATS[game] in match.waiting else match.waiting[0],
            options.instructions,
            "",
            variant,
        )
        for match in situations(game)
        for form in forms
    ]


SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "an empty variant": {"prompt": {}},
    "what is the default anyway": {"prompt": {"legal": "shown"}},
    "other sampling": {"temperature": 0.3, "max_tokens": 99, "structured": "off"},
    "hidden": {"prompt": {"legal": "hidden"}},
    "no past": {"prompt": {"history": 0}},
    "one": {"prompt": {"history": 1}},
    "three": {"prompt": {"history": 3}},
    "bold": {"prompt": {"persona": "bold"}},
    "bold, spelled out": {"prompt": {"persona": PERSONAS["bold"]}},
    "honest": {"prompt": {"persona": "honest"}},
    "template": {"prompt": {"template": "Look:\n{position}\n{notes}\n{legal}"}},
    "template, hidden": {"prompt": {"template": "Look:\n{position}\n{notes}\n{legal}", "legal": "hidden"}},
    "instructions": {"instructions": "Win."},
    "memory": {"memory": True},
    "intentions": {"intentions": True},
    "memory and template": {"memory": True, "prompt": {"template": "Look:\n{position}\n{notes}\n{legal}"}},
}


@pytest.mark.parametrize("game", ["diplomacy", "cricket"])
def test_the_hash_changes_exactly_when_the_text_may(game: str) -> None:
    spec = game_spec(game)
    options = {name: LLMOptions(base_url=URL, model="m", **setting) for name, setting in SETTINGS.items()}
    hashes = {name: prompt_hash(spec, chosen) for name, chosen in options.items()}
    texts = {name: prompts(game, chosen) for name, chosen in options.items()}
    for first, second in combinations(SETTINGS, 2):
        assert (hashes[first] == hashes[second]) == (texts[first] == texts[second]), (first, second)
    assert hashes["bold"] == hashes["bold, spelled out"] != hashes["plain"]
    assert (hashes["memory"] == hashes["plain"]) == (game == "cricket")
    assert (hashes["one"] == hashes["plain"]) == (game == "cricket"), "the balls of this over are cricket's default"
    assert all(len(digits) == 12 and int(digits, 16) >= 0 for digits in hashes.values())


VERSIONS = {"diplomacy": (5, "72c9e5c4ecc8ca96"), "cricket": (6, "797031b5f0b0611a")}
"""Game -> the version of its prompts, and a digest of those in fixed situations."""


@pytest.mark.parametrize("game", ["diplomacy", "cricket"])
def test_a_prompt_that_changes_has_a_new_version(game: str) -> None:
    """If this fails: the text of a prompt has changed. Increase the version in the game's `PromptForm`, so that the
    hash changes and no statistic mixes both, and put the new digest here. If the rules have changed alone, and with
    them the situations, put the new digest here."""
    texts = [prompts(game, LLMOptions(base_url=URL, model="m", **setting)) for setting in SETTINGS.values()]
    digest = blake2b(json.dumps(texts).encode(), digest_size=8).hexdigest()
    assert (game_spec(game).talk.prompts.version, digest) == VERSIONS[game]


def roster(folder: Path, url: str, **entries: str) -> Path:
    """Write a roster with models of these names, each with more settings in TOML."""
    file = folder / "players.toml"
    file.write_text("".join(ENTRY.format(name=name, url=url, more=more) for name, more in entries.items()))
    return file


def arrived(server: ChatServer, folder: Path, match: Match[Any], more: str, negotiate: bool = False) -> Request:
    """Have a model of a roster answer once, and return the request that its endpoint received."""
    file = roster(folder, server.url, model=f"retries = 0\n{more}")
    seat = match.waiting[0]
    player = Roster.load(file).episode(match.spec).player("model", seat)
    server.answer = says(json.dumps({"messages": [], **match.spec.bots.players["random"](match.game, seat, Random(1))}))
    asyncio.run(player.negotiate(match, seat, 1, 2) if negotiate else player.choose(match, seat))
    return server.requests[-1]


@pytest.mark.parametrize("game", ["diplomacy", "cricket"])
def test_the_prompt_that_arrives_follows_the_settings(game: str, server: ChatServer, tmp_path: Path) -> None:
    match = played(game, 60, "M") if game == "diplomacy" else played(game, 80)
    legal, past = {
        "diplomacy": ("Legal orders, per unit", "Orders of"),
        "cricket": ("Tools; ", "Overs before this one"),
    }[game]
    plain = arrived(server, tmp_path, match, "").prompt
    assert legal in plain
    hidden = arrived(server, tmp_path, match, "prompt = { legal = 'hidden' }").prompt
    assert legal not in hidden
    none, three = (arrived(server, tmp_path, match, f"prompt = {{ history = {count} }}").prompt for count in (0, 3))
    assert past not in none
    assert none.count(past) < three.count(past)
    assert len(none) < len(three)
    bold = arrived(server, tmp_path, match, "prompt = { persona = 'bold' }").body["messages"][0]["content"]
    assert bold.endswith(f"Your character, in what you decide and in what you write: {PERSONAS['bold']}")
    own = arrived(server, tmp_path, match, "prompt = { persona = 'You hate draws.' }").body["messages"][0]["content"]
    assert own.endswith("in what you write: You hate draws.")


@pytest.mark.parametrize("game", ["diplomacy", "cricket"])
def test_a_template_has_the_parts_in_their_places(game: str, server: ChatServer, tmp_path: Path) -> None:
    match = played(game, 60, "M") if game == "diplomacy" else played(game, 80)
    more = f'[player.options.prompt]\ntemplate = """{TEMPLATE}"""\nhistory = 3'
    text = arrived(server, tmp_path, match, more).body["messages"][1]["content"]
    past = "Orders of" if game == "diplomacy" else "Overs before this one"
    legal = "Legal orders, per unit" if game == "diplomacy" else "Tools; "
    places = [
        text.index(part) for part in ("Here is what happened: {", past, "}\n\nTHE BOARD\n", legal, "Think of the")
    ]
    assert places == sorted(places)
    assert text.endswith("Think of the other side first.")
    for absent in ("You play ", "You captain ", "Around your units", "The scorer's numbers"):
        assert absent not in text, "parts without a place are left out"
    assert "\n\n\n" not in text


def test_what_is_asked_for_stands_at_the_end_of_any_template(server: ChatServer, tmp_path: Path) -> None:
    match = Match(game_spec("diplomacy"), {"negotiation_rounds": 2}, 1)
    more = 'memory = true\nprompt = { template = "{notes} / {position} / {history} / Mind the fleets." }'
    text = arrived(server, tmp_path, match, more, negotiate=True).body["messages"][1]["content"]
    assert text.startswith("Your notes: none yet. / Phase S1901M")
    _, _, end = text.partition("/  / Mind the fleets.\n\n")
    assert end.startswith("No orders yet: the powers negotiate. You may send")
    assert end.endswith("This is round 1 of 2: what is said in a round is delivered when all have spoken.")


def test_braces_in_what_players_write_are_no_placeholders(server: ChatServer, tmp_path: Path) -> None:
    match = Match(game_spec("diplomacy"), {}, 1)
    match.apply("ITALY", {"message": {"to": "all", "text": "{position} {{x}} {0}"}})
    more = 'prompt = { template = "{history} {{kept}} {position}" }'
    text = arrived(server, tmp_path, match, more).prompt
    assert '"{position} {{x}} {0}"' in text
    assert "{kept}" in text


async def solves(request: Request) -> None:
    """Solve a position of the tactics set if the prompt asks to think of the other side first; else hold."""
    orders: list[str] = []
    if "Think of the other side first." in request.prompt:
        orders = next(list(tactic(name).best) for name, board in boards() if board in request.prompt)
    await says(json.dumps({"reasoning": "hm", "orders": orders, "vote": "none"}))(request)


@cache
def boards() -> list[tuple[str, str]]:
    """Return each position of the set with its board as prompts describe it."""
    moments = [(task.id, Match(game_spec("diplomacy"), task.options, 0).game, task.seat) for task in tasks()]
    return [
        (name, next(part.text for part in game.parts(seat) if part.name == "position"))  # type: ignore[attr-defined]
        for name, game, seat in moments
    ]


def compared(server: ChatServer, folder: Path, *more: str, reference: str = "", code: int = 0) -> Any:
    """Compare the prompts of one model on the tactics set with `grandstand eval`, and return the report."""
    server.answer = solves
    own = f'[player.options.prompt]\ntemplate = """{TEMPLATE}"""'
    file = roster(folder, server.url, thinker=own, plain=reference)
    roster_of.cache_clear()  # a process reads a roster once
    seats = ("--player", "thinker", "--reference", "plain", "--against", "hold", "--pack", "tactics")
    out = folder / "report.json"
    result = CliRunner().invoke(app, ["eval", "diplomacy", *seats, "--roster", str(file), "--out", str(out), *more])
    assert result.exit_code == code, result.output
    return words(result.output) if code else json.loads(out.read_text())


@pytest.mark.long
def test_an_evaluation_tells_the_better_prompt(server: ChatServer, tmp_path: Path) -> None:
    report = compared(server, tmp_path, "--records", str(tmp_path / "records"))
    score = report["measures"]["score"]
    assert score["player"]["mean"] == 1.0
    assert score["reference"]["mean"] < 0.2
    low, high = score["difference"]["ci95"]
    assert 0.5 < low < score["difference"]["mean"] <= high
    assert report["models"]["thinker"]["variant"] == {"template": TEMPLATE.removeprefix("\n")}
    assert "variant" not in report["models"]["plain"]
    assert report["spent"]["dollars"] is None, "no price is known"
    recorded = set()
    for file in (tmp_path / "records").glob("*-*.jsonl"):
        created = EpisodeCreated.model_validate(json.loads(file.read_text().splitlines()[1])["data"])
        recorded |= {(info.player, info.prompt) for info in created.seats}
    hashes = {name: model["prompt"] for name, model in report["models"].items()}
    assert recorded == {*hashes.items(), ("hold", "")}


def test_an_evaluation_is_not_resumed_with_another_prompt(server: ChatServer, tmp_path: Path) -> None:
    records = ("--records", str(tmp_path / "records"), "--limit", "2")
    compared(server, tmp_path, *records)
    hidden = 'prompt = { legal = "hidden" }'
    refused = compared(server, tmp_path, *records, "--resume", reference=hidden, code=2)
    assert "the roster's settings of plain have changed; name another folder" in refused


def test_an_evaluation_is_not_resumed_with_a_new_version_of_the_prompts(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = ("--records", str(tmp_path / "records"), "--limit", "2")
    compared(server, tmp_path, *records)
    monkeypatch.setattr("grandstand.players.llm.prompt.SYSTEM_PREAMBLE", "You are a player.")
    refused = compared(server, tmp_path, *records, "--resume", code=2)
    assert "played with prompt" in refused
    assert "name another folder" in refused

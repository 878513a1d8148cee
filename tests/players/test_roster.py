"""The roster: who can be seated, who cannot and why, and complaints that name the place and never the value."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grandstand.events import CommentatorReported, PlayerReport, PlayerReported, Usage
from grandstand.games.base import OptionError
from grandstand.games.catalog import GAMES
from grandstand.games.match import Match
from grandstand.games.prompts import PromptForm
from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.players.bot import BotPlayer
from grandstand.players.commentary import UnavailableModel
from grandstand.players.external import ExternalPlayer
from grandstand.players.llm.commentator import LLMCommentator
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.recorded import RecordedPlayer
from grandstand.players.roster import Roster, roster_of
from grandstand.players.roster_file import DEFAULT, RosterError
from grandstand.spectator.replay import to_lines
from grandstand.spectator.viewpoint import OPERATOR

DIPLOMACY = game_spec("diplomacy")

LLM = """
[[player]]
name = "model"
kind = "llm"
key_env = "MODEL_KEY"
[player.options]
base_url = "http://127.0.0.1:9/v1"
model = "m"
"""


def roster(tmp_path: Path, text: str, **environment: str) -> Roster:
    file = tmp_path / "players.toml"
    file.write_text(text)
    return Roster.load(file, environment)


def test_the_default_serves_every_game() -> None:
    listed = Roster.load(environment={})
    for game in GAMES:
        players = {player.name: player for player in listed.players(game_spec(game))}
        assert next(iter(players)) == next(iter(game_spec(game).bots.players))
        assert players["person"].available
        assert players["remote"].kind == "remote"
        assert not players["gpt-oss"].available
        assert players["gpt-oss"].reason == "its key is missing: set the environment variable HF_TOKEN"
    assert {player.name: player for player in Roster.load(environment={"HF_TOKEN": "x"}).players(DIPLOMACY)}[
        "gpt-oss"
    ].available


def test_people_and_programs_play_beside_every_roster(tmp_path: Path) -> None:
    names = [(player.name, player.kind) for player in roster(tmp_path, LLM).players(DIPLOMACY)]
    assert names[-3:] == [("model", "llm"), ("person", "human"), ("remote", "remote")]
    own = LLM + '[[player]]\nname = "person"\nkind = "human"\noptions = { turn_seconds = 7 }\n'
    listed = roster(tmp_path, own + '[[player]]\nname = "program"\nkind = "remote"\ngames = ["cricket"]\n')
    assert [player.name for player in listed.players(DIPLOMACY)][-3:] == ["model", "person", "remote"]
    person = listed.episode(DIPLOMACY).player("person", "FRANCE")
    assert isinstance(person, ExternalPlayer)
    assert person.turn_seconds == 7
    everywhere = roster(tmp_path, '[[player]]\nname = "program"\nkind = "remote"\n').players(DIPLOMACY)
    assert [player.name for player in everywhere if player.kind == "remote"] == ["program"]


def test_every_commented_example_of_the_default_is_right(tmp_path: Path) -> None:
    lines = DEFAULT.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("# The same provider's"))
    examples = [
        line.removeprefix("# ")
        for line in lines[start:]
        if (line.startswith(("# [", "# ")) and " = " in line) or line.startswith("# [")
    ]
    listed = roster(tmp_path, "\n".join(examples))
    assert {
        "gpt",
        "claude",
        "claude haiku",
        "gemini",
        "local",
        "learner",
        "learner greedy",
        "last night",
        "sparring partner",
    } <= {player.name for player in listed.players(DIPLOMACY)}


def test_a_seat_is_filled_by_kind(tmp_path: Path) -> None:
    text = (
        LLM
        + """
[[player]]
name = "someone"
kind = "human"
[player.options]
turn_seconds = 0
[[player]]
name = "rival"
kind = "bot"
[player.options]
bot = "dumbbot"
"""
    )
    seating = roster(tmp_path, text, MODEL_KEY="sk-1").episode(DIPLOMACY)
    model, someone, rival, hold = (seating.player(name, "FRANCE") for name in ("model", "someone", "rival", "hold"))
    assert isinstance(model, LLMPlayer)
    assert isinstance(someone, ExternalPlayer)
    assert (someone.kind, someone.turn_seconds) == ("human", None)
    assert isinstance(rival, BotPlayer)
    assert (rival.name, hold.name) == ("rival", "hold")
    assert model.fallback is next(iter(DIPLOMACY.bots.players.values()))


def test_a_recorded_player_needs_a_record_of_its_game(tmp_path: Path) -> None:
    text = f"""
[[player]]
name = "then"
kind = "recorded"
options = {{ file = "{tmp_path}/none.jsonl", fallback = "hold" }}
"""
    with pytest.raises(OptionError, match="cannot be read"):
        roster(tmp_path, text).episode(DIPLOMACY).player("then", "FRANCE")
    created = Event(
        episode_id="e",
        epoch=0,
        seq=0,
        at=0,
        type="EpisodeCreated",
        audience="public",
        data={"game": "cricket", "seats": []},
    )
    (tmp_path / "none.jsonl").write_text("".join(to_lines([created], OPERATOR)))
    with pytest.raises(OptionError, match="is a record of cricket"):
        roster(tmp_path, text).episode(DIPLOMACY).player("then", "FRANCE")
    assert RecordedPlayer("x", [], "FRANCE", None).kind == "recorded"


@pytest.mark.parametrize(
    ("entry", "environment", "reason"),
    [
        ("", {}, "set the environment variable MODEL_KEY"),
        ("", {"MODEL_KEY": "  "}, "set the environment variable MODEL_KEY"),
        ("", {"MODEL_KEY": "sk-\u00e9"}, "MODEL_KEY contains characters that are invalid in an HTTP header"),
        (
            'fallback = "nobody"',
            {"MODEL_KEY": "k"},
            "its fallback 'nobody' is not a built-in player of diplomacy; there are",
        ),
        ('fallback = { diplomacy = "nobody" }', {"MODEL_KEY": "k"}, "its fallback 'nobody'"),
        ('fallback = "search"', {"MODEL_KEY": "k"}, "its fallback 'search' is too slow for one; 'coordinated' answers"),
    ],
)
def test_says_why_a_player_is_not_available(
    tmp_path: Path, entry: str, environment: dict[str, str], reason: str
) -> None:
    listed = roster(tmp_path, f"{LLM}{entry}\n", **environment)
    (info,) = [player for player in listed.players(DIPLOMACY) if player.name == "model"]
    assert not info.available
    assert reason in info.reason
    with pytest.raises(OptionError, match=r"players\.FRANCE: model is not available: "):
        listed.episode(DIPLOMACY).player("model", "FRANCE")


def test_what_is_not_installed_makes_a_player_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = roster(tmp_path, '[[player]]\nname = "learner"\nkind = "trained"\noptions = { folder = "run" }\n')
    for module in ("torch", "transformers", "peft"):
        monkeypatch.setitem(sys.modules, module, None)
    (info,) = [player for player in listed.players(DIPLOMACY) if player.name == "learner"]
    assert not info.available
    assert info.reason == "torch, transformers, peft not installed: pip install 'grandstand[train]'"
    with pytest.raises(OptionError, match=r"players\.FRANCE: learner is not available: torch, transformers, peft"):
        listed.episode(DIPLOMACY).player("learner", "FRANCE")


def test_a_file_is_read_once_where_many_matches_are_played_of_it(tmp_path: Path) -> None:
    (tmp_path / "players.toml").write_text(LLM)
    assert roster_of(tmp_path / "players.toml") is roster_of(tmp_path / "players.toml")
    assert roster_of(None) is not roster_of(tmp_path / "players.toml")


def test_a_fallback_may_be_named_for_each_game(tmp_path: Path) -> None:
    seating = roster(tmp_path, f'{LLM}fallback = {{ diplomacy = "hold" }}\n', MODEL_KEY="k")
    player = seating.episode(DIPLOMACY).player("model", "FRANCE")
    assert player.fallback is DIPLOMACY.bots.players["hold"]
    cricket = game_spec("cricket")
    assert seating.episode(cricket).player("model", "home").fallback is next(iter(cricket.bots.players.values()))


def test_names_those_there_are(tmp_path: Path) -> None:
    listed = roster(tmp_path, LLM.replace('kind = "llm"', 'kind = "llm"\ngames = ["cricket"]'), MODEL_KEY="k")
    with pytest.raises(OptionError, match=r"players\.FRANCE: diplomacy has no player 'nobody'; there are .*, model"):
        listed.episode(DIPLOMACY).player("nobody", "FRANCE")
    with pytest.raises(OptionError, match="model plays cricket, not diplomacy"):
        listed.episode(DIPLOMACY).player("model", "FRANCE")
    assert "model" not in [player.name for player in listed.players(DIPLOMACY)]


def test_an_entry_cannot_hide_a_built_in_player(tmp_path: Path) -> None:
    listed = roster(tmp_path, LLM.replace('"model"', '"dumbbot"'), MODEL_KEY="k")
    assert [player.available for player in listed.players(DIPLOMACY) if player.name == "dumbbot"] == [True, False]


SECRET = "sk-live-canary"
WRONG: dict[str, tuple[str, str]] = {
    "not TOML": ("[[player]\n", "is not valid TOML"),
    "unknown table": ("[limits]\n", "limits: there is no such setting; there are budget, prices, player"),
    "unknown field": (
        LLM.replace("key_env", "key"),
        "player 'model'.key: there is no such setting; there are name, kind, description, games, key_env",
    ),
    "unknown option": (
        f"{LLM}temprature = 1\n",
        "player 'model': options.temprature: there is no such setting; there are",
    ),
    "unknown limit": ("budget = { token = 1 }", "budget.token: there is no such setting; there are tokens, dollars"),
    "unknown kind": (LLM.replace('"llm"', '"lmm"'), "player 'model'.kind: there is no such kind; there are bot, human"),
    "key for its name": (LLM.replace("MODEL_KEY", SECRET), "player 'model'.key_env: "),
    "name": (LLM.replace('"model"', '"a/b"'), "player 'a/b'.name: "),
    "two of a name": (LLM + LLM, "there are two of that name"),
    "no name": (LLM.replace("name =", "# name ="), "player 'no. 1'.name: Field required"),
    "missing option": (LLM.replace("model = ", "# "), "options.model: Field required"),
    "wrong type": (f"{LLM}retries = 'many'\n", "options.retries: "),
    "URL": (LLM.replace("http:", "ftp:"), "options.base_url: must start with https:// or http://"),
    "key in the URL": (LLM.replace("//127", f"//user:{SECRET}@127"), "options.base_url: must not contain user"),
    "key in the query": (LLM.replace("/v1", f"/v1?key={SECRET}"), "options.base_url: must not contain user"),
    "one price": (f"{LLM}price_in = 1.0\n", "price_in and price_out go together"),
    "dollars without price": (f"budget = {{ dollars = 1.0 }}\n{LLM}", "options.price_in: a budget in dollars needs"),
    "unknown prompt setting": (
        f"{LLM}prompt = {{ templat = 'x' }}\n",
        "options.prompt.templat: there is no such setting; there are template, legal, history, persona",
    ),
    "unknown part": (
        f"{LLM}prompt = {{ template = '{{positon}}' }}\n",
        "player 'model': options.prompt.template: {positon} is no part of a prompt; there are {rules}, {position}",
    ),
    "a part that is no name": (
        f"{LLM}prompt = {{ template = '{{{SECRET}}} {{position}}' }}\n",
        "options.prompt.template: a placeholder is no part of a prompt; there are {rules}",
    ),
    "an attribute of a part": (
        f"{LLM}prompt = {{ template = '{{position.x}}' }}\n",
        "options.prompt.template: a placeholder is no part of a prompt",
    ),
    "a brace alone": (
        f"{LLM}prompt = {{ template = '{{position}} {{' }}\n",
        "options.prompt.template: has a brace without its pair; there are {rules}",
    ),
    "no position": (
        f"{LLM}prompt = {{ template = 'Play.' }}\n",
        "options.prompt.template: must contain {position}: without it the player does not know",
    ),
    "notes without a place": (
        f"{LLM}memory = true\nprompt = {{ template = '{{position}}' }}\n",
        "prompt.template: memory and intentions need {notes} in it",
    ),
    "no such legal": (f"{LLM}prompt = {{ legal = 'some' }}\n", "options.prompt.legal: Input should be 'shown' or"),
    "history": (f"{LLM}prompt = {{ history = -1 }}\n", "options.prompt.history: Input should be greater"),
    "no such persona": (
        f"{LLM}prompt = {{ persona = '{SECRET}' }}\n",
        "options.prompt.persona: there is no persona of this name; there are bold, cautious, cunning, honest, patient",
    ),
    "no price file": (f"prices = 'none.toml'\n{LLM}", "prices: "),
    "option of another dialect": (
        f"{LLM}thinking_tokens = 0\n",
        "options.thinking_tokens: the dialect openai-chat has",
    ),
    "unknown dialect": (f"{LLM}dialect = 'cohere'\n", "options.dialect: Input should be 'openai-chat', 'openai-resp"),
    "our own parameters": (f"{LLM}extra = {{ stream = false }}\n", "options.extra: must not contain stream"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG.keys())
def test_complaints_name_file_entry_field_and_remedy(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RosterError) as caught:
        roster(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "players.toml"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_history_that_a_game_cannot_show_is_refused_by_name(tmp_path: Path) -> None:
    listed = roster(tmp_path, f"{LLM}prompt = {{ history = 20 }}\n", MODEL_KEY="k")
    players = {game: {info.name: info for info in listed.players(game_spec(game))} for game in GAMES}
    assert players["cricket"]["model"].available
    reason = "its prompt.history is too long for diplomacy; set at most 10 movement phases"
    assert players["diplomacy"]["model"].reason == reason
    with pytest.raises(OptionError, match=r"players\.FRANCE: model is not available: its prompt\.history is too long"):
        listed.episode(DIPLOMACY).player("model", "FRANCE")
    assert (
        not roster(tmp_path, f"{LLM}prompt = {{ history = 51 }}\n", MODEL_KEY="k")
        .players(game_spec("cricket"))[-3]
        .available
    )


def test_a_game_whose_past_cannot_be_set_refuses_any_history(tmp_path: Path) -> None:
    options = roster(tmp_path, f"{LLM}prompt = {{ history = 0 }}\n", MODEL_KEY="k").find(DIPLOMACY, "model", "").options
    assert options.unsupported("nim", PromptForm()) == "its prompt.history cannot be set for nim; leave it out"
    assert options.unsupported("nim", PromptForm(unit="moves")) == ""


def test_a_prompt_variant_is_a_setting_only_where_there_is_one(tmp_path: Path) -> None:
    plain = roster(tmp_path, LLM).settings("model")
    assert "prompt" not in plain["options"]
    hidden = roster(tmp_path, f"{LLM}prompt = {{ legal = 'hidden' }}\n").settings("model")
    assert hidden["options"]["prompt"]["legal"] == "hidden"
    patient = roster(tmp_path, f"{LLM}prompt = {{ persona = 'patient' }}\n").settings("model")
    assert len({str(settings) for settings in (plain, hidden, patient)}) == 3


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RosterError, match="cannot be read"):
        Roster.load(tmp_path / "none.toml")


def reported(seat: str, tokens: int, dollars: float | None) -> Event:
    usage = Usage(tokens_in=tokens - 10, tokens_out=10, dollars=dollars)
    data = PlayerReported(seat=seat, index=0, task="choose", source="policy", report=PlayerReport(usage=usage))
    return Event(
        episode_id="e", epoch=0, seq=0, at=0, type="PlayerReported", audience="analyst", data=data.model_dump()
    )


def test_budgets_are_shared_by_the_seats_and_go_on_with_the_log(tmp_path: Path) -> None:
    text = f"budget = {{ tokens = 1000 }}\n{LLM}price_in = 0.0\nprice_out = 0.0\n".replace(
        "key_env", "budget = { tokens = 600 }\nkey_env"
    )
    log = [reported("FRANCE", 300, 0.5), reported("FRANCE", 100, None), reported("ITALY", 50, None)]
    seating = roster(tmp_path, text, MODEL_KEY="k").episode(DIPLOMACY, log)
    france, italy = (_budget(seating.player("model", seat)) for seat in ("FRANCE", "ITALY"))
    assert (france.tokens, france.tokens_spent, france.dollars_spent) == (600, 400, 0.5)
    assert (italy.tokens, italy.tokens_spent) == (600, 50)
    assert france.within is italy.within
    assert france.within is not None
    assert (france.within.tokens, france.within.tokens_spent) == (1000, 450)
    italy.book(10, 0.0)
    assert _budget(seating.player("model", "ITALY")) is italy  # a seat that changes hands does not get a fresh one


def test_a_commentator_has_a_budget_of_its_own_within_the_episodes(tmp_path: Path) -> None:
    text = f"budget = {{ tokens = 1000 }}\n{LLM}".replace("key_env", "budget = { tokens = 600 }\nkey_env")
    reports = CommentatorReported(commentator="model", lines=1, used=1, report=PlayerReport(usage=Usage(tokens_in=70)))
    spent = reported("FRANCE", 300, None)
    log = [spent, spent.model_copy(update={"type": "CommentatorReported", "data": reports.model_dump()})]
    seating = roster(tmp_path, text, MODEL_KEY="k").episode(DIPLOMACY, log)
    commentator = seating.commentator("model")
    assert isinstance(commentator, LLMCommentator)
    budget, france = commentator._budget, _budget(seating.player("model", "FRANCE"))
    assert (budget.whose, budget.tokens, budget.tokens_spent) == ("the commentator's", 600, 70)
    assert budget.within is not None
    assert budget.within is france.within
    assert budget.within.tokens_spent == 370
    assert seating.commentator("") is None


def test_a_commentator_without_its_key_fails_and_one_that_is_unknown_is_refused(tmp_path: Path) -> None:
    seating = roster(tmp_path, LLM).episode(DIPLOMACY)
    assert isinstance(seating.commentator("model"), UnavailableModel)
    with pytest.raises(OptionError, match="commentator: 'hold' is no language model of the roster; there are model"):
        seating.commentator("hold")
    assert isinstance(seating.same_commentator("gone"), UnavailableModel)


def _budget(player: Any) -> Any:
    assert isinstance(player, LLMPlayer)
    return player._budget


def test_the_http_client_is_loaded_with_the_first_model() -> None:
    script = """
import sys
from grandstand.games.registry import game_spec
from grandstand.players.roster import Roster
seating = Roster.load(environment={"HF_TOKEN": "k"}).episode(game_spec("diplomacy"))
seating.player("person", "FRANCE")
assert "httpx2" not in sys.modules
seating.player("gpt-oss", "ITALY")
assert "httpx2" in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_roster_player_plays(tmp_path: Path) -> None:
    text = '[[player]]\nname = "rival"\nkind = "bot"\noptions = { bot = "hold" }\n'
    player = roster(tmp_path, text).episode(DIPLOMACY).player("rival", "FRANCE")
    choice = asyncio.run(player.choose(Match(game_spec("diplomacy"), {}, 1), "FRANCE"))
    assert choice.source == "heuristic"


def test_settings_name_an_option_of_later_versions_only_where_it_is_set(tmp_path: Path) -> None:
    """A stored evaluation of a model without it stays the same evaluation."""
    plain = roster(tmp_path, LLM).settings("model")["options"]
    for option in ("memory", "intentions"):
        assert option not in plain
        assert roster(tmp_path, LLM + f"{option} = true\n").settings("model")["options"] == {**plain, option: True}
    assert plain.keys().isdisjoint({"dialect", "effort", "thinking_tokens", "prompt_cache", "price_cache_write"})
    thinking = roster(tmp_path, LLM + 'dialect = "gemini"\nthinking_tokens = 0\n').settings("model")["options"]
    assert thinking == {**plain, "dialect": "gemini", "thinking_tokens": 0}

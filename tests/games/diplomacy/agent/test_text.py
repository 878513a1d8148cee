"""The prompt: complete, compact, the same for the same facts."""

from __future__ import annotations

import json
import re
from random import Random

from grandstand.games import choices
from grandstand.games.choices import Many, Pick
from grandstand.games.diplomacy.agent.reply import PRESS
from grandstand.games.diplomacy.agent.text import BROKEN_SHOWN, KEPT_SHOWN, LONGEST_HISTORY, MESSAGES_SHOWN
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.choices import order_slots, orders_of
from grandstand.games.diplomacy.rules.map import POWER
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.scoring import SCORINGS
from grandstand.games.diplomacy.tactics.game import new_game
from grandstand.games.diplomacy.tactics.positions import tactics
from grandstand.games.prompts import PromptSettings, joined
from tests.support.diplomacy.matches import actions

OPENING = """\
Phase S1901M (the match ends after the fall of 1920).
AUSTRIA: 3 centres BUD TRI VIE | units A BUD, F TRI, A VIE
"""
TURKEY = """\
Legal orders, per unit; a comma stands between alternative last words:
F ANK: H | - ARM, BLA, CON | S A CON | S F SEV - ARM, BLA | S A SMY - ARM, CON
A CON: H | - ANK, BUL, SMY | S F ANK | S A SMY | S A SMY - ANK
A SMY: H | - ANK, ARM, CON, SYR | S F ANK | S F ANK - ARM, CON | S A CON | S A CON - ANK | S F SEV - ARM
"""


def unfolded(grouped: str, name: str) -> set[str]:
    """The orders that one line of the prompt stands for."""
    orders = set()
    for group in grouped.split(" | "):
        first, *others = group.split(", ")
        beginning = first.rpartition(" ")[0]
        orders |= {f"{name} {first}", *(f"{name} {beginning} {other}" for other in others)}
    return orders


def test_the_opening() -> None:
    text = DiplomacyGame(DiplomacyOptions()).text("TURKEY")
    assert OPENING in text
    assert text.endswith(TURKEY)
    assert "Nobody's: BEL BUL DEN GRE HOL NWY POR RUM SER SPA SWE TUN" in text
    assert len(text) < 2000


def test_prompts_differ_by_the_sentence_that_says_how_the_match_is_scored() -> None:
    sentences, others = set(), set()
    for scoring in SCORINGS:
        game = DiplomacyGame(DiplomacyOptions(scoring=scoring))
        sentence = game.observation("FRANCE")["scoring"]
        assert sentence.startswith("Scoring: ")
        assert game.text("FRANCE").count(sentence) == PRESS.form.prompt(game, "FRANCE").count(sentence) == 1
        sentences.add(sentence)
        others.add(game.text("FRANCE").replace(sentence, ""))
    assert len(sentences) == len(SCORINGS)
    assert len(others) == 1


def test_a_tactic_is_not_scored_by_centres() -> None:
    game = new_game(DiplomacyOptions(tactic=next(iter(tactics()))), 1)
    assert "Scoring: orders that reach the aim take 1 point" in game.text(game.to_act()[0])
    assert "square" not in game.observation(game.to_act()[0])["scoring"]


def test_every_legal_order_is_in_the_prompt() -> None:
    rng = Random(9)
    game = DiplomacyGame(DiplomacyOptions(last_year=1903))
    while game.outcome is None:
        for seat, action in actions(game, rng):
            listed = dict(line.split(": ", 1) for line in game.text(seat).split("\n\n")[-1].splitlines()[1:])
            for slot in order_slots(game.state, POWER[seat]):
                assert isinstance(slot, Pick | Many)
                words = {option.word for option in slot.options}
                if isinstance(slot, Pick):
                    assert unfolded(listed[slot.name], slot.name) == words
                else:
                    of = listed[f"{slot.name} ({slot.prompt})"].partition(" of ")[2]
                    assert set(re.split(r" or |, ", of)) == words
            game.apply(seat, action)


def test_what_was_played_and_said_is_told() -> None:
    game = DiplomacyGame(DiplomacyOptions())
    for index in range(MESSAGES_SHOWN // 10 + 1):
        for seat in list(game.to_act()):
            for part in range(10 if seat == "FRANCE" else 0):
                game.apply(seat, {"message": {"to": ["ITALY"], "text": f"message {index}.{part}"}})
            orders = ["A PAR - BUR"] if seat == "FRANCE" and index == 0 else []
            game.apply(seat, {"orders": orders + (["A MUN - BUR"] if seat == "GERMANY" and index == 0 else [])})
        if index == 0:
            assert "FRANCE: F BRE H; A MAR H; A PAR - BUR (bounce)" in game.text("ITALY")
    text = game.text("ITALY")
    assert "Messages (10 older ones left out):" in text
    assert "message 0.9" not in text
    assert 'S1902M FRANCE to ITALY: "message 2.3"' in text
    assert "message" not in game.text("ENGLAND").lower()


def test_retreats_builds_and_removals() -> None:
    options = DiplomacyOptions()
    position = {"units": {"GERMANY": ["A BUR"]}, "retreats": {"FRANCE": {"A BUR": ["GAS", "PAR"]}}}
    text = DiplomacyGame(options, read_state({"phase": "S1905R", **position})).text("FRANCE")
    assert "FRANCE: A BUR is dislodged, may retreat to GAS PAR" in text
    assert text.endswith("A BUR: R GAS, PAR | D\n")
    centers = {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]}
    state = read_state({"phase": "W1905A", "units": {"GERMANY": ["A BUR", "A MUN"]}, "centers": centers})
    game = DiplomacyGame(options, state)
    built = "builds (Up to 2 builds): 0 to 2 of A BRE B or F BRE B, A PAR B\n"
    assert game.text("FRANCE").endswith(f"You may build 2, one in a place; fewer are waived.\n{built}")
    removed = "removals (The 1 units to remove): 1 of A BUR D, A MUN D\n"
    assert game.text("GERMANY").endswith(f"You must remove 1.\n{removed}")
    assert game.text("ITALY").endswith("ITALY has nothing to order in W1905A.\n")
    assert parse_order("A BRE B", state, 2)


def spring(game: DiplomacyGame, promise: str, order: str) -> None:
    """France promises Italy something, and gives an order; then the phases up to the next movement are passed."""
    game.apply("FRANCE", {"message": {"to": ["ITALY"], "text": "My word!", "promises": [promise]}})
    turn = game.turn
    while game.turn == turn:
        for seat in list(game.to_act()):
            game.apply(seat, {"orders": [order] if seat == "FRANCE" else []})
            if game.turn != turn:
                break


def test_who_was_lied_to_is_told() -> None:
    game = DiplomacyGame(DiplomacyOptions())
    spring(game, "paris HOLDS", "A PAR - PIC")
    spring(game, "A PIC H", "A PIC H")
    report = """\
Promises judged:
S1901M FRANCE to ITALY: A PAR H, broken: ordered A PAR - PIC
F1901M FRANCE to ITALY: A PIC H, kept
FRANCE broke 1 of 2
"""
    assert report in game.text("ITALY")
    assert report in game.text("FRANCE")
    assert "Promises judged" not in game.text("TURKEY")


def test_what_is_told_of_promises_is_bounded() -> None:
    game = DiplomacyGame(DiplomacyOptions(stalemate_years=0, draw_votes=False, last_year=1930))
    for _ in range(20):
        spring(game, "A MAR H", "A MAR H")
        spring(game, "A PAR - BUR", "A PAR H")
    (section,) = (part for part in game.text("ITALY").split("\n\n") if part.startswith("Promises"))
    lines = section.splitlines()
    assert lines[0] == f"Promises judged ({40 - BROKEN_SHOWN - KEPT_SHOWN} older ones left out):"
    assert sum("broken:" in line for line in lines) == BROKEN_SHOWN
    assert sum(line.endswith("kept") for line in lines) == KEPT_SHOWN
    assert lines[-1] == "FRANCE broke 20 of 40"


def played(phases: int) -> DiplomacyGame:
    """Return a match after so many phases, in each of which France made Italy a promise that it broke."""
    rng = Random(4)
    game = DiplomacyGame(DiplomacyOptions(last_year=1910))
    for _ in range(phases):
        if game.turn.endswith("M"):
            promise = orders_of(choices.default(lambda chosen: game.choices("FRANCE", chosen)))[0]
            message = {"to": ["ITALY"], "text": f"written in {game.turn}", "promises": [promise]}
            game.apply("FRANCE", {"message": message})
        for seat, action in actions(game, rng):
            game.apply(seat, action)
    return game


def prompt_of(game: DiplomacyGame, legal: bool = True, history: int | None = None) -> str:
    return joined(game.parts("FRANCE", PromptSettings(legal, history)))


def phases_in(prompt: str, what: str) -> list[str]:
    """Return the phases that the prompt tells of with these words."""
    return re.findall(rf"{what} ([SFW]\d{{4}}[MRA])", prompt)


def test_the_past_is_as_long_as_it_is_set() -> None:
    game = played(9)
    names = [phase.phase for phase in game.played]
    movements = [name for name in names if name.endswith("M")]
    assert len(movements) > 4
    assert phases_in(prompt_of(game), "Orders of") == names[names.index(movements[-1]) :], "as ever"
    for turns in (1, 2, 4):
        prompt = prompt_of(game, history=turns)
        listed = names[names.index(movements[-turns]) :]
        assert phases_in(prompt, "Orders of") == listed
        assert phases_in(prompt, "written in") == [name for name in listed if name in movements]
        judged = re.findall(r"^([SFW]\d{4}M) FRANCE to ITALY: [^\"\n]*(?:kept|broken)", prompt, re.MULTILINE)
        verdicts = [verdict["phase"] for verdict in game.observation("FRANCE")["promises"]]
        assert judged == [name for name in verdicts if name in listed]
        assert len(judged) < len(verdicts)
    everything = prompt_of(game, history=LONGEST_HISTORY)
    assert phases_in(everything, "Orders of") == names
    assert len(prompt_of(game, history=0)) < len(prompt_of(game, history=1)) < len(everything)


def test_without_a_past_there_is_only_the_position_and_this_phase() -> None:
    game = played(9)
    while not game.turn.endswith("M"):
        for seat, action in actions(game, Random(1)):
            game.apply(seat, action)
    game.apply("ITALY", {"message": {"to": ["FRANCE"], "text": "of this phase"}})
    prompt = prompt_of(game, history=0)
    for absent in ("Orders of", "written in", "Promises judged", "Centres at the end"):
        assert absent not in prompt
        assert absent in prompt_of(game)
    assert "of this phase" in prompt
    assert f"Phase {game.turn}" in prompt


def test_hidden_orders_leave_the_demand() -> None:
    game, demands = played(0), set[str]()
    rng = Random(4)
    while game.outcome is None and game.state.year < 1905:
        for seat in game.to_act():
            hidden = joined(game.parts(seat, PromptSettings(legal=False)))
            assert "Legal orders" not in hidden
            assert "may retreat to" not in hidden
            for slot in order_slots(game.state, POWER[seat]):
                assert f"\n{slot.name}" not in hidden.partition("Around your units")[0]
            demands.add(hidden.rpartition("\n\n")[2].partition(" ")[0] + game.turn[-1])
        for seat, action in actions(game, rng):
            game.apply(seat, action)
    assert "YouA" in demands, "builds and removals are still asked for"


def test_the_remembered_past_is_bounded_and_survives_json() -> None:
    game = played(9)
    rng = Random(2)
    while game.outcome is None:
        for seat, action in actions(game, rng):
            game.apply(seat, action)
        assert sum(phase.phase.endswith("M") for phase in game.played) <= LONGEST_HISTORY
        assert game.recent[0].phase.endswith("M")
        assert not any(phase.phase.endswith("M") for phase in game.recent[1:])
    again = DiplomacyGame.from_json(json.loads(json.dumps(game.to_json())))
    assert again.played == game.played
    older = {name: value for name, value in game.to_json().items() if name != "played"}
    recent = [{"phase": phase.phase, "orders": phase.orders} for phase in game.recent]
    assert DiplomacyGame.from_json({**older, "recent": recent}).recent == game.recent, "as matches were stored earlier"

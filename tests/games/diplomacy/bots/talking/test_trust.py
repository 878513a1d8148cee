"""The trust of a power in the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.trust import accords, by_map, now, season_of, trust_of
from grandstand.games.diplomacy.events import PromiseBroken, PromiseKept
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.rules.map import POWER, POWERS
from grandstand.games.match import Match

ENGLAND, FRANCE, GERMANY, ITALY = (POWER[name] for name in ("ENGLAND", "FRANCE", "GERMANY", "ITALY"))
CAVOUR = CHARACTERS["Cavour"]


def trust(game: DiplomacyGame, character: str = "Cavour", other: int = ENGLAND) -> float:
    return trust_of(game, FRANCE, CHARACTERS[character], "key")[other]


Pairs = dict[tuple[int, int], int]


def game_with(*, season: int = 1, attacks: Pairs | None = None, supports: Pairs | None = None) -> DiplomacyGame:
    """A match at the opening, later by `season` seasons, with a record of attacks and supports."""
    game = DiplomacyGame(DiplomacyOptions())
    for _ in range(season):
        game.state = game.state.resolve({}).after
    game.relations = Relations(attacks or {}, supports or {})
    return game


def test_it_is_a_number_for_every_power_between_minus_one_and_one() -> None:
    for number in trust_of(game_with(attacks={(ENGLAND, FRANCE): 0}), FRANCE, CAVOUR, "key"):
        assert -1 <= number <= 1
    assert trust_of(game_with(), FRANCE, CAVOUR, "key")[FRANCE] == 1


def test_attacks_cost_and_supports_win_trust() -> None:
    stranger = trust(game_with())
    assert trust(game_with(attacks={(ENGLAND, FRANCE): 0})) < stranger - 0.4
    assert trust(game_with(supports={(ENGLAND, FRANCE): 0})) > stranger + 0.3
    assert trust(game_with(attacks={(ENGLAND, ITALY): 0})) == stranger


def test_it_fades_and_faster_for_those_who_forgive() -> None:
    attacked = {(ENGLAND, FRANCE): 0}
    stranger = trust(game_with())
    fresh, later = trust(game_with(attacks=attacked)), trust(game_with(season=4, attacks=attacked))
    assert fresh < later < stranger
    assert trust(game_with(season=8, attacks=attacked), "Reshid") == pytest.approx(trust(game_with(), "Reshid"))
    assert trust(game_with(season=8, attacks=attacked), "Gorchakov") < trust(game_with(), "Gorchakov") - 0.1


def test_promises_count_for_those_who_got_them() -> None:
    game = game_with()
    stranger = trust(game)
    broken = PromiseBroken("ENGLAND", "S1901M", "A MUN H", "A MUN - BUR", ["FRANCE"], False, "A MUN H")
    game.verdicts = [broken]
    assert trust(game) < stranger - 0.3
    game.verdicts = [replace(broken, recipients=["ITALY"])]
    assert trust(game) == stranger
    game.verdicts = [PromiseKept("ENGLAND", "S1901M", "A MUN H", "A MUN H", ["FRANCE"], False, "A MUN H")]
    assert stranger < trust(game) < stranger + 0.2


def test_words_of_both_make_an_accord_until_one_of_them_ends_it() -> None:
    match = Match(GAME, {}, 1)
    stranger = trust(match.game)

    def write(sender: str, to: str, text: str) -> None:
        match.apply(sender, {"message": {"to": [to], "text": text}})

    write("FRANCE", "ENGLAND", "Shall we be allies?")
    assert accords(match.game, FRANCE)[ENGLAND] is None
    write("ENGLAND", "FRANCE", "Agreed.")
    assert accords(match.game, FRANCE)[ENGLAND] == accords(match.game, ENGLAND)[FRANCE] == 0
    assert trust(match.game) > stranger + 0.2
    assert accords(match.game, ITALY)[ENGLAND] is None
    write("ENGLAND", "FRANCE", "I am no longer bound by that.")
    assert accords(match.game, FRANCE)[ENGLAND] is None
    assert trust(match.game) == stranger


def test_liking_is_drawn_for_a_pair_and_a_match() -> None:
    game = DiplomacyGame(DiplomacyOptions())
    values = {trust_of(game, FRANCE, CAVOUR, key)[GERMANY] for key in ("one", "two", "three")}
    assert len(values) == 3
    liked = [trust_of(game, one, CAVOUR, "one")[other] - by_map(other, [3] * 7)
             for one, other in ((ITALY, GERMANY), (GERMANY, ITALY))]  # fmt: skip
    assert liked[0] == pytest.approx(liked[1])


def test_who_lies_open_is_trusted_and_who_grows_at_the_edge_is_not_until_there_is_a_menace() -> None:
    start = trust_of(DiplomacyGame(DiplomacyOptions()), ITALY, CAVOUR, "key")
    assert start[GERMANY] > start[FRANCE] + 0.2

    def french(*more: str) -> float:
        centers = {"FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR", *more], "ITALY": ["ROM", "NAP"], "GERMANY": ["MUN"]}
        units = {"FRANCE": ["A PAR"], "ITALY": ["A ROM"], "GERMANY": ["A MUN"]}
        game = DiplomacyGame(DiplomacyOptions(start={"phase": "S1905M", "units": units, "centers": centers}))
        return trust_of(game, ITALY, CAVOUR, "key")[FRANCE]

    assert start[FRANCE] > french() > french("BEL") > french("BEL", "LON")
    assert french("BEL", "LON", "LVP", "EDI", "HOL", "TUN") == pytest.approx(start[FRANCE])


def test_seasons_are_numbered() -> None:
    assert [season_of(turn) for turn in ("S1901M", "F1901M", "W1901A", "S1902M")] == [0, 1, 1, 2]
    assert now(game_with(season=0).state) == 0
    assert len(POWERS) == 7

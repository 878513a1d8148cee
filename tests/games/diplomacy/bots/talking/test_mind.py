"""The intentions of the characters."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots.stance import TRUSTED
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.rules.map import POWER, POWERS, PROVINCE
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.match import Match
from tests.support.diplomacy.conversation import planned_by_dumbbot
from tests.support.diplomacy.minds import AUSTRIA, FRANCE, GERMANY, OPEN_DOOR, mind_of


def test_who_attacked_is_an_enemy_and_who_helped_a_friend_or_a_victim() -> None:
    for name in CHARACTERS:
        attitudes = mind_of(name).attitudes
        assert attitudes[FRANCE] == "enemy"
        assert attitudes[AUSTRIA] in ("ally", "victim")
        assert attitudes[POWER["TURKEY"]] == "gone"


def test_an_open_door_tempts_the_disloyal_more_than_the_loyal() -> None:
    tempted = {name: mind_of(name).temptation(AUSTRIA) for name in CHARACTERS}
    assert mind_of("Talleyrand").attitudes[AUSTRIA] == "victim"
    assert mind_of("Castlereagh").attitudes[AUSTRIA] == "ally"
    assert max(tempted, key=tempted.__getitem__) in ("Talleyrand", "Palmerston", "Crispi", "Bismarck")


def test_the_planner_is_told_whom_to_spare_and_whom_to_betray() -> None:
    assert mind_of("Castlereagh").stance.trust[AUSTRIA] >= TRUSTED
    assert mind_of("Talleyrand").stance.trust[AUSTRIA] < -0.5


def test_castlereagh_never_deceives_and_talleyrand_often_does() -> None:
    seasons = [{**OPEN_DOOR, "phase": f"F{year}M"} for year in range(1902, 1962)]
    deceived = {
        name: sum(mind_of(name, position).deceives(AUSTRIA) for position in seasons)
        for name in ("Castlereagh", "Bismarck", "Talleyrand")
    }
    assert deceived["Castlereagh"] == 0
    assert 0 < deceived["Bismarck"] < deceived["Talleyrand"] < len(seasons)


def test_what_is_meant_is_pledged_and_what_is_a_lie_is_not() -> None:
    match = Match(GAME, {}, 1)
    message = {"to": ["FRANCE"], "text": "Listen.", "promises": ["A MUN H", "F KIE - HOL"], "lies": ["A MUN H"]}
    match.apply("GERMANY", {"message": message})
    mind = Mind(match.game, "GERMANY", CHARACTERS["Bismarck"])
    assert [order_text(order) for order in mind.pledged.values()] == ["F KIE - HOL"]
    assert sorted(order_text(order) for order in mind.promised.values()) == ["A MUN H", "F KIE - HOL"]
    with planned_by_dumbbot():
        assert order_text(mind.orders[PROVINCE["KIE"]]) == "F KIE - HOL"


def test_promises_of_others_are_expected_of_those_who_are_trusted() -> None:
    match = Match(GAME, {}, 1)
    match.apply("FRANCE", {"message": {"to": ["GERMANY"], "text": "I hold.", "promises": ["A PAR H"]}})
    match.apply("ENGLAND", {"message": {"to": ["GERMANY"], "text": "My fleet in Edinburgh goes to Clyde."}})
    match.apply("ITALY", {"message": {"to": ["FRANCE"], "text": "I hold.", "promises": ["A VEN H"]}})

    def expected() -> set[str]:
        mind = Mind(match.game, "GERMANY", CHARACTERS["Cavour"], "key")
        return {order_text(order) for order in mind.expected.values()}

    liked = {
        POWERS[other]
        for other in (FRANCE, POWER["ENGLAND"])
        if Mind(match.game, "GERMANY", CHARACTERS["Cavour"], "key").trust[other] >= 0
    }
    assert expected() == {order for seat, order in (("FRANCE", "A PAR H"), ("ENGLAND", "F EDI - CLY")) if seat in liked}
    match.game.relations = Relations(attacks={(FRANCE, GERMANY): 0, (POWER["ENGLAND"], GERMANY): 0})
    assert expected() == set()


def test_a_leader_is_feared() -> None:
    position = {
        "phase": "S1906M",
        "units": {"GERMANY": ["A MUN"], "FRANCE": ["A BUR"]},
        "centers": {"GERMANY": ["MUN"], "FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR", "BEL", "LON", "LVP", "EDI"]},
    }
    mind = mind_of("Metternich", position)
    assert mind.leader == FRANCE
    assert mind.attitudes[FRANCE] != "ally"


def test_orders_do_not_depend_on_the_stream_once_a_letter_was_written() -> None:
    match = Match(GAME, {}, 1)
    match.apply("GERMANY", {"message": {"to": ["FRANCE"], "text": "Good morning to Paris."}})
    play = GAME.bots.players["Bismarck"]
    assert play(match.game, "GERMANY", Random(1)) == play(match.game, "GERMANY", Random(2))

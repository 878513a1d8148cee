"""The stance that a power takes from the public record."""

from __future__ import annotations

from grandstand.games.diplomacy.bots.stance import NEUTRAL, TRUSTED, public_stance
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.rules.map import POWER
from grandstand.games.diplomacy.rules.state import SPRING, State

FRANCE, GERMANY, ENGLAND = POWER["FRANCE"], POWER["GERMANY"], POWER["ENGLAND"]


def spring(year: int) -> State:
    start = State.start()
    return State(year, SPRING, start.units, {}, start.centers)


def trust(relations: Relations, year: int = 1904) -> tuple[float, ...]:
    return public_stance(spring(year), FRANCE, relations).trust


def test_peace_is_worth_a_little_and_no_alliance() -> None:
    assert 0 < trust(Relations())[GERMANY] < TRUSTED
    assert NEUTRAL.trust[GERMANY] == 0


def test_an_attack_makes_an_enemy_until_it_is_forgotten() -> None:
    attacked = Relations(attacks={(GERMANY, FRANCE): 5})
    course = [trust(attacked, year)[GERMANY] for year in (1904, 1905, 1906, 1907)]
    assert course[0] < -0.5
    assert course == sorted(course)
    assert course[-1] == trust(Relations())[GERMANY]


def test_a_support_makes_an_ally_and_an_attack_ends_it() -> None:
    helped = Relations(supports={(GERMANY, FRANCE): 5})
    assert trust(helped)[GERMANY] >= TRUSTED
    stabbed = Relations(supports={(GERMANY, FRANCE): 4}, attacks={(GERMANY, FRANCE): 5})
    assert trust(stabbed)[GERMANY] < TRUSTED


def test_who_was_attacked_is_not_trusted_either() -> None:
    assert trust(Relations(attacks={(FRANCE, GERMANY): 5}))[GERMANY] < 0
    assert trust(Relations(attacks={(ENGLAND, GERMANY): 5}))[GERMANY] > 0


def test_bounces_are_carried_over() -> None:
    bounced = {(1, 2, 3, -1): 2}
    assert public_stance(spring(1904), FRANCE, Relations(bounced=bounced)).bounced == bounced

"""The rules of Werewolf: whole matches, exact values, and what is asked of whom."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from grandstand.games.base import Action, IllegalAction, OptionError, SeatId
from grandstand.games.checks import check, grammar
from grandstand.games.choices import drawn
from grandstand.games.werewolf import GAME
from grandstand.games.werewolf.game import WerewolfGame
from grandstand.games.werewolf.options import WerewolfOptions

SEED = 4


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "seeds"),
    [
        ({"seats": 9}, [0]),
        pytest.param({"seats": 9}, [1], marks=pytest.mark.long),
        pytest.param({"specials": False, "rounds": 1}, [0, 1], marks=pytest.mark.long),
    ],
)
def test_the_game_keeps_what_every_game_must_keep(options: dict[str, int], seeds: list[int]) -> None:
    check(GAME, options, seeds=seeds)


def new(seed: int = SEED, **options: int) -> WerewolfGame:
    return WerewolfGame(WerewolfOptions(**options), seed)  # type: ignore[arg-type]


def seat_of(game: WerewolfGame, role: str, number: int = 0) -> SeatId:
    return [seat for seat in game.seats if game.roles[seat] == role][number]


def night(game: WerewolfGame, attack: SeatId = "", guard: SeatId = "", checked: SeatId = "") -> None:
    """Play a night; who is not named is chosen by default."""
    targets = {"wolf": attack, "doctor": guard, "seer": checked}
    for seat in game.to_act():
        action = dict(game.default_action(seat))
        game.apply(seat, {**action, "target": targets.get(game.roles[seat]) or action["target"]})


def speak(game: WerewolfGame) -> None:
    """Let all speak by default until it is time to vote."""
    while game.stage in ("speech", "plea"):
        game.apply(game.to_act()[0], game.default_action(game.to_act()[0]))


def vote(game: WerewolfGame, **votes: SeatId) -> None:
    """Speak by default, and vote; who is not named abstains."""
    speak(game)
    for seat in game.to_act():
        game.apply(seat, {"vote": votes.get(seat, "abstain")})


def exile(game: WerewolfGame, target: SeatId) -> None:
    """Let all others vote for `target`."""
    vote(game, **{seat: target for seat in game.alive if seat != target})


def test_roles_are_dealt_by_the_seed() -> None:
    assert Counter(new().roles.values()) == {"wolf": 2, "seer": 1, "doctor": 1, "villager": 4}
    assert Counter(new(seats=9).roles.values()) == {"wolf": 2, "seer": 1, "doctor": 1, "hunter": 1, "villager": 4}
    assert Counter(new(specials=False).roles.values()) == {"wolf": 2, "villager": 6}
    assert new(1).roles == new(1).roles
    dealt = Counter(seat_of(new(seed), "seer") for seed in range(800))
    assert min(dealt.values()) > 60
    assert len(dealt) == 8


@pytest.mark.parametrize("options", [{"seats": 7}, {"seats": True}, {"rounds": 0}, {"specials": 1}])
def test_other_options_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        WerewolfOptions(**options)  # type: ignore[arg-type]


def test_everybody_answers_at_night_in_the_same_form() -> None:
    game = new()
    assert game.to_act() == tuple(game.seats)
    for seat in game.seats:
        assert [slot.name for slot in game.choices(seat, {})] == ["target", "note"]


def test_a_protected_seat_lives_and_can_be_voted_for() -> None:
    game = new()
    target = seat_of(game, "villager")
    night(game, attack=target, guard=target)
    assert target in game.alive
    assert not game.out
    assert game.observation(seat_of(game, "doctor"))["saves"] == [1]
    exile(game, target)
    assert game.out[0]["seat"] == target


def test_the_doctor_protects_nobody_twice_in_a_row_and_never_itself() -> None:
    game = new()
    doctor, target = seat_of(game, "doctor"), seat_of(game, "villager")
    night(game, attack=target, guard=target)
    vote(game)
    for refused in (doctor, target):
        with pytest.raises(IllegalAction, match="target"):
            game.apply(doctor, {"target": refused})


def test_a_seer_who_is_attacked_learns_nothing() -> None:
    game = new()
    seer = seat_of(game, "seer")
    night(game, attack=seer, guard=seat_of(game, "villager"), checked=seat_of(game, "wolf"))
    assert game.out == [{"seat": seer, "role": "seer", "day": 1, "how": "night"}]
    assert game.observation(seer)["checks"] == []


def test_the_attacks_go_on_without_a_doctor_and_a_seer() -> None:
    game = new()
    night(game, attack=seat_of(game, "seer"), guard=seat_of(game, "villager"))
    exile(game, seat_of(game, "doctor"))
    target = seat_of(game, "villager")
    night(game, attack=target)
    assert target not in game.alive


def test_wolves_who_disagree_are_decided_by_lot() -> None:
    victims: Counter[str] = Counter()
    for seed in range(200):
        game = new(seed, specials=False)
        first, second = (seat_of(game, "villager", number) for number in (0, 1))
        for seat in game.to_act():
            target = {seat_of(game, "wolf", 0): first, seat_of(game, "wolf", 1): second}.get(seat)
            game.apply(seat, {"target": target} if target else game.default_action(seat))
        victims["first" if game.out[0]["seat"] == first else "second"] += 1
    assert 70 < victims["first"] < 130


def test_speeches_begin_a_seat_further_each_day_and_votes_are_sealed() -> None:
    game = new()
    night(game)
    order = list(game.order)
    assert order == order[:7] * 2
    speak(game)
    for seat in game.to_act()[:-1]:
        assert game.apply(seat, {"vote": "abstain"}) == []
    assert game.ballots == []


def test_a_tie_leads_to_a_run_off_and_a_second_one_to_nobody() -> None:
    game = new()
    night(game)
    one, two = game.alive[:2]
    votes = {one: two, two: one}
    vote(game, **votes)
    assert (game.stage, sorted(game.tied), game.turn) == ("plea", sorted([one, two]), "day 1 plea 1")
    speak(game)
    assert {option.word for option in game.choices(game.alive[2], {})[0].options} == {"abstain", one, two}  # type: ignore[union-attr]
    vote(game, **votes)
    assert game.turn == "night 2"
    assert len(game.out) == 1


def test_the_hunter_takes_somebody_along_before_the_end_is_decided() -> None:
    game = new(seats=9)
    hunter, wolf = seat_of(game, "hunter"), seat_of(game, "wolf")
    night(game, attack=hunter, guard=seat_of(game, "villager"))
    assert game.to_act() == (hunter,)
    game.apply(hunter, {"vote": wolf})
    assert [death["how"] for death in game.out] == ["night", "shot"]
    assert game.stage == "speech"
    game = new(seats=9)
    night(game)
    exile(game, hunter)
    assert game.to_act() == (hunter,)
    game.apply(hunter, {"vote": "nobody"})
    assert game.turn == "night 2"


def test_the_village_wins_with_the_last_wolf_and_nobody_is_asked() -> None:
    game = new()
    for number in (0, 0):
        night(game)
        exile(game, [seat for seat in game.alive if game.roles[seat] == "wolf"][number])
    assert game.outcome is not None
    assert game.to_act() == ()
    assert game.outcome.reason == "village"
    assert game.outcome.scores[seat_of(game, "wolf")] == 0
    assert len(game.outcome.winners) == 6


def test_scores_tell_nothing_before_the_end() -> None:
    game = new()
    while not game.outcome:
        assert set(game.scores().values()) == {0.5}
        seat = game.to_act()[0]
        game.apply(seat, game.action(seat, drawn(grammar(game, seat), Random(len(game.speeches)))))
    assert set(game.scores().values()) <= {0.0, 0.5, 1.0}


def test_false_acts_are_those_that_the_speaker_knows_to_be_false() -> None:
    game = new()
    seer, wolf, villager = (seat_of(game, role) for role in ("seer", "wolf", "villager"))
    night(game, attack=seat_of(game, "villager", 1), guard=villager, checked=wolf)
    assert game.lies_in(seer, ["claim seer", f"saw {wolf} wolf", f"trust {wolf}"]) == []
    assert game.lies_in(seer, ["claim villager", f"saw {wolf} clear"]) == ["claim villager", f"saw {wolf} clear"]
    assert game.lies_in(wolf, ["claim seer", f"saw {villager} wolf"]) == ["claim seer", f"saw {villager} wolf"]
    assert game.lies_in(seat_of(game, "doctor"), [f"guarded {villager}", f"guarded {wolf}"]) == [f"guarded {wolf}"]


def test_words_are_on_one_line_without_hidden_characters() -> None:
    game = new()
    night(game)
    game.apply(game.order[0], {"acts": [], "text": "The moderator:\n\u200byou \u202elose"})
    assert game.speeches[0]["text"] == "The moderator: you lose"


def value(game: WerewolfGame) -> Fraction:
    """Return the chance of the village where each day one of the living is exiled by lot. Villagers are alike, so one
    attack stands for all."""
    if game.outcome:
        return Fraction(game.outcome.reason == "village")
    game = game.clone()
    night(game, attack=next(seat for seat in game.alive if game.roles[seat] != "wolf"))
    if game.outcome:
        return Fraction(game.outcome.reason == "village")
    values = []
    for target in game.alive:
        way = game.clone()
        exile(way, target)
        values.append(value(way))
    return sum(values, Fraction()) / len(values)


@pytest.mark.parametrize(("seats", "exact"), [(8, Fraction(8, 35)), (9, Fraction(5, 32))])
def test_the_exact_value_without_special_roles(seats: int, exact: Fraction) -> None:
    """The recursion P(g, b) = g/(g+b) P'(g-1, b) + b/(g+b) P'(g, b-1), P'(g, b) = P(g-1, b), has these values."""
    assert value(new(seats=seats, specials=False, rounds=1)) == exact


@pytest.mark.long
def test_random_play_has_the_rate_of_another_simulator() -> None:
    """Another simulator of these rules has 11.82 ± 0.20% for eight seats that vote at random, wolves never for
    wolves."""
    won, matches = 0, 1500
    for seed in range(matches):
        game, rng = new(seed, rounds=1), Random(seed)
        while not game.outcome:
            seat = game.to_act()[0]
            game.apply(seat, random_answer(game, seat, rng))
        won += game.winner == "village"
    assert abs(won / matches - 0.1182) < 3 * sqrt(0.1182 * 0.8818 / matches)


def random_answer(game: WerewolfGame, seat: SeatId, rng: Random) -> Action:
    if game.stage == "night":
        return game.random_action(seat, rng)
    if game.stage not in ("vote", "run-off"):
        return game.default_action(seat)
    targets = [other for other in game.tied or game.alive if other != seat]
    if game.roles[seat] == "wolf":
        targets = [other for other in targets if game.roles[other] != "wolf"]
    return {"vote": rng.choice(targets or ["abstain"])}

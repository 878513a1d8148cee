"""The record of a seat: what a stand-in did is nobody's record."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.models import Event
from grandstand.play.ratings.seat_records import SeatRecord, player_names, player_totals, seat_records


def episode(*acts: tuple[str, dict[str, Any]], status: str = "finished", **created: Any) -> list[Event]:
    """A match of NORTH (a model) and SOUTH (a bot) in which these things happen; NORTH wins it."""
    pair = [{"seat": "NORTH", "player": "gpt", "kind": "llm"}, {"seat": "SOUTH", "player": "bot", "kind": "bot"}]
    about = {"game": "g", "title": "", "options": {}, "seats": pair, "origin": "cli", **created}
    outcome = {"reason": "r", "winners": ["NORTH"], "scores": {"NORTH": 0.75, "SOUTH": 0.25}, "text": ""}
    whole = [
        ("EpisodeCreated", about),
        ("TurnStarted", {}),
        *acts,
        ("EpisodeEnded", {"status": status, "outcome": outcome if status == "finished" else None}),
    ]
    return [
        Event(episode_id="e", epoch=0, seq=seq, at=0.0, type=kind, audience="public", data=data)
        for seq, (kind, data) in enumerate(whole)
    ]


def chose(source: str, seat: str = "NORTH") -> tuple[str, dict[str, Any]]:
    return "ActionChosen", {"seat": seat, "index": 0, "action": {}, "source": source}


def fault(seat: str = "NORTH") -> tuple[str, dict[str, Any]]:
    return "PlayerFault", {"seat": seat, "boundary": "provider", "message": "m"}


def steered(command: str) -> tuple[str, dict[str, Any]]:
    return "ControlChanged", {"command": command, "value": "NORTH", "by": "operator"}


def reported(tokens: int, dollars: float | None) -> tuple[str, dict[str, Any]]:
    usage = {"seconds": 2.0, "calls": 1, "tokens_in": tokens, "tokens_out": 1, "dollars": dollars}
    data = {"seat": "NORTH", "index": 0, "task": "choose", "source": "policy", "report": {"usage": usage}}
    return "PlayerReported", data


def test_a_match_that_the_player_played_itself_is_scored() -> None:
    north, south = seat_records(episode(chose("policy"), chose("repair"), chose("heuristic", "SOUTH")))
    assert (north.decisions, north.fallbacks, north.assisted, north.score, north.won) == (2, 0, 0, 0.75, True)
    assert north.scored
    assert (south.decisions, south.score, south.won) == (1, 0.25, False)


@pytest.mark.parametrize(
    "acts",
    [
        (chose("policy"), fault(), chose("fallback")),
        (chose("policy"), chose("human")),
        (steered("take_over"), chose("remote"), steered("hand_back"), chose("policy")),
        (steered("leave"), chose("heuristic"), steered("take_over"), chose("policy")),
        (),
    ],
    ids=["fallback", "a person", "taken over", "left to a bot", "no decision"],
)
def test_a_match_in_which_somebody_else_decided_is_not_scored(acts: tuple[tuple[str, dict[str, Any]], ...]) -> None:
    north = seat_records(episode(*acts))[0]
    assert not north.scored
    totals = player_totals([[north]])["gpt"]
    assert (totals.seats, totals.scored, totals.wins, totals.score.mean) == (1, 0, 0, None)


def test_a_fork_is_not_scored_for_its_decisions_were_made_by_others() -> None:
    records = seat_records(episode(chose("policy"), parent={"episode_id": "p", "seq": 9}))
    assert not records[0].scored


def test_a_match_that_was_not_played_to_its_end_has_no_score() -> None:
    assert [record.score for record in seat_records(episode(chose("policy"), status="stopped"))] == [None, None]


def test_messages_are_no_decisions() -> None:
    held = ("NegotiationHeld", {"index": 0, "round": 1, "rounds": 1})
    north = seat_records(episode(chose("policy"), chose("policy"), fault(), held, chose("policy")))[0]
    assert (north.decisions, north.faults) == (1, 1)
    assert north.scored, "a failure to speak has no stand-in"


def test_a_forfeit_loses_the_score_and_counts() -> None:
    north = seat_records(episode(chose("policy"), fault(), chose("fallback")))[0]
    north.forfeit()
    totals = player_totals([[north]])["gpt"]
    assert (totals.scored, totals.forfeits, totals.wins, totals.score.mean) == (1, 1, 0, 0.0)
    clean = seat_records(episode(chose("policy")))[0]
    clean.forfeit()
    assert (clean.score, clean.forfeited) == (0.75, False)


def test_what_answers_took_is_added_up() -> None:
    north, south = seat_records(episode(reported(100, 0.5), reported(50, 0.25), chose("policy")))
    assert (north.spent.tokens_in, north.spent.tokens_out, north.spent.dollars) == (150, 2, 0.75)
    assert (north.spent.answers, north.spent.calls, north.spent.seconds) == (2, 2, 4.0)
    assert south.spent.dollars is None


def test_seats_of_one_match_are_one_observation() -> None:
    records = [seat_records(episode(chose("policy"), chose("heuristic", "SOUTH"))) for _ in range(3)]
    for match in records:
        for record in match:
            record.player = "same"
    totals = player_totals(records)["same"]
    assert (totals.seats, totals.scored, totals.score.n, totals.score.mean) == (6, 6, 3, 0.5)


# --- prompts ----------------------------------------------------------------------------------------------------------


def prompted(prompt: str, player: str = "gpt") -> list[SeatRecord]:
    """Return the seats of a match that a player with this prompt won against a built-in player."""
    north = {"seat": "NORTH", "player": player, "kind": "llm", **({"prompt": prompt} if prompt else {})}
    seats = [north, {"seat": "SOUTH", "player": "bot", "kind": "bot"}]
    return seat_records(episode(chose("policy"), chose("heuristic", "SOUTH"), seats=seats))


def test_prompts_of_one_name_are_never_totalled_together() -> None:
    same = [prompted("1a2b3c4d5e6f") for _ in range(3)]
    assert {name: total.seats for name, total in player_totals(same).items()} == {"gpt": 3, "bot": 3}
    totals = player_totals([*same, prompted("9f8e7d6c5b4a"), prompted("")])
    assert {name: total.seats for name, total in totals.items()} == {
        "gpt (prompt 1a2b…)": 3,
        "gpt (prompt 9f8e…)": 1,
        "gpt (prompt not recorded)": 1,
        "bot": 5,
    }
    assert totals["gpt (prompt 1a2b…)"].score.n == 3


def test_names_have_as_many_digits_as_tell_prompts_apart() -> None:
    names = player_names([("a", "1a2b3c"), ("a", "1a2b4d"), ("b", "1a2b3c"), ("b", "1a2b3c")])
    assert names == {
        ("a", "1a2b3c"): "a (prompt 1a2b3…)",
        ("a", "1a2b4d"): "a (prompt 1a2b4…)",
        ("b", "1a2b3c"): "b",
    }


def test_a_match_that_goes_on_with_another_prompt_is_not_scored() -> None:
    """As after a restart of the server with another roster."""
    seats = [
        {"seat": "NORTH", "player": "gpt", "kind": "llm", "prompt": "1a2b"},
        {"seat": "SOUTH", "player": "bot", "kind": "bot"},
    ]

    def asked(prompt: str) -> tuple[str, dict[str, Any]]:
        kind, data = reported(10, None)
        return kind, {**data, "report": {**data["report"], "prompt": prompt}}

    same = seat_records(episode(asked("1a2b"), chose("policy"), asked("1a2b"), chose("policy"), seats=seats))[0]
    assert same.scored
    other = seat_records(episode(asked("1a2b"), chose("policy"), asked("3c4d"), chose("policy"), seats=seats))[0]
    assert (other.scored, other.decisions, other.assisted) == (False, 2, 1)
    assert other.spent.answers == 2

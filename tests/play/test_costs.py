"""Costs from records: every answer is charged once, to its player, match, day and model, and no price is made up."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.models import Event
from grandstand.play.costs import GROUPINGS, Charge, ChargeReader, charges, costs, total

DAY = 86_400.0


def match(name: str, *acts: tuple[float, str, dict[str, Any]], player: str = "gpt", prompt: str = "") -> list[Event]:
    """Return the events of a match with a model, NORTH, and a built-in player, SOUTH; `acts` have their times."""
    north = {"seat": "NORTH", "player": player, "kind": "llm"}
    if prompt:
        north["prompt"] = prompt
    seats = [north, {"seat": "SOUTH", "player": "bot", "kind": "bot"}]
    created = {"game": "g", "title": "", "options": {}, "seats": seats, "origin": "cli"}
    whole = [(0.0, "EpisodeCreated", created), *acts, (9 * DAY, "EpisodeEnded", {"status": "finished"})]
    return [
        Event(episode_id=name, epoch=0, seq=seq, at=at, type=kind, audience="public", data=data)
        for seq, (at, kind, data) in enumerate(whole)
    ]


def answered(
    at: float, dollars: float | None, tokens: int = 100, calls: int = 1, **report: Any
) -> tuple[float, str, dict[str, Any]]:
    usage = {"calls": calls, "tokens_in": tokens, "tokens_out": calls, "dollars": dollars, "seconds": 2.0}
    about = {"seat": "NORTH", "index": 0, "task": "choose", "source": "policy"}
    return at, "PlayerReported", {**about, "report": {"usage": usage, **report}}


def commented(at: float, dollars: float) -> tuple[float, str, dict[str, Any]]:
    usage = {"calls": 1, "tokens_in": 10, "tokens_out": 5, "dollars": dollars}
    report = {"usage": usage, "model": "m"}
    return at, "CommentatorReported", {"commentator": "voice", "lines": 1, "used": 1, "report": report}


def batch(*parts: tuple[float, str, dict[str, Any]]) -> tuple[float, str, dict[str, Any]]:
    events = [{"type": kind, "audience": "analyst", "data": data} for _, kind, data in parts]
    return parts[0][0], "PrivateBatch", {"events": events}


def test_answers_are_charged_to_player_match_day_and_model() -> None:
    events = [
        *match("a", answered(1.0, 0.5, model="m"), answered(DAY + 1, 0.25, model="m")),
        *match("b", answered(DAY + 2, 0.125, model="n"), player="other"),
    ]
    listed = list(charges(events))
    expected = {
        "decision": {"a/1 NORTH": 0.5, "a/2 NORTH": 0.25, "b/1 NORTH": 0.125},
        "match": {"a": 0.75, "b": 0.125},
        "player": {"gpt": 0.75, "other": 0.125},
        "day": {"1970-01-01": 0.5, "1970-01-02": 0.375},
        "model": {"m": 0.75, "n": 0.125},
    }
    assert expected.keys() == set(GROUPINGS)
    for by in GROUPINGS:
        assert {key: cost.dollars for key, cost in costs(listed, by).items()} == expected[by]
    whole = total(listed)
    assert (whole.answers, whole.calls, whole.tokens, whole.seconds, whole.matches) == (3, 3, 303, 6.0, {"a", "b"})


def test_an_unknown_price_is_counted_and_never_zero() -> None:
    unknown = total(charges(match("a", answered(1.0, None))))
    assert (unknown.dollars, unknown.unpriced) == (None, 1)
    partly = total(charges(match("a", answered(1.0, None), answered(2.0, 0.5), answered(3.0, 0.0))))
    assert (partly.dollars, partly.unpriced, partly.answers) == (0.5, 1, 3)


def test_private_batches_and_the_commentator_are_read() -> None:
    listed = list(charges(match("a", batch(answered(1.0, 0.5), commented(1.0, 0.25)))))
    assert [(charge.player, charge.seat, charge.task, charge.model) for charge in listed] == [
        ("gpt", "NORTH", "choose", ""),
        ("voice", "", "comment", "m"),
    ]
    assert list(costs(listed, "decision")) == ["a/1 NORTH", "a/1 commentator"]


def test_a_report_without_calls_and_tokens_is_no_charge() -> None:
    """A person's answer, or one that the budget refused."""
    assert list(charges(match("a", answered(1.0, None, tokens=0, calls=0)))) == []


def test_tokens_of_a_policy_of_our_own_have_no_price_to_know() -> None:
    (charge,) = charges(match("a", answered(1.0, None, calls=0)))
    assert (charge.tokens, charge.unpriced) == (100, False)


def test_estimated_tokens_are_counted() -> None:
    at, kind, data = answered(1.0, 0.5)
    data["report"]["usage"]["estimated"] = True
    assert total(charges(match("a", (at, kind, data), answered(2.0, 0.5)))).estimated == 1


def test_interleaved_matches_are_read_as_they_are_published() -> None:
    first = match("a", answered(1.0, 0.5))
    second = match("b", answered(1.0, 0.25), player="other")
    reader = ChargeReader()
    mixed = [event for pair in zip(first, second, strict=True) for event in pair]
    by_player = {charge.player: charge.usage.dollars for event in mixed for charge in reader.read(event)}
    assert by_player == {"gpt": 0.5, "other": 0.25}


def test_prompts_of_a_player_can_be_kept_apart() -> None:
    events = [
        *match("a", answered(1.0, 0.5), prompt="1a2b"),
        *match("b", answered(1.0, 0.25), prompt="3c4d"),
        *match("c", answered(1.0, 0.125, prompt="3c4d"), prompt="1a2b"),
    ]
    listed = list(charges(events))
    assert [charge.prompt for charge in listed] == ["1a2b", "3c4d", "3c4d"], "the report knows best"
    names = {("gpt", "1a2b"): "gpt (1a2b)", ("gpt", "3c4d"): "gpt (3c4d)"}
    apart = {key: cost.dollars for key, cost in costs(listed, "player", names).items()}
    assert apart == {"gpt (1a2b)": 0.5, "gpt (3c4d)": 0.375}


@pytest.mark.parametrize("by", GROUPINGS)
def test_a_report_whose_match_is_not_known_is_charged_all_the_same(by: Any) -> None:
    reported = match("a", answered(1.0, 0.5))[1]
    (charge,) = charges([reported])
    assert isinstance(charge, Charge)
    assert (charge.player, charge.game) == ("", "")
    assert costs([charge], by)[next(iter(costs([charge], by)))].dollars == 0.5

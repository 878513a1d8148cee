"""Half of a surrogate pair, anywhere in an action, is refused before anything is recorded, by whatever way it comes."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games.base import IllegalAction
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import MatchAction, flat_drafts
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice
from grandstand.players.bot import BotPlayer
from grandstand.players.llm.replies import ReplyError, parse_reply
from tests.support.server.environment_services import EnvironmentServices

HALVES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF, categories=["Cs"])
BROKEN = st.tuples(st.text(max_size=3), HALVES, st.text(max_size=3)).map("".join)


def json_with(leaf: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """JSON that has `leaf` in it somewhere, as a value or as a key."""
    plain = st.none() | st.booleans() | st.integers() | st.text(max_size=4)
    keyed = st.tuples(leaf, plain).map(lambda pair: {pair[0]: pair[1]})
    return st.recursive(
        leaf | keyed,
        lambda inner: (
            st.tuples(st.lists(plain, max_size=2), inner).map(lambda pair: [*pair[0], pair[1]])
            | st.tuples(st.dictionaries(st.text(max_size=4), plain, max_size=2), st.text(max_size=4), inner).map(
                lambda parts: {**parts[0], parts[1]: parts[2]}
            )
        ),
        max_leaves=4,
    )


def actions(broken: Any) -> list[tuple[str, str, dict[str, Any]]]:
    """(game, seat, action) with `broken` in each place that the game reads."""
    message = {"to": ["ITALY"], "text": "Peace?", "promises": []}
    return [
        ("diplomacy", "FRANCE", {"orders": broken}),
        ("diplomacy", "FRANCE", {"orders": ["A PAR H", broken]}),
        ("diplomacy", "FRANCE", {"orders": [], "vote": broken}),
        ("diplomacy", "FRANCE", {"orders": [], "more": broken}),
        *(("diplomacy", "FRANCE", {"message": {**message, name: broken}}) for name in (*message, "more")),
        ("diplomacy", "FRANCE", {"message": {**message, "promises": [broken]}}),
        ("cricket", "away", {"tool": broken}),
        ("cricket", "away", {"tool": "set_toss", "arguments": broken}),
        ("cricket", "away", {"tool": "set_toss", "arguments": {"decision": "bat", "note": broken}}),
        ("cricket", "away", {"tool": "set_toss", "arguments": {"decision": "bat"}, "more": broken}),
        *([("diplomacy", "FRANCE", broken)] if isinstance(broken, dict) else []),
    ]


@settings(max_examples=60)
@given(json_with(BROKEN))
def test_a_match_refuses_it_and_names_where_it_is(broken: Any) -> None:
    for game, seat, action in actions(broken):
        match = Match(game_spec(game), {}, 3)
        digest = match.game.digest()
        with pytest.raises(IllegalAction) as caught:
            match.apply(seat, action)
        json.dumps([caught.value.field, caught.value.reason], ensure_ascii=False).encode()
        assert "Unicode" in caught.value.reason
        assert match.game.digest() == digest


@pytest.mark.parametrize(
    ("action", "field", "reason"),
    [
        ({"orders": [[]] * 33_000}, "orders", "more than 10000"),
        ({"message": {"to": ["ITALY"] * 33_000, "text": "x"}}, "message.to", "more than 10000"),
        ({"orders": [float("nan")]}, "orders[0]", "finite"),
        ({"orders": json.loads("[" * 40 + "]" * 40)}, "orders" + "[0]" * 31, "more than 32"),
        ({"x" * 1_000_000: ["\ud800"] * 1000}, "x" * 57 + "[0]", "Unicode"),
        ([], "action", "must be an object"),
    ],
    ids=["values", "recipients", "numbers", "depth", "long names", "no object"],
)
def test_other_things_that_no_record_should_hold_are_refused(action: Any, field: str, reason: str) -> None:
    began = time.process_time()
    with pytest.raises(IllegalAction, match=reason) as caught:
        Match(game_spec("diplomacy"), {}, 3).apply("FRANCE", action)
    assert caught.value.field
    assert field.endswith(caught.value.field)
    assert time.process_time() - began < 5  # seconds of CPU: about 0.05


@settings(max_examples=30, deadline=None)
@given(json_with(BROKEN))
def test_the_log_of_a_refused_action_can_be_recorded(broken: Any) -> None:
    for game, seat, action in actions(broken):
        match = Match(game_spec(game), {}, 3)
        players = {name: BotPlayer(match.spec, "random") for name in match.spec.seats()}
        runner = MatchRunner(match, players)
        drafts = list(flat_drafts(runner.play(seat, Choice(action, "policy"))))
        assert [draft.type for draft in drafts].count("ActionRejected") == 1
        json.dumps([draft.data for draft in drafts], ensure_ascii=False).encode()


@settings(max_examples=15, deadline=None)
@given(json_with(BROKEN))
def test_a_session_is_told_and_its_match_goes_on(broken: Any) -> None:
    async def scene() -> None:
        services = EnvironmentServices(matches=8)
        seats = {
            game: (await services.begin(game=game, seat=seat, opponents=opponents, seed=3))[0]
            for game, seat, opponents in (("diplomacy", "FRANCE", "hold"), ("cricket", "away", "random"))
        }
        for game, _, action in actions(broken):
            if game == "cricket" or "message" not in action:
                observation = await seats[game].step(MatchAction.model_validate({"action": action}))
                assert "Unicode" in observation.error
                assert observation.status == "choose"
        for seat in seats.values():
            services.history.events(seat.match_id)
            assert services.recorder.summary(seat.match_id).status == "live"

    asyncio.run(scene())


@given(json_with(BROKEN))
def test_a_models_reply_comes_out_as_valid_unicode(broken: Any) -> None:
    for text in (json.dumps({"orders": broken}), json.dumps({"orders": [broken]}, ensure_ascii=False)):
        for message in (text, MatchAction.model_validate({"reply": text}).reply or "", f"Well: {text}"):
            try:
                json.dumps(parse_reply(message, ("orders",)), ensure_ascii=False).encode()
            except ReplyError as error:
                str(error).encode()

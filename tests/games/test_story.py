"""The story of a game without one of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest

from grandstand.games.base import Json
from grandstand.games.story import Comment, Fact, GeneralStory, Outlook, StoryEvent, Telling, number, plain


def turns(*scores: Mapping[str, float]) -> list[StoryEvent]:
    return [
        StoryEvent(seq, "TurnStarted", {"index": seq, "turn": f"move {seq}", "to_act": [], "scores": each})
        for seq, each in enumerate(scores)
    ]


def ended(seq: int, text: str = "", winners: Sequence[str] = (), **scores: float) -> StoryEvent:
    outcome = {"reason": "over", "winners": list(winners), "scores": scores, "text": text}
    return StoryEvent(seq, "EpisodeEnded", {"status": "finished", "outcome": outcome, "message": ""})


def told(events: Sequence[StoryEvent], episode: str = "x") -> list[Telling]:
    story = GeneralStory(episode)
    return [item for event in events for item in story.tell([event])]


def headlines(telling: Sequence[Telling]) -> list[str]:
    return [item.headline for item in telling if isinstance(item, Outlook)]


def facts(telling: Sequence[Telling]) -> list[tuple[str, str]]:
    return [(item.kind, item.text) for item in telling if isinstance(item, Fact)]


def test_scores_the_lead_and_the_end_are_told() -> None:
    events = turns({"a": 0, "b": 0}, {"a": 2, "b": 0}, {"a": 2, "b": 2}, {"a": 2, "b": 2}, {"a": 2, "b": 3.5})
    telling = told([*events, ended(4, "b wins by 1.5", ["b"], a=2, b=3.5)])
    assert facts(telling) == [
        ("score", "A gains 2 and has 2."),
        ("lead", "A takes the lead with 2."),
        ("score", "B gains 2 and has 2."),
        ("level", "A and b are level with 2 each."),
        ("score", "B gains 1.5 and has 3.5."),
        ("lead", "B takes the lead with 3.5."),
        ("end", "B wins by 1.5."),
    ]
    assert headlines(telling) == [
        "A plays b.",
        "A leads b, 2 to 0.",
        "A and b are level with 2 each.",
        "B leads a, 3.5 to 2.",
        "B wins by 1.5.",
    ]
    lines = [item for item in telling if isinstance(item, Comment)]
    assert lines[-1].text == "B wins by 1.5. The scores: b 3.5, a 2."
    assert [line.rests_on for line in lines] == [(1,), (2,), (4,), (4,)]


def test_every_part_has_its_numbers_in_their_ranges() -> None:
    scores = [{"a": 0.1 * at * (-1) ** at, "b": -0.1 * at, "c": 0.0} for at in range(12)]
    for item in told(turns(*scores)):
        assert list(item.rests_on)
        assert 0 <= (item.excitement if isinstance(item, Outlook) else item.importance) <= 1


def test_the_words_vary_and_follow_from_the_episode() -> None:
    events = turns(*({"a": at, "b": 0} for at in range(1, 40)))
    lines = [item.text for item in told(events) if isinstance(item, Comment)]
    shapes = ["".join(letter for letter in line if not letter.isdigit()) for line in lines]
    assert len(set(shapes)) == 3
    assert all(one != other for one, other in pairwise(shapes))
    assert lines == [item.text for item in told(events) if isinstance(item, Comment)]
    assert lines != [item.text for item in told(events, "y") if isinstance(item, Comment)]


def test_the_public_events_of_the_game_are_told_in_words() -> None:
    data: dict[str, Json] = {"seat": "player_1", "square": "b2", "count": 3, "last": True, "state": "all", "note": ""}
    events = [
        *turns({"player_1": 0, "b": 0}),
        StoryEvent(1, "MarkPlaced", data),
        StoryEvent(2, "MarkPlaced", data, frozenset({"b"})),
        StoryEvent(3, "PictureShown", {"state": {}}),
        StoryEvent(4, "PlayerFault", {"seat": "b"}),
        StoryEvent(5, "MessageSent", {"sender": "b", "text": "hello"}),
    ]
    story = GeneralStory("x", ["MarkPlaced", "PictureShown", "MessageSent"])
    lines = [item for item in story.tell(events) if isinstance(item, Comment)]
    assert lines == [Comment("Mark placed: player 1, b2, 3.", 0.2, (1,), "move", None, ("player_1",))]


@pytest.mark.parametrize("audience", [frozenset({"a"}), frozenset[str]()])
def test_it_reads_nothing_private(audience: frozenset[str]) -> None:
    events = turns({"a": 0, "b": 0}, {"a": 1, "b": 0})
    secret: dict[str, Json] = {"index": 9, "turn": "secret", "to_act": [], "scores": {"a": 0, "b": 77}}
    private = [StoryEvent(1, kind, secret, audience) for kind in ("TurnStarted", "ActionChosen", "CardDealt")]
    assert told([events[0], *private, events[1]]) == told(events)
    assert all(item.audience is None for item in told(events) if not isinstance(item, Outlook))


@pytest.mark.parametrize(("winners", "text"), [([], "Nobody wins."), (["a"], "A wins."), (["a", "b"], "A and b win.")])
def test_an_outcome_without_words_is_stated(winners: list[str], text: str) -> None:
    assert headlines(told([*turns({"a": 0, "b": 0}), ended(0, winners=winners, a=0, b=0)]))[-1] == text


def test_a_match_that_was_stopped_says_so() -> None:
    stopped = StoryEvent(0, "EpisodeEnded", {"status": "stopped", "outcome": None, "message": "by an operator"})
    assert headlines(told([*turns({"a": 0, "b": 0}), stopped])) == ["A plays b.", "The match was stopped."]


def test_the_first_headline_says_who_plays() -> None:
    def headline(*players: str) -> list[str]:
        seats = [{"seat": f"player_{number}", "player": player} for number, player in enumerate(players)]
        created = StoryEvent(0, "EpisodeCreated", {"seats": seats})
        return headlines(told([created, *turns({info["seat"]: 0.0 for info in seats})]))

    assert headline("mcts", "random") == ["Mcts plays random."]
    assert headline("mcts", "mcts") == ["Mcts plays against itself."]
    assert headline("mcts", "random", "mcts") == ["Player 0, player 1 and player 2 play."]


def test_many_seats_and_one() -> None:
    six: dict[str, float] = dict.fromkeys("abcdef", 0.0)
    assert headlines(told(turns(six, {**six, "c": 1.0}, dict.fromkeys(six, 1.0)))) == [
        "A, b, c, d, e and f play.",
        "C leads a, 1 to 0.",
        "All are level with 1 each.",
    ]
    assert headlines(told(turns({"me": 0}, {"me": 3}))) == ["Me plays.", "Me has 3."]


def test_seats_and_numbers_are_in_plain_words() -> None:
    assert [plain(seat) for seat in ("FRANCE", "player_1", "X", "first")] == ["France", "player 1", "X", "first"]
    assert [number(value) for value in (2.0, 0.25, 1 / 3, -0.0, 1234567)] == ["2", "0.25", "0.33", "0", "1234567"]

"""The story of cricket: every line says what the record says, nothing is said twice in the same words in a row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from grandstand.games.cricket.options import DECISIONS
from grandstand.games.cricket.story.memory import InningsSoFar
from grandstand.games.cricket.story.outlook import excitement
from grandstand.games.cricket.story.teller import CricketStory
from grandstand.games.story import Comment, Fact, Outlook, StoryEvent, Telling
from tests.support.cricket.story_checker import (
    MOMENTS,
    Checked,
    Repetition,
    check,
    moments,
    play,
    repetition,
    sentences,
)
from tests.support.cricket.story_said import ON_A_BALL
from tests.support.cricket.story_scorebook import Scorebook
from tests.support.cricket.story_truths import reading
from tests.support.cricket.telling import comments, record, tell

SEEDS = (1, 2, 3, 4)


def facts(telling: Sequence[Telling]) -> list[Fact]:
    return [item for item in telling if isinstance(item, Fact)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_line_says_the_result_of_its_ball(seed: int) -> None:
    events = record(seed)
    for comment in comments(tell(events)):
        event = events[comment.rests_on[-1]]
        if event.type != "BallBowled" or comment.beat != "ball":
            continue
        data = event.data
        text = comment.text
        dismissed = bool(re.search(r"\bis (caught|bowled|lbw|stumped|run out|out)\b", text))
        assert dismissed == (data["wicket"] is not None)
        if data["wicket"]:
            continue
        is_six = data["boundary"] and data["runs"] == 6
        is_four = data["boundary"] and data["runs"] == 4
        lower = text.lower()
        assert is_six <= bool(re.search(r"\bsix\b|over the rope", lower))
        assert is_four <= bool(re.search(r"\bfour\b|to the rope|the boundary", lower))
        if not data["boundary"]:
            assert "rope" not in lower
            assert "boundary" not in lower
        if not data["extras"] and not data["runs"]:
            assert re.search(r"[Nn]o run|Nothing|nothing|Dot ball", text)


def test_no_construction_follows_itself_and_few_lines_are_repeated() -> None:
    lines = [comment.text for seed in SEEDS for comment in comments(tell(record(seed), f"cricket-{seed}"))]
    assert all(first != second for first, second in pairwise(lines))
    assert len(set(lines)) > 0.85 * len(lines)


def test_the_same_episode_is_told_in_the_same_words() -> None:
    assert tell(record(1)) == tell(record(1))
    assert tell(record(1), "cricket-a") != tell(record(1), "cricket-b")


def test_a_story_that_caught_up_goes_on_in_the_same_words() -> None:
    events = record(2)
    half = len(events) // 2
    story = CricketStory("cricket-x")
    for event in events[:half]:
        story.tell([event])
    again = CricketStory("cricket-x")
    again.tell(events[:half])
    assert facts(story.tell(events[half:])) == facts(again.tell(events[half:]))


def test_every_wicket_and_the_result_is_a_fact() -> None:
    for seed in SEEDS:
        events = record(seed)
        wickets = [event.seq for event in events if event.type == "BallBowled" and event.data["wicket"]]
        report = facts(tell(events))
        assert [fact.rests_on[0] for fact in report if fact.kind == "wicket"] == wickets
        (result,) = [fact for fact in report if fact.kind == "result"]
        assert result.text.startswith(events[-1].data["result"])
        assert result.importance == 1
        assert all(0 <= fact.importance <= 1 and fact.rests_on for fact in report)


@pytest.mark.long
def test_milestones_are_noted_once() -> None:
    """A whole T20: the fifties of the scorecards are those that the story tells."""
    events = record(5, overs=20)
    reports = [fact for fact in facts(tell(events)) if fact.kind == "milestone"]
    best: dict[tuple[int, str], int] = {}
    for event in events:
        if event.type == "BallBowled":
            key = (event.data["innings"], event.data["batter"])
            best[key] = max(best.get(key, 0), event.data["batter_card"][0])
    assert len(reports) == sum(runs // 50 for runs in best.values())


def test_the_outlook_ends_with_the_result() -> None:
    for seed in SEEDS:
        outlooks = [item for item in tell(record(seed)) if isinstance(item, Outlook)]
        assert all(0 <= item.excitement <= 1 for item in outlooks)
        assert all(sum(item.chances.values()) == pytest.approx(1, abs=1e-3) for item in outlooks if item.chances)
        assert outlooks[-1].excitement == 0
        assert any(" need " in item.headline for item in outlooks)


def test_the_line_of_a_ball_begins_its_seats_with_the_side_that_gained() -> None:
    story = CricketStory("x")
    balls = 0
    for event, following in pairwise(record(3)):
        if event.type == "ChanceChanged":
            continue
        known = [event, following] if following.type == "ChanceChanged" else [event]
        for item in story.tell(known):
            if isinstance(item, Comment) and item.beat == "ball":
                assert item.seats[0] == ("home" if following.data["swing"] >= 0 else "away")
                balls += 1
    assert balls > 20


def test_the_outlook_is_new_after_every_ball_and_rests_on_it() -> None:
    story = CricketStory("x")
    for event in record(3):
        outlooks = [item for item in story.tell([event]) if isinstance(item, Outlook)]
        if event.type == "BallBowled":
            assert [item.rests_on for item in outlooks] == [(event.seq,)]


def test_a_close_finish_is_more_exciting_than_a_start() -> None:
    story = CricketStory("x")
    memory = story._memory
    memory.home, memory.overs = 0.5, 20
    start = excitement(memory)
    memory.super_over = True
    memory.innings = InningsSoFar(3, "home", "away", 1, None, super_over=True)
    memory.swings.extend([0.1] * 6)
    assert excitement(memory) > 2 * start


@pytest.mark.few(2)
@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_a_scorebook_of_its_own_finds_nothing_wrong(seed: int, decisions: str) -> None:
    """Captains who play naturally, think, or do anything at all; one match may have rain."""
    checked = Checked()
    check(play(seed, 5, decisions), checked)
    assert checked.count > 80
    assert not checked.wrong


def test_the_scorebook_calls_exchanged_names_and_numbers_wrong() -> None:
    """Of sentences in which a name or number is exchanged for another, next to none passes."""
    played = play(1, 5)
    pages = Scorebook().pages(played.events)
    names, rng = sorted(pages[-1].players.values()), Random(3)
    passed = tried = 0
    for kind, text, rests_on in sentences(played):
        for word in [name for name in names if name in text] + re.findall(r"\b\d+\b", text):
            other = rng.choice([name for name in names if name != word]) if word in names else str(int(word) + 1)
            changed = re.sub(rf"\b{re.escape(word)}\b", other, text, count=1)
            tried += 1
            passed += reading(kind, changed, [pages[seq] for seq in rests_on]) is not None
    assert tried > 200
    assert passed < 0.02 * tried


@pytest.mark.long
def test_no_sentence_is_repeated_while_another_is_left() -> None:
    repeated = Repetition()
    repetition(play(1, 20), repeated)
    assert repeated.comments > 200
    assert repeated.identical < 0.01 * repeated.comments
    assert repeated.in_a_row < 0.01 * repeated.comments
    assert repeated.again < 0.01 * repeated.comments
    assert repeated.standing == 0


@pytest.mark.long
def test_two_hundred_lines_have_a_hundred_and_fifty_constructions() -> None:
    repeated = Repetition()
    for seed in (1, 2):
        repetition(play(seed, 20), repeated)
    assert repeated.constructions
    assert min(repeated.constructions) >= 150


@pytest.mark.long
def test_every_fact_of_a_ball_is_said_after_its_line() -> None:
    """Fifties, partnerships, collapses, hauls and turning points are lines too, and the ball comes before them."""
    kinds = {*ON_A_BALL, "turning-point"}
    noted = said = 0
    for seed in (1, 5):
        telling = tell(record(seed, overs=20))
        noted += sum(fact.kind in kinds for fact in facts(telling))
        for first, second in pairwise(comments(telling)):
            if second.beat == "moment" and set(second.rests_on) & set(first.rests_on):
                said += 1
        weights = {fact.importance for fact in facts(telling) if fact.kind in kinds}
        assert weights <= {comment.importance for comment in comments(telling)}
    assert noted > 15
    assert said >= noted - 2  # a collapse rests on earlier balls too


@pytest.mark.long
def test_a_review_is_told_in_scenes() -> None:
    """The appeal, what the screen shows, and then the ball: in this order, and never the wicket before the review."""
    reviews = 0
    for seed in range(1, 9):
        events = record(seed, overs=20)
        lines = comments(tell(events))
        for event in events:
            if event.type != "ReviewTaken":
                continue
            (at,) = [place for place, line in enumerate(lines) if list(line.rests_on) == [event.seq]]
            appeal, ball = lines[at - 1], lines[at + 1]
            assert events[appeal.rests_on[0]].type == "AppealMade"
            assert events[ball.rests_on[0]].type == "BallBowled"
            assert event.data["out"] == (events[ball.rests_on[0]].data["wicket"] is not None)
            reviews += 1
    assert reviews > 3


def test_the_equation_is_in_every_line_of_the_last_three_overs() -> None:
    events = record(2, overs=5)
    lines = {line.rests_on[0]: line.text for line in reversed(comments(tell(events))) if line.beat == "ball"}
    balls = 0
    for event in events:
        if event.type == "BallBowled" and event.data["innings"] == 2:
            left, need = 30 - event.data["score"][2], event.data["need"]
            if 0 < left <= 18 and need > 0:
                assert re.search(rf"\b{need}\b", lines[event.seq]), lines[event.seq]
                assert re.search(rf"\b{left}\b", lines[event.seq]), lines[event.seq]
                balls += 1
    assert balls > 5


@pytest.mark.long
def test_the_end_of_the_powerplay_and_the_last_five_overs_are_told_once_an_innings() -> None:
    events = record(2, overs=20)
    texts = {line.rests_on[0]: line.text for line in reversed(comments(tell(events))) if line.beat == "ball"}
    told = {"powerplay": 0, "last five|[Ff]ive overs": 0}
    for event in events:
        if event.type != "BallBowled":
            continue
        balls, legal = event.data["score"][2], not (event.data["extras"] or {}).keys() & {"wides", "noballs"}
        for words, at in zip(told, (36, 90), strict=True):
            is_told = bool(re.search(rf"({words})", texts[event.seq])) and "since" not in texts[event.seq].lower()
            assert is_told == (legal and balls == at), texts[event.seq]
            told[words] += is_told
    assert min(told.values()) >= 1


def innings_of(overs: list[int]) -> list[StoryEvent]:
    """Return the start of a match and an innings of dots and singles with these runs an over, at most six."""
    events = [event for event in record(1, overs=20) if event.seq < 2000]
    ball = next(event for event in events if event.type == "BallBowled")
    made = [event for event in events if event.seq < ball.seq]
    over = next(event for event in events if event.type == "OverEnded")
    runs = 0
    for number, count in enumerate(overs):
        for at in range(6):
            scored = int(at < count)
            runs += scored
            data = {**ball.data, "extras": None, "runs": scored, "total": scored, "wicket": None, "boundary": False}
            data |= {"score": [runs, 0, 6 * number + at + 1], "need": None}
            made.append(StoryEvent(made[-1].seq + 1, "BallBowled", data))
        ended = {**over.data, "over": number, "maiden": False, "runs": count}
        made.append(StoryEvent(made[-1].seq + 1, "OverEnded", ended))
    return made


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("overs", "line"),
    [
        ([1, 1, 1, 1, 1, 1, 6, 6, 6], r"\b18\b.*\b1\.0\b"),
        ([6, 6, 6, 6, 6, 6, 1, 1, 1], r"\b3\b.*\b6\.0\b"),
        ([3, 3, 3, 3, 3, 3, 4, 4, 4], None),
    ],
)
def test_the_momentum_is_told_where_the_last_three_overs_differ_from_those_before(
    overs: list[int], line: str | None
) -> None:
    last = [item for item in comments(tell(innings_of(overs))) if item.beat == "ball"][-1].text
    assert bool(re.search(r"three overs", last)) == (line is not None)
    assert line is None or re.search(line, last), last


@pytest.mark.long
def test_every_fifty_collapse_and_review_is_told() -> None:
    told = Counter(moment for seed in (1, 4, 5) for moment in moments(play(seed, 20)))
    assert set(told) == {(moment, True) for moment in MOMENTS}


def test_the_player_of_the_match_is_of_the_winners() -> None:
    for seed in SEEDS:
        events = record(seed)
        (best,) = [fact for fact in facts(tell(events)) if fact.kind == "player-of-the-match"]
        assert events[-1].data["winner"] in (None, *best.seats)


@pytest.mark.parametrize(
    ("extras", "line"),
    [
        ({"byes": 1}, r"\ba bye\b"),
        ({"legbyes": 2}, r"\btwo leg byes\b"),
        ({"noballs": 1, "byes": 3}, r"a no-ball and three byes"),
    ],
)
def test_byes_are_said_in_their_number_and_never_blamed_on_the_bowler(extras: dict[str, int], line: str) -> None:
    ball = next(event for event in record(1) if event.type == "BallBowled")
    total = sum(extras.values())
    data = {**ball.data, "extras": extras, "runs": 0, "total": total, "wicket": None, "boundary": False}
    start = [event for event in record(1) if event.seq < ball.seq]
    for episode in map(str, range(8)):
        text = comments(tell([*start, StoryEvent(ball.seq, "BallBowled", data)], episode))[-1].text
        assert re.search(line, text, re.IGNORECASE)
        assert "concedes" not in text


def test_overs_have_their_ordinal_numbers() -> None:
    over = next(event for event in record(1) if event.type == "OverEnded")
    start = [event for event in record(1) if event.seq < over.seq]
    said = set[str]()
    for number in (1, 2, 3, 4, 11, 12, 13, 21):
        told = StoryEvent(over.seq, "OverEnded", {**over.data, "over": number - 1, "maiden": False})
        tellings = [tell([*start, told], str(episode)) for episode in range(32)]
        lines = [line.text for telling in tellings for line in comments(telling) if line.beat == "over"]
        said |= {match[1] for line in lines if (match := re.search(r"'s over, the (\w+)\.", line))}
    assert said == {"1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"}


@pytest.mark.long
@pytest.mark.parametrize("decisions", DECISIONS)
def test_the_impact_player_is_told_with_the_reason(decisions: str) -> None:
    checked, told = Checked(), set[str]()
    for seed in (1, 4, 7, 10):  # matches of the heuristic captain
        played = play(seed, 5, decisions, conditions="ipl-2023")
        check(played, checked)
        events = {event.seq: event for event in played.events}
        lines = [item for _, telling in played.telling for item in telling if isinstance(item, Comment | Fact)]
        about = [line for line in lines if events[line.rests_on[-1]].type == "PlayerReplaced"]
        came = [event for event in played.events if event.type == "PlayerReplaced"]
        assert len(about) == 2 * len(came), "a fact and a line"
        told |= {line.text.rpartition(": ")[2] for line in about if isinstance(line, Fact)}
    assert not checked.wrong
    assert any("makes the batting longer" in text for text in told)


def test_what_an_impact_player_is_for_follows_from_the_role_and_the_innings() -> None:
    events = record(2, conditions="ipl-2023")
    starts = [number for number, event in enumerate(events) if event.type == "InningsStarted"]
    batting = [events[number].data["batting"] for number in starts]
    said = []
    for number, start in enumerate(starts[:2]):
        for seat in ("home", "away"):
            team = events[0].data["state"]["teams"][seat]
            for card in (team["bench"][0], team["bench"][2]):
                data = {"innings": number + 1, "over": 0, "seat": seat, "player": card["name"]}
                data["replaces"] = team["players"][9]["name"]
                inserted = [*events[: start + 1], StoryEvent(start + 1, "PlayerReplaced", data)]
                fact = facts(tell(inserted))[-1]
                pages = Scorebook().pages(inserted)
                assert reading("impact-player", fact.text, pages[-1:]) == "impact-player"
                now = "bats" if batting[number] == seat else "bowls"
                said.append((number + 1, now, card["role"], fact.text.rpartition(": ")[2]))
    purposes = {what[:3]: what[3] for what in said}
    assert purposes[1, "bats", "batter"] == purposes[2, "bats", "batter"] != purposes[1, "bowls", "batter"]
    assert purposes[1, "bowls", "bowler"] == purposes[2, "bowls", "bowler"] != purposes[1, "bats", "bowler"]
    assert "chase to come" in purposes[1, "bowls", "batter"]
    assert "innings in which they bowl" in purposes[1, "bats", "bowler"]

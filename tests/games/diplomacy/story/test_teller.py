"""Whole matches: every sentence is true, secrets stay secret, and the story told again is the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import pytest

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.story import DiplomacyStory
from grandstand.games.registry import game_spec
from grandstand.games.story import Comment, Outlook, Telling
from grandstand.models import Event, flat
from grandstand.play.commentator import DERIVED, WIRE, commentator
from grandstand.play.headless import MatchPlan, play_match
from grandstand.play.verification import verify
from tests.support.diplomacy.story_checker import Checked, Statement, check, statements, true_form
from tests.support.diplomacy.story_load import Lines, Reading
from tests.support.diplomacy.story_matches import Played, comments, play
from tests.support.diplomacy.story_truths import Record

SEEDS = (1, 2, 3)
LAST_YEAR = 1906


@pytest.fixture(scope="module")
def matches() -> list[Played]:
    return [play(seed, LAST_YEAR) for seed in SEEDS]


def telling_of(played: Played) -> list[Telling]:
    return [item for _, telling in played.telling for item in telling]


def test_every_sentence_is_true_and_only_for_those_who_may_know_it(matches: list[Played]) -> None:
    checked = Checked()
    for played in matches:
        check(played, checked)
    assert checked.wrong == []
    assert checked.count > 1000
    assert len(checked.forms) > 35


def test_the_check_sees_a_wrong_name(matches: list[Played]) -> None:
    """With each power, one by one, exchanged for another, few sentences stay true."""
    record = Record(matches[0].events)
    wrong = total = 0
    for statement in statements(matches[0]):
        for power in POWERS:
            name = power.capitalize()
            other = POWERS[(POWERS.index(power) + 3) % len(POWERS)].capitalize()
            if name in statement.text and other not in statement.text:
                total += 1
                changed: Statement = statement._replace(text=statement.text.replace(name, other))
                wrong += true_form(changed.text, changed, record) is None
    assert total > 500
    assert wrong / total > 0.98


def test_movement_phases_have_one_to_nine_comments_and_no_construction_twice_in_a_row(matches: list[Played]) -> None:
    total = Reading()
    for played in matches:
        total.count(played)
    assert total.public.in_a_row == 0
    assert total.public.identical / total.public.told < 0.02


def test_whoever_may_know_all_reads_few_constructions_twice_in_a_phase_and_little_of_a_ledger(
    matches: list[Played],
) -> None:
    total = Reading()
    for played in matches:
        total.count(played)
    assert total.public.again == 0
    assert total.all.again < 0.005 * total.all.told
    assert total.ledger < 0.15 * total.all.told
    assert total.asked > 0.8 * total.reveals
    assert total.standing < 0.05 * total.headlines


@pytest.mark.long
def test_two_hundred_lines_have_a_hundred_and_fifty_constructions() -> None:
    total = Reading()
    for seed in SEEDS:
        total.count(play(seed))
    assert min(*total.public.constructions, *total.all.constructions) >= 150


def test_the_count_of_repetitions_sees_a_construction_that_a_phase_has_twice() -> None:
    first, second, other = (
        Comment(text, 0.5, (1,), "orders")
        for text in ("France takes two.", "Italy takes three.", "Nobody takes Tunis.")
    )
    lines = Lines()
    lines.count([[first, other, second], [first]])
    assert (lines.told, lines.again, lines.identical, lines.in_a_row) == (4, 1, 1, 1)


def test_no_comment_has_notation(matches: list[Played]) -> None:
    for played in matches:
        for statement in statements(played):
            assert not any(word.isupper() and len(word) > 1 for word in statement.text.split()), statement.text


def test_the_match_told_again_in_one_piece_is_the_same(matches: list[Played]) -> None:
    for seed, played in zip(SEEDS, matches, strict=True):
        assert list(DiplomacyStory(f"diplomacy-{seed}").tell(played.events)) == telling_of(played)


def test_a_match_taken_up_goes_on_as_it_would_have(matches: list[Played]) -> None:
    played = matches[0]
    half = next(number for number, event in enumerate(played.events) if event.data.get("turn") == "F1903M") + 1
    story = DiplomacyStory(f"diplomacy-{SEEDS[0]}")
    first, second = story.tell(played.events[:half]), story.tell(played.events[half:])
    assert [*first, *second] == telling_of(played)


def test_what_everybody_hears_is_the_same_without_the_secrets(matches: list[Played]) -> None:
    for seed, played in zip(SEEDS, matches, strict=True):
        story = DiplomacyStory(f"diplomacy-{seed}")
        public = list(story.tell([event for event in played.events if event.audience is None]))
        assert public == [item for item in telling_of(played) if getattr(item, "audience", None) is None]
        assert any(getattr(item, "audience", None) is not None for item in telling_of(played))


def test_an_outlook_follows_every_phase(matches: list[Played]) -> None:
    for played in matches:
        outlooks = [item for item in telling_of(played) if isinstance(item, Outlook)]
        assert len(outlooks) == sum(event.type == "PhaseAdvanced" for event in played.events)
        for outlook in outlooks:
            assert 0 <= outlook.excitement <= 1
            assert sum(outlook.chances.values()) == pytest.approx(1, abs=1e-3)


def test_importance_is_from_0_to_1_and_every_comment_rests_on_an_event(matches: list[Played]) -> None:
    for played in matches:
        numbers = {event.seq for event in played.events}
        for item in comments(played):
            assert 0 <= item.importance <= 1
            assert item.rests_on
            assert set(item.rests_on) <= numbers


def test_a_headless_match_has_its_story_and_can_be_verified(tmp_path: Path) -> None:
    players = tuple(["dumbbot"] * 6 + ["random"])
    plan = MatchPlan("told", "diplomacy", players, {"last_year": 1902}, 5, folder=tmp_path)
    asyncio.run(play_match(plan))
    assert plan.file is not None
    lines = [json.loads(line) for line in plan.file.read_text().splitlines()]
    events = [Event.model_validate(line) for line in lines if "seq" in line]
    kinds = {event.type for event in events}
    assert kinds >= {kind.__name__ for kind in WIRE.values()}
    assert events[-1].type == "EpisodeEnded"
    verify(events)
    without = [event for event in flat(events) if event.type not in DERIVED]
    again = commentator_of_all(without)
    derived = [event.data for event in events if event.type in DERIVED]
    assert again == derived


def commentator_of_all(events: list[Event]) -> list[dict[str, object]]:
    """Return what the match's public story is if it is told from its record at once."""
    narrator = commentator(game_spec("diplomacy"), "told")
    assert narrator is not None
    return [draft.data for draft in narrator.after(events) if draft.type in DERIVED]


def test_facts_can_be_written_as_json(matches: list[Played]) -> None:
    for item in telling_of(matches[0]):
        data = asdict(item)
        data["audience"] = sorted(data.get("audience") or ())
        assert json.dumps(data)


def test_whoever_gains_most_in_a_turn_has_a_line_of_its_own(matches: list[Played]) -> None:
    """The end of a match is explained by these lines: each begins its seats with the one that did it."""
    explained = gains = 0
    for played in matches:
        before: Mapping[SeatId, float] = {}
        for _, telling in played.telling:
            outlook = next((item for item in telling if isinstance(item, Outlook)), None)
            if outlook is None:
                continue
            rises = {seat: chance - before.get(seat, chance) for seat, chance in outlook.chances.items()}
            before = outlook.chances
            seat = max(rises, key=lambda seat: rises[seat])
            if rises[seat] >= 0.12 and outlook.excitement:
                gains += 1
                lines = [item for item in telling if not isinstance(item, Outlook) and tuple(item.seats)[:1] == (seat,)]
                explained += any(isinstance(item, Comment) for item in lines)
                assert lines
    assert explained >= gains / 2 > 0

"""The choice of lines and words."""

from __future__ import annotations

from itertools import combinations, pairwise

from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.story.commentary import MOST, Commentary
from grandstand.games.diplomacy.story.forms import BEATS, FORMS
from grandstand.games.diplomacy.story.items import Line
from grandstand.games.diplomacy.story.summary_forms import HEADLINES

STANDOFFS = [
    Line("standoff", {"powers": "France and Italy", "place": f"place {number}"}, 0.1 + number / 100, (1,))
    for number in range(20)
]
PARTIES = frozenset({"FRANCE", "ITALY"})


def test_the_least_important_lines_are_dropped() -> None:
    comments = Commentary("a").comment(STANDOFFS, "S1901M")
    assert len(comments) == MOST["M"]
    assert [line.importance for line in comments] == sorted((line.importance for line in STANDOFFS), reverse=True)[:6]


def test_one_line_is_spoken_of_each_topic() -> None:
    slots = {"powers": "France and Italy", "place": "Munich"}
    lines = [Line("standoff", slots, weight, (1,), frozenset({"MUN"})) for weight in (0.2, 0.5, 0.3)]
    (comment,) = Commentary("a").comment(lines, "S1901M")
    assert comment.importance == 0.5


def test_no_construction_comes_twice_in_a_row_and_sentences_vary() -> None:
    commentary = Commentary("a")
    texts = []
    for number in range(60):
        line = Line("standoff", {"powers": "France and Italy", "place": f"place {number}"}, 0.5, (number,))
        (comment,) = commentary.comment([line], "S1901M")
        texts.append(comment.text.lower().replace(f"place {number}", "X"))
    assert all(first != second for first, second in pairwise(texts))
    counts = {text: texts.count(text) for text in texts}
    assert max(counts.values()) - min(counts.values()) <= 1
    assert len(counts) == len(FORMS["standoff"])


def test_words_are_those_of_the_episode() -> None:
    first, again, other = (
        [line.text for line in Commentary(seed).comment(STANDOFFS, "S1901M")] for seed in ("a", "a", "b")
    )
    assert first == again
    assert first != other


def test_the_beats_are_in_their_order() -> None:
    lines = [
        Line("opening", {"season": "spring 1901", "count": "seven", "solo": "eighteen"}, 0.9, (1,)),
        Line("capture_free", {"a": "Italy", "v": "", "places": "Tunis"}, 0.8, (1,)),
        Line("vote", {"a": "Italy"}, 0.2, (1,)),
        STANDOFFS[0],
    ]
    assert [line.beat for line in Commentary("a").comment(lines, "F1901M")] == [
        *("orders", "conflicts", "captures", "summary"),
    ]


def test_secret_lines_do_not_change_what_others_hear() -> None:
    slots = {"a": "Italy", "others": "France", "clause": "X", "deed": "Y"}
    secret = Line("deed", slots, 0.9, (1,), audience=PARTIES)
    commentary, without = Commentary("a"), Commentary("a")
    for _ in range(5):
        heard_by_all = [line for line in commentary.comment([*STANDOFFS, secret], "S1901M") if line.audience is None]
        assert heard_by_all == without.comment(STANDOFFS, "S1901M")


def test_the_secret_lines_of_all_seats_and_pairs_in_a_phase_have_constructions_of_their_own() -> None:
    """Each of the audiences says two things, in two rounds of messages; none knows of the others' lines."""
    commentary = Commentary("a")
    pairs = list(combinations(POWERS, 2))
    for number, phase in enumerate(("S1901M", "F1901M", "W1901A")):
        plans, pacts = [], []
        for about in range(2):
            lines = [
                Line("plan", {"a": "X", "text": "x"}, 0.5, (number, about), audience=frozenset({power}))
                for power in POWERS
            ]
            lines += [
                Line("pact_bound", {"powers": "X", "count": "two"}, 0.5, (number, about), audience=frozenset(pair))
                for pair in pairs
            ]
            told = commentary.comment(lines, phase)
            plans += [line.text for line in told if line.audience is not None and len(line.audience) == 1]
            pacts += [line.text for line in told if line.audience is not None and len(line.audience) == 2]
        assert len(set(plans)) == len(plans) == 2 * len(POWERS)
        assert len(set(pacts)) == len(pacts) == 2 * len(pairs)


UNSAID = ("promise", "promise_kept", "promise_broken")
"""Forms of facts on which the commentator says nothing."""


def test_every_form_has_constructions_that_differ_and_a_beat() -> None:
    for form, constructions in FORMS.items():
        assert len(set(constructions)) == len(constructions)
        assert form in HEADLINES or form in BEATS
        assert form in HEADLINES or form in UNSAID or len(constructions) > 1

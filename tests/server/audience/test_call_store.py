"""Calls: one a question, scored by Brier against the chances of their moment, in bounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grandstand.server.audience import call_store
from grandstand.server.audience.call_store import DAY, KEPT, RANKED, CallStore, belief

EVEN = {"yes": 0.5, "no": 0.5}


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[CallStore]:
    store = CallStore(tmp_path / "calls.db", clock)
    yield store
    store.close()


def test_a_call_states_what_lies_halfway_to_certainty() -> None:
    assert belief({"a": 0.2, "b": 0.5, "c": 0.3}, "a") == pytest.approx({"a": 0.6, "b": 0.25, "c": 0.15})


def test_a_call_stands(store: CallStore) -> None:
    assert store.call("v", "m", "q", "yes", EVEN) == "yes"
    assert store.call("v", "m", "q", "no", EVEN) == "yes"
    assert store.counts("m")["q"] == {"yes": 1}


def test_calls_are_scored_against_the_chances_of_their_moment(store: CallStore) -> None:
    store.call("early", "m", "q", "yes", {"yes": 0.2, "no": 0.8})
    store.call("late", "m", "q", "yes", {"yes": 0.8, "no": 0.2})
    store.score("m", "q", {"yes": 1.0})
    assert store.calls("early", "m")["q"].points == pytest.approx(100 * (0.64 - 0.16))
    assert store.calls("late", "m")["q"].points == pytest.approx(100 * (0.04 - 0.01))


def test_nobody_gains_on_average_by_calling_what_the_server_knows(store: CallStore) -> None:
    """At chances that are right, every call costs points on average: to gain, one has to know more."""
    for chance in (0.1, 0.5, 0.9):
        chances = {"yes": chance, "no": 1 - chance}
        for word in chances:
            own = belief(chances, word)
            worse = sum(p * ((own[each] - 1) ** 2 - (p - 1) ** 2) for each, p in chances.items())
            assert worse >= 0


def test_without_an_answer_nothing_counts(store: CallStore) -> None:
    store.call("v", "m", "q", "yes", EVEN)
    store.score("m", "q", {})
    assert store.calls("v", "m") == {}
    assert store.of("v") is None


def test_the_table_has_points_streaks_and_names(store: CallStore, clock: Clock) -> None:
    for n in range(RANKED):
        for viewer, word in (("good", "yes"), ("bad", "no")):
            store.call(viewer, "m", f"q{n}", word, EVEN)
        clock.now += 1
        store.score("m", f"q{n}", {"yes": 1.0} if n else {"no": 1.0})
    store.call("new", "m", "q9", "yes", EVEN)
    store.name("good", "Ada")
    good, bad = store.day()
    assert (good.viewer, good.name, good.calls, good.right, good.streak) == ("good", "Ada", RANKED, 4, 4)
    assert (bad.name, bad.right, bad.streak) == ("", 1, 0)
    assert good.points == pytest.approx(4 * 18.75 - 31.25)
    store.name("good", "")
    assert store.day()[0].name == ""
    clock.now += DAY
    assert store.day() == []


def test_calls_are_kept_for_two_days_and_in_number(
    store: CallStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.call("old", "m", "q", "yes", EVEN)
    store.name("old", "Old")
    clock.now += KEPT + 1
    monkeypatch.setattr(call_store, "MOST", 3)
    for n in range(5):
        clock.now += 1
        store.call("v", "m", f"q{n}", "yes", EVEN)
    store.prune()
    assert sorted(store.counts("m")) == ["q2", "q3", "q4"]
    assert store.open_matches() == ["m"]
    store.drop("m")
    assert store.counts("m") == {}

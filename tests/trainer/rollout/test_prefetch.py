"""Steps are played ahead with the version that the depth says, whatever is faster, and what goes wrong comes out."""

from __future__ import annotations

import threading

import pytest

from grandstand.trainer.rollout.prefetch import Prefetcher
from tests.support.waiting import PATIENCE, until


class Player:
    """Notes what it is to play, and waits where it is told to."""

    def __init__(self) -> None:
        self.played: list[tuple[int, int]] = []
        self.go = threading.Event()
        self.go.set()
        self.threads: set[str] = set()

    def __call__(self, step: int, version: int) -> None:
        self.threads.add(threading.current_thread().name)
        self.go.wait(PATIENCE)
        self.played.append((step, version))


@pytest.mark.parametrize("depth", [0, 1, 3])
@pytest.mark.parametrize("first", [1, 4])
def test_each_step_is_played_once_with_the_version_that_its_depth_says(depth: int, first: int) -> None:
    player, last = Player(), 8
    published = first - 1
    with Prefetcher(player, depth, first, last) as prefetcher:
        prefetcher.published(published)
        for step in range(first, last + 1):
            assert prefetcher.take(step) >= 0
            assert (
                player.played[step - first] == (step, max(0, step - 1 - depth)) == (step, prefetcher.version_of(step))
            )
            prefetcher.published(step)
        assert prefetcher.waiting == 0
    assert [step for step, _ in player.played] == list(range(first, last + 1))
    assert player.threads == {"rollouts_0"}


def test_no_more_is_begun_than_the_depth_says() -> None:
    player = Player()
    player.go.clear()
    with Prefetcher(player, 2, 1, 9) as prefetcher:
        prefetcher.published(0)
        assert prefetcher.waiting == 3
        player.go.set()
        prefetcher.take(1)
        assert prefetcher.waiting == 2
        prefetcher.published(1)
        assert prefetcher.waiting == 3


def test_a_step_is_played_while_another_is_learned_from() -> None:
    player = Player()
    with Prefetcher(player, 1, 1, 3) as prefetcher:
        prefetcher.published(0)
        prefetcher.take(1)
        assert until(lambda: len(player.played) == 2)
    assert player.played[1] == (2, 0)


def test_what_goes_wrong_in_the_thread_comes_out_where_the_step_is_taken() -> None:
    def play(step: int, version: int) -> None:
        if step == 2:
            raise ValueError("no such seat")

    with Prefetcher(play, 1, 1, 9) as prefetcher:
        prefetcher.published(0)
        assert prefetcher.take(1) >= 0
        with pytest.raises(ValueError, match="no such seat"):
            prefetcher.take(2)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("rollouts")]


def test_what_has_not_begun_is_not_played_when_the_run_breaks_off() -> None:
    player = Player()
    player.go.clear()

    def run() -> None:
        with Prefetcher(player, 5, 1, 9) as prefetcher:
            prefetcher.published(0)
            threading.Timer(0.05, player.go.set).start()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    assert len(player.played) <= 1


def test_nothing_is_played_where_no_step_is_left() -> None:
    player = Player()
    with Prefetcher(player, 1, 4, 3) as prefetcher:
        prefetcher.published(3)
        assert prefetcher.waiting == 0
    assert player.played == []

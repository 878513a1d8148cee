"""Results that came with the installation join those of the record, and count as they do."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest

from grandstand.server.reference.results import RESULT, RESULTS, ReferenceResults
from grandstand.server.results.finished_match import FinishedMatch
from grandstand.server.results.leaderboards import Leaderboards
from grandstand.server.results.match_results import KnownMatches, MatchResults, finished_match
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.summary import summary_of
from tests.support.trainer.league_record import ShortMatch, duel, record


def result_of(match: ShortMatch) -> FinishedMatch:
    events = match.events()
    result = finished_match(summary_of(events), events)
    assert result is not None
    return result


def folder_of(folder: Path, matches: Sequence[ShortMatch]) -> Path:
    """Write the results of `matches` as the reference in `folder`."""
    folder.mkdir()
    lines = [RESULT.validate_json(_as_reference(match)) for match in matches]
    text = b"".join(RESULT.dump_json(line, exclude_defaults=True) + b"\n" for line in lines)
    (folder / RESULTS).write_bytes(gzip.compress(text))
    return folder


def _as_reference(match: ShortMatch) -> bytes:
    known = RESULT.dump_python(result_of(match), mode="json") | {"reference": True}
    return RESULT.dump_json(RESULT.validate_python(known))


def results(record: Path, reference: Path, games: Sequence[str] = ("cricket",)) -> MatchResults:
    recorder = Recorder(record / "grandstand.db")
    return MatchResults(recorder, History(recorder), ReferenceResults(games, reference))


def known(results: MatchResults) -> KnownMatches:
    return asyncio.run(results.known())


def test_a_result_is_read_as_it_was_written() -> None:
    result = result_of(duel(1, "a", "b", seed=7))
    assert RESULT.validate_json(RESULT.dump_json(result, exclude_defaults=True)) == result


def test_own_matches_join_the_reference(tmp_path: Path) -> None:
    reference = folder_of(tmp_path / "reference", [duel(number, "a", "b", "came") for number in range(30)])
    new = results(tmp_path, reference)
    assert [match.reference for match in known(new).matches] == [True] * 30
    record(tmp_path, [duel(number, "b", "a") for number in range(5)])
    joined = results(tmp_path, reference)
    assert sum(match.reference for match in known(joined).matches) == 30
    assert len(known(joined).matches) == 35

    async def rated() -> tuple[int, float]:
        boards = Leaderboards(joined)
        sets = await boards.sets()
        [options] = sets.matches
        league = await boards.compute(sets, options, lambda board: board.league)
        [online] = (await joined.online()).values()
        return online.of("a").games, league.totals["a"].score.mean or 0.0

    games, score = asyncio.run(rated())
    assert games == 35
    assert score == pytest.approx(30 / 35)


def test_only_the_games_of_the_showcase_have_a_reference(tmp_path: Path) -> None:
    reference = folder_of(tmp_path / "reference", [duel(1, "a", "b", "came")])
    assert known(results(tmp_path, reference, ("diplomacy",))).matches == []
    assert known(results(tmp_path, reference, ())).matches == []


def test_the_same_match_again_is_a_repeat(tmp_path: Path) -> None:
    reference = folder_of(tmp_path / "reference", [duel(1, "a", "b", "came", seed=7)])
    record(tmp_path, [duel(1, "a", "b", "own", seed=7), duel(1, "a", "b", "new", seed=8)])
    found = known(results(tmp_path, reference))
    assert [match.episode_id for match in found.matches] == ["came-001", "new-001"]
    assert [match.episode_id for match in found.repeats] == ["own-001"]


@pytest.mark.parametrize("damage", [lambda text: text[:30], lambda _: gzip.compress(b"{}\n")], ids=["cut", "other"])
def test_a_damaged_file_is_logged_and_the_record_still_counts(
    tmp_path: Path, damage: object, caplog: pytest.LogCaptureFixture
) -> None:
    reference = folder_of(tmp_path / "reference", [duel(1, "a", "b", "came")])
    assert callable(damage)
    (reference / RESULTS).write_bytes(damage((reference / RESULTS).read_bytes()))
    record(tmp_path, [duel(1, "a", "b")])
    assert [match.episode_id for match in known(results(tmp_path, reference)).matches] == ["duel-001"]
    assert "cannot be read" in caplog.text

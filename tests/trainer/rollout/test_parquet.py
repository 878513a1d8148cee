"""The samples of a step, as they are written to Parquet."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.trainer.rollout import parquet
from grandstand.trainer.rollout.parquet import SCHEMA, forget, legal_hash, write
from grandstand.trainer.rollout.trajectories import PolicyDecision, Trajectory, TrajectoryGroup

ids = st.lists(st.integers(0, 2**31 - 1), max_size=6)
single = st.floats(-50, 0, width=32)
table = st.dictionaries(st.sampled_from(["centers", "units", "year"]), st.floats(-1e6, 1e6))
seats = st.dictionaries(st.sampled_from(["FRANCE", "ITALY", "TURKEY"]), st.floats(0, 1))


@st.composite
def decisions(draw: st.DrawFn, seq: int) -> PolicyDecision:
    completion = draw(ids)
    return PolicyDecision(
        seq=seq,
        index=draw(st.integers(0, 10**6)),
        version=draw(st.integers(0, 10**6)),
        temperature=draw(st.floats(0.1, 2)),
        prompt=draw(ids),
        completion=completion,
        logprobs=[draw(single) for _ in completion],
        allowed=[draw(ids) for _ in completion],
        features=draw(table),
        rewards=draw(table),
    )


@st.composite
def batches(draw: st.DrawFn) -> tuple[list[TrajectoryGroup], Any, Any]:
    groups, paid, better = [], [], []
    for number in range(draw(st.integers(0, 3))):
        of_group = [
            Trajectory(
                episode_id=f"run-s000012-g{number:03d}-f{fork:02d}",
                seat="FRANCE",
                policy="run",
                opponents={"ITALY": "dumbbot", "TURKEY": "run@v000003"},
                decisions=[draw(decisions(seq)) for seq in range(draw(st.integers(0, 3)))],
                final=draw(table),
                scores=draw(seats),
                masked=draw(st.integers(0, 5)),
            )
            for fork in range(draw(st.integers(1, 2)))
        ]
        groups.append(TrajectoryGroup(f"12/g{number:03d}/FRANCE", of_group))
        paid.append([[draw(st.floats(-100, 100)) for _ in item.decisions] for item in of_group])
        better.append([[draw(st.none() | st.floats(-10, 10)) for _ in item.decisions] for item in of_group])
    return groups, paid, better


def rows(path: Path) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = pq.read_table(path).to_pylist(maps_as_pydicts="strict")
    return result


@pytest.mark.long
@given(batch=batches())
def test_what_is_written_is_read_back(batch: tuple[Any, Any, Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("trajectories")
    groups, paid, better = batch
    path = write(folder, 12, *batch)
    assert path == folder / "step-000012.parquet"
    assert pq.read_schema(path).equals(SCHEMA)
    following = iter(rows(path))
    for group, of_group, gains in zip(groups, paid, better, strict=True):
        for trajectory, values, advantages in zip(group.trajectories, of_group, gains, strict=True):
            decision: PolicyDecision | None
            for decision, value, advantage in zip(
                trajectory.decisions or [None], values or [None], advantages or [None], strict=True
            ):
                assert next(following) == {
                    "step": 12,
                    "group": group.id,
                    "episode_id": trajectory.episode_id,
                    "seat": "FRANCE",
                    "policy": "run",
                    "opponents": trajectory.opponents,
                    "scores": trajectory.scores,
                    "final": trajectory.final,
                    "masked": trajectory.masked,
                    "version": decision and decision.version,
                    "seq": None if decision is None else decision.seq,
                    "index": decision and decision.index,
                    "temperature": decision and decision.temperature,
                    "prompt": decision and decision.prompt,
                    "completion": decision and decision.completion,
                    "logprobs": decision and decision.logprobs,
                    "legal": decision and [legal_hash(ids) for ids in decision.allowed],
                    "features": decision and decision.features,
                    "rewards": decision and decision.rewards,
                    "return": value,
                    "advantage": advantage,
                }
    assert next(following, None) is None


def test_the_hash_of_a_set_is_the_same_everywhere_and_always() -> None:
    assert legal_hash([]) == 0
    assert legal_hash([7, 300, 150_000]) == 0xA3E7EA256E871018
    assert legal_hash([300, 7, 150_000]) == legal_hash([7, 300, 150_000]), "it is of the set"


@given(
    first=st.sets(st.integers(0, 2**31 - 1), min_size=1, max_size=5), second=st.sets(st.integers(0, 300), min_size=1)
)
def test_other_sets_have_other_hashes(first: set[int], second: set[int]) -> None:
    assert (legal_hash(sorted(first)) == legal_hash(sorted(second))) == (first == second)
    assert 0 < legal_hash(sorted(first)) < 2**64


def test_parts_that_do_not_fit_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    decision = PolicyDecision(0, 0, 0, 1.0, [1], [2], [0.0], [[]], {})
    trajectory = Trajectory("e", "FRANCE", "run", {}, [decision], {}, {})
    groups = [TrajectoryGroup("g", [trajectory])]
    for paid, better in (([[[1.0, 2.0]]], [[[0.0]]]), ([[[1.0]]], [[[]]]), ([[]], [[[0.0]]]), ([], [])):
        with pytest.raises(ValueError, match="zip"):
            write(tmp_path, 1, groups, paid, better)
    assert list(tmp_path.iterdir()) == []
    write(tmp_path, 1, groups, [[[1.0]]], [[[0.5]]])
    assert [row["advantage"] for row in rows(tmp_path / "step-000001.parquet")] == [0.5]


def test_steps_that_come_again_are_forgotten(tmp_path: Path) -> None:
    for step in (1, 9, 10, 11, 100_000, 1_000_000):
        write(tmp_path, step, [], [], [])
    (tmp_path / "step-mine.parquet").touch()
    forget(tmp_path, 10)
    names = ["step-000001.parquet", "step-000009.parquet", "step-000010.parquet", "step-mine.parquet"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    forget(tmp_path / "nowhere", 0)


def test_every_column_is_documented() -> None:
    lines = [line.split("|")[1:3] for line in (parquet.__doc__ or "").splitlines() if line.startswith("| ")][1:]
    documented = {
        name.strip(): kind.split(",")[min(at, kind.count(","))].strip()
        for names, kind in lines
        for at, name in enumerate(names.split(","))
    }
    assert set(documented) == set(SCHEMA.names)
    for name, kind in documented.items():
        stored = str(SCHEMA.field(name).type)
        assert stored.split("<")[0] in (kind, "double" if kind == "float64" else kind.split()[0]), name
        if kind.startswith("list of"):
            assert kind.removeprefix("list of ").replace("float32", "float") in stored


def test_a_log_probability_keeps_its_single_precision(tmp_path: Path) -> None:
    exact, wide = struct.unpack("f", struct.pack("f", -0.1))[0], -0.1
    decision = PolicyDecision(0, 0, 0, 1.0, [1], [2, 3], [exact, wide], [[2, 3], [3, 4]], {})
    groups = [TrajectoryGroup("g", [Trajectory("e", "FRANCE", "run", {}, [decision], {}, {})])]
    (row,) = rows(write(tmp_path, 1, groups, [[[0.0]]], [[[0.0]]]))
    assert row["logprobs"] == [exact, exact]

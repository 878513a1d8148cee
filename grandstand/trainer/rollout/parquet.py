"""Write the decisions that were learned from to Parquet, for analysis: one file per step, one row per decision.

| column | type | what |
|---|---|---|
| step, group | int32, string | the training step; `step/group/seat`, the same for siblings |
| episode_id, seat | string | with `seq`, the address of the decision's TurnRecorded event |
| policy, version | string, int32 | the policy that decided |
| opponents, scores | map | seat -> player; seat -> score at the end of play |
| final | map | the trajectory's final reward components, unweighted |
| masked | int32 | choices in the whole trajectory that the policy did not make |
| seq, index | int64, int32 | number of the event, and of the turn in the match |
| temperature | float64 | the sampling temperature |
| prompt, completion | list of int32 | token ids |
| logprobs | list of float32 | of the completion's tokens, among the legal ones; 0 for a token without alternative |
| legal | list of uint64 | `legal_hash` of the legal ids at each token; 0 for a token without alternative |
| features | map | the game's numbers about the position before the choice |
| rewards | map | each component's unweighted reward until the seat's next decision |
| return, advantage | float64 | weighted and discounted; null for a decision without peers |

A trajectory without decisions of the policy has one row, in which the columns of a decision are null.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from grandstand.atomic import replace_file
from grandstand.trainer.rollout.trajectories import PolicyDecision, Trajectory, TrajectoryGroup

_NUMBERS = pa.map_(pa.string(), pa.float64())
SCHEMA = pa.schema(
    [
        pa.field("step", pa.int32(), nullable=False),
        pa.field("group", pa.string(), nullable=False),
        pa.field("episode_id", pa.string(), nullable=False),
        pa.field("seat", pa.string(), nullable=False),
        pa.field("policy", pa.string(), nullable=False),
        pa.field("opponents", pa.map_(pa.string(), pa.string()), nullable=False),
        pa.field("scores", _NUMBERS, nullable=False),
        pa.field("final", _NUMBERS, nullable=False),
        pa.field("masked", pa.int32(), nullable=False),
        pa.field("version", pa.int32()),
        pa.field("seq", pa.int64()),
        pa.field("index", pa.int32()),
        pa.field("temperature", pa.float64()),
        pa.field("prompt", pa.list_(pa.int32())),
        pa.field("completion", pa.list_(pa.int32())),
        pa.field("logprobs", pa.list_(pa.float32())),
        pa.field("legal", pa.list_(pa.uint64())),
        pa.field("features", _NUMBERS),
        pa.field("rewards", _NUMBERS),
        pa.field("return", pa.float64()),
        pa.field("advantage", pa.float64()),
    ],
    metadata={"format": "grandstand trajectories 1"},
)
_FILE = re.compile(r"step-(\d{6,})\.parquet")


def legal_hash(ids: Sequence[int]) -> int:
    """Return a stable 64-bit hash of a set of token ids; 0 for none.

    It is BLAKE2b of the ascending ids as little-endian int32, in eight bytes.
    """
    if not ids:
        return 0
    packed = b"".join(token.to_bytes(4, "little") for token in sorted(ids))
    return int.from_bytes(hashlib.blake2b(packed, digest_size=8).digest(), "little")


def write(
    folder: Path,
    step: int,
    groups: Sequence[TrajectoryGroup],
    returns: Sequence[Sequence[Sequence[float]]],
    advantages: Sequence[Sequence[Sequence[float | None]]],
) -> Path:
    """Write the decisions of a step. `returns` and `advantages` are [group][trajectory][decision].

    The file is written atomically. Raises ValueError if the arguments do not fit each other.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"step-{step:06d}.parquet"
    table = pa.Table.from_pylist(list(_rows(step, groups, returns, advantages)), schema=SCHEMA)
    with replace_file(path) as part:
        pq.write_table(table, part, compression="zstd")
    return path


def forget(folder: Path, after: int) -> None:
    """Delete the files of the steps after `after`, which are to be taken again."""
    for path in folder.glob("step-*.parquet"):
        if (match := _FILE.fullmatch(path.name)) and int(match[1]) > after:
            path.unlink()


def _rows(
    step: int,
    groups: Sequence[TrajectoryGroup],
    returns: Sequence[Sequence[Sequence[float]]],
    advantages: Sequence[Sequence[Sequence[float | None]]],
) -> Iterator[dict[str, Any]]:
    for group, of_group, better in zip(groups, returns, advantages, strict=True):
        for trajectory, values, gains in zip(group.trajectories, of_group, better, strict=True):
            whole = {"step": step, "group": group.id, **_trajectory(trajectory)}
            for decision, value, gain in zip(trajectory.decisions, values, gains, strict=True):
                yield {**whole, **_decision(decision), "return": value, "advantage": gain}
            if not trajectory.decisions:
                yield whole


def _trajectory(trajectory: Trajectory) -> dict[str, Any]:
    return {
        "episode_id": trajectory.episode_id,
        "seat": trajectory.seat,
        "policy": trajectory.policy,
        "opponents": dict(trajectory.opponents),
        "scores": dict(trajectory.scores),
        "final": dict(trajectory.final),
        "masked": trajectory.masked,
    }


def _decision(decision: PolicyDecision) -> dict[str, Any]:
    return {
        "version": decision.version,
        "seq": decision.seq,
        "index": decision.index,
        "temperature": decision.temperature,
        "prompt": list(decision.prompt),
        "completion": list(decision.completion),
        "logprobs": list(decision.logprobs),
        "legal": [legal_hash(ids) for ids in decision.allowed],
        "features": dict(decision.features),
        "rewards": dict(decision.rewards),
    }

"""What was learned from, kept for analysis: one Parquet file per step, one row per turn.

| column | type | what |
|---|---|---|
| step, group | int32, string | when it was learned from; `step/group/seat`, the same for siblings |
| episode_id, seat | string | whose turn it was; with `seq` the address of the turn's TurnRecorded event |
| policy, version | string, int32 | who chose |
| opponents, scores | map | seat -> player; seat -> score where play stopped |
| final | map | the trajectory's final reward components, unweighted |
| masked | int32 | choices of the seat that were not the policy's, in the whole trajectory |
| seq, index | int64, int32 | number of the event, and of the turn in the match |
| temperature | float64 | at which it was sampled |
| prompt, completion | list of int32 | token ids |
| logprobs | list of float32 | of the completion's tokens, among the legal ones; 0 where there was no alternative |
| legal | list of uint64 | `legal_hash` of the ids that were legal at each token; 0 where there was no alternative |
| features | map | the game's numbers about the position before the choice |
| rewards | map | what each component brought until the seat's next turn, unweighted |
| return, advantage | float64 | weighted and discounted; null where the turn had nothing to be compared with |

A trajectory without a turn of the policy's has one row, in which all that is a turn's is null.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from grandstand.trainer.atomic import replaced
from grandstand.trainer.trajectories import Trajectory, TrajectoryGroup, Turn

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
    """A number from 0 to 2^64 - 1 for a set of token ids, the same everywhere and always; 0 for none.

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
    """Keep what a step learned from. `returns` and `advantages` are [group][trajectory][turn].

    The file is there whole or not at all. Raises ValueError where the parts do not fit each other.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"step-{step:06d}.parquet"
    table = pa.Table.from_pylist(list(_rows(step, groups, returns, advantages)), schema=SCHEMA)
    with replaced(path) as part:
        pq.write_table(table, part, compression="zstd")
    return path


def forget(folder: Path, after: int) -> None:
    """Drop the files of the steps after `after`: they come again."""
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
            for turn, value, gain in zip(trajectory.turns, values, gains, strict=True):
                yield {**whole, **_turn(turn), "return": value, "advantage": gain}
            if not trajectory.turns:
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


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "version": turn.version,
        "seq": turn.seq,
        "index": turn.index,
        "temperature": turn.temperature,
        "prompt": list(turn.prompt),
        "completion": list(turn.completion),
        "logprobs": list(turn.logprobs),
        "legal": [legal_hash(ids) for ids in turn.allowed],
        "features": dict(turn.features),
        "rewards": dict(turn.rewards),
    }

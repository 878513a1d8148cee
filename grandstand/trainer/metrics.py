"""Write a run's metrics to its own file, TensorBoard and the trackers that the settings name.

`metrics.jsonl` gets a line as soon as a step is over, and so outlives a kill; `metrics.parquet` is written from it with
every checkpoint and at the end. A run that continues from step k drops the lines of later steps.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

import pyarrow as pa
import pyarrow.parquet as pq
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from grandstand.atomic import replace_file
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.metric_aliases import with_aliases, with_present_names

LINES, PARQUET, TENSORBOARD = "metrics.jsonl", "metrics.parquet", "tensorboard"
"""Their names in a run's folder."""
PROJECT = "grandstand"
"""The project under which trackers file a run."""
TRACKERS = ("trackio", "wandb")

MetricsRow = dict[str, float]
"""The metrics of a step by name, and `step`."""


class StepMetrics(NamedTuple):
    """A step of a run and its metrics by name. It makes the version of the policy with the same number."""

    step: int
    metrics: Mapping[str, float]

    @classmethod
    def of(cls, row: MetricsRow) -> Self:
        """Return the step of a row."""
        return cls(int(row["step"]), {name: value for name, value in row.items() if name != "step"})


class MetricsError(ValueError):
    """Metrics that cannot be written as the settings ask; the message names the setting or file, and the remedy."""


class Sink(Protocol):
    """A destination of metrics."""

    def log(self, step: int, values: Mapping[str, float]) -> None: ...

    def save(self) -> None:
        """Write everything to disk."""

    def close(self) -> None: ...


class MetricsWriter:
    """All the sinks of a run.

    >>> with MetricsWriter(folder, config) as metrics:
    ...     metrics.log(1, {"kl/mean": 0.01})
    """

    def __init__(self, folder: Path, config: TrainConfig, after: int | None = None) -> None:
        """`after` is the step from whose checkpoint the run continues. Raises MetricsError."""
        if missing := [name for name in TRACKERS if getattr(config.metrics, name) and find_spec(name) is None]:
            raise MetricsError(
                f"metrics.{missing[0]}: it is not installed; pip install {missing[0]}, or set it to false"
            )
        folder.mkdir(parents=True, exist_ok=True)
        self._aliases = config.metrics.aliases
        self._sinks: list[Sink] = [MetricsTable(folder, after)]
        if config.metrics.tensorboard:
            self._sinks.append(TensorBoard(folder / TENSORBOARD, after))
        self._sinks += [Tracker(name, folder, config) for name in TRACKERS if getattr(config.metrics, name)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Log the metrics of a step. Call it once for each step, in order."""
        if self._aliases:
            values = with_aliases(values)
        for sink in self._sinks:
            sink.log(step, values)

    def save(self) -> None:
        """Write everything to disk. Call it before the checkpoint of a step is written, which relies on it."""
        for sink in self._sinks:
            sink.save()

    def close(self) -> None:
        for sink in self._sinks:
            sink.close()


class MetricsTable:
    """The run's own record of its metrics."""

    def __init__(self, folder: Path, after: int | None = None) -> None:
        """Keep the lines up to step `after`; none if it is None."""
        self._folder = folder
        rows = [] if after is None else [row for row in read_lines(folder) if row["step"] <= after]
        with replace_file(folder / LINES) as part:
            part.write_text("".join(_line(row) for row in rows), "utf-8")
        self._file = (folder / LINES).open("a", encoding="utf-8")
        self._last = rows[-1]["step"] if rows else -1

    def log(self, step: int, values: Mapping[str, float]) -> None:
        if step <= self._last:
            raise MetricsError(f"{LINES}: step {step} was told already; the last one was {self._last:g}")
        self._last = step
        self._file.write(_line({"step": step, **values}))
        self._file.flush()

    def save(self) -> None:
        os.fsync(self._file.fileno())
        rows = read_lines(self._folder)
        names = sorted({name for row in rows for name in row} - {"step"})
        columns = {name: pa.array([_number(row, name) for row in rows], pa.float64()) for name in names}
        steps = pa.array([int(row["step"]) for row in rows], pa.int64())
        with replace_file(self._folder / PARQUET) as part:
            pq.write_table(pa.table({"step": steps, **columns}), part)

    def close(self) -> None:
        if not self._file.closed:
            with self._file:
                self.save()


def read_lines(folder: Path) -> list[MetricsRow]:
    """Return the metrics logged so far, step by step, without a line that a kill cut short. Raises MetricsError."""
    path = folder / LINES
    if not path.is_file():
        return []
    rows: list[MetricsRow] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(keepends=True), 1):
        if line.endswith("\n"):
            try:
                rows.append(with_present_names(json.loads(line)))
            except json.JSONDecodeError as error:
                raise MetricsError(f"{path}: line {number} is no JSON: {error}; remove it to go on") from None
    return rows


def _number(row: MetricsRow, name: str) -> float | None:
    return float(row[name]) if name in row else None


def _line(row: Mapping[str, float]) -> str:
    return json.dumps(row, separators=(",", ":")) + "\n"


class TensorBoard:
    """TensorBoard's event files. A run that continues purges what an earlier process logged of later steps."""

    def __init__(self, folder: Path, after: int | None = None) -> None:
        # Files are read in the order of their names, which begin with the second that they were made in.
        while any(folder.glob(f"events.out.tfevents.{int(time.time())}.*")):
            time.sleep(0.05)
        self._writer = EventFileWriter(str(folder))
        start = SessionLog(status=SessionLog.START)
        self._writer.add_event(Event(wall_time=time.time(), step=0 if after is None else after + 1, session_log=start))

    def log(self, step: int, values: Mapping[str, float]) -> None:
        tags = [Summary.Value(tag=name, simple_value=value) for name, value in values.items()]
        self._writer.add_event(Event(wall_time=time.time(), step=step, summary=Summary(value=tags)))
        self._writer.flush()

    def save(self) -> None: ...

    def close(self) -> None:
        self._writer.close()


class Tracker:
    """trackio or wandb, which have the same interface. Neither can drop a step: if a step was logged before a kill and
    is logged again, trust the run's own table."""

    def __init__(self, name: str, folder: Path, config: TrainConfig) -> None:
        self._module: Any = import_module(name)
        options: dict[str, Any] = {"project": PROJECT, "config": config.values(), "resume": "allow"}
        if name == "wandb":
            options |= {"name": config.run.name, "id": _tracker_id(folder), "dir": str(folder)}
        else:
            options |= {"name": f"{config.run.name}-{_tracker_id(folder)}"}
        self._module.init(**options)

    def log(self, step: int, values: Mapping[str, float]) -> None:
        self._module.log(dict(values), step=step)

    def save(self) -> None: ...

    def close(self) -> None:
        self._module.finish()


def _tracker_id(folder: Path) -> str:
    """Return the run's id at trackers, which stays the same when it resumes."""
    path = folder / "tracker-id"
    if not path.is_file():
        path.write_text(uuid.uuid4().hex[:8], "utf-8")
    return path.read_text("utf-8")

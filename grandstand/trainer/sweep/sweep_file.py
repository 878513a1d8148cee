"""Read the file of a sweep: its question, its arms and seeds, and the criteria by which it is decided.

Everything is checked: unknown fields are refused, and every error names the field and the remedy. A file may begin with
`extends: common.yaml`, a file in the same folder; tables are merged, and other values replace those of that file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from grandstand.campaigns.processes import Runner
from grandstand.trainer.config.settings import merged
from grandstand.trainer.config.yaml_file import YamlError, read_yaml
from grandstand.trainer.sweep.interpolation import InterpolationError, interpolated
from grandstand.trainer.sweep.metric import Measured, MetricError, Version, parse_metric

Direction = Literal["greater", "less", "not_less", "not_greater", "equivalent"]
Settings = Mapping[str, Any]
"""Sections of a run's settings, as in its file."""
MOST_FACTORS = 3
_NAME = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$"


class SweepError(ValueError):
    """An invalid sweep; the message has one line for each fault, with file, field and remedy."""


class SweepSection(BaseModel):
    """A part of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)


class Metadata(SweepSection):
    """The question of the sweep."""

    name: str = Field(pattern=_NAME)
    title: str = ""
    description: str = ""
    hypothesis: str = Field(min_length=1)
    created: str = ""
    author: str = ""
    notes: tuple[str, ...] = ()
    """Remarks: the meaning of names, and questions that the sweep cannot answer."""


class Scale(SweepSection):
    """Settings and parameters of one size of the experiment."""

    config: Settings = {}
    parameters: Mapping[str, Any] = {}


class Arm(SweepSection):
    """One variant of the settings, run with every seed."""

    name: str = Field(min_length=1)
    description: str = ""
    config: Settings = {}
    starts_from: str = ""
    """The arm with whose policy a run of the same seed begins."""


class Factor(SweepSection):
    """Settings that half of the arms of a factorial design have."""

    description: str = ""
    config: Settings = Field(min_length=1)


class MeasureSettings(SweepSection):
    """The measurements after a run, in situations that are used for nothing else."""

    games: int = Field(default=140, ge=20)
    """Situations for each of `against`; the same ones in every arm, for each seed."""
    against: tuple[str, ...] = ("base",)
    """The players of the other seats: base, field, or a bot."""
    versions: tuple[Version, ...] = ("last",)
    select: str = "eval/vs_base/gain"
    """Metric of the run's own evaluations by which `best` is chosen."""


class Criterion(SweepSection):
    """A comparison that decides whether a claim holds."""

    name: str = Field(min_length=1)
    metric: str
    arm: str = ""
    against: str | float | None = None
    """Another arm, or a number."""
    effect: str | tuple[str, str] = ""
    """Of a factorial design: a factor's main effect, or the interaction of two, instead of `arm` and `against`."""
    direction: Direction
    least_effect: float = Field(gt=0)
    """The least difference that would matter, in the metric's unit."""
    alpha: float = Field(default=0.05, gt=0, le=0.2)

    @model_validator(mode="after")
    def _sides(self) -> Self:
        if bool(self.effect) == bool(self.arm) or bool(self.arm) != (self.against is not None):
            raise ValueError("compare an arm with another (arm and against), or name an effect of factors")
        return self


class AnalysisSettings(SweepSection):
    """The numbers of the report, and the criteria."""

    primary_metric: str
    secondary_metrics: tuple[str, ...] = ()
    success_criteria: tuple[Criterion, ...] = Field(min_length=1)

    @property
    def metrics(self) -> list[str]:
        """Return every metric of the report once, the primary one first."""
        used = [self.primary_metric, *self.secondary_metrics, *(item.metric for item in self.success_criteria)]
        return list(dict.fromkeys(used))


class RunnerSettings(Runner):
    """The command that executes `grandstand ARGUMENTS`, where, and how many at a time."""

    jobs: int = Field(default=1, ge=1, le=64)


class SweepFile(SweepSection):
    """A sweep, as its file has it."""

    metadata: Metadata
    parameters: Mapping[str, Any] = {}
    scale: str = ""
    """Name of the scale that was chosen."""
    defaults: Settings = {}
    runs: Mapping[str, Arm] = {}
    factors: Mapping[str, Factor] = {}
    baseline: str = ""
    """The arm from which the others' differences are told; the first by default."""
    seeds: tuple[Annotated[int, Field(ge=0)], ...] = Field(default=(1, 2, 3), min_length=2)
    looks: tuple[Annotated[int, Field(ge=2)], ...] = ()
    """Numbers of seeds after which the sweep may end, if every criterion is decided. The last is all of them."""
    matched: Literal["none", "samples", "compute"] = "none"
    measure: MeasureSettings = MeasureSettings()
    analysis: AnalysisSettings
    runner: RunnerSettings = RunnerSettings()

    @property
    def arms(self) -> dict[str, Arm]:
        """Return the arms by id; those of a factorial design are A (no factor), B (the first), C (the second), …"""
        if not self.factors:
            return dict(self.runs)
        arms = {}
        for number, on in enumerate(self.factor_levels):
            config: dict[str, Any] = {}
            for factor in on:
                config = merged(config, self.factors[factor].config)
            arms[ascii_uppercase[number]] = Arm(name=" + ".join(on) or "neither", config=config)
        return arms

    @property
    def factor_levels(self) -> list[tuple[str, ...]]:
        """Return the factors that each arm of a factorial design has, in the order of the arms."""
        names = list(self.factors)
        levels = product((False, True), repeat=len(names))
        return [tuple(name for name, on in zip(names, reversed(level), strict=True) if on) for level in levels]

    @property
    def first_arm(self) -> str:
        return self.baseline or next(iter(self.arms))

    @property
    def all_looks(self) -> tuple[int, ...]:
        """Return the numbers of seeds at which the criteria are decided."""
        return self.looks or (len(self.seeds),)

    @model_validator(mode="after")
    def _together(self) -> Self:
        if lines := list(self._faults()):
            raise ValueError("\n".join(lines))
        return self

    def _faults(self) -> Iterator[str]:
        if bool(self.runs) == bool(self.factors):
            yield "runs: give either the arms as `runs`, or the `factors` of a factorial design"
            return
        if len(self.factors) > MOST_FACTORS:
            yield f"factors: {len(self.factors)} are too many; a design has {MOST_FACTORS} at most"
            return
        arms = self.arms
        if self.baseline and self.baseline not in arms:
            yield f"baseline: there is no arm {self.baseline!r}; there are {', '.join(arms)}"
        if len(set(self.seeds)) < len(self.seeds):
            yield "seeds: a seed is there twice; remove one"
        looks = self.looks
        if looks and (sorted(set(looks)) != list(looks) or looks[-1] != len(self.seeds)):
            yield f"looks: they must rise, and end with the number of seeds, {len(self.seeds)}"
        for name, arm in self.runs.items():
            if arm.starts_from and arm.starts_from not in list(self.runs)[: list(self.runs).index(name)]:
                yield f"runs.{name}.starts_from: {arm.starts_from!r} is no arm above this one"
        yield from self._criteria(arms)

    def _criteria(self, arms: Mapping[str, Arm]) -> Iterator[str]:
        for metric in self.analysis.metrics:
            try:
                parsed = parse_metric(metric)
            except MetricError as error:
                yield f"analysis: {error}"
                continue
            if isinstance(parsed, Measured):
                yield from self._measured(metric, parsed)
        for number, criterion in enumerate(self.analysis.success_criteria):
            key = f"analysis.success_criteria.{number}"
            for side in (criterion.arm, criterion.against):
                if isinstance(side, str) and side and side not in arms:
                    yield f"{key}: there is no arm {side!r}; there are {', '.join(arms)}"
            if criterion.arm and criterion.arm == criterion.against:
                yield f"{key}.against: {criterion.arm} is compared with itself; name another arm, or a number"
            for factor in (criterion.effect,) if isinstance(criterion.effect, str) else criterion.effect:
                if factor and factor not in self.factors:
                    yield f"{key}.effect: there is no factor {factor!r}; there are {', '.join(self.factors) or 'none'}"

    def _measured(self, metric: str, parsed: Measured) -> Iterator[str]:
        if parsed.version not in self.measure.versions:
            yield f"analysis: {metric} needs measure.versions with {parsed.version!r}; add it"
        if parsed.against not in self.measure.against:
            yield f"analysis: {metric} needs measure.against with {parsed.against!r}; add it"


_NAMED: dict[str, type[BaseModel]] = {"runs": Arm, "factors": Factor}


def read_sweep(path: Path, scale: str = "") -> SweepFile:
    """Return the sweep of a file at one of its scales, the first by default. Raises SweepError."""
    data = _read(path, ())
    scales = data.pop("scales", {})
    if not isinstance(scales, Mapping):
        raise SweepError(f"{path}: scales: it takes a table of names and scales")
    if scale and scale not in scales:
        raise SweepError(f"{path}: scales: there is no {scale!r}; there are {', '.join(scales) or 'none'}")
    if scales:
        data = _scaled(data, scales, scale or next(iter(scales)), path)
    try:
        return SweepFile.model_validate(interpolated(data), strict=False)
    except InterpolationError as error:
        raise SweepError(f"{path}: {error}") from None
    except ValidationError as error:
        lines = [line for detail in error.errors(include_url=False) for line in _explained(detail)]
        raise SweepError("\n".join(f"{path}: {line}" for line in lines)) from None


def _scaled(data: Mapping[str, Any], scales: Settings, name: str, path: Path) -> dict[str, Any]:
    """Return the data with the settings and parameters of a scale below its own settings and above its parameters."""
    try:
        scale = Scale.model_validate(scales[name])
    except ValidationError as error:
        lines = [line for detail in error.errors(include_url=False) for line in _explained(detail, Scale)]
        raise SweepError("\n".join(f"{path}: scales.{name}.{line}" for line in lines)) from None
    return {
        **data,
        "scale": name,
        "parameters": {**data.get("parameters", {}), **scale.parameters},
        "defaults": merged(scale.config, data.get("defaults", {})),
    }


def _read(path: Path, above: Sequence[Path]) -> dict[str, Any]:
    if path in above:
        raise SweepError(f"{path}: extends: it extends itself, through {' and '.join(map(str, above))}")
    try:
        data = read_yaml(path.read_text("utf-8"))
    except OSError as error:
        raise SweepError(f"{path}: cannot be read: {error.strerror}; name the file of a sweep") from None
    except (YamlError, UnicodeDecodeError) as error:
        raise SweepError(f"{path}: {error}") from None
    extended = data.pop("extends", None)
    if extended is None:
        return data
    if not isinstance(extended, str):
        raise SweepError(f"{path}: extends: it takes the name of a file in the same folder, not {extended!r}")
    return _deep(_read(path.parent / extended, (*above, path)), data)


def _deep(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return both tables as one, table by table."""
    out = dict(below)
    for name, value in above.items():
        both = isinstance(value, Mapping) and isinstance(out.get(name), Mapping)
        out[name] = _deep(out[name], value) if both else value
    return out


def _explained(error: Any, model: type[BaseModel] = SweepFile) -> Iterator[str]:
    """Yield one of pydantic's errors in the project's words, one line for each problem."""
    loc = [str(part) for part in error["loc"]]
    key = ".".join(loc)
    if error["type"] == "extra_forbidden":
        yield f"{key}: there is no such field; there are {', '.join(_section(loc[:-1], model).model_fields)}"
    elif error["type"] == "missing":
        yield f"{key}: it is missing; set it"
    elif error["type"] == "value_error":
        for line in error["msg"].removeprefix("Value error, ").split("\n"):
            yield f"{key}.{line}" if key and line.split(":")[0].isidentifier() else f"{key}: {line}" if key else line
    else:
        yield f"{key}: {error['input']!r} will not do: {error['msg'][0].lower()}{error['msg'][1:]}"


def _section(loc: Sequence[str], model: type[BaseModel]) -> type[BaseModel]:
    """Return the model of the section at a place in the file."""
    for part in loc:
        if part in _NAMED:
            model = _NAMED[part]
        elif part == "success_criteria":
            model = Criterion
        elif part in model.model_fields:
            inner = model.model_fields[part].annotation
            model = inner if isinstance(inner, type) and issubclass(inner, BaseModel) else model
    return model

"""Read a run's settings from a preset or a file (TOML or YAML), with `--set` overrides.

A file may begin with `extends = "nano-diplomacy"` (a preset, or a file in the same folder). Sections are merged; a
setting, tables included, replaces the one of the extended file. Settings that have been renamed are still read by their
old names (`RENAMED`), and those that have been removed (`REMOVED`) are accepted with the value that is
now fixed, so that older files and saved runs stay readable.
"""

from __future__ import annotations

import json
import logging
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from grandstand.atomic import replace_file
from grandstand.trainer.config.checks import complaints
from grandstand.trainer.config.settings import TrainConfig, merged, section_of
from grandstand.trainer.config.table import takes

log = logging.getLogger(__name__)

PRESETS = Path(__file__).parents[1] / "presets"
SAVED = "config.toml"
"""File in a run's folder that holds all its settings."""
RECORD = "record.db"
"""File in a run's folder that holds its matches and its own episode."""
RENAMED = {
    "optimiser": "optimizer",
    "game.heroes": "game.trained_seats",
    "game.hero": "game.only_seat",
    "advantage.normalise": "advantage.normalize",
    "advantage.batch_normalise": "advantage.batch_normalize",
}
"""Old name of a section or setting -> its present name."""
REMOVED: Mapping[str, Any] = {
    "run.keep_checkpoints": 3,
    "league.power": 2.0,
    "league.width": 150.0,
    "league.margin": 0.1,
    "league.rated_matches": 400,
    "advantage.min_std": 1e-6,
    "advantage.min_group": 2,
    "kl.horizon": 10,
    "kl.beta_min": 0.001,
    "kl.beta_max": 0.5,
    "sampler.vllm.host": "127.0.0.1",
    "sampler.vllm.port": 0,
    "sampler.vllm.start_seconds": 900.0,
    "sampler.vllm.max_loras": 4,
    "sampler.vllm.cpu_cache": 1,
    "backend.wait_seconds": 300.0,
    "health.kl_max": 10.0,
    "health.grad_norm": 50.0,
    "health.clip_fraction": 0.6,
    "health.skip_rate": 0.8,
    "health.valid_share": 0.95,
    "health.failed_share": 0.01,
}
"""Removed setting -> its value, which is a constant now. A file may still state that value."""
FORMS = ("number", "points", "table", "word")
"""Names in pydantic's errors of the alternative types of a setting."""
SMOKE: dict[str, Any] = {
    "run": {"steps": 1, "checkpoint_every": 1, "eval_every": 1, "eval_games": 2},
    "policy": {"model": "nano", "device": "cpu", "dtype": "float32", "attention": "sdpa"},
    "clone": {"games": 2, "epochs": 1, "horizon": 1.0, "holdout": 0.3},
    "rollout": {"groups": 2, "samples": 4, "horizon": 1.0, "long_horizon": 1.0, "warmup": 2},
    "optimizer": {"epochs": 1, "max_logprob_gap": 1e-4},
    "sampler": {"engine": "torch"},
}
"""Overrides for a smoke test: one minimal step of every part, on the built-in policy."""


class ConfigError(ValueError):
    """Invalid settings; the message has one line for each, with file, key and remedy."""


def presets() -> list[str]:
    """Return the names of the built-in configurations."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def load(source: str | Path, overrides: Sequence[str] = (), *, smoke: bool = False) -> TrainConfig:
    """Return the settings of a preset or a file, with each `section.key=value` of `overrides` applied.

    With `smoke`, reduce the run to a minimal one under a name of its own. Raises ConfigError.
    """
    data = _read(_path(str(source), Path()), ())
    for text in overrides:
        _override(data, text)
    if smoke:
        name = data.get("run", {}).get("name", "run") if isinstance(data.get("run", {}), dict) else "run"
        data = merged(data, merged(SMOKE, {"run": {"name": f"{name}-smoke"}}))
    return make(data, str(source))


def save(config: TrainConfig, folder: Path) -> None:
    """Save a run's settings in its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with replace_file(folder / SAVED) as part:
        part.write_text(config.resolved(), "utf-8")


def make(data: Mapping[str, Any], where: str) -> TrainConfig:
    """Return the settings in the data of a file; `where` names it in errors. Raises ConfigError."""
    data, lines = _without_removed(data)
    try:
        config = TrainConfig.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        lines += [line for detail in error.errors(include_url=False) for line in _explained(detail)]
    else:
        lines += complaints(config)
        if not lines:
            return config
    raise ConfigError("\n".join(f"{where}: {line}" for line in lines))


def _without_removed(data: Mapping[str, Any], prefix: str = "") -> tuple[dict[str, Any], list[str]]:
    """Return the data without the settings that have been removed, and a line for each that has another value."""
    left: dict[str, Any] = {}
    lines: list[str] = []
    for name, value in data.items():
        key = prefix + name
        if key in REMOVED:
            if value != REMOVED[key]:
                fixed, stated = json.dumps(REMOVED[key]), json.dumps(value, default=str)
                lines.append(f"{key}: the setting was removed; its value is always {fixed}, not {stated}. Leave it out")
        elif isinstance(value, Mapping):
            left[name], inner = _without_removed(value, f"{key}.")
            lines += inner
        else:
            left[name] = value
    return left, lines


def _path(source: str, beside: Path) -> Path:
    if source in presets():
        return PRESETS / f"{source}.toml"
    path = beside / source
    if path.is_file():
        return path
    raise ConfigError(f"{source}: no such file or preset; presets are {', '.join(presets())}")


def _read(path: Path, above: Sequence[Path]) -> dict[str, Any]:
    if path in above:
        raise ConfigError(f"{path}: it extends itself, through {' and '.join(str(file) for file in above)}")
    try:
        text = path.read_text("utf-8")
        data = _yaml(text, path) if path.suffix in (".yaml", ".yml") else tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}; name a readable file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: invalid TOML: {error}") from None
    return extended(data, path, above)


def extended(data: Mapping[str, Any], path: Path, above: Sequence[Path] = ()) -> dict[str, Any]:
    """Return the data of the file at `path` over the preset or the file that it extends. Raises ConfigError."""
    own = _with_present_names(data, str(path))
    source = own.pop("extends", None)
    if source is None:
        return own
    if not isinstance(source, str):
        raise ConfigError(f"{path}: extends: it takes the name of a preset or a file, not {source!r}")
    return merged(_read(_path(source, path.parent), (*above, path)), own)


def _with_present_names(data: Mapping[str, Any], where: str, prefix: str = "") -> dict[str, Any]:
    """Return the data of a file with old names replaced by the present ones. Raises ConfigError for a duplicate."""
    renamed: dict[str, Any] = {}
    for name, value in data.items():
        present = _present_name(prefix + name, where).removeprefix(prefix)
        if present != name and present in data:
            raise ConfigError(f"{where}: {prefix}{name}: it is the old name of {prefix}{present}, set too; remove it")
        is_section = not prefix and isinstance(value, Mapping)
        renamed[present] = _with_present_names(value, where, f"{present}.") if is_section else value
    return renamed


def _present_name(key: str, where: str) -> str:
    """Return the present name of a dotted key, with a warning where it has been renamed."""
    for old, new in RENAMED.items():
        if key == old or key.startswith(f"{old}."):
            _warn_renamed(where, old, new)
            return new + key.removeprefix(old)
    return key


@lru_cache
def _warn_renamed(where: str, old: str, new: str) -> None:
    """Log that a setting has been renamed, once for each file."""
    log.warning("%s: %s is now called %s; please rename it", where, old, new)


def _yaml(text: str, path: Path) -> dict[str, Any]:
    if find_spec("yaml") is None:
        raise ConfigError(f"{path}: to read YAML, pip install pyyaml (it is part of 'grandstand[train]'); or use TOML")
    from grandstand.trainer.config.yaml_file import YamlError, read_yaml

    try:
        return read_yaml(text)
    except YamlError as error:
        raise ConfigError(f"{path}: {error}") from None


def _override(data: dict[str, Any], text: str) -> None:
    """Put `section.key=value` into the data; the value is JSON, or else plain text."""
    key, separator, raw = text.partition("=")
    path = _present_name(key.strip(), "--set").split(".")
    if not separator or not all(path):
        raise ConfigError(f"--set: {text!r} is not section.key=value")
    try:
        value = json.loads(raw)
    except json.JSONDecodeError:
        value = raw
    for part in path[:-1]:
        data[part] = dict(data[part]) if isinstance(data.get(part), dict) else {}
        data = data[part]
    data[path[-1]] = value


def _explained(error: Any) -> Iterator[str]:
    """Yield one of pydantic's errors in the project's words, one line for each problem."""
    field, key, model = _at(error["loc"])
    if error["type"] == "extra_forbidden":
        yield f"{key}: there is no such setting; {_instead(str(error['loc'][-1]), model)}"
    elif error["type"] == "value_error":
        for line in error["msg"].removeprefix("Value error, ").split("\n"):
            yield f"{key}: {line}" if key else line
    elif field is not None:
        parts = [part for part in error["loc"][key.count(".") + 1 :] if part not in FORMS]
        entry = "" if error["type"] == "missing" else "".join(f".{part}" for part in parts)
        pattern = f" that matches {error['ctx']['pattern']}" if error["type"] == "string_pattern_mismatch" else ""
        whole = key if entry else "it"
        yield f"{key}{entry}: {error['input']!r} will not do; {whole} takes {takes(field)}{pattern}"
    else:
        yield f"{key or 'the file'}: it takes a table of settings: {', '.join(model.model_fields)}"


def _at(loc: Sequence[str | int]) -> tuple[FieldInfo | None, str, type[BaseModel]]:
    """Return (the invalid setting or None for a section, its dotted key, the section that it is or should be in)."""
    model: type[BaseModel] = TrainConfig
    for depth, part in enumerate(loc):
        inner = section_of(model, str(part))
        if inner is None:
            return model.model_fields.get(str(part)), ".".join(map(str, loc[: depth + 1])), model
        model = inner
    return None, ".".join(map(str, loc)), model


def _instead(name: str, model: type[BaseModel]) -> str:
    """List the settings that exist: the nearest names first, and other sections that have one of that name."""
    names = list(model.model_fields)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    message = f"there are {', '.join([*near, *(other for other in names if other not in near)])}"
    elsewhere = [
        f"{section}.{name}"
        for section, info in TrainConfig.model_fields.items()
        if (inner := section_of(TrainConfig, section)) and inner is not model and name in inner.model_fields
    ]
    return f"{message}; or is it {' or '.join(elsewhere)}?" if elsewhere else message

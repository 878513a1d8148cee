"""The packages of the extra `train`, without which training and experiments do not start."""

from __future__ import annotations

from importlib.util import find_spec

TRAIN = ("torch", "transformers", "peft", "safetensors", "pyarrow", "tensorboard", "tomli_w")
"""The import names of the packages that training needs."""
YAML = "yaml"
"""The import name of the package that reads the files of sweeps."""


def missing_of_train(*further: str) -> str:
    """Return which packages of the extra are missing and the remedy; '' if none is."""
    missing = [name for name in (*TRAIN, *further) if find_spec(name) is None]
    if not missing:
        return ""
    return f"{', '.join(missing)} not installed: pip install 'grandstand[train]', or in a checkout scripts/setup/train"

"""Other values for the product's constants, in a process that a test starts.

    python -m tests.support.constants JSON ARGUMENT...

Runs `grandstand ARGUMENT...` with these values, where the process cannot be forked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib import import_module


def set_constants(values: Mapping[str, object]) -> None:
    """Set each constant, by the dotted name under which it is read."""
    for name, value in values.items():
        module, _, constant = name.rpartition(".")
        assert hasattr(import_module(module), constant), f"there is no {name}"
        setattr(import_module(module), constant, value)


if __name__ == "__main__":
    set_constants(json.loads(sys.argv[1]))
    from grandstand.main import app

    sys.argv = ["grandstand", *sys.argv[2:]]
    app()

"""Build hook of the wheel: put the two modules at the root of the checkout into the package `grandstand`."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = ("client.py", "models.py")


class ModulesHook(BuildHookInterface[Any]):
    """Add the modules to a real wheel; an editable installation finds them in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the modules to include."""
        if version != "editable":
            build_data["force_include"] |= {name: f"grandstand/{name}" for name in MODULES}

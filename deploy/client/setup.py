"""Puts the checkout's client, wire types and manifest into the package: there is one source of each."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOURCES = ("grandstand/client.py", "grandstand/models.py", "openenv.yaml")
PACKAGE = "grandstand_env"


def add_sources(package: Path) -> None:
    """Copy them, unless this is a source distribution, which has them already."""
    if (HERE / "PKG-INFO").exists():
        return
    package.mkdir(parents=True, exist_ok=True)
    for name in SOURCES:
        shutil.copyfile(ROOT / name, package / Path(name).name)


class BuildPackage(build_py):
    def run(self) -> None:
        super().run()
        add_sources(Path(self.build_lib) / PACKAGE)


class SourceDistribution(sdist):
    def make_release_tree(self, base_dir: str, files: Sequence[str]) -> None:
        super().make_release_tree(base_dir, list(files))
        add_sources(Path(base_dir) / PACKAGE)


setup(cmdclass={"build_py": BuildPackage, "sdist": SourceDistribution})

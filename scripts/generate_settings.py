"""Renews the tables of docs/training-settings.md from the settings' own models."""

from __future__ import annotations

from pathlib import Path

from grandstand.trainer.config.table import document

PAGE = Path(__file__).parents[1] / "docs/training-settings.md"


def main() -> None:
    PAGE.write_text(document(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()

"""Adapters for games of other libraries. Each library is an extra, imported lazily."""

"""Finished matches in other formats, and their statistics."""

"""Tests of the benchmarks whose numbers the documents state."""

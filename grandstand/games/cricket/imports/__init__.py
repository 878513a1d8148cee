"""Imports real matches from Cricsheet's documents, without invented data."""

"""Grandstand: run matches between agents, show them live, and train agents on the recorded episodes."""

"""The matches of a run: playing them for a step, evaluating in them, and reading their trajectories."""

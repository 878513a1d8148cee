"""The settings of a training run: types, files, checks, the printed table."""

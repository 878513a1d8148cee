"""The settings of a training run: types, files, checks and the table in the documentation."""

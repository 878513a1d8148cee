"""The report of a training run: its figures, charts and tables. No tensors."""

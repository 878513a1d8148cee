"""The report of a training run: its figures, charts and tables in words and numbers. No tensors."""

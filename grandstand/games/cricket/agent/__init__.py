"""A captain's view and choices: tools, text, replies, training."""

"""Prompts, replies and rewards of players that are programs, and the interface to the trainer."""

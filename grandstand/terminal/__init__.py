"""The terminal: errors and common options of commands, progress, and the text of matches and reports."""

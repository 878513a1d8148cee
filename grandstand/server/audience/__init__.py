"""What viewers say of matches: questions that they call, with scores and a table of the day, and reactions."""

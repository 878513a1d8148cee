"""Questions about live matches that viewers call, their scores, and the table of the day."""

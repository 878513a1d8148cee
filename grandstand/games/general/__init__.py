"""What a game has without saying so: a story, and the parts for a trainer."""

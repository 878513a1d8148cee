"""Statistics, ratings and the leaderboard."""

"""The reports of the pages: the leaderboard, a player, the health of the server."""

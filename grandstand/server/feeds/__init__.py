"""What happens to a player, or on the whole server, as feeds that other programs read."""

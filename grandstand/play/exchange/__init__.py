"""Export and import of episodes as files that other programs read and write."""

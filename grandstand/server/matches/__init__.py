"""The matches that the server plays: the driver, one live match, the showcase."""

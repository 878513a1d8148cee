"""Programs that play seats over the API."""

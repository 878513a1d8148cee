"""Messages between powers, promises and notes."""

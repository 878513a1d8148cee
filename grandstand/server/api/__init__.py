"""The HTTP routes and the page."""

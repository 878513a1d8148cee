"""Cards and clips: pictures of a moment and of a range, which illustrate links to a match."""

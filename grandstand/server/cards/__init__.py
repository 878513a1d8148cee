"""Cards and clips: the pictures of a moment, and of a range, that a link to a match is shown with."""

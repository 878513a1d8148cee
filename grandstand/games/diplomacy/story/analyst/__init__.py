"""The analyst: a second voice of the story, which says only what a computation supports."""

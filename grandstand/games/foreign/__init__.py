"""Games of other libraries: a match of theirs by our rules for games. Each library is an extra, imported lazily."""

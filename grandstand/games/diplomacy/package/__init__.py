"""The client protocol of the `diplomacy` package, for observers. Written from its messages; it has no code of it."""

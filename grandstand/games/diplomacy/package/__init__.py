"""The client protocol of the `diplomacy` package, for observers, written without the package's code."""

"""`grandstand train` and its own verbs."""

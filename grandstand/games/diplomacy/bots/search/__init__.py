"""The strongest built-in bot: a forecast of all plans by regret matching, and rollouts of its own against it."""

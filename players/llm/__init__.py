"""Language models as players: the client, the prompt, the reading of replies, budgets."""

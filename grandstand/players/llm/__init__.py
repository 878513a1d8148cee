"""Language models as players: client, prompt, parser of replies, budgets."""

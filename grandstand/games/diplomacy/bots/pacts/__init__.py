"""The pacts of built-in players: joint plans, offers and their answers, coalitions against a leader, and draws."""

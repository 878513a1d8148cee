"""Many matches, or many trainings, as one thing: plans, and reports."""

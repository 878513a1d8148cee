"""The learner on several processes of one machine."""

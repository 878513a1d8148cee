"""Learning from trajectories: rewards, advantages, losses, and the learner that takes the steps."""

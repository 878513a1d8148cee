"""The ball model and the chances of winning that follow from it."""

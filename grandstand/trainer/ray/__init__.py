"""A run on the machines of a Ray cluster (`backend.engine = "ray"`). Only this package imports Ray."""

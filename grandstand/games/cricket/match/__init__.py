"""The course of one match, from the toss to the result."""

"""Many matches to one end: tournaments and paired evaluation."""

"""The story of a cricket match: facts, ball-by-ball comments, the outlook and headlines, from its events alone."""

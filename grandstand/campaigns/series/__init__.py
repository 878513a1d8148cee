"""A series: matches of one line-up, played one after another or at the same time."""

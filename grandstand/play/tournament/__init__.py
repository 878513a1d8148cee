"""Tournaments: schedules of matches between several players, and their standings. Pure: no I/O and no clock."""

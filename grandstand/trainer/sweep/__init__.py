"""Sweeps: experiments of several arms and seeds, from a file to a verdict on each criterion. No torch."""

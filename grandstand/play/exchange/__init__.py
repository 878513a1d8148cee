"""Episodes on their way out of the record and in: files that other programs read and write."""

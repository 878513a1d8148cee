"""Episodes: their lists, records and moments, and the requests that start and delete them."""

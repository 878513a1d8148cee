"""The stores of the record: what the server needs of one, and the one in PostgreSQL that several servers share."""

"""The results of the finished matches of the record, and what is computed from them."""

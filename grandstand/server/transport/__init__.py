"""Connections: the listener, the HTTP protocol, sockets, event streams, and the limits on all of them."""

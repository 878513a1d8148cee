"""The policy: its tokens, its network, its versions, and the sampling of legal answers."""

"""Clusters of tests send no statistics, and have a token of their own, so that Ray writes none into the user's home.

Ray reads these settings when it is imported, and passes them on to the processes that it starts.
"""

from __future__ import annotations

import os
import secrets

os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}

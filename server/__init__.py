"""The folder in which OpenEnv's tools look for `app.py`. The server itself is `grandstand.server`."""

"""The client of the OpenEnv environment, in the file in which OpenEnv's tools look for it."""

from grandstand.client import GrandstandEnv

__all__ = ["GrandstandEnv"]

"""The OpenEnv environment: sessions, seats, MCP, tasks."""

"""A player's statistics, rankings and calendar over HTTP, and as files."""

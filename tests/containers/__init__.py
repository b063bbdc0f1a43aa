"""What needs a Docker engine."""

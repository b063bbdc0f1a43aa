"""Whole runs of the system, as a user starts it."""

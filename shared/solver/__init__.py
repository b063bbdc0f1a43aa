"""Finds good moves from what a player may know. Pure: no clock, no randomness, no hidden card."""

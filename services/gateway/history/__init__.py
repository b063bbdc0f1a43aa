"""Histories of games that are over: read from game-state, replayed for the eye, written as JSON, CSV or text."""

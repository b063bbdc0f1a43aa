"""The card game, pure: cards, variants and scoring as data, tables, legal moves, deals.

Imports nothing of this project. Knows no bus, clock or randomness.
"""

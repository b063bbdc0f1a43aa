"""`klondike verify-deal`: a deal checked from what is public.

`check` says whether the cards of a game are those that were committed to, `sources` fetches what it is told from.
"""

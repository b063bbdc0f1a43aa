"""scoring: statistics and rankings.

Takes: the records of all games, from the log `klondike.game.*`, never a sealed deal; requests `klondike.stats.*`.
Gives: statistics of a player, rankings, a player's running games.
Owns: the projections in Redis, and its own place in the log beside them. All of it is rebuilt from the log at will.
May see hidden cards: no.
"""

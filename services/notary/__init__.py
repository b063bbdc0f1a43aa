"""notary: signs what all games are, again and again, so that nobody can change one later and not be noticed.

Takes: the records of all games, from the log `klondike.game.*`, and the archive's manifests; requests for the newest
checkpoint.
Gives: checkpoints, each naming the one before, on a stream of their own.
Owns: the checkpoints, and the key that signs them. It can write no game.
May see hidden cards: no; of games that are over, what the archive holds.
"""

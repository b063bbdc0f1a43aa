"""solver-worker: finds good moves.

Takes: jobs from the work queue, each with what the player may know and the legal moves. Any number of workers share it.
Gives: results to whoever asked; dead letters for jobs that cannot be done.
Owns: nothing.
May see hidden cards: no. Its credentials reach neither logs nor deals.
"""

"""dealer: finds deals that can be won, and says of games that are over until when they could be won.

Takes: requests for a winnable secret (game-state), for the deal of a day and for a verdict (gateway).
Gives: secrets, each once; numbers of days; verdicts.
Owns: nothing. Its pool of secrets is in memory alone, so that a deal is not known anywhere before it is played.
May see hidden cards: of deals that nobody plays yet. It reads no log: of a running game it can learn what its player
may see, and a game shows its secret only when it is over.
"""

"""opponent: the computer as the other player of a game for two. It may know what a player knows, and no more."""

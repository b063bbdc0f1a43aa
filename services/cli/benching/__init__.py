"""`klondike bench path`: what a move costs from the player's socket to the disk and back, beside what it must cost.

`stack` runs the whole system, `echo` the bare servers that the floors are measured on, `floors` measures those,
`player` plays over a socket, `moves` and `crowd` measure the system, `figures` are the results, `text` prints them.
"""

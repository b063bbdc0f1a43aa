"""One game's life, pure: `decide` says what a command causes, `evolve` folds it into the state, `view` shows it.

Holds hidden cards, so gateway, scoring and the untrusted worker may not import it.
"""

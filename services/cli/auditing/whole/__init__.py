"""`klondike audit --all`: every game of a log, in several processes, to be gone on with after an interruption.

`store` is the file that remembers, `listing` names the games, `fetch` reads some of them, `one` judges one game, `crew`
has processes do both, `projections` holds statistics and rankings against the log, `run` puts it together, `summary` is
what is told, `text` and `page` show it.
"""

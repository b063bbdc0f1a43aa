"""`klondike audit`: read what is stored of a game, check all of it, show it move by move.

`reach` finds the servers, `reading` fetches, `report` checks (with `shared.game.audit`), `words` and `board` say what
happened, `text` prints.
"""

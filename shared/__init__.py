"""What the services share. Layers, each importing only those before it (kept by import-linter):

`rules` <- `messages` <- `game` <- `solver` <- `bus` <- `service` <- `services.*`.

`subjects`, `settings`, `logs`, `clock` and `embedded` stand beside the layers and import none above `messages`.
`game` holds hidden cards: only game-state and the auditor may reach it.
"""

DISTRIBUTION = "klondike-services"
"""The name under which version and files are found once it is installed."""

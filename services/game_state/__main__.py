"""`python -m services.game_state`."""

from services.game_state.app import run
from shared.service import main
from shared.settings import GameStateSettings

main("game-state", GameStateSettings, run)

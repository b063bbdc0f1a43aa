"""`python -m services.opponent`: one process that plays."""

from services.opponent.app import run
from shared.service import main
from shared.settings import OpponentSettings

if __name__ == "__main__":
    main("opponent", OpponentSettings, run)

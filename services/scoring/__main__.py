"""`python -m services.scoring`: one scoring process."""

from services.scoring.app import run
from shared.service import main
from shared.settings import ScoringSettings

if __name__ == "__main__":
    main("scoring", ScoringSettings, run)

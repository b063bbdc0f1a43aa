"""`python -m services.dealer`: one dealer process."""

from services.dealer.app import run
from shared.service import main
from shared.settings import DealerSettings

if __name__ == "__main__":
    main("dealer", DealerSettings, run)

"""`python -m services.notary`."""

from services.notary.app import run
from shared.service import main
from shared.settings import NotarySettings

if __name__ == "__main__":
    main("notary", NotarySettings, run)

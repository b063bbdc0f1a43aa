"""`python -m services.archivist`."""

from services.archivist.app import run
from shared.service import main
from shared.settings import ArchivistSettings

if __name__ == "__main__":
    main("archivist", ArchivistSettings, run)

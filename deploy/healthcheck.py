"""Healthy when the service touched its alive file a moment ago. Standard library only: it runs every few seconds."""

import os
import sys
import time
from pathlib import Path

OLD_SECONDS = 20.0
"""Some of the five-second intervals in which a service that is ready and connected touches the file."""

try:
    age = time.time() - Path(os.environ["KLONDIKE_ALIVE_FILE"]).stat().st_mtime
except FileNotFoundError:
    sys.exit("not ready yet, or not connected")
if age > OLD_SECONDS:
    sys.exit(f"last alive {age:.0f} s ago")

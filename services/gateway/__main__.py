"""`python -m services.gateway`: one gateway process."""

from services.gateway.app import run
from shared.service import main
from shared.settings import GatewaySettings

if __name__ == "__main__":
    main("gateway", GatewaySettings, run)

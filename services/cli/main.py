"""`klondike`: every command by name, loaded when it is used."""

from importlib.metadata import version

import click

from services.cli.lazy import Lazy, lazily
from shared import DISTRIBUTION

COMMANDS = {
    "up": Lazy("services.cli.up:up", "Run everything on this machine: servers, services, page.", handles_signals=True),
    "service": Lazy("services.cli.service:service", "Run one process of one service.", handles_signals=True),
    "play": Lazy("services.cli.play:play", "Play at this terminal."),
    "status": Lazy("services.cli.status:status", "Show jobs, workers and dead letters."),
    "audit": Lazy("services.cli.audit:audit", "Print a game move by move and check every byte of it."),
    "checkpoint": Lazy(
        "services.cli.checkpoint:checkpoint", "Print the newest signed checkpoint, to be kept elsewhere."
    ),
    "verify-deal": Lazy("services.cli.verify_deal:verify_deal", "Check that a game's cards were fixed before it."),
    "history": Lazy("services.cli.history:history", "Find, show, save and take in games that are over."),
    "archive": Lazy("services.cli.archive:archive", "Move games that ended long ago to the archive."),
    "backup": Lazy("services.cli.backup:backup", "Write everything that cannot be made again into a directory."),
    "restore": Lazy("services.cli.backup:restore", "Restore a backup, and audit all of it."),
    "forget": Lazy("services.cli.forget:forget", "Forget a player: statistics, rankings and lists of games."),
    "bench": Lazy("services.cli.bench:bench", "Measure the system."),
    "solve": Lazy("services.cli.solve:solve", "Decide whether deals can be won, and how."),
    "convert": Lazy("services.cli.convert:convert", "Write deals in another format."),
    "winrate": Lazy("services.cli.winrate:winrate", "Estimate how many deals can be won."),
    "player": Lazy("services.cli.player:player", "Let the strong player play, and count what it wins."),
    "warm": Lazy("services.cli.warm:warm", "Compile the solver's kernels ahead."),
    "variants": Lazy("services.cli.variants:variants", "List the variants with their rules and scores."),
    "docs": Lazy("services.cli.docs:docs", "Make the generated documents."),
}
"""Where each command is. Only the one that is asked for is imported, so that `klondike up` starts fast."""


@click.group(cls=lazily(COMMANDS), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(DISTRIBUTION), prog_name="klondike")
def main() -> None:
    """Klondike solitaire as event-driven services."""

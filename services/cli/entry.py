"""`klondike` from its first instant: Ctrl-C while everything is imported ends it at once, without a traceback."""

import signal


def main() -> None:
    """Runs the command of the arguments. It takes Python's way to be interrupted once it is imported."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from services.cli.main import main as command

    command()

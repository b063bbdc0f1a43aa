"""`python -m services.cli`."""

from services.cli.entry import main

main()

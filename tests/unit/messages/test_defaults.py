"""What the protocol's page says of the defaults of `new-game`."""

import re
from pathlib import Path

from shared.game.decide import check_start
from shared.messages.base import CODE_LETTERS
from shared.messages.frames import NewGame
from shared.rules.variants import VARIANTS
from tests.play import command_id, start_game

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_the_page_names_every_variant_that_the_defaults_do_not_start_and_no_other() -> None:
    defaults = NewGame(id=command_id(1))
    commands = [start_game(variant=name, scoring=defaults.scoring, mode=defaults.mode) for name in VARIANTS]
    refused = {command.variant for command in commands if check_start(command) is not None}
    said = re.search(r"^- All fields but `id` have defaults.*?(?=^- )", PAGE, re.DOTALL | re.MULTILINE)
    assert said
    named = set(re.findall(r"`([a-z0-9-]+)`", said[0].split("every\n")[1])) & set(VARIANTS)
    assert named == refused


def test_the_page_states_the_length_of_a_code() -> None:
    assert CODE_LETTERS == 10
    assert "ten characters, each `a` to `z` or `2` to `7`" in PAGE

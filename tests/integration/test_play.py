"""`klondike play` against a real gateway and game-state."""

from pathlib import Path

from tests.integration.gateway import Running
from tests.integration.terminal import terminal

GOLDEN = Path(__file__).parents[1] / "golden" / "draw1-win.txt"


async def test_a_whole_game_is_won_by_keyboard_alone(at: Running, tmp_path: Path) -> None:
    deal, *moves = GOLDEN.read_text().splitlines()
    async with terminal(at, tmp_path, number=int(deal.removeprefix("deal "))) as one:
        for move in moves:
            await one.play(move)
        assert one.view.status == "won"
        await one.until(lambda: "You have won!" in one.said)
        await one.until(lambda: len(one.app.screen_stack) == 3)

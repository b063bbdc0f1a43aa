"""Made-up messages for the tests of the session."""

from shared.messages.answers import Accepted, Fetched
from shared.messages.base import CommandId, GameId, PlayerId
from shared.messages.commands import PauseReason, SecretDeal
from shared.messages.frames import DrawFrame, HintFrame, NewGame, Resume
from shared.messages.views import PastStep, Step, View

PLAYER = PlayerId("p" * 26)
GAME = GameId("a" * 26)
OTHER_GAME = GameId("b" * 26)


def command_id(number: int) -> CommandId:
    return CommandId(f"0190a0a0-0000-7000-8000-{number:012x}")


def view(version: int, game: GameId = GAME, paused: PauseReason | None = None) -> View:
    return View(
        game=game,
        version=version,
        variant="draw1",
        scoring="standard",
        mode="relaxed",
        deal=SecretDeal(),
        commitment="",
        status="running",
        columns=(),
        foundations=(),
        stock=24,
        waste=(),
        draw=1,
        pass_number=1,
        passes=None,
        points=0,
        moves=version,
        play_ms=0,
        clock_runs=paused is None,
        at=version,
        assisted=False,
        can_undo=False,
        can_redo=False,
        legal=(),
        paused=paused,
    )


def step(version: int, command: CommandId, game: GameId = GAME) -> Step:
    return Step(game=game, version=version, command=command, at=version, events=(), view=view(version, game))


def accepted(version: int, command: CommandId, game: GameId = GAME) -> Accepted:
    return Accepted(command=command, step=step(version, command, game))


def repeated(version: int, current: int, command: CommandId, game: GameId = GAME) -> Accepted:
    made = Step(game=game, version=version, command=command, at=version, events=(), view=view(current, game))
    return Accepted(command=command, step=made, repeated=True)


def fetched(version: int, since: int | None = None, game: GameId = GAME) -> Fetched:
    if since is None:
        return Fetched(view=view(version, game))
    steps = tuple(
        PastStep(version=number, command=command_id(number), at=number, events=())
        for number in range(since + 1, version + 1)
    )
    return Fetched(view=view(version, game), steps=steps)


def draw(number: int, version: int, game: GameId = GAME) -> DrawFrame:
    return DrawFrame(id=command_id(number), game=game, version=version)


def hint(number: int, version: int, game: GameId = GAME) -> HintFrame:
    return HintFrame(id=command_id(number), game=game, version=version)


def new_game(number: int) -> NewGame:
    return NewGame(id=command_id(number))


def resume(number: int, version: int | None = None, game: GameId = GAME) -> Resume:
    return Resume(id=command_id(number), game=game, version=version)

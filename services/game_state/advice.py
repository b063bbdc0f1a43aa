"""What a worker is asked for a command that asks for advice."""

import msgspec

from shared.game.state import Game
from shared.game.view import knowledge_of, legal_texts
from shared.messages.commands import AskChances, AskHint
from shared.messages.jobs import AdviceQuestion, ChancesQuestion, HintQuestion, StrongHintQuestion


def question_of(command: AskHint | AskChances, game: Game) -> AdviceQuestion:
    """The question about a game as it is. It holds what the player has seen, and nothing else of the game."""
    question = _kind(command)(
        game=game.game,
        player=command.player,
        version=game.version,
        variant=game.variant_id,
        known=knowledge_of(game),
        legal=legal_texts(game),
    )
    if isinstance(question, StrongHintQuestion) and game.scoring.unit == "dollars":
        return msgspec.structs.replace(question, aim="cards")
    return question


def _kind(command: AskHint | AskChances) -> type[HintQuestion | StrongHintQuestion | ChancesQuestion]:
    if isinstance(command, AskChances):
        return ChancesQuestion
    return HintQuestion if command.strength == "instant" else StrongHintQuestion

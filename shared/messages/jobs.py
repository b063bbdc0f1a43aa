"""Jobs for solver workers, and their results. A job holds only what the player may know."""

from typing import Annotated, ClassVar, Final, Literal

import msgspec

from shared.messages.base import GAME_ID, MILLISECONDS, PLAYER_ID, VERSION, Input
from shared.messages.chances import Chances
from shared.rules.cards import Card
from shared.subjects import Priority

HintReason = Literal[
    "turn-up-card",  # a face-down card is turned up
    "free-column-for-king",  # empties a column that a King waits for
    "king-to-column",  # a King takes the empty column, to uncover or to build on
    "build-foundation",  # a card goes up, and nothing is blocked by it
    "join-run",  # a run that lies on a card it does not fit goes to one that it fits
    "build-tableau",  # a card from the waste gets a place where it helps
    "last-pass",  # what is drawn over now does not come again: a card from the waste is put to use
    "place-anyway",  # nothing better is left: a card from the waste makes way for the next
    "build-anyway",  # nothing better is left: a card goes up, or is let go up, though it may be missed
    "draw",  # nothing above applies: turn cards
    "recycle",  # the same, with the stock used up
]
"""Which preference of RULES.md's order a hint follows."""

MOVE_TEXT = Annotated[str, msgspec.Meta(max_length=12)]
BUDGET_MS_MAX: Final = 30_000
"""A worker takes no job that may keep it longer."""
ALTERNATIVES_MAX: Final = 3
"""Of a hint."""
PLAN_MAX: Final = 500
"""Moves of a plan after the first: the longest ones win an open game."""
PROBE_STATES_MAX: Final = 1_000_000


class KnownColumn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A column as the player knows it. A face-down card is known when it was seen and then undone."""

    down: tuple[Card | None, ...]
    up: tuple[Card, ...]


class Knowledge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The view and the allowed history in one: every card the player has ever seen, where it lies now."""

    columns: tuple[KnownColumn, ...]
    foundations: tuple[tuple[Card, ...], ...]
    stock: tuple[Card | None, ...]
    """The next card to be drawn last. None: never seen."""
    waste: tuple[Card, ...]
    pass_number: int


class Question(Input, frozen=True, kw_only=True):
    """What is to be found out. A job is a question with an address."""

    priority: ClassVar[Priority] = "waiting"
    """What a worker does first, unless its asker says otherwise."""
    player: PLAYER_ID
    """For whom: a player has a bounded number of jobs in the queue."""
    budget_ms: MILLISECONDS = 1_000
    """The most that a worker may spend on it. A search that can be cut short answers by then with what it has."""


class GameQuestion(Question, frozen=True, kw_only=True):
    """A question about a game as its player knows it."""

    game: GAME_ID
    version: VERSION
    variant: str
    known: Knowledge
    legal: tuple[MOVE_TEXT, ...]


class HintQuestion(GameQuestion, frozen=True, kw_only=True, tag="hint"):
    """Which move is the next good one, by the preferences of the rules?"""


class StrongHintQuestion(GameQuestion, frozen=True, kw_only=True, tag="strong-hint"):
    """Which moves win in most of the ways that unseen cards may lie? Answered like a hint question."""

    priority: ClassVar[Priority] = "analysis"
    budget_ms: MILLISECONDS = 2_000
    aim: Literal["wins", "cards"] = "wins"
    """For cards where each that goes up is worth the same, won or not: dollars."""


class ChancesQuestion(GameQuestion, frozen=True, kw_only=True, tag="chances"):
    """Is there still a way to win? Either it is proved that there is none, or how often the hidden cards lie so."""

    priority: ClassVar[Priority] = "analysis"
    budget_ms: MILLISECONDS = 3_000


class ProbeQuestion(Question, frozen=True, kw_only=True, tag="probe"):
    """How fast is a worker? It searches a fixed table for so many states, which takes no other time than its own.

    With 0 it is the empty job: the floor of every other one.
    """

    states: Annotated[int, msgspec.Meta(ge=0, le=PROBE_STATES_MAX)]
    number: int = 0
    """Tells probes of the same size apart."""


AdviceQuestion = HintQuestion | StrongHintQuestion | ChancesQuestion
"""What a player can ask. The answer is help."""
AnyQuestion = AdviceQuestion | ProbeQuestion


JOB_ID = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
REPLY_TO = Annotated[str, msgspec.Meta(pattern=r"^klondike\.result\.[a-z0-9]+\.[0-9a-f]{32}$")]


class Job(Input, frozen=True, kw_only=True, tag="job"):
    """A question on its way to a worker, and where the answer goes."""

    schema: int = 2
    id: JOB_ID
    """The hash of the question: the same question has the same id, and its searches the same random numbers."""
    reply_to: REPLY_TO
    deadline: MILLISECONDS
    """When nobody waits for the answer any more, server time."""
    question: AnyQuestion


class JobAddress(msgspec.Struct, frozen=True, kw_only=True):
    """Of a job that cannot be read otherwise: enough to tell its asker so."""

    id: JOB_ID
    reply_to: REPLY_TO


class Suggestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move and why. `cards` are those that the reason is about."""

    move: MOVE_TEXT
    reason: HintReason
    cards: tuple[Card, ...] = ()


class Hint(Suggestion, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The best move, and others that lead on as well, the better one first."""

    then: Annotated[tuple[MOVE_TEXT, ...], msgspec.Meta(max_length=PLAN_MAX)] = ()
    """Moves to make after it, as parts of one plan. All are legal in turn; none but the last shows anything new."""
    alternatives: Annotated[tuple[Suggestion, ...], msgspec.Meta(max_length=ALTERNATIVES_MAX)] = ()


class Result(Input, frozen=True, kw_only=True):
    """What came of a job. The worker fills in the times."""

    id: str
    waited_micros: int = 0
    """From the queue's clock when it was stored to the worker's when it was begun."""
    micros: int = 0
    """Spent on it by the worker."""


class HintResult(Result, frozen=True, kw_only=True, tag="hint-result"):
    """The answer to a hint question. No hint: nothing useful is left to suggest."""

    hint: Hint | None


class ChancesResult(Result, frozen=True, kw_only=True, tag="chances-result"):
    """The answer to a chances question. None: the solver does not play this variant."""

    chances: Chances | None


class ProbeResult(Result, frozen=True, kw_only=True, tag="probe-result"):
    """The states that were searched, all that were asked for."""

    states: int


class JobRefused(Result, frozen=True, kw_only=True, tag="job-refused"):
    """A job that no worker can do, with the reason. It went to the dead letters."""

    reason: str


AnyResult = HintResult | ChancesResult | ProbeResult | JobRefused

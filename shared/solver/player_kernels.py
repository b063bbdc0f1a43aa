"""The strong player's thinking, compiled. `docs/player.md` says why it is done this way.

What a choice is worth is found out in worlds that agree with all that was seen: each is searched on from the choice by
the exact solver's kernels, within few states.
"""

from typing import Final, NamedTuple

from shared.solver.components import forget
from shared.solver.decide import NOISE_MAX
from shared.solver.intrinsics import compiled, kernel, lowest, popcount
from shared.solver.kernels import RUNNING, SOLVABLE, UNSOLVABLE, begin, restart, search
from shared.solver.layers import Deal, Layer
from shared.solver.memory import CARD, KEY, NOISE, PARENT, STATES, TOP, Memory
from shared.solver.player_seat import Seat, after, clear, face_down, imagine, with_hidden

CALLEES: Final = "75ba00964adbc1a0"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

HEIGHTS_SHIFT: Final = 32
"""Where a component's key has the heights of its foundations: see `components.key_of`."""
ALL_CARDS: Final = 52
RUN_GROWTH: Final = 125
"""Per cent, from one restart to the next."""
GUIDE_STEP: Final = 500
"""What a card's score gains over the one freed next on the way to a win: an eighth of the noise after a restart."""


class Scale(NamedTuple):
    """What a world is worth, searched on from a choice. Measured on games of this player: see `docs/player.md`."""

    states: int
    """How far a world is searched."""
    run: int
    """States until the search begins again in another order."""
    unknown: float
    """Not decided within `states`."""
    hidden: float
    """What each face-down card takes off a win."""
    doubt: float
    """What part of the rest each takes away besides."""
    cards: bool
    """Whether it is not the win that counts, but every card that goes up, as in Vegas."""


@kernel
def look_for_win(layer: Layer, entry: int, deal: Deal, memory: Memory, scale: Scale) -> int:
    """Search on from a position in a world. The table keeps what was proved lost in it, the guide how it was won."""
    counters = memory.counters
    began, run, ends = counters[STATES], scale.run, scale.run
    counters[NOISE] = 0
    answer: int = begin(layer, entry, memory, deal)
    states = 0
    while answer == RUNNING and states < scale.states:
        answer = search(deal, memory, min(scale.states, ends) - states)
        states = counters[STATES] - began
        if answer == RUNNING and states >= ends:
            run = run * RUN_GROWTH // 100
            ends += run
            counters[NOISE] = NOISE_MAX
            restart(memory, deal)
    if answer == SOLVABLE:
        keep_way(memory)
    if answer != UNSOLVABLE:
        forget(0, counters[TOP], memory, deal)
    return answer


@compiled
def keep_way(memory: Memory) -> None:
    """Let other searches of this world free cards in the order in which the way to this win does."""
    memory.guide[:] = 0
    at, gain = memory.counters[TOP], GUIDE_STEP
    while at > 0:
        memory.guide[lowest(memory.frames[at, CARD])] = gain
        at, gain = memory.frames[at, PARENT], gain + GUIDE_STEP


@compiled
def worth(answer: int, layer: Layer, scale: Scale) -> float:
    """What a world is worth, from 0 to 1, when a search from a layer has ended so."""
    if answer == UNSOLVABLE:
        return 0.0
    cards = popcount(layer.hidden)
    win: float = (1.0 - scale.hidden * cards) * (1.0 - scale.doubt) ** cards
    return win if answer == SOLVABLE else win * scale.unknown


@kernel
def most_cards(layer: Layer, entry: int, deal: Deal, memory: Memory, scale: Scale) -> float:
    """The most cards that a search from a position has had on the foundations, as a share of all."""
    clear(memory)
    most = popcount(entry)
    memory.counters[NOISE] = 0
    answer = begin(layer, entry, memory, deal)
    for _ in range(scale.states):
        if answer != RUNNING:
            break
        heights, up = memory.frames[memory.counters[TOP], KEY] >> HEIGHTS_SHIFT, 0
        for suit in range(4):
            up += (heights >> (4 * suit)) & 15
        most = max(most, up)
        answer = search(deal, memory, 1)
    return 1.0 if answer == SOLVABLE else most / ALL_CARDS


@compiled
def try_choice(here: Layer, choice: int, seat: Seat, scale: Scale) -> None:
    """Find out what a choice is worth in the seat's world."""
    child, entry = after(here, choice, seat, seat.world)
    if scale.cards:
        seat.answers[choice] = UNSOLVABLE
        seat.results[choice] = most_cards(child, entry, seat.world, seat.memory, scale)
        return
    answer = look_for_win(child, entry, seat.world, seat.memory, scale)
    seat.answers[choice] = answer
    seat.results[choice] = worth(answer, child, scale)


@kernel
def try_choices(here: Layer, live: int, seat: Seat, scale: Scale) -> None:
    """Find out what each of the first choices of `order` is worth in the seat's world.

    The first way to a win that is found guides the searches after it. Those before it that found none are done again.
    """
    first = live
    for place in range(live):
        choice = seat.order[place]
        try_choice(here, choice, seat, scale)
        if first == live and seat.answers[choice] == SOLVABLE:
            first = place
            if seat.cards[choice]:
                seat.memory.guide[lowest(seat.cards[choice])] = ALL_CARDS * GUIDE_STEP
    for place in range(first if first < live else 0):
        if seat.answers[seat.order[place]] != UNSOLVABLE:
            try_choice(here, seat.order[place], seat, scale)


@kernel
def weigh_in_worlds(layer: Layer, seat: Seat, scale: Scale, plan: tuple[int, int, int]) -> None:
    """Add to the values of the first choices of `order` what they are worth in so many worlds, the same for all.

    Args:
        layer: where the choices are.
        seat: whose they are.
        scale: what counts how much.
        plan: how many choices, in how many worlds, and how many cards were never seen.
    """
    live, worlds, unseen = plan
    for turn in range(seat.drawn[0], seat.drawn[0] + worlds):
        imagine(seat, unseen, turn)
        clear(seat.memory)
        here = with_hidden(layer, face_down(layer, seat.world), layer.waste)
        try_choices(here, live, seat, scale)
        for place in range(live):
            seat.values[seat.order[place]] += seat.results[seat.order[place]]
    seat.drawn[0] += worlds

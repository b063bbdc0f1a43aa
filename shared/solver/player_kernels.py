"""The strong player's thinking, compiled. `docs/player.md` says why it is done this way.

What a choice is worth is found out in worlds that agree with all that was seen: each is searched on from the choice by
the exact solver's kernels, within few states (`weigh`), or played on by a player who does not see it (`rehearse_all`).
"""

from typing import Final, NamedTuple

from shared.solver.components import forget
from shared.solver.decide import NOISE_MAX
from shared.solver.intrinsics import compiled, kernel, popcount
from shared.solver.kernels import RUNNING, SOLVABLE, UNSOLVABLE, begin, restart, search
from shared.solver.layers import Deal, Layer, won
from shared.solver.memory import KEY, NOISE, STATES, TOP, Memory
from shared.solver.player_seat import (
    Seat,
    after,
    branch,
    clear,
    face_down,
    imagine,
    observe,
    seen_in_waste,
    with_hidden,
)
from shared.solver.player_trials import (
    NUMBER,
    WORLDS,
    Trials,
    begin_trials,
    drop_worse,
    is_live,
    leader,
    note,
)

CALLEES: Final = "6dcac306b4c34593"
"""A digest of the modules that are compiled into this one. A test says what it has to be."""

HEIGHTS_SHIFT: Final = 32
"""Where a component's key has the heights of its foundations: see `components.key_of`."""
ALL_CARDS: Final = 52
RUN_GROWTH: Final = 125
"""Per cent, from one restart to the next."""


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
    cards: bool
    """Whether it is not the win that counts, but every card that goes up, as in Vegas."""


@kernel
def appraise(layer: Layer, entry: int, deal: Deal, seat: Seat, scale: Scale) -> float:
    """What a position in a world is worth, from 0 to 1. The table keeps what was proved lost in this world."""
    memory, counters = seat.memory, seat.memory.counters
    if scale.cards:
        return most_cards(layer, entry, deal, memory, scale)
    began, run, ends = counters[STATES], scale.run, scale.run
    counters[NOISE] = 0
    answer, states = begin(layer, entry, memory, deal), 0
    if answer == SOLVABLE:
        return 1.0
    while answer == RUNNING and states < scale.states:
        answer = search(deal, memory, min(scale.states, ends) - states)
        states = counters[STATES] - began
        if answer == RUNNING and states >= ends:
            run = run * RUN_GROWTH // 100
            ends += run
            counters[NOISE] = NOISE_MAX
            restart(memory, deal)
    if answer == UNSOLVABLE:
        return 0.0
    forget(0, counters[TOP], memory, deal)
    return (1.0 - scale.hidden * popcount(layer.hidden)) * (1.0 if answer == SOLVABLE else scale.unknown)


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
def rank_choices(live: int, seat: Seat) -> None:
    """Sort the first choices of `order` by what they were worth."""
    for end in range(1, live):
        place = end
        while place and seat.values[seat.order[place]] > seat.values[seat.order[place - 1]]:
            choice = seat.order[place]
            seat.order[place] = seat.order[place - 1]
            seat.order[place - 1] = choice
            place -= 1


@kernel
def weigh_in_worlds(layer: Layer, seat: Seat, scale: Scale, plan: tuple[int, int, int]) -> None:
    """Add to the values of the first choices of `order` what they are worth in so many worlds, the same for each.

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
        for place in range(live):
            choice = seat.order[place]
            child, entry = after(here, choice, seat, seat.world)
            seat.values[choice] += appraise(child, entry, seat.world, seat, scale)
    seat.drawn[0] += worlds


@kernel
def weigh(layer: Layer, seat: Seat, scale: Scale, plan: tuple[int, int, int]) -> int:
    """The best choice, by sequential halving: so many worlds for all, more for the better half, and so on.

    `plan` holds the number of choices, of searches in all, and of cards never seen. Afterwards the first choices of
    `order` are the best ones. Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013.
    """
    live, searches, unseen = plan
    for choice in range(live):
        seat.values[choice] = 0.0
    rounds, halved = 0, live
    while halved > 1:
        rounds, halved = rounds + 1, (halved + 1) // 2
    while live > 1:
        weigh_in_worlds(layer, seat, scale, (live, max(1, searches // (rounds * live)), unseen))
        rank_choices(live, seat)
        live = (live + 1) // 2
    return int(seat.order[0])


class Rehearsal(NamedTuple):
    """How a choice is tried out: in a world, played on by a player who does not see it."""

    plies: int
    """Choices to weigh. What the best one of the last is worth is the result."""
    searches: int
    """For each of its choices, on average."""
    worlds: int
    """In how many each choice is tried, until the worse ones are dropped."""
    sureness: float
    """By how many standard errors a choice is worse when it is dropped."""


@kernel
def rehearse(start: tuple[Layer, int], truth: Deal, unseen: int, seat: Seat, scale: Scale, plan: Rehearsal) -> float:
    """What a position in a world is worth to a player who knows all of it but `unseen`, and weighs each choice."""
    layer, entry = start
    left = plan.plies
    while not won(layer, truth):
        unseen &= ~(layer.roots | layer.loose | seen_in_waste(layer, truth))
        hand = observe(truth, layer, unseen, seat)
        number = branch(with_hidden(layer, layer.hidden | unseen, layer.waste), entry, seat)
        if number == 0:
            return popcount(entry) / ALL_CARDS if scale.cards else 0.0
        choice = 0
        if number > 1:
            choice = weigh(layer, seat, scale, (number, plan.searches * number, hand))
            left -= 1
            if left == 0:
                return float(seat.values[choice] / seat.drawn[0])
        layer, entry = after(layer, choice, seat, truth)
    return 1.0


@kernel
def choose_trials(seat: Seat, most: int, margin: float, trials: Trials) -> int:
    """Begin to try the first choices of `order` that are nearly as good as the best one. Returns their number."""
    least = seat.values[seat.order[0]] - margin * seat.drawn[0]
    number = 0
    while number < most and seat.values[seat.order[number]] >= least:
        trials.choices[number] = seat.order[number]
        number += 1
    begin_trials(number, trials)
    return number


@kernel
def rehearse_all(layer: Layer, seat: Seat, inner: Seat, scale: Scale, plan: tuple[Rehearsal, int, Trials]) -> bool:
    """Try all choices that were not dropped in the same worlds, and drop what is worse. Whether one alone is left.

    `plan` holds how they are tried, how many cards were never seen, and the trials until now.
    """
    rehearsal, hand, trials = plan
    unseen = 0
    for place in range(hand):
        unseen |= seat.hand[place]
    for turn in range(trials.counters[WORLDS], trials.counters[WORLDS] + rehearsal.worlds):
        imagine(seat, hand, turn)
        here = with_hidden(layer, face_down(layer, seat.world), layer.waste)
        for place in range(trials.counters[NUMBER]):
            if is_live(place, trials):
                start = after(here, trials.choices[place], seat, seat.world)
                trials.results[place] = rehearse(start, seat.world, unseen, inner, scale, rehearsal)
        note(trials)
    return drop_worse(rehearsal.sureness, trials)


@kernel
def best_tried(seat: Seat, trials: Trials) -> int:
    """The best choice of all trials, whose value the seat then holds."""
    place = leader(trials)
    choice: int = trials.choices[place]
    seat.values[choice] = trials.sums[place]
    seat.drawn[0] = trials.counters[WORLDS]
    return choice

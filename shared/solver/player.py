"""The strong player: what to do next, judged on worlds that agree with all that was seen.

A worker that lets it play asks::

    player = StrongPlayer(variant)                       # once a variant; one thread at a time may use it
    plan = player.plan(known, seed=seed, effort=effort)  # a pure function of these three

and makes the moves of the plan in turn, as `plan.moves` has them, without asking again in between: they end with the
first card that was not seen before, or with the win. None: nothing is left to do that could win.

`docs/player.md` says how it thinks. *It never circles*: each plan lowers `remaining`, and its moves are bounded.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Final, Literal, assert_never

import msgspec
import numpy as np

from shared.messages.jobs import HintReason, Knowledge
from shared.rules.cards import Card
from shared.rules.legal import DRAW
from shared.rules.moves import Move
from shared.rules.variants import Variant
from shared.solver import player_kernels as kernels
from shared.solver import player_seat as seats
from shared.solver.belief import lay_known, new_chance, sample, unseen
from shared.solver.bits import KINGS
from shared.solver.check import as_table
from shared.solver.decide import new_world
from shared.solver.flat import ALL_RULES, BITS, CARDS, empty_deal
from shared.solver.layers import USE_DEAD_ENDS, Layer
from shared.solver.memory import ENTRY, SEED
from shared.solver.player_kernels import Scale
from shared.solver.player_seat import DRAW_ON, new_seat
from shared.solver.replay import Freed, Player
from shared.solver.solve import Budget, Solvable, Solver, Unknown, Unsolvable

SCALE: Final = Scale(states=200, run=100, unknown=0.3, hidden=0.04, doubt=0.15, cards=False)

Aim = Literal["wins", "cards"]
"""What is played for: to win, or for every card that goes up, as in Vegas, where each is worth five dollars."""

STATES_FOR_CARDS: Final = 3
"""For cards a world is searched so many times as far: all ways count there, not only those that win."""
SLOTS: Final = 1 << 13
"""Of the table for a world: it is cleared thousands of times a second."""
WORLDS_AT_ONCE: Final = 12
"""Between two looks at whether to stop."""
SOLVING: Final = Budget(states=400_000, seconds=5.0)
"""For the search when nothing is hidden any more."""


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How much to think. The same effort finds the same on every machine."""

    searches: int
    """In how many worlds a choice is searched on, on average."""
    states: int = 200
    """How far."""


LEVELS: Final[dict[str, Effort]] = {
    "quick": Effort(searches=10),
    "strong": Effort(searches=60),
}
"""More than `strong` wins no more with draw three: `docs/player.md` has what they reach."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Moves to make in turn. They end with what was not seen before, or with the win."""

    moves: tuple[Move, ...]
    reason: HintReason
    cards: tuple[Card, ...] = ()
    """What the reason is about."""
    share: float | None = None
    """Of the worlds that were tried, how many are likely to be won. None: there was nothing to choose."""
    worlds: int = 0


class _SeenMoreError(Exception):
    """A move has shown a card that was not seen before: the plan ends with it."""


class _Hands(Player):
    """Makes moves on a table that shows only what was seen."""

    def play(self, move: Move) -> None:
        super().play(move)
        faces = self.table.waste + tuple(column.up[-1] for column in self.table.columns if column.up)
        if any(card not in BITS for card in faces):
            raise _SeenMoreError

    def draw_on(self) -> None:
        while self.table.stock:
            self.play(DRAW)

    def until_seen(self, act: Callable[[], object]) -> tuple[Move, ...]:
        """The moves of an action up to the first that shows a card not seen before."""
        with contextlib.suppress(_SeenMoreError):
            act()
        return tuple(self.moves)


class StrongPlayer:
    """Keeps the memory of its searches from one plan to the next. One thread at a time may use it."""

    def __init__(self, variant: Variant, aim: Aim = "wins") -> None:
        """Make ready for a variant.

        Raises:
            ValueError: the solver does not play it: `flat.unplayable` says why.
        """
        self.variant = variant
        self._scale = SCALE._replace(cards=aim == "cards")
        # A position in which a card stays face down for good is lost, but not without value for who counts cards.
        rules = ALL_RULES & ~USE_DEAD_ENDS if self._scale.cards else ALL_RULES
        self._seat = new_seat(variant, rules, SLOTS)
        self._deal = empty_deal(variant, rules)
        self._first = np.zeros(ENTRY + 1, np.int64)
        self._template, self._world = new_world(), new_world()
        self._solver = Solver(lambda: 0.0)

    def plan(
        self, known: Knowledge, *, seed: int, effort: Effort, stopped: Callable[[], bool] = lambda: False
    ) -> Plan | None:
        """What to do next. `stopped` is asked every few milliseconds; then it decides by what it has found so far."""
        hidden = sum(BITS[card] for card in unseen(known))
        solved = None if hidden else self._solve(known, stopped)
        if solved is not None and (solved.moves or not self._scale.cards):
            return solved if solved.moves else None
        if self.variant.passes is None and None in known.stock:
            return self._draw_on(known)
        layer, entry, freed = self._position(known, hidden, seed)
        if freed:
            return self._carry_out(known, layer, entry, None)
        choices = seats.branch(layer, entry, self._seat)
        if choices == 0:
            return self._put_up(known, layer, entry) if self._scale.cards else None
        choice = self._choose(layer, choices, hidden, effort, stopped) if choices > 1 else 0
        return self._carry_out(known, layer, entry, choice)

    def _put_up(self, known: Knowledge, layer: Layer, entry: int) -> Plan | None:
        """At the end: as many cards as will go."""
        target = seats.fullest(layer, entry, self._seat)
        hands = _Hands(as_table(known), self.variant)
        moves = hands.until_seen(lambda: hands.reach(_step(layer, entry, target), self._deal.rules))
        return Plan(moves=moves, reason="build-foundation") if moves else None

    def remaining(self, known: Knowledge) -> int:
        """What every plan lowers: cards that are not free yet, and places never seen."""
        layer, _, _ = self._position(known, sum(BITS[card] for card in unseen(known)), seed=0, settle=False)
        blocks = sum(layer.counts >> shift & 15 for shift in range(0, 4 * len(known.columns), 4))
        return blocks + layer.stock.bit_count() + len(unseen(known))

    def _solve(self, known: Knowledge, stopped: Callable[[], bool]) -> Plan | None:
        """The way to the win, or no moves where there is none. None: not decided, or stopped before."""
        verdict = self._solver.solve(as_table(known), self.variant, SOLVING, stopped)
        match verdict:
            case Solvable(moves=moves):
                return Plan(moves=moves, reason="build-foundation", share=1.0)
            case Unsolvable():
                return Plan(moves=(), reason="build-foundation", share=0.0)
            case Unknown():
                return None
        assert_never(verdict)

    def _draw_on(self, known: Knowledge) -> Plan:
        """Draw until something is seen for the first time: what was never seen is still to be drawn in this pass."""
        hands = _Hands(as_table(known), self.variant)
        return Plan(moves=hands.until_seen(hands.draw_on), reason="draw")

    def _position(self, known: Knowledge, hidden: int, seed: int, *, settle: bool = True) -> tuple[Layer, int, bool]:
        """The position with all done that is safe, what is up then, and whether that frees a card."""
        chance = new_chance(seed)
        lay_known(known, self._template)
        sample(self._template, chance, self._world)
        self._seat.chance[:] = chance.state
        self._seat.memory.counters[SEED] = 1
        deal, first = self._deal, self._first
        seats.lay(self._world, deal, first)
        before = seats.first_layer(first, hidden)
        seats.observe(deal, before, hidden, self._seat)
        if not settle:
            return before, int(first[ENTRY]), False
        layer, entry = seats.settled(before, int(first[ENTRY]), self._seat.known)
        return layer, entry, (layer.counts, layer.stock) != (before.counts, before.stock)

    def _choose(self, layer: Layer, choices: int, hidden: int, effort: Effort, stopped: Callable[[], bool]) -> int:
        """The best choice. The seat then holds what it is worth."""
        seat, hand = self._seat, hidden.bit_count()
        # All ways count for cards, not only those that win: so each is looked at further.
        scale = self._scale._replace(states=effort.states * (STATES_FOR_CARDS if self._scale.cards else 1))
        seat.values[:choices] = 0.0
        for live, worlds in halving(choices, effort.searches * choices):
            for first in range(0, worlds, WORLDS_AT_ONCE):
                kernels.weigh_in_worlds(layer, seat, scale, (live, min(WORLDS_AT_ONCE, worlds - first), hand))
                if stopped():
                    return int(self._ranked(live)[0])
            seat.order[:live] = self._ranked(live)
        return int(seat.order[0])

    def _ranked(self, live: int) -> list[np.int64]:
        """The first choices of the order, by what they were worth; of equal ones those first that were so before."""
        return sorted(self._seat.order[:live], key=lambda choice: -self._seat.values[choice])

    def _carry_out(self, known: Knowledge, layer: Layer, entry: int, choice: int | None) -> Plan:
        """The moves of a choice, or of what is safe."""
        hands = _Hands(as_table(known), self.variant)
        if choice is None:
            moves = hands.until_seen(lambda: hands.raise_to(entry))
            return Plan(moves=moves, reason="build-foundation")
        seat = self._seat
        card = int(seat.cards[choice])
        worlds = int(seat.drawn[0])
        share = float(seat.values[choice]) / worlds if worlds else None
        if card == DRAW_ON:
            return msgspec.structs.replace(self._draw_on(known), share=share, worlds=worlds)
        step = _step(layer, entry, int(seat.exits[choice]), card, rise=bool(seat.rises[choice]))
        moves = hands.until_seen(lambda: hands.free(step, self._deal.rules))
        return Plan(moves=moves, reason=_reason(step, layer), cards=(CARDS[card],), share=share, worlds=worlds)


def halving(choices: int, searches: int) -> Iterator[tuple[int, int]]:
    """How many choices to search on in how many worlds each, round after round: all, the better half, and so on.

    Sequential halving: Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013.
    """
    rounds = (choices - 1).bit_length()
    while choices > 1:
        yield choices, max(1, searches // (rounds * choices))
        choices = (choices + 1) // 2


def _step(layer: Layer, entry: int, leave: int, card: int = 0, *, rise: bool = False) -> Freed:
    return Freed(
        roots=int(layer.roots),
        loose=int(layer.loose),
        free=int(layer.free),
        floor=int(layer.floor),
        entry=entry,
        exit=leave,
        card=card,
        rise=rise,
        target=0,
    )


def _reason(step: Freed, layer: Layer) -> HintReason:
    if step.card & step.roots:
        return "turn-up-card"
    if step.rise:
        return "build-foundation"
    return "king-to-column" if step.card & KINGS else "build-tableau"

"""What a position holds for the hint: plans for each goal, the draws to come, and a measure of how far it has come."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from shared.messages.jobs import Knowledge
from shared.rules.cards import KING, Card
from shared.rules.variants import Variant
from shared.solver.layout import (
    FOUNDATION,
    HOSTS,
    INDEX,
    RANK,
    RED,
    WASTE,
    Position,
    Step,
    apply,
    breaks,
    empties,
    lifted,
    position_of,
    run_length,
    steps,
    turns_up,
)
from shared.solver.plans import AT_ONCE, Plan, blocks, cheapest, within_tableau
from shared.solver.stock import Turn, turned, turns

FAR: Final = 1_000
"""Where there is no plan, or no card to draw for: more than any price and any number of draws."""


class Progress(NamedTuple):
    """What every hint raises, compared from left to right. `hints` says why."""

    lasting: int
    """Cards turned up, cards gone from stock and waste, stock cards seen, aces and twos that are up."""
    turn_up: int
    """Minus the price of the plan to turn a card up."""
    foundations: int
    joined: int
    """Minus the number of face-up cards that lie on one that they do not fit."""
    free_column: int
    """Minus the price of the plan to free a column for a King; 0 when one is free."""
    build: int
    """Minus the price of the plan to uncover a card that goes up."""
    helping: int
    """Minus the draws to a card that helps."""
    playable: int
    """Minus the draws to a card that can be played."""


class Outlook:
    """A position and what it holds, each part worked out when it is first asked for."""

    def __init__(self, known: Knowledge, variant: Variant, position: Position | None = None) -> None:
        """`position`: of tableau and foundations, where they have moved on from what is known."""
        self.known = known
        self.variant = variant
        self.position = position or position_of(known)

    @cached_property
    def steps(self) -> list[Step]:
        """All steps that may help."""
        return steps(self.position, self.variant)

    @cached_property
    def turn_up(self) -> Plan | None:
        """Any steps, until a face-down card is turned up. Between Kings, the one whose run is or becomes longer."""
        if not any(column.down for column in self.position.columns):
            return None
        return cheapest(self.position, self.variant, turns_up, gain=turn_up_gain)

    @cached_property
    def free_column(self) -> Plan | None:
        """Steps within the tableau that leave an empty column, if a King waits for one and there is none."""
        if self.waiting_king is None or has_empty_column(self.position):
            return None
        return cheapest(
            self.position,
            self.variant,
            lambda here, step: within_tableau(here, step) and empties(here, step),
            on_the_way=within_tableau,
            gain=_no_gain,
        )

    @cached_property
    def build(self) -> Plan | None:
        """Steps within the tableau, until a card goes up from there. The lowest first."""
        return cheapest(
            self.position,
            self.variant,
            _goes_up,
            on_the_way=within_tableau,
            gain=lambda here, step: -RANK[lifted(here, step)],
        )

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The draws to come."""
        return tuple(turns(self.known, self.variant))

    @cached_property
    def waiting_king(self) -> Card | None:
        """The first useful King on the waste, or that known draws bring there."""
        tops = [*self.known.waste[-1:], *(turn.top for turn in self.turns)]
        kings = (card for card in tops if card is not None and RANK[INDEX[card]] == KING)
        return next((card for card in kings if self._useful_king(INDEX[card])), None)

    @cached_property
    def next_helping(self) -> Turn | None:
        """The first draw that brings a card that helps, or one that was never seen."""
        return next((turn for turn in self.turns if turn.reveals or (turn.top and self.helps(turn.top))), None)

    @cached_property
    def next_playable(self) -> Turn | None:
        """The first draw that brings a card that can be played, or one that was never seen."""
        return next((turn for turn in self.turns if turn.reveals or (turn.top and self.waste_steps(turn.top))), None)

    def waste_steps(self, card: Card) -> list[Step]:
        """Where a card could go from the waste."""
        return [step for step in steps(self._with_waste(card), self.variant) if step.source == WASTE]

    def helps(self, card: Card) -> bool:
        """Whether a card, were it on the waste, would have a step that helps."""
        position = self._with_waste(card)
        return any(self.step_helps(position, step) for step in self.waste_steps(card))

    def step_helps(self, position: Position, step: Step) -> bool:
        """Whether a step from the waste is good for something: judged by nothing but tableau and foundations."""
        card = lifted(position, step)
        if step.target >= FOUNDATION and not blocks(card, position.heights):
            return True
        if RANK[card] == KING and step.target < FOUNDATION and self._useful_king(card):
            return True
        after = apply(position, step)
        return any(turns_up(after, following) for following in steps(after, self.variant))

    def progress(self) -> Progress:
        """How far the position has come."""
        return Progress(*self._measures())

    def is_behind(self, later: "Outlook") -> bool:
        """Whether another outlook has come further. Only as much is worked out as is needed to tell."""
        pairs = zip(self._measures(), later._measures(), strict=True)  # noqa: SLF001 - of its own kind
        return next((there > here for here, there in pairs if there != here), False)

    def after(self, step: Step) -> "Outlook | None":
        """What a step within tableau and foundations leads to. None: it turns up a card, or takes one off the waste."""
        if step.source == WASTE or turns_up(self.position, step):
            return None
        return Outlook(self.known, self.variant, apply(self.position, step))

    def after_turn(self, *, draw: bool) -> "Outlook | None":
        """What a draw, or else a recycle, leads to. None: the draw turns up a card that was never seen."""
        known = turned(self.known, self.variant, draw=draw)
        return None if known is None else Outlook(known, self.variant)

    def _measures(self) -> Iterator[int]:
        """The parts of `Progress`, each worked out when it is reached."""
        yield self._lasting()
        yield -_price(self.turn_up)
        yield sum(self.position.heights)
        yield -breaks(self.position)
        yield 0 if self.waiting_king and has_empty_column(self.position) else -_price(self.free_column)
        yield -_price(self.build)
        yield -self._draws(self.next_helping, self.helps)
        yield -self._draws(self.next_playable, lambda card: bool(self.waste_steps(card)))

    def _draws(self, turn: Turn | None, wanted: Callable[[Card], bool]) -> int:
        """Draws to a turn; none are needed when the waste's top card is wanted already."""
        if any(map(wanted, self.known.waste[-1:])):
            return 0
        return FAR if turn is None else turn.actions

    def _with_waste(self, card: Card) -> Position:
        return self.position._replace(waste=(INDEX[card],))

    def _useful_king(self, king: int) -> bool:
        """Whether a queen is left that could lie on the King."""
        return any(
            height < KING - 1
            for index, height in enumerate(self.position.heights)
            if (index % 4 in (1, 2)) != RED[king]
        )

    def _lasting(self) -> int:
        known = self.known
        hidden = sum(len(column.down) for column in known.columns) + known.stock.count(None)
        small = sum(min(height, AT_ONCE) for height in self.position.heights)
        return small - hidden - len(known.stock) - len(known.waste)


def has_empty_column(position: Position) -> bool:
    return any(not column.up for column in position.columns)


def follows(position: Position, step: Step) -> int:
    """The length of the longest run of another column that can move onto the cards that a step moves."""
    if step.source == WASTE:
        tail = position.waste[-1]
    elif step.source >= FOUNDATION:
        tail = lifted(position, step)
    else:
        tail = position.columns[step.source].up[-1]
    return max((_fitting(column.up, tail) for column in position.columns), default=0)


def _fitting(up: tuple[int, ...], onto: int) -> int:
    length = run_length(up)
    return next((count for count in range(1, length + 1) if up[-count] in HOSTS[onto]), 0)


def turn_up_gain(position: Position, step: Step) -> int:
    """What a step that turns a card up is worth: a King brings its run, what hides most cards comes next."""
    source = position.columns[step.source]
    run = step.size + follows(position, step) if RANK[source.up[-step.size]] == KING else 0
    return run * len(position.columns) * KING + source.down


def _goes_up(_position: Position, step: Step) -> bool:
    return step.source < FOUNDATION <= step.target


def _no_gain(_position: Position, _step: Step) -> int:
    return 0


def _price(plan: Plan | None) -> int:
    return FAR if plan is None else plan.price

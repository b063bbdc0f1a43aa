"""What `klondike solve` says of a deal."""

import math
from collections.abc import Callable
from typing import Literal, assert_never

import msgspec

from services.cli.deal_lines import DealLine, fault_shown, shown
from shared.rules.moves import Move, move_text
from shared.rules.table import Table
from shared.rules.variants import Variant
from shared.solver.certify import certify
from shared.solver.formats import DealError, dealt, parse_table, table_text
from shared.solver.minimal import MinimalSolver, Shortest
from shared.solver.solve import Budget, Reason, Solvable, Solver, Unknown, Unsolvable, Verdict, verdict


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A line of output."""

    deal: str
    """As a list; a position in the middle of a game as JSON."""
    verdict: Literal["solvable", "unsolvable", "unknown"]
    proof: Literal["certified", "argued"] | None = None
    """Certified: the rules core accepted each move to the win; or, with `--certified`, the second search found none
    either. Argued: the first search found none (docs/solver.md)."""
    difficulty: int
    """The binary logarithm of the states searched, rounded down."""
    moves: list[str] | None = None
    move_count: int | None = None
    states: int
    micros: int
    """Time to the verdict; the playing of the moves not included."""
    line: int
    """Where the deal begins in the input, from 1."""
    reason: Reason | msgspec.UnsetType = msgspec.UNSET
    """Why a verdict is unknown, or a solution perhaps not the shortest."""
    minimal: bool | msgspec.UnsetType = msgspec.UNSET
    """With `--minimal`: whether no solution has a smaller `move_count`, by proof. Recycling is not counted then."""
    at_least: int | msgspec.UnsetType = msgspec.UNSET
    """With `--minimal`: the `move_count` that no solution goes below, as far as was proved."""


class BadLine(msgspec.Struct, frozen=True, kw_only=True):
    """In place of an answer, when a line is no deal."""

    deal: str
    """The beginning of the line."""
    error: str
    line: int
    """The line that is wrong: in a board, not its first."""


class Deals:
    """Solves deals, one at a time."""

    def __init__(
        self,
        variant: Variant,
        budget: Budget,
        clock: Callable[[], float],
        cancelled: Callable[[], bool],
        *,
        certified: bool = False,
        minimal: bool = False,
    ) -> None:
        self._certified = certified
        self._minimal = MinimalSolver(clock) if minimal else None
        self._variant = variant
        self._budget = budget
        self._clock = clock
        self._cancelled = cancelled
        self._solver = Solver(clock)

    def answer(self, line: DealLine, form: str | None) -> Answer | BadLine:
        """The answer to a text of a format; None is told from the text."""
        try:
            table = parse_table(line.text, self._variant, form)
        except DealError as error:
            number = line.number + error.row
            return BadLine(deal=shown(line.text), error=fault_shown(f"line {number}: {error}"), line=number)
        return self._solved(line, table)

    def _solved(self, line: DealLine, table: Table) -> Answer:
        start = self._clock()
        if self._minimal:
            found: Verdict | Shortest = self._minimal.solve(table, self._variant, self._budget, self._cancelled)
            micros = round((self._clock() - start) * 1e6)
        else:
            outcome = self._solver.search(table, self._variant, self._budget, self._cancelled)
            micros = round((self._clock() - start) * 1e6)
            found = verdict(table, self._variant, outcome)
        return self._told(found, table, micros, line.number)

    def _told(self, found: Verdict | Shortest, table: Table, micros: int, line: int) -> Answer:
        answer = Answer(
            deal=self._text(table),
            verdict="unknown",
            difficulty=int(math.log2(found.states + 1)),
            states=found.states,
            micros=micros,
            line=line,
        )
        match found:
            case Solvable(moves=moves):
                return _won(answer, moves, len(moves))
            case Shortest(moves=moves, count=count, at_least=at_least, reason=reason):
                won = _won(answer, moves, count)
                return msgspec.structs.replace(
                    won, minimal=found.minimal, at_least=at_least, reason=reason or msgspec.UNSET
                )
            case Unsolvable():
                return msgspec.structs.replace(answer, verdict="unsolvable", proof=self._proof(table))
            case Unknown(reason=reason):
                return msgspec.structs.replace(answer, reason=reason)
        assert_never(found)

    def _proof(self, table: Table) -> Literal["certified", "argued"]:
        """Whether the second search, too, finds that a table is lost, within a budget of its own."""
        if not self._certified:
            return "argued"
        opinion = certify(table, self._variant, self._budget, self._clock, self._cancelled)
        assert not opinion.winnable, "the two searches contradict each other"
        return "argued" if opinion.winnable is None else "certified"

    def _text(self, table: Table) -> str:
        try:
            dealt(table, self._variant)
        except DealError:
            return table_text(table, self._variant, "position")
        return table_text(table, self._variant, "list")


def _won(answer: Answer, moves: tuple[Move, ...], count: int) -> Answer:
    texts = [move_text(move) for move in moves]
    return msgspec.structs.replace(answer, verdict="solvable", proof="certified", moves=texts, move_count=count)


def short_text(answer: Answer | BadLine) -> str:
    """An answer for people, on one line."""
    if isinstance(answer, BadLine):
        return answer.error
    moves = "" if answer.move_count is None else f", {answer.move_count} moves"
    if answer.minimal is not msgspec.UNSET:
        moves += " (no solution is shorter)" if answer.minimal else f" (at least {answer.at_least} are needed)"
    found = f"line {answer.line}: {answer.verdict}{moves}, difficulty {answer.difficulty}"
    return f"{found}, {answer.states} states, {answer.micros} µs"

"""One game under any sequence of commands, held to its laws after each of them."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from shared.game.decide import Events
from shared.game.state import Seat
from shared.game.view import knowledge_of, view_of
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.rules.cards import DECK
from shared.rules.table import all_cards, is_won
from shared.rules.variants import VARIANTS
from tests.laws.naive_rules import every_conceivable_move
from tests.play import Play, new_play, rebuilt

CONCEIVABLE = every_conceivable_move()


class OneGame(RuleBasedStateMachine):
    """Remembers every seat that was left by a move, to compare with what undo gives back."""

    def __init__(self) -> None:
        super().__init__()
        self.play: Play
        self.before: Seat
        """The seat before the newest command."""
        self.left: list[Seat] = []
        self.taken_back: list[Seat] = []
        self.shown: set[str] = set()
        """Every card that an event has named."""
        self.records_read = 0

    @initialize(
        played=st.sampled_from([(name, scoring) for name, row in VARIANTS.items() for scoring in row.scorings]),
        mode=st.sampled_from(["relaxed", "relaxed", "ranked"]),
        secret=st.binary(min_size=32, max_size=32),
    )
    def deal(self, played: tuple[str, str], mode: str, secret: bytes) -> None:
        variant, scoring = played
        self.play = new_play(variant=variant, scoring=scoring, mode=mode, deal=secret)

    @precondition(lambda self: self.play.legal())
    @rule(data=st.data())
    def make_a_legal_move(self, data: st.DataObject) -> None:
        text = data.draw(st.sampled_from(self.play.legal()))
        events = self._do(text)
        assert not isinstance(events, Error)
        self.left.append(self.before)
        self.taken_back.clear()

    @rule(text=st.sampled_from(CONCEIVABLE))
    def try_any_move(self, text: str) -> None:
        """A move that is not legal is refused with the rule that it breaks, and changes nothing."""
        if text in self.play.legal():
            return
        events = self._do(text)
        assert isinstance(events, Error)
        assert events.code == "illegal-move"
        assert events.rule is not None

    @rule()
    def undo(self) -> None:
        """Undo gives back the very same table, points and move counter, all the way to the deal."""
        events = self._do("undo")
        if self.play.game.mode == "ranked":
            assert isinstance(events, Error)
            assert events.code == "undo-not-allowed"
        elif not self.left:
            assert isinstance(events, Error)
            assert events.code == "nothing-to-undo"
        else:
            self.taken_back.append(self.before)
            assert _shown(self.play.game.seat) == _shown(self.left.pop())
            assert self.play.game.assisted

    @rule()
    def redo(self) -> None:
        """Redo gives the same cards again, never a new shuffle."""
        events = self._do("redo")
        if not self.taken_back:
            assert isinstance(events, Error)
            assert events.code in ("undo-not-allowed", "nothing-to-redo")
        else:
            assert _shown(self.play.game.seat) == _shown(self.taken_back.pop())
            self.left.append(self.before)

    @rule(data=st.data())
    def be_told_a_hint(self, data: st.DataObject) -> None:
        """A hint is help, moves no card, and leaves undo and redo as they were."""
        seat = self.play.game.seat
        events = self._do("hint " + data.draw(st.sampled_from(self.play.legal())))
        assert not isinstance(events, Error)
        assert self.play.game.assisted
        assert self.play.game.seat == seat

    @invariant()
    def all_cards_are_there_once(self) -> None:
        assert sorted(all_cards(self.play.game.seat.table)) == sorted(DECK)

    @invariant()
    def a_column_never_shows_its_back_on_top(self) -> None:
        """The uncovered card is turned up in the same step, also after undo and redo."""
        assert all(column.up or not column.down for column in self.play.game.seat.table.columns)

    @invariant()
    def the_view_holds_nothing_hidden(self) -> None:
        """No byte of it names a card that lies face down, nor the secret."""
        table = self.play.game.seat.table
        hidden = {*table.stock, *(card for column in table.columns for card in column.down)}
        bare = view_of(self.play.game)
        shown = encode((bare.columns, bare.foundations, bare.waste, bare.legal, bare.deal, bare.secret))
        assert not [card for card in hidden if card.encode() in shown]
        assert self.play.sealed.secret.encode() not in encode(bare)

    @invariant()
    def knowledge_holds_only_cards_that_were_seen(self) -> None:
        """Seen is what events have shown: counted here from the events alone."""
        for record in self.play.records[self.records_read :]:
            self.shown |= _named(record.events)
        self.records_read = len(self.play.records)
        known = knowledge_of(self.play.game)
        cards = {card for column in known.columns for card in (*column.down, *column.up)} | {*known.stock, *known.waste}
        cards |= {card for pile in known.foundations for card in pile}
        assert cards - {None} == self.shown

    @invariant()
    def points_are_never_more_than_the_table_shows(self) -> None:
        """Points cannot be farmed: ten a card on the foundations, five a card turned up, and no more, ever."""
        game = self.play.game
        assert game.seat.points == sum(done.points for done in game.seat.done)
        up = sum(map(len, game.seat.table.foundations))
        turned = 21 - sum(len(column.down) for column in game.seat.table.columns)
        most = 10 * up + 5 * turned if game.scoring_id == "standard" else 0
        assert game.seat.points <= most
        if not any(text.startswith("F") for text in _moves_of(game.seat)):
            assert game.seat.points == most

    @invariant()
    def the_move_counter_counts_moves_made_less_those_taken_back(self) -> None:
        assert self.play.game.seat.moves == len(self.left) >= 0

    @invariant()
    def nobody_wins_without_all_cards_up(self) -> None:
        assert (self.play.game.status == "won") == is_won(self.play.game.seat.table, self.play.game.variant)

    def teardown(self) -> None:
        """The game from its stored bytes is the game that was played, byte for byte."""
        assert encode(rebuilt(self.play.deal, self.play.stored)) == encode(self.play.logged)

    def _do(self, text: str) -> Events | Error:
        """Does it, having looked that deciding is pure and always the same, and that a refusal changes nothing."""
        self.before = self.play.game.seat
        before = encode(self.play.logged)
        assert encode(self.play.decided(text)) == encode(self.play.decided(text))
        assert encode(self.play.logged) == before
        events = self.play.do(text)
        assert isinstance(events, Error) == (encode(self.play.logged) == before)
        return events


def _shown(seat: Seat) -> tuple[object, ...]:
    return (encode(seat.table), seat.points, seat.moves, seat.done)


def _named(events: Events) -> set[str]:
    """The cards that events name."""
    return {card for card in DECK if f"{card}".encode() in encode(tuple(events))}


def _moves_of(seat: Seat) -> list[str]:
    return [getattr(done.move, "source", "") for done in seat.done]


OneGame.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestOneGame = OneGame.TestCase

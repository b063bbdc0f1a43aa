"""One game under any sequence of commands, held to its laws after each of them."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from shared.game.decide import Events
from shared.game.evolve import dealt_table
from shared.game.state import Seat
from shared.game.view import knowledge_of, view_of
from shared.messages.codec import encode
from shared.messages.errors import Error
from shared.rules.cards import DECK, Card
from shared.rules.table import Table, all_cards, is_won
from shared.rules.variants import SOLO
from tests.laws.naive_rules import every_conceivable_move
from tests.play import Play, new_play, rebuilt

CONCEIVABLE = every_conceivable_move()


def face_up(table: Table) -> set[Card]:
    """Cards that may be named: with two decks, the twin of one of them may still lie hidden."""
    piles = [table.waste, *table.foundations, *(column.up for column in table.columns)]
    return {card for pile in piles for card in pile}


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
        played=st.sampled_from([(name, scoring) for name, row in SOLO.items() for scoring in row.scorings]),
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
        running = self.play.game.status == "running"
        assert events.code == ("illegal-move" if running else "game-ended")
        assert (events.rule is not None) == running

    @rule()
    def undo(self) -> None:
        """Undo gives back the very same table, points and move counter, all the way to the deal."""
        events = self._do("undo")
        if self.play.game.mode == "ranked":
            assert isinstance(events, Error)
            assert events.code == ("undo-not-allowed" if self.play.game.status == "running" else "game-ended")
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
            assert events.code in ("undo-not-allowed", "nothing-to-redo", "game-ended")
        else:
            assert _shown(self.play.game.seat) == _shown(self.taken_back.pop())
            self.left.append(self.before)

    @precondition(lambda self: self.play.legal())
    @rule(data=st.data())
    def be_told_a_hint(self, data: st.DataObject) -> None:
        """A hint is help, moves no card, and leaves undo and redo as they were."""
        seat = self.play.game.seat
        events = self._do("hint " + data.draw(st.sampled_from(self.play.legal())))
        assert not isinstance(events, Error)
        assert self.play.game.assisted
        assert self.play.game.seat == seat

    @rule(word=st.sampled_from(["pause", "away"]))
    def pause_and_go_on(self, word: str) -> None:
        """A pause changes nothing but the clock, and nothing is done in it."""
        seat = self.play.game.seat
        events = self._do(word)
        if isinstance(events, Error):
            assert events.code in ("nothing-to-pause", "game-ended")
            return
        for text in ("undo", word, *self.play.legal()[:1]):
            refused = self._do(text)
            assert isinstance(refused, Error)
            assert refused.code == "game-paused"
        assert not isinstance(self._do("continue"), Error)
        assert self.play.game.seat == seat

    @invariant()
    def all_cards_are_there_once(self) -> None:
        assert sorted(all_cards(self.play.game.seat.table)) == sorted(DECK * self.play.game.variant.decks)

    @invariant()
    def a_column_never_shows_its_back_on_top(self) -> None:
        """The uncovered card is turned up in the same step, also after undo and redo."""
        assert all(column.up or not column.down for column in self.play.game.seat.table.columns)

    @invariant()
    def the_view_holds_nothing_hidden(self) -> None:
        """No byte of it names a card that lies face down, nor the secret."""
        table = self.play.game.seat.table
        hidden = {*table.stock, *(card for column in table.columns for card in column.down)} - face_up(table)
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
        if self.play.game.variant.decks == 1:
            assert cards - {None} == self.shown
        else:  # nobody can tell by its value which of two cards was seen, so none that is hidden again counts as known
            assert cards - {None} == face_up(self.play.game.seat.table)

    @invariant()
    def points_are_never_more_than_the_table_shows(self) -> None:
        """Points cannot be farmed: each card counts once where it lies, and no more, ever."""
        game = self.play.game
        table = game.seat.table
        up = sum(map(len, table.foundations))
        turned = sum(map(len, start_of(self.play))) - sum(len(column.down) for column in table.columns)
        played = game.variant.cards - sum(game.variant.columns) - len(table.stock) - len(table.waste)
        most = {
            "standard": 10 * up + 5 * turned,
            "traditional": 10 * up + 5 * turned + 5 * played,
            "vegas": 5 * up - 52,
            "win-loss": int(game.status == "won"),
        }[game.scoring_id]
        assert game.seat.points <= most
        taken_back = any(text.startswith("F") for text in _moves_of(game.seat))
        if game.scoring_id == "vegas" or not (taken_back or game.scoring_id == "traditional"):
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


def start_of(play: Play) -> list[tuple[Card, ...]]:
    """The cards that lay face down after the deal, column by column."""
    return [column.down for column in dealt_table(play.sealed, play.game.variant).columns]


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

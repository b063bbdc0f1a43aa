"""From a secret or a number to the cards: the published method, done again here from its description alone."""

import hashlib
from collections import Counter

import pytest

from shared.messages.commands import DEAL_NUMBER_MAX
from shared.rules.cards import DECK, Card
from shared.rules.deal import SHUFFLE, _below, commitment, numbered_deck, secret_deck

SUIT_ORDER = ("C", "D", "H", "S")
RANK_ORDER = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
SECRET = bytes(range(32))

DEALS = 5_200
CHI_SQUARE_MAX = 2_872
"""52 × 52 counts of place and card, with rows and columns of known sums, have 51 × 51 = 2,601 degrees of freedom: mean
2,601, deviation √(2 × 2,601) = 72. This is 3.75 deviations above; a fair shuffle exceeds it once in about 8,000 sets of
deals, and these sets are always the same."""


class Described:
    """Method `sha256-fisher-yates-1`, as the docstring of `shared.rules.deal` describes it."""

    def __init__(self, *parts: bytes) -> None:
        self.seed = hashlib.sha256(b"klondike deal 1" + b"".join(b"\x00" + part for part in parts)).digest()
        self.taken = 0

    def number(self) -> int:
        block, word = divmod(self.taken, 4)
        digest = hashlib.sha256(self.seed + block.to_bytes(8, "big")).digest()
        self.taken += 1
        return int.from_bytes(digest[8 * word : 8 * word + 8], "big")

    def place(self, last: int) -> int:
        places = last + 1
        while True:
            number = self.number()
            if number < 2**64 // places * places:
                return number % places

    def deck(self, decks: int) -> tuple[str, ...]:
        cards = [rank + suit for _ in range(decks) for suit in SUIT_ORDER for rank in RANK_ORDER]
        for last in reversed(range(1, len(cards))):
            place = self.place(last)
            held = cards[last]
            cards[last] = cards[place]
            cards[place] = held
        return tuple(cards)


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("number", [0, 1, 7, 1_673, DEAL_NUMBER_MAX])
def test_a_deal_number_gives_the_deck_that_the_description_gives(number: int, decks: int) -> None:
    assert numbered_deck(number, decks=decks) == Described(b"number", str(number).encode("ascii")).deck(decks)


@pytest.mark.parametrize("player_seed", ["", "lucky", "ą ♥", "a\0b", "x" * 64])
def test_a_secret_and_the_players_seed_give_the_deck_that_the_description_gives(player_seed: str) -> None:
    expected = Described(b"secret", SECRET, player_seed.encode("utf-8")).deck(1)
    assert secret_deck(SECRET, player_seed, decks=1) == expected


def test_the_method_has_the_name_under_which_it_is_stored() -> None:
    """Another method gets another name: stored games name the one that they were dealt by."""
    assert SHUFFLE == "sha256-fisher-yates-1"


def deck_of(text: str) -> tuple[str, ...]:
    return tuple(text.split())


GOLDEN = {
    0: (
        "2C 2S 4D 2D 4S 8C TD 5H 6S KD 9S 9H AS KS 7C TC 5C AD 7H 8H QS AC 9D KC 8D JS "
        "9C 7S 4C 5S 5D 8S QD 4H 6C TH JC TS 3C 3H 3S 6H 2H 3D QC 6D KH AH 7D QH JH JD"
    ),
    1: (
        "2S 4S JD AH 9S 7D 5D 6C AS AD 4H 3C KH KS 8D TC 6H 6D QS TD JH 3D 5C TS 8H JC "
        "2D 4D 7C 5S 8C 5H KD KC AC 9C 6S 3H 2H 8S 9H TH QC 7H 3S 2C 9D JS 7S 4C QH QD"
    ),
    DEAL_NUMBER_MAX: (
        "5C 9S 6H KS 8D KH 7S 4H QH 4D 5H TS 4C KC JC JH 3S TD QS 8S 6D 3D 2C TC 3H 2D "
        "7H QD JD 8C 9H 3C QC 2S AS 9C 7D 5S AC 6S 4S 7C 9D JS TH 6C AD 2H 8H 5D AH KD"
    ),
}
GOLDEN_SECRET = (
    "2S 6H AC 8C TD 2D 7H 6D AS JS QH 5H 2H 6C JD 4H 9D 7S 7D 5S JH AD 2C 5C JC 8S "
    "TS 9H 9C 3H 4D 8D 7C KD TC AH 3C 4C KC QS 8H QD 9S 5D 6S KS KH TH 3D QC 3S 4S"
)


@pytest.mark.parametrize("number", GOLDEN)
def test_a_deal_number_is_the_same_deal_for_years(number: int) -> None:
    assert numbered_deck(number, decks=1) == deck_of(GOLDEN[number])


def test_a_secret_is_the_same_deal_for_years() -> None:
    assert secret_deck(SECRET, "lucky", decks=1) == deck_of(GOLDEN_SECRET)
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize("places", [2, 3, 51, 52, 104])
def test_a_number_that_would_favour_a_place_is_thrown_away(places: int) -> None:
    """Too rare to be met in a deal: less than once in 2**57 numbers."""
    limit = 2**64 // places * places
    thrown = [number for number in (limit, limit + 1, 2**64 - 1) if limit <= number < 2**64]
    assert _below(places, iter([*thrown, limit - 1, 0])) == places - 1
    assert _below(places, iter([*thrown, places + 1])) == 1


@pytest.mark.parametrize("decks", [1, 2])
def test_a_deck_holds_every_card_once_a_deck(decks: int) -> None:
    for number in range(50):
        assert Counter(numbered_deck(number, decks=decks)) == Counter(DECK * decks)


def test_the_players_own_seed_changes_the_deal() -> None:
    """So the server cannot have chosen it."""
    decks = {secret_deck(SECRET, seed, decks=1) for seed in ("", "a", "b", "ab", "a\0")}
    assert len(decks) == 5


def test_numbers_and_secrets_that_look_alike_give_different_deals() -> None:
    assert numbered_deck(12, decks=1) != secret_deck(b"12", "", decks=1)


def test_a_commitment_is_the_sha_256_of_the_secret() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()
    assert commitment(SECRET) != commitment(SECRET[:-1] + b"\0")


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Chi-square over place and card of numbered deals."""
    counts: Counter[tuple[int, Card]] = Counter()
    for number in range(DEALS):
        counts.update(enumerate(numbered_deck(number, decks=1)))
    assert chi_square(counts) < CHI_SQUARE_MAX


def test_the_chi_square_test_notices_the_usual_wrong_shuffle() -> None:
    """Swapping every place with any place, instead of one not yet settled, is biased enough to be seen."""
    counts: Counter[tuple[int, Card]] = Counter()
    for number in range(DEALS):
        cards = list(DECK)
        words = Described(b"biased", str(number).encode())
        for place in range(52):
            other = words.number() % 52
            cards[place], cards[other] = cards[other], cards[place]
        counts.update(enumerate(cards))
    assert chi_square(counts) > CHI_SQUARE_MAX


def chi_square(counts: Counter[tuple[int, Card]]) -> float:
    expected = DEALS / 52
    return sum((counts[place, card] - expected) ** 2 / expected for place in range(52) for card in DECK)

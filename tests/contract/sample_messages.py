"""One of each message that is stored for years, as this release writes it.

The files in `samples` are the truth, not this module: they are never written again. For a new schema, or a new event,
run `python -m tests.contract.sample_messages`: it adds the files that are missing.
"""

from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.bus.snapshots import SNAPSHOT_SCHEMA, pack_snapshot
from shared.checkpoints import sign
from shared.messages.answers import ForgottenPlayer
from shared.messages.archive import ArchivedGame, Manifest, Place, Segment
from shared.messages.base import GameId
from shared.messages.chances import Estimate, Lost
from shared.messages.checkpoint import Change, Checkpoint, changes_digest
from shared.messages.codec import encode, seal
from shared.messages.commands import NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.events import (
    Alternative,
    AnyEvent,
    CardsDrawn,
    CardsMoved,
    ChancesGiven,
    GameContinued,
    GameEnded,
    GamePaused,
    GameStarted,
    HintGiven,
    MoveRedone,
    MoveUndone,
    PlayerJoined,
    PlayerLeft,
    PlayerResigned,
    PlayerReturned,
    Record,
    SealedDeal,
    SeatResult,
    StockRecycled,
)
from shared.messages.profile import KeptSettings
from shared.messages.sharing import Share
from shared.messages.upcast import SCHEMA_NEWEST
from tests.duels import GUEST
from tests.play import FIRST_AT, PLAYER, SECRET, command_id, new_play, start_game
from tests.tampering import whole_game

SAMPLES: Final = Path(__file__).parent / "samples"

EVENTS: Final[tuple[AnyEvent, ...]] = (
    GameStarted(
        player=PLAYER,
        variant="draw3",
        variant_version="1.0.0",
        scoring="standard",
        mode="relaxed",
        deal=SecretDeal(player_seed="lucky ♥"),
        shuffle="sha256-fisher-yates-1",
        commitment="ab" * 32,
        faces=(("AC",), ("TD",), ("KH",), ("2S",), ("3C",), ("4D",), ("5H",)),
        points=-52,
    ),
    CardsMoved(source="T3", target="T10", cards=("QH", "JS"), turned_up="9D", points=5),
    CardsMoved(source="W", target="F2", cards=("AD",), points=10),
    CardsDrawn(cards=("7C", "8C", "TC")),
    StockRecycled(cards=24, begins_pass=2, points=-20),
    MoveUndone(points=-15),
    MoveRedone(points=15),
    HintGiven(move="W>F2", reason="build-foundation", cards=("AD",)),
    GameEnded(result="won", points=626, moves=109, play_ms=123_456, assisted=True, secret=SECRET.hex(), bonus=1),
    ChancesGiven(chances=Estimate(samples=200, winnable=120, undecided=3, low=0.5309, high=0.6801, exact=True)),
    ChancesGiven(chances=Lost()),
    HintGiven(
        move="T7>T5",
        reason="turn-up-card",
        cards=("4D",),
        alternatives=(
            Alternative(move="W>F2", reason="build-foundation", cards=("AD",)),
            Alternative(move="draw", reason="draw"),
        ),
    ),
    HintGiven(move="recycle", reason="turn-up-card", cards=("9D",), then=("draw", "W>T3", "T1>T3*2")),
    GamePaused(reason="absence", since=FIRST_AT),
    GameContinued(),
    GameStarted(
        player=PLAYER,
        variant="double",
        variant_version="1.0.0",
        scoring="standard",
        mode="ranked",
        deal=SecretDeal(),
        shuffle="sha256-fisher-yates-1",
        commitment="ab" * 32,
        faces=(),
        points=0,
        expires_at=FIRST_AT + 60_000,
        absence_ms=120_000,
    ),
    PlayerJoined(player=GUEST, faces=((("AC",), ("TD",)), (("KH",), ("2S",)))),
    PlayerResigned(seat=1, absent=True),
    PlayerLeft(seat=1, since=FIRST_AT),
    PlayerReturned(seat=1),
    GameEnded(
        result="won",
        points=520,
        moves=170,
        play_ms=123_456,
        assisted=False,
        secret=SECRET.hex(),
        seats=(
            SeatResult(result="won", points=520, moves=170, cards_up=52),
            SeatResult(result="resigned", points=-5, moves=12, cards_up=3, bonus=-1),
        ),
    ),
)


def messages() -> dict[str, bytes]:
    """Stored forms by the name of their file, without its ending."""
    game = start_game().game
    secret = SealedDeal(
        game=game, deal=SecretDeal(player_seed="lucky ♥"), shuffle="sha256-fisher-yates-1", secret=SECRET.hex()
    )
    numbered = SealedDeal(game=game, deal=NumberedDeal(number=2**53 - 1), shuffle="sha256-fisher-yates-1", secret="")
    daily = msgspec.structs.replace(numbered, deal=NumberedDeal(number=20260301004, day="2026-03-01"))
    winnable = msgspec.structs.replace(secret, deal=WinnableDeal(player_seed="lucky ♥"))
    stored = {
        "sealed-deal-secret": encode(secret),
        "sealed-deal-number": encode(numbered),
        "sealed-deal-of-a-day": encode(daily),
        "sealed-deal-winnable": encode(winnable),
        "share": encode(Share(game=game, key="a2" * 16, at=FIRST_AT)),
        "forgotten-player": encode(ForgottenPlayer(player=PLAYER, at=FIRST_AT)),
        "kept-settings": encode(
            KeptSettings(player=PLAYER, version=3, values={"felt": "blue", "language": "lt"}, at=FIRST_AT)
        ),
        **archived(game),
        "checkpoint": checkpoint(game),
    }
    for number, event in enumerate(EVENTS, start=1):
        record = Record(
            game=game,
            version=number,
            command=command_id(number),
            player=PLAYER,
            at=FIRST_AT + number,
            events=(event,),
            previous=SECRET,
        )
        stored[f"record-{number}-{event.__struct_config__.tag}"] = seal(record)
    snapshot = pack_snapshot(new_play().must("draw", "draw", "undo").logged)
    named = {f"{name}.{SCHEMA_NEWEST}": data for name, data in stored.items()}
    return named | {f"snapshot.{SNAPSHOT_SCHEMA.decode()}": snapshot}


def archived(game: GameId) -> dict[str, bytes]:
    """What is kept of an archive segment, and of one game in it."""
    segment = Segment(name="5e" * 32, length=5_000, chunk_bytes=4_096)
    entry = ArchivedGame(
        game=game,
        offset=17,
        length=900,
        versions=23,
        hash=SECRET,
        first_sequence=4,
        last_sequence=30,
        live_bytes=4_321,
        ended_at=FIRST_AT,
    )
    manifest = Manifest(
        number=2,
        previous=SECRET,
        at=FIRST_AT,
        segment=segment,
        games=(entry,),
        through_sequence=30,
        through_mark=SECRET,
        games_so_far=3,
        messages_so_far=60,
    )
    return {"manifest": encode(manifest), "place": encode(Place(segment=segment, entry=entry))}


def checkpoint(game: GameId) -> bytes:
    """A signed checkpoint over one game."""
    changes = (Change(game, 23, SECRET),)
    signed = Checkpoint(
        number=2, previous=SECRET, at=FIRST_AT, sequence=30, manifest=1, changes=changes_digest(changes)
    )
    return encode(sign(Ed25519PrivateKey.from_private_bytes(SECRET), signed, changes))


def game() -> str:
    """A whole game with every kind of event: its sealed deal and its records, each a line of hexadecimal."""
    return "".join(f"{data.hex()}\n" for _, data in whole_game().messages)


def main() -> None:
    """Writes what is missing, bytes in hexadecimal."""
    games = sorted(SAMPLES.glob("game-*.hex"))
    files = {name: hex_lines(data) for name, data in messages().items()}
    if game() not in {file.read_text(encoding="utf-8") for file in games}:
        files[f"game-{len(games) + 1}.{SCHEMA_NEWEST}"] = game()
    for name, text in files.items():
        file = SAMPLES / f"{name}.hex"
        if not file.exists():
            _ = file.write_text(text, encoding="utf-8")


def hex_lines(data: bytes) -> str:
    """Hexadecimal, 48 bytes a line."""
    return "".join(f"{data[start : start + 48].hex()}\n" for start in range(0, len(data), 48))


if __name__ == "__main__":
    main()

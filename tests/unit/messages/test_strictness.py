"""Input is refused where it holds more than its schema, on every level; what is stored is read where it holds more."""

from collections.abc import Iterator
from typing import get_args

import msgspec
import msgspec.inspect
import pytest

from shared.messages.answers import FetchCalendar, FetchGames, FetchRanking, FetchStatistics, FindGames
from shared.messages.base import Input, Stored
from shared.messages.codec import encode
from shared.messages.commands import AnyCommand, FetchGame, NumberedDeal, SecretDeal, WinnableDeal
from shared.messages.dealer import ImportRequest
from shared.messages.events import AnyEvent, GameStarted, Record, SealedDeal
from shared.messages.frames import ClientFrame
from shared.messages.jobs import AnyResult, Job
from shared.messages.sharing import ShareRequest
from tests.play import command_of, new_play, start_game

INPUTS: tuple[type[Input], ...] = (
    *get_args(AnyCommand),
    *get_args(ClientFrame),
    FetchGame,
    FetchStatistics,
    FetchRanking,
    FetchGames,
    FindGames,
    FetchCalendar,
    *get_args(ShareRequest),
    *get_args(ImportRequest),
    Job,
    *get_args(AnyResult),
)


def structs_in(kind: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    """A struct and all that lie in it, at any depth."""
    found: set[type[msgspec.Struct]] = set()
    for described in nested(msgspec.inspect.type_info(kind)):
        if isinstance(described, msgspec.inspect.StructType):
            found.add(described.cls)
    return found


def nested(described: msgspec.inspect.Type) -> Iterator[msgspec.inspect.Type]:
    yield described
    match described:
        case msgspec.inspect.StructType(fields=fields):
            inner = [field.type for field in fields]
        case msgspec.inspect.UnionType(types=types):
            inner = list(types)
        case msgspec.inspect.VarTupleType(item_type=item):
            inner = [item]
        case msgspec.inspect.TupleType(item_types=items):
            inner = list(items)
        case _:
            inner = []
    for one in inner:
        yield from nested(one)


@pytest.mark.parametrize("kind", INPUTS, ids=lambda kind: kind.__name__)
def test_input_is_strict_on_every_level(kind: type[Input]) -> None:
    """But for what goes into the log as it came: that is read like the log."""
    tolerant = structs_in(Record) - {SecretDeal, WinnableDeal, NumberedDeal}
    for struct in structs_in(kind) - tolerant:
        assert struct.__struct_config__.forbid_unknown_fields, f"{struct.__name__} in {kind.__name__}"


@pytest.mark.parametrize("kind", [Record, SealedDeal, *get_args(AnyEvent)], ids=lambda kind: kind.__name__)
def test_what_is_stored_is_tolerant_but_for_the_origin_of_a_deal(kind: type[Stored]) -> None:
    """An origin with something unknown in it gives cards that this release cannot deal, so it must not be read."""
    for struct in structs_in(kind) - {SecretDeal, WinnableDeal, NumberedDeal}:
        assert not struct.__struct_config__.forbid_unknown_fields, f"{struct.__name__} in {kind.__name__}"


@pytest.mark.parametrize("kind", [*INPUTS, Record, SealedDeal, *get_args(AnyEvent)], ids=lambda kind: kind.__name__)
def test_every_message_is_frozen_on_every_level_and_named_by_its_tag(kind: type[msgspec.Struct]) -> None:
    assert all(struct.__struct_config__.frozen for struct in structs_in(kind))
    assert kind.__struct_config__.tag_field == "type"
    assert isinstance(kind.__struct_config__.tag, str)


@pytest.mark.parametrize("family", [AnyCommand, ClientFrame, AnyEvent])
def test_no_two_messages_of_a_family_share_a_tag(family: object) -> None:
    tags = [kind.__struct_config__.tag for kind in get_args(family)]
    assert len(set(tags)) == len(tags)


def test_commands_with_an_unknown_field_are_refused() -> None:
    game = new_play().game
    for command in (start_game(), *(command_of(game, text) for text in ("draw", "recycle", "undo", "T1>F1", "resign"))):
        sent = msgspec.to_builtins(command)
        assert msgspec.msgpack.decode(encode(sent), type=AnyCommand) == command
        with pytest.raises(msgspec.ValidationError, match="unknown field `secret`"):
            _ = msgspec.msgpack.decode(encode(sent | {"secret": ""}), type=AnyCommand)


def test_a_view_has_no_place_for_a_hidden_card() -> None:
    """The event of a new game names each column's face-up cards only; counts stand for the others."""
    started = new_play().records[0].events[0]
    assert isinstance(started, GameStarted)
    assert [len(cards) for cards in started.faces] == [1] * 7

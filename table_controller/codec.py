"""Frozen values <-> JSON, without loss and without tolerance.

One codec serves every value that is kept: the events of ``core.events``, the house and the table.
It is read off the dataclass itself, so an event that gains a field needs no line here. Strict in
both directions: what is not exactly such a value is refused, never mended. A field left at its
default is not written, and a field that is absent takes its default: that is how a newer version
reads the journal of an older one.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from table_controller.core import events
from table_controller.core.cards import Card, parse_card
from table_controller.core.events import Event

T = TypeVar("T")
Decoder = Callable[[Any], Any]


class CodecError(ValueError):
    """A value that is not what it should be; names the field."""


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}
"""Every event of the core by its name."""


def to_text(value: Any) -> str:
    """JSON in its one canonical form: sorted keys, no spaces."""
    return json.dumps(to_json(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def to_json(value: Any) -> Any:
    """The value as lists, tables, texts and numbers. A dataclass leaves out its defaults."""
    if isinstance(value, Card):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_json(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if getattr(value, field.name) != _default(field)
        }
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(to_json(item) for item in value)
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    raise CodecError(f"a {type(value).__name__} cannot be kept")


def event_from_json(kind: str, body: Any) -> Event:
    """The event of that name.

    :raises CodecError: no such event, or a body that is not one of its.
    """
    try:
        cls = EVENTS[kind]
    except KeyError:
        raise CodecError(f"{kind!r} is no event") from None
    return from_json(cls, body)


def from_json(cls: type[T], body: Any) -> T:
    """The value of a dataclass ``cls`` from what :func:`to_json` made of it.

    :raises CodecError: an unknown, missing or ill-typed field.
    """
    value: T = _dataclass_decoder(cls)(body)
    return value


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


@cache
def _field_decoders(cls: type) -> dict[str, Decoder]:
    hints = get_type_hints(cls)
    return {field.name: _decoder(hints[field.name]) for field in dataclasses.fields(cls)}


def _dataclass_decoder(cls: type) -> Decoder:
    def decode(body: Any) -> Any:
        if not isinstance(body, dict):
            raise CodecError(f"{cls.__name__}: {body!r} is no table")
        # Asked for only now, since a value may hold another of its own kind.
        decoders = _field_decoders(cls)
        values = {}
        for name, item in body.items():
            if name not in decoders:
                raise CodecError(f"{cls.__name__} has no field {name!r}")
            try:
                values[name] = decoders[name](item)
            except CodecError as wrong:
                raise CodecError(f"{cls.__name__}.{name}: {wrong}") from None
        try:
            return cls(**values)
        except (TypeError, ValueError) as wrong:
            raise CodecError(f"{cls.__name__}: {wrong}") from None

    return decode


def _decoder(hint: Any) -> Decoder:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _union_decoder(tuple(_decoder(argument) for argument in arguments))
    if origin is Literal:
        return _one_of(arguments)
    if origin is tuple:
        return _tuple_decoder(arguments)
    if origin is frozenset:
        return _list_decoder(frozenset, _decoder(arguments[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_decoder(_decoder(arguments[1]))
    if dataclasses.is_dataclass(hint):
        return _dataclass_decoder(hint)  # type: ignore[arg-type]
    if hasattr(hint, "_make"):
        return _named_tuple_decoder(hint)
    return _PLAIN[hint]


def _union_decoder(decoders: tuple[Decoder, ...]) -> Decoder:
    def decode(item: Any) -> Any:
        refused: CodecError | None = None
        for decoder in decoders:
            try:
                return decoder(item)
            except CodecError as wrong:
                refused = refused or wrong
        raise refused or CodecError(f"{item!r} does not fit")

    return decode


def _one_of(choices: tuple[Any, ...]) -> Decoder:
    def decode(item: Any) -> Any:
        if item not in choices:
            raise CodecError(f"{item!r} is none of {', '.join(map(repr, choices))}")
        return item

    return decode


def _list_decoder(make: Callable[[Any], Any], decoder: Decoder) -> Decoder:
    def decode(item: Any) -> Any:
        if not isinstance(item, list):
            raise CodecError(f"{item!r} is no list")
        return make(decoder(each) for each in item)

    return decode


def _tuple_decoder(arguments: tuple[Any, ...]) -> Decoder:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return _list_decoder(tuple, _decoder(arguments[0]))
    decoders = tuple(_decoder(argument) for argument in arguments)

    def decode(item: Any) -> Any:
        if not isinstance(item, list) or len(item) != len(decoders):
            raise CodecError(f"{item!r} is no list of {len(decoders)}")
        return tuple(decoder(each) for decoder, each in zip(decoders, item, strict=True))

    return decode


def _named_tuple_decoder(cls: Any) -> Decoder:
    items = _tuple_decoder(tuple(get_type_hints(cls).values()))

    def decode(item: Any) -> Any:
        return cls._make(items(item))

    return decode


def _mapping_decoder(decoder: Decoder) -> Decoder:
    def decode(item: Any) -> Any:
        if not isinstance(item, dict):
            raise CodecError(f"{item!r} is no table")
        return {key: decoder(each) for key, each in item.items()}

    return decode


def _exactly(kind: type) -> Decoder:
    def decode(item: Any) -> Any:
        # By type and not by isinstance: true is no number here.
        if type(item) is not kind:
            raise CodecError(f"{item!r} is no {kind.__name__}")
        return item

    return decode


def _number(item: Any) -> float:
    if type(item) not in (int, float):
        raise CodecError(f"{item!r} is no number")
    return float(item)


def _card(item: Any) -> Card:
    try:
        return parse_card(item)
    except ValueError as wrong:
        raise CodecError(str(wrong)) from None


_PLAIN: dict[Any, Decoder] = {
    int: _exactly(int),
    str: _exactly(str),
    bool: _exactly(bool),
    type(None): _exactly(type(None)),
    float: _number,
    Card: _card,
}

"""What is kept comes back exactly; what is not exactly such a value is refused."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.codec import EVENTS, CodecError, event_from_json, from_json, to_text
from table_controller.core.cards import DECK, Card, parse_card
from table_controller.core.events import CardLeft, Event, Ruled
from table_controller.core.house import House, Odds, Spot

st.register_type_strategy(Card, st.sampled_from(DECK))


@given(st.sampled_from(sorted(EVENTS)).flatmap(lambda name: st.from_type(EVENTS[name])))
def test_every_event_comes_back_as_it_was(event: Event) -> None:
    again = event_from_json(type(event).__name__, json.loads(to_text(event)))
    assert again == event


@given(st.from_type(House))
def test_every_house_comes_back_as_it_was(house: House) -> None:
    assert from_json(House, json.loads(to_text(house))) == house


def test_defaults_are_not_written() -> None:
    assert to_text(CardLeft(card=parse_card("TH"), at_us=7)) == '{"at_us":7,"card":"TH"}'


def test_a_pay_table_is_kept_in_its_order() -> None:
    spot = Spot("tie", 100, 0, None, (("tie", Odds(8, 1)), ("pair", Odds(0, 1))))
    assert from_json(Spot, json.loads(to_text(spot))) == spot


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        ("CardDrawn", {}, "'CardDrawn' is no event"),
        ("CardLeft", {"card": "1X"}, "'1X' is no card"),
        ("CardLeft", {}, "card"),
        ("CardLeft", {"card": None, "colour": "red"}, "no field 'colour'"),
        ("CardLeft", {"card": None, "face_up": 1}, "CardLeft.face_up: 1 is no bool"),
        ("SeatTaken", {"seat": True}, "SeatTaken.seat: True is no int"),
        ("Declared", {"outcome": "house"}, "'house' is none of 'player', 'banker', 'tie'"),
        ("Ruled", {"ruling": "order", "cards": "8S"}, "'8S' is no list"),
        ("Ruled", [], "no table"),
    ],
)
def test_what_is_no_such_event_is_refused(kind: str, body: object, says: str) -> None:
    with pytest.raises(CodecError, match=says):
        event_from_json(kind, body)


def test_a_value_without_a_form_cannot_be_written() -> None:
    @dataclasses.dataclass(frozen=True)
    class Odd:
        what: object = None

    with pytest.raises(CodecError, match="a complex cannot be kept"):
        to_text(Odd(what=1j))


def test_cards_of_a_ruling_stay_a_tuple() -> None:
    ruled = Ruled(ruling="order", cards=(parse_card("8S"), parse_card("4C")), by="Ada")
    assert event_from_json("Ruled", json.loads(to_text(ruled))) == ruled

"""The vote of the frames of one passage."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from table_controller.core.cards import DECK, Card, parse_card
from vision.frame import CardSeen, Look, Side
from vision.fuse import CodeSeen, Sighting, fuse

EIGHT, NINE = parse_card("8S"), parse_card("9H")


def saw(card: Card, *by: str, tops: Iterable[Side] = ()) -> Look:
    seen = CardSeen(card, 0.99, by or ("index", "pips"), index_tops=frozenset(tops))
    return Look("card", (seen,))


UNREADABLE, EMPTY, BACK = Look("unreadable"), Look("empty"), Look("back")
CUT_CARD, SEVERAL = Look("cut_card"), Look("several")


def test_frames_that_agree_name_the_card() -> None:
    reading = fuse([Sighting(1, saw(EIGHT)), Sighting(2, UNREADABLE), Sighting(3, saw(EIGHT))])
    assert (reading.kind, reading.card, reading.frames) == ("card", EIGHT, 2)
    assert (reading.first_us, reading.last_us) == (1, 3)


def test_one_frame_against_nine_makes_it_unreadable() -> None:
    reading = fuse([Sighting(0, saw(NINE)), *[Sighting(at, saw(EIGHT)) for at in range(1, 10)]])
    assert (reading.kind, reading.card) == ("unreadable", None)


def test_one_kind_of_evidence_is_not_enough() -> None:
    reading = fuse([Sighting(0, saw(EIGHT, "index")), Sighting(1, saw(EIGHT, "index"))])
    assert reading.kind == "unreadable"


def test_two_kinds_of_evidence_may_come_from_two_frames() -> None:
    reading = fuse([Sighting(0, saw(EIGHT, "index")), Sighting(1, saw(EIGHT, "pips"))])
    assert (reading.card, reading.by) == (EIGHT, ("index", "pips"))


def test_the_indices_of_opposite_corners_may_be_seen_one_after_the_other() -> None:
    leading, trailing = saw(EIGHT, "index", tops=["left"]), saw(EIGHT, "index", tops=["right"])
    both = fuse([Sighting(0, leading), Sighting(1, leading), Sighting(2, trailing)])
    assert (both.card, both.by) == (EIGHT, ("index", "second index"))
    assert fuse([Sighting(0, leading), Sighting(1, leading)]).kind == "unreadable"


def test_a_back_and_a_face_in_one_passage_are_unreadable() -> None:
    assert fuse([Sighting(0, BACK), Sighting(1, saw(EIGHT))]).kind == "unreadable"


def test_backs_alone_are_a_back_and_the_cutting_card_is_itself() -> None:
    assert fuse([Sighting(0, EMPTY), Sighting(1, BACK)]).kind == "back"
    assert fuse([Sighting(0, CUT_CARD), Sighting(1, CUT_CARD)]).kind == "cut_card"


def test_of_several_cards_the_one_seen_alone_lies_underneath() -> None:
    reading = fuse([Sighting(0, saw(EIGHT)), Sighting(1, SEVERAL), Sighting(2, SEVERAL)])
    assert (reading.kind, reading.card, reading.frames) == ("several", EIGHT, 2)


def test_nothing_seen_is_empty_and_nothing_told_is_unreadable() -> None:
    assert fuse([]).kind == "empty"
    assert fuse([Sighting(0, UNREADABLE)]).kind == "unreadable"


def test_the_codes_card_is_told_beside_the_cameras() -> None:
    code = (CodeSeen(NINE, "9H-0001", confirmed=True),)
    reading = fuse([Sighting(0, saw(EIGHT), code), Sighting(1, saw(EIGHT))])
    assert (reading.card, reading.code, reading.code_foreign) == (EIGHT, NINE, False)


def test_a_code_that_one_reader_read_once_does_not_count() -> None:
    once = Sighting(0, saw(EIGHT), (CodeSeen(NINE, "9H-0001"),))
    assert fuse([once]).code is None
    assert fuse([once, once]).code == NINE


def test_a_code_of_another_deck_is_foreign() -> None:
    reading = fuse([Sighting(0, saw(EIGHT), (CodeSeen(None, "4006381333931", confirmed=True),))])
    assert (reading.code, reading.code_foreign) == (None, True)


def test_codes_that_contradict_each_other_make_it_unreadable() -> None:
    looks = [
        Sighting(0, saw(EIGHT), (CodeSeen(NINE, "a", confirmed=True),)),
        Sighting(1, saw(EIGHT), (CodeSeen(EIGHT, "b", confirmed=True),)),
    ]
    assert fuse(looks).kind == "unreadable"


looks = st.one_of(
    st.sampled_from([UNREADABLE, EMPTY, BACK, CUT_CARD, SEVERAL]),
    st.sampled_from(DECK).map(saw),
)


@given(st.lists(looks, max_size=12))
def test_a_card_is_named_only_when_no_frame_says_otherwise(seen: list[Look]) -> None:
    reading = fuse([Sighting(at_us, look) for at_us, look in enumerate(seen)])
    telling = {(look.kind, look.cards) for look in seen if look.kind not in ("empty", "unreadable")}
    assert (reading.kind == "card") == (len(telling) == 1 and next(iter(telling))[0] == "card")

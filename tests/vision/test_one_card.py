"""Whose card an index is: over the glass a false second card would be a false alarm."""

from table_controller.core.cards import parse_card
from tests.vision.made_reads import SURE, index
from vision.card_place import by_card
from vision.index import IndexRead
from vision.judge import Found, Verdict
from vision.looking import of_one_size


def upper(name: str) -> IndexRead:
    return index(name, 100, 100, 80, (200, 250))


def lower(name: str) -> IndexRead:
    return index(name, 300, 400, -80, (200, 250))


def test_opposite_indices_of_one_rank_are_one_cards_though_a_suit_was_lost() -> None:
    assert len(by_card([upper("8D"), lower("8D")])) == 1
    assert len(by_card([upper("8D"), lower("8C")])) == 1


def test_sure_indices_of_two_ranks_are_of_two_cards() -> None:
    assert len(by_card([upper("8D"), lower("5D")])) == 2


def test_sure_indices_of_one_rank_that_point_to_two_middles_are_of_two_cards() -> None:
    aside = index("8C", 300, 400, -80, (420, 250))
    assert len(by_card([upper("8D"), aside])) == 2


def found(read: IndexRead, name: str | None) -> Found:
    card = parse_card(name) if name else None
    return Found((read,), None, None, Verdict(card, SURE, ("index",), ""))


def test_an_index_of_another_size_is_no_second_card_over_the_glass() -> None:
    named = found(upper("2H"), "2H")
    pip = found(index("JH", 250, 200, 50, (260, 400)), None)
    assert of_one_size([named, pip]) == [named]


def test_an_index_of_the_same_size_remains_a_second_card_over_the_glass() -> None:
    named, other = found(upper("2H"), "2H"), found(lower("JH"), None)
    assert of_one_size([named, other]) == [named, other]


def test_where_no_card_is_named_all_indices_remain() -> None:
    one, other = found(upper("2H"), None), found(index("JH", 250, 200, 50, (260, 400)), None)
    assert of_one_size([one, other]) == [one, other]

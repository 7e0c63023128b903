"""The roads, against the check strings of the field and against themselves, prefix by prefix."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.core.events import Outcome
from table_controller.core.roads import ROWS, Bead, Mark, Roads, roads

LETTERS: dict[str, Outcome] = {"B": "banker", "P": "player", "T": "tie"}
CHECK = "BBPPPBPBBBBBPPTPBTBBP"
SHOES = st.text("BPT", max_size=90)
STREAKY = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=12).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)


def of(shoe: str, bead_columns: int = 16) -> Roads:
    return roads((Bead(LETTERS[letter]) for letter in shoe), bead_columns)


def colours(marks: tuple[Mark, ...]) -> str:
    return "".join(mark.colour[0].upper() for mark in marks)


def cells(shoe: str) -> list[tuple[int, int]]:
    return [(circle.column, circle.row) for circle in of(shoe).big_road]


def test_the_check_string_gives_the_known_columns() -> None:
    lengths = [len(list(run)) for _, run in groupby(CHECK.replace("T", ""))]
    assert lengths == [2, 3, 1, 1, 5, 3, 3, 1]
    heights = [len(list(run)) for _, run in groupby(c.column for c in of(CHECK).big_road)]
    assert heights == lengths


def test_the_check_string_gives_the_known_derived_roads() -> None:
    shown = of(CHECK)
    assert colours(shown.big_eye_boy) == "RBBBRBRRRBRRBRRR"
    assert colours(shown.small_road) == "BBBRRRBBRBRRB"
    assert colours(shown.cockroach_pig) == "BRRBRBBRBBRB"


def test_a_run_past_the_column_before_is_blue_once_and_then_red() -> None:
    assert colours(of("BBPPPPP").big_eye_boy) == "RBRR"


def test_a_tie_is_a_stroke_on_the_last_circle() -> None:
    assert [circle.ties for circle in of("BTTPPT").big_road] == [2, 0, 1]


def test_ties_before_the_first_decision_wait_for_the_first_circle() -> None:
    assert of("TT").big_road == ()
    assert of("TT").ties_waiting == 2
    assert [circle.ties for circle in of("TTBTP").big_road] == [3, 0]
    assert of("TTB").ties_waiting == 0


def test_a_run_longer_than_six_turns_right_in_a_dragon_tail() -> None:
    assert cells("B" * 8)[5:] == [(0, 5), (1, 5), (2, 5)]


def test_a_run_that_meets_a_tail_turns_above_it() -> None:
    assert cells("B" * 8 + "P" * 7)[8:] == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4)]


def test_a_tail_along_the_top_row_pushes_the_next_column_on() -> None:
    shoe = "B" * 12 + "P" * 12 + "B" * 12 + "P" * 12 + "B" * 12 + "P" * 12 + "B"
    placed = cells(shoe)
    assert len(set(placed)) == len(placed)
    assert placed[-1][1] == 0


def test_derived_roads_look_at_runs_and_not_at_the_drawn_grid() -> None:
    # The second run is drawn five deep because the first one's tail lies under it.
    assert colours(of("B" * 8 + "P" * 9).big_eye_boy)[-2:] == "RB"


def test_the_bead_plate_has_every_round_downwards_with_its_pairs() -> None:
    plate = roads([Bead("tie"), Bead("banker", banker_pair=True)] + [Bead("player")] * 5).bead_plate
    assert [len(column) for column in plate] == [6, 1]
    assert plate[0][1] == Bead("banker", banker_pair=True)


def test_a_full_bead_plate_moves_on_by_a_column() -> None:
    shown = of("B" * 12 + "P", bead_columns=2).bead_plate
    assert [len(column) for column in shown] == [6, 1]
    assert shown[1][0].outcome == "player"


@pytest.mark.parametrize("shoe", ["", "T", "B", "TTT", "P"])
def test_nothing_to_compare_with_makes_no_mark(shoe: str) -> None:
    shown = of(shoe)
    assert shown.big_eye_boy == shown.small_road == shown.cockroach_pig == ()


@given(SHOES, st.sampled_from("BP"))
def test_the_ask_marks_are_what_the_next_round_then_shows(shoe: str, next_won: str) -> None:
    before, after = of(shoe), of(shoe + next_won)
    asked = before.ask_banker if next_won == "B" else before.ask_player
    for road in ("big_eye_boy", "small_road", "cockroach_pig"):
        new = getattr(after, road)[len(getattr(before, road)) :]
        assert [mark.colour for mark in new] == [c for c in [getattr(asked, road)] if c]


@given(STREAKY)
def test_no_two_marks_share_a_cell_and_none_leaves_the_grid(shoe: str) -> None:
    shown = of(shoe)
    for road in (shown.big_road, shown.big_eye_boy, shown.small_road, shown.cockroach_pig):
        places = [(mark.column, mark.row) for mark in road]
        assert len(set(places)) == len(places)
        assert all(0 <= row < ROWS for _, row in places)


@given(STREAKY)
def test_ties_neither_make_nor_move_a_mark(shoe: str) -> None:
    with_ties, without = of(shoe), of(shoe.replace("T", ""))
    assert with_ties.big_eye_boy == without.big_eye_boy
    assert with_ties.cockroach_pig == without.cockroach_pig
    assert [(c.column, c.row) for c in with_ties.big_road] == cells(shoe.replace("T", ""))
    assert sum(c.ties for c in with_ties.big_road) + with_ties.ties_waiting == shoe.count("T")

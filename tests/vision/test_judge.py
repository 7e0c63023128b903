"""When a card is named by its indices alone, which are one print twice."""

import numpy as np
import pytest

from tests.vision.made_reads import index
from vision.body import BODY_RANKS, BodyRead
from vision.index import IndexRead
from vision.judge import Verdict, judge


def body(rank: str, chance: float) -> BodyRead:
    """A body that gives a rank so much and says nothing of the suit."""
    ranks = np.zeros(len(BODY_RANKS) + 1, np.float32)
    ranks[BODY_RANKS.index(rank)], ranks[-1] = chance, 1 - chance
    return BodyRead(ranks, np.array([0, 0, 0, 0, 1], np.float32), np.zeros(8, np.float32))


def verdict(*reads: IndexRead, of_body: BodyRead | None = None) -> Verdict:
    return judge(reads, of_body)


def test_two_whole_indices_name_a_card() -> None:
    assert str(verdict(index("5D"), index("5D")).card) == "5D"


def test_indices_that_the_edge_cuts_name_none_beside_a_whole_one_of_another_rank() -> None:
    cut = index("JD", whole=False)
    told = verdict(cut, cut, index("5D", sure=0.64))
    assert told.card is None
    assert "edge" in told.why


def test_a_whole_index_of_another_rank_is_heard_though_it_is_not_sure() -> None:
    told = verdict(index("8D"), index("8D"), index("6D", sure=0.6))
    assert told.card is None
    assert "another index" in told.why


@pytest.mark.parametrize(("rank", "named"), [("5", True), ("9", False), ("F", False)])
def test_indices_alone_name_none_where_the_body_is_thought_to_show_another_rank(
    rank: str, named: bool
) -> None:
    told = verdict(index("5D"), index("5D"), of_body=body(rank, 0.7))
    assert (told.card is not None) is named

"""Index readings made up for the rules that weigh them."""

import numpy as np

from table_controller.core.cards import RANKS, SUITS
from vision.index import IndexRead
from vision.locate import Spot

SURE = 0.97


def index(
    name: str,
    x: float = 100,
    y: float = 100,
    up: float = 80,
    middle: tuple[float, float] = (200, 250),
    *,
    whole: bool = True,
    sure: float = SURE,
) -> IndexRead:
    """A reading of an index, ``up`` pixels high and upside down if that is negative."""
    ranks, suits = np.zeros(len(RANKS) + 1, np.float32), np.zeros(len(SUITS) + 1, np.float32)
    ranks[RANKS.index(name[0])] = suits[SUITS.index(name[1])] = sure
    spot = Spot(x, y, 0.0, -up, *middle, 1.0)
    return IndexRead(spot, ranks, suits, steady=True, whole=whole)

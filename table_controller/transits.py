"""The edges of both beams gathered into transits, one for each time something came to the mouth.

Pure. Cards cannot overtake each other, so an edge of M2 is the oldest card's that it can be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from table_controller.core.events import Edge


@dataclass(frozen=True, slots=True)
class Transit:
    """One thing at the mouth. ``m1_covered_us`` is None when only M2 was ever covered.

    ``doubtful``: it came while the one before still covered M2, so it may be that one again.
    """

    m1_covered_us: int | None
    m2_covered_us: int | None = None
    m1_clear_us: int | None = None
    m2_clear_us: int | None = None
    doubtful: bool = False
    stands_told: bool = False
    blocked_told: bool = False
    left_told: bool = False

    @property
    def over_m2(self) -> bool:
        """It covers M2 now."""
        return self.m2_covered_us is not None and self.m2_clear_us is None

    @property
    def over_m1(self) -> bool:
        """It covers M1 now."""
        return self.m1_covered_us is not None and self.m1_clear_us is None

    @property
    def backed_from_m2(self) -> bool:
        """It went back from M2 before it uncovered M1."""
        if self.m2_clear_us is None or self.m1_clear_us is None:
            return False
        return self.m2_clear_us < self.m1_clear_us

    def by(self, now_us: int) -> Transit:
        """The same after the clock has begun anew: no time of it lies ahead."""
        times = (self.m1_covered_us, self.m2_covered_us, self.m1_clear_us, self.m2_clear_us)
        m1_covered, m2_covered, m1_clear, m2_clear = (
            None if at_us is None else min(at_us, now_us) for at_us in times
        )
        return replace(
            self,
            m1_covered_us=m1_covered,
            m2_covered_us=m2_covered,
            m1_clear_us=m1_clear,
            m2_clear_us=m2_clear,
        )


Transits = tuple[Transit, ...]
"""Oldest first."""


def after_edge(transits: Transits, edge: Edge) -> Transits:
    """With one edge more; edges come in the order of their times."""
    if edge.beam == "M1":
        return (
            _m1_covered(transits, edge.at_us) if edge.covered else _m1_clear(transits, edge.at_us)
        )
    return _m2_covered(transits, edge.at_us) if edge.covered else _m2_clear(transits, edge.at_us)


def _m1_covered(transits: Transits, at_us: int) -> Transits:
    before = transits[-1] if transits else None
    if before is not None and before.over_m1:
        return transits
    return (*transits, Transit(at_us, doubtful=before is not None and before.over_m2))


def _m1_clear(transits: Transits, at_us: int) -> Transits:
    return _change(
        transits, lambda each: each.over_m1, lambda each: replace(each, m1_clear_us=at_us)
    )


def _m2_covered(transits: Transits, at_us: int) -> Transits:
    if any(_may_reach_m2(each) for each in transits):
        return _change(
            transits,
            _may_reach_m2,
            lambda each: replace(each, m2_covered_us=at_us, m2_clear_us=None),
        )
    return (*transits, Transit(None, m2_covered_us=at_us, m1_clear_us=at_us))


def _m2_clear(transits: Transits, at_us: int) -> Transits:
    return _change(
        transits, lambda each: each.over_m2, lambda each: replace(each, m2_clear_us=at_us)
    )


def _may_reach_m2(transit: Transit) -> bool:
    """It is still in the mouth and not over M2, be it for the first time or again."""
    return transit.over_m1 and not transit.over_m2


def _change(
    transits: Transits, which: Callable[[Transit], bool], change: Callable[[Transit], Transit]
) -> Transits:
    """The oldest such transit changed; an edge that belongs to none is left out."""
    for place, transit in enumerate(transits):
        if which(transit):
            return (*transits[:place], change(transit), *transits[place + 1 :])
    return transits

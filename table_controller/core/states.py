"""The life of a shoe and of its rounds as one table: in which phase what may happen, and what then.

:data:`MOVES` is the whole state machine. ``(phase, move)`` that is not in it may not happen: the
table declines it and nothing changes. Only :func:`after` reads it, and only ``Table.moved`` calls
that, so a phase changes in one place. ``docs/states.md`` is drawn from it.

``ruling`` is no phase of its own here: it is what every phase is called while an alert that stops
play waits for a supervisor, and play then goes on from the phase that it was in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Phase = Literal[
    "closed",
    "inspection",
    "shuffle",
    "approval",
    "cut",
    "burn",
    "wagers",
    "dealing",
    "reveal",
    "result",
    "reshuffle",
]

Move = Literal[
    "inspected",
    "washed",
    "shuffled",
    "approved",
    "cards_cut",
    "loaded",
    "loaded_without_burn",
    "burned_before_wagers",
    "burned_before_next_round",
    "burn_ordered",
    "first_card",
    "dummy_hand",
    "last_card_hidden",
    "last_card_open",
    "declared",
    "ended_early",
    "cleared",
    "cleared_for_burn",
    "shoe_ended",
    "new_cards",
    "closed",
]

MOVES: Mapping[tuple[Phase, Move], Phase] = {
    # New cards (S1, S2); after a reshuffle the same way without inspection and wash (S10).
    ("inspection", "inspected"): "shuffle",
    ("shuffle", "washed"): "shuffle",
    ("shuffle", "shuffled"): "approval",
    ("reshuffle", "shuffled"): "approval",
    ("approval", "approved"): "cut",
    # The cut (S4) and the burn (S6).
    ("cut", "cards_cut"): "cut",
    ("cut", "loaded"): "burn",
    ("cut", "loaded_without_burn"): "wagers",
    ("burn", "burned_before_wagers"): "wagers",
    ("burn", "burned_before_next_round"): "result",
    ("wagers", "burn_ordered"): "burn",
    ("result", "burn_ordered"): "burn",
    # A round. A hidden hand is declared before its result shows (D7); a dummy hand never is (I6).
    ("wagers", "first_card"): "dealing",
    ("wagers", "dummy_hand"): "dealing",
    ("result", "dummy_hand"): "dealing",
    ("dealing", "last_card_hidden"): "reveal",
    ("dealing", "last_card_open"): "result",
    ("reveal", "declared"): "result",
    # Dead with no card due, or void.
    ("dealing", "ended_early"): "result",
    ("reveal", "ended_early"): "result",
    ("result", "cleared"): "wagers",
    ("result", "cleared_for_burn"): "burn",
    # The last round is over (S7), or a supervisor ends the shoe or doubts the shuffle or cut (S8).
    ("result", "shoe_ended"): "reshuffle",
    ("approval", "shoe_ended"): "reshuffle",
    ("cut", "shoe_ended"): "reshuffle",
    ("burn", "shoe_ended"): "reshuffle",
    ("wagers", "shoe_ended"): "reshuffle",
    # The day is over; it begins with new cards.
    ("reshuffle", "closed"): "closed",
    ("closed", "new_cards"): "inspection",
    # A deck is taken out of play (S1).
    ("inspection", "new_cards"): "inspection",
    ("reshuffle", "new_cards"): "inspection",
    ("result", "new_cards"): "inspection",
    ("burn", "new_cards"): "inspection",
    ("wagers", "new_cards"): "inspection",
}


def after(phase: Phase, move: Move) -> Phase | None:
    """The phase that ``move`` leads to; None where it may not happen."""
    return MOVES.get((phase, move))

"""A dealer for long soaks: deals shoes by the rules and, at a given rate, does something wrong.

It works on the truth (the core fed with what really happened) and gives steps of stories, so that
whatever goes wrong can be told and played again as one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from hw_sims.story import StoryStep
from table_controller.core.cards import DECK, Card

CARDS_BEHIND_CUT_CARD = 60
Truth = Callable[[], dict[str, Any]]
"""The record of the table as it really is."""
_Steps = Iterator[dict[str, Any]]


class SoakDealer:
    """Deals one shoe. ``fault_rate``: the share of rounds in which something goes wrong."""

    def __init__(self, decks: int, rng: Random, fault_rate: float, *, codes: bool) -> None:
        cards = list(DECK) * decks
        rng.shuffle(cards)
        self._cards: deque[Card] = deque(cards)
        self._cut_card_in = len(cards) - CARDS_BEHIND_CUT_CARD
        self._rng = rng
        self._fault_rate = fault_rate
        self._faults = [name for name in _FAULTS if codes or name not in _WITH_CODES]

    def round(self, truth: Truth) -> Iterator[StoryStep]:
        """The steps of one round, from open wagers until they are open again.

        Each step must have been done before the next is asked for.
        """
        fault = self._fault() if self._rng.random() < self._fault_rate else None
        yield from map(step_of, self._wagers())
        while True:
            table = truth()
            if fault is not None and _fits(fault, table):
                yield from map(step_of, _FAULTS[fault](self))
                fault = None
            else:
                yield step_of(self._usual_step(table))
            if truth()["phase"] in ("wagers", "reshuffle") and table["phase"] == "result":
                return

    def _fault(self) -> str:
        return self._rng.choice(self._faults)

    def _wagers(self) -> _Steps:
        for seat in self._rng.sample(range(1, 8), 2):
            spot = self._rng.choice(("player", "banker", "tie"))
            cents = self._rng.randint(1, 20) * (100 if spot == "tie" else 500)
            yield {"wager": {"seat": seat, "on": spot, "cents": cents}}

    def _usual_step(self, table: dict[str, Any]) -> dict[str, Any]:
        """What a good dealer does next."""
        match table["phase"]:
            case "wagers" | "dealing" if table["lock"] == "open":
                return self._draw()
            case "dealing":
                return {"turned": True}
            case "reveal":
                return {"declare": outcome_of(table)}
            case "result":
                return {"next_round": True}
            case phase:
                raise RuntimeError(f"the soak's dealer is lost: {phase}, {table['alerts'][-3:]}")

    def _draw(self) -> dict[str, Any]:
        if self._cut_card_in == 0:
            self._cut_card_in -= 1
            return {"cut_card": True}
        return {"draw": self._next_card()}

    def _next_card(self) -> str:
        self._cut_card_in -= 1
        return str(self._cards.popleft())

    # --- What goes wrong ---------------------------------------------------------------------

    def _face_up(self) -> _Steps:
        yield {"draw": self._next_card(), "face": "up"}

    def _overdraw(self) -> _Steps:
        yield {"draw": self._next_card()}
        yield {"acknowledge": "overdraw"}

    def _overdraw_exposed(self) -> _Steps:
        yield {"draw": self._next_card(), "face": "up"}
        yield {"acknowledge": "overdraw_exposed"}

    def _two_together(self) -> _Steps:
        pair = [self._next_card(), self._next_card()]
        yield {"draw": pair}
        if self._rng.random() < 0.5:
            pair.reverse()
        yield {"supervisor": {"ruling": "order", "cards": pair}}

    def _unreadable(self) -> _Steps:
        card = self._next_card()
        yield {"draw": card, "unreadable": True}
        yield {"supervisor": {"ruling": "card", "card": card}}

    def _other_code(self) -> _Steps:
        card = self._next_card()
        code = self._rng.choice([other for other in DECK if str(other) != card])
        yield {"draw": card, "barcode": str(code)}
        yield {"supervisor": {"ruling": "card", "card": card}}

    def _foreign(self) -> _Steps:
        card = self._next_card()
        yield {"draw": card, "barcode": "foreign"}
        yield {"supervisor": {"ruling": "card", "card": card}}

    def _push_back(self) -> _Steps:
        yield {"half_draw": str(self._cards[0])}
        yield {"push_back": True}

    def _half_drawn(self) -> _Steps:
        card = self._next_card()
        yield {"half_draw": card}
        yield {"wait_s": 6.0}
        yield {"draw": card}

    def _early_cut_card(self) -> _Steps:
        self._cut_card_in = -1
        yield {"cut_card": True}

    def _wrong_declaration(self) -> _Steps:
        yield {"declare": self._rng.choice(("player", "banker", "tie"))}

    def _lid(self) -> _Steps:
        yield {"lid": "open"}
        yield {"lid": "closed"}
        yield _RESUME

    def _blocked_beam(self) -> _Steps:
        yield {"sensor": "blocked"}
        yield {"wait_s": 6.0}
        yield {"sensor": "clear"}
        yield _RESUME

    def _lost_board(self) -> _Steps:
        yield {"device": "lost"}
        yield {"device": "back"}
        yield _RESUME

    def _power_cut(self) -> _Steps:
        yield {"power": "cut"}

    def _call(self) -> _Steps:
        yield {"call_supervisor": True}
        yield {"acknowledge": "supervisor_called"}


_RESUME = {"supervisor": {"ruling": "resume"}}

_FAULTS: dict[str, Callable[[SoakDealer], _Steps]] = {
    "first card face up": SoakDealer._face_up,
    "card face up": SoakDealer._face_up,
    "overdraw": SoakDealer._overdraw,
    "overdraw, exposed": SoakDealer._overdraw_exposed,
    "two together": SoakDealer._two_together,
    "unreadable": SoakDealer._unreadable,
    "another code": SoakDealer._other_code,
    "foreign code": SoakDealer._foreign,
    "pushed back": SoakDealer._push_back,
    "half drawn": SoakDealer._half_drawn,
    "early cutting card": SoakDealer._early_cut_card,
    "wrong declaration": SoakDealer._wrong_declaration,
    "lid": SoakDealer._lid,
    "blocked beam": SoakDealer._blocked_beam,
    "lost board": SoakDealer._lost_board,
    "power cut": SoakDealer._power_cut,
    "call": SoakDealer._call,
}
_WITH_CODES = ("another code", "foreign code")
_IN_REVEAL = ("overdraw", "overdraw, exposed", "wrong declaration")
_AT_ANY_TIME = ("lid", "blocked beam", "lost board", "power cut", "call")


def _fits(fault: str, table: dict[str, Any]) -> bool:
    """Whether it can be done now."""
    phase = table["phase"]
    if fault == "early cutting card" and not _cut_card_may_come(table["shoe"]):
        return False
    if fault == "first card face up":
        return bool(phase == "wagers")
    if fault in _IN_REVEAL:
        return bool(phase == "reveal" and table["held"] is None)
    if fault in _AT_ANY_TIME:
        return phase in ("dealing", "reveal")
    return bool(phase == "dealing" and table["lock"] == "open")


def _cut_card_may_come(shoe: dict[str, Any]) -> bool:
    """Early, but not so early that shoes become short."""
    return not shoe["cut_card"] and shoe["remaining"] < 2 * CARDS_BEHIND_CUT_CARD


def step_of(raw: dict[str, Any]) -> StoryStep:
    """A step from what a story's file would say."""
    return StoryStep.model_validate(raw)


def outcome_of(table: dict[str, Any]) -> str:
    """Who has won the round on the table."""
    played = table["rounds"][-1]
    difference = played["player"]["points"] - played["banker"]["points"]
    return "tie" if difference == 0 else "player" if difference > 0 else "banker"

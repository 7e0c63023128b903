"""A dealer made of code: deals the simulated shoe by what the dealer's screen says.

It sees what a dealer sees (the dealer's view) and does what a dealer does: pulls cards, presses
buttons, clears the table. What it is asked to do wrong, it does at the next fitting moment.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from random import Random
from typing import Any, Literal, Protocol, get_args

from hw_sims.dealer_hand import DealerHand
from hw_sims.live import LiveShoe
from hw_sims.pico import Pin
from table_controller.core.cards import DECK, Card, parse_card
from table_controller.core.events import CardNamed, Event, ProcedureDone, Ruled
from table_controller.core.table import Shoe

Mischief = Literal[
    "first_face_up",
    "face_up",
    "two_together",
    "one_too_many",
    "unholdable",
    "unreadable",
    "push_back",
    "half_draw",
    "cut_card",
    "wrong_declaration",
    "lid",
    "beam_blocked",
    "camera_lost",
    "board_unplugged",
    "call",
]
MISCHIEFS: tuple[Mischief, ...] = get_args(Mischief)

_CARDS_BEHIND_CUT_CARD = 60
_PROCEDURES = {
    "inspection": "inspected",
    "shuffle": "shuffled",
    "cut": "cut",
    "reshuffle": "shuffled",
}


class Desk(Protocol):
    """The screens of the table."""

    def view(self, role: Literal["record", "dealer", "supervisor", "public"]) -> dict[str, Any]:
        """What that role sees."""
        ...

    def submit(self, event: Event) -> Future[str | None]:
        """Do something on a screen; gives the code of a refusal."""
        ...


class RobotDealer:
    """Deals round after round until :meth:`stop`. Any thread may call the public methods."""

    def __init__(
        self, desk: Desk, shoe: LiveShoe, hand: DealerHand, *, decks: int, pause_s: float = 1.2
    ) -> None:
        self._desk = desk
        self._shoe = shoe
        self._hand = hand
        self._decks = decks
        self._rng: Random = hand.rng
        self._cards: deque[Card] = deque()
        self._fresh_shoe()
        self._asked: deque[Mischief] = deque()
        self._one_card = threading.Semaphore(0)
        self._stopped = threading.Event()
        self._seen_face_up: Card | None = None
        self._settling = threading.Event()
        self.unruled: list[Card] = []
        self.running = threading.Event()
        self.running.set()
        self.pause_s = pause_s
        self.patience_s = 12.0
        self._rules_itself_at_s: float | None = None
        self.doing = "starts"

    def take_over(self, shoe: Shoe) -> None:
        """Go on with a shoe that is partly dealt: the cards that left it are in it no more."""
        left = [card for card in DECK for _ in range(shoe.decks - shoe.count.seen[card])]
        self._rng.shuffle(left)
        self._cards = deque(left[: shoe.remaining])
        self._cut_card_in = -1 if shoe.cut_card else shoe.remaining - _CARDS_BEHIND_CUT_CARD

    def start(self) -> threading.Thread:
        """Deal in a thread of its own."""
        thread = threading.Thread(target=self.run, name="robot-dealer", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Leave the table after the movement under way."""
        self._stopped.set()
        self._one_card.release()

    def deal_one(self) -> None:
        """While paused: do one thing."""
        self._one_card.release()

    def provoke(self, mischief: Mischief) -> None:
        """Do something wrong at the next fitting moment."""
        self._asked.append(mischief)

    def settle(self) -> None:
        """Let the simulated supervisor rule on what halts play."""
        self._settling.set()

    def asked(self) -> list[Mischief]:
        """What is still to be done wrong."""
        return list(self._asked)

    def run(self) -> None:
        """Deal until stopped."""
        while not self._stopped.is_set():
            self._wait_for_leave()
            if not self._stopped.is_set():
                self._do_next_thing()
                self._stopped.wait(self.pause_s * self._rng.uniform(0.7, 1.3))

    def _wait_for_leave(self) -> None:
        while not self.running.is_set() and not self._stopped.is_set():
            if self._one_card.acquire(timeout=0.1):
                return

    def _do_next_thing(self) -> None:
        table = self._desk.view("dealer")
        if self._settling.is_set():
            self._settling.clear()
            self._rule()
        elif self._seen_face_up is not None:
            self._name_card(self._seen_face_up)
        elif mischief := self._fitting_mischief(table):
            self._asked.remove(mischief)
            self.doing = mischief.replace("_", " ")
            self._rules_itself_at_s = None
            self._do_wrong(mischief)
        else:
            self._follow(table)

    def _follow(self, table: dict[str, Any]) -> None:
        """Do what the dealer's screen asks for."""
        phase = table["phase"]
        self.doing = phase
        if phase != "ruling":
            self._rules_itself_at_s = time.monotonic() + self.patience_s
        match phase:
            case "wagers" | "burn":
                self._draw()
            case "dealing":
                self._draw() if table["due"] and table["lock"] == "open" else self._press("turned")
            case "reveal":
                self._press(_outcome_of(table))
            case "result":
                self._press("next_round")
            case "ruling":
                self._wait_for_ruling()
            case _:
                self._go_on_with_shoe(phase)

    def _wait_for_ruling(self) -> None:
        """Wait for a person; a stop that nobody provoked ends by itself after a while."""
        self.doing = "waits for the supervisor's ruling"
        if self._rules_itself_at_s is not None and time.monotonic() >= self._rules_itself_at_s:
            self._rule()

    def _go_on_with_shoe(self, phase: str) -> None:
        if phase == "approval":
            self._desk.submit(Ruled(ruling="approve", by="simulated supervisor"))
            return
        if phase in ("shuffle", "reshuffle"):
            self._fresh_shoe()
        step = _PROCEDURES.get(phase)
        if step == "inspected":
            self._desk.submit(ProcedureDone(step="inspected"))
            self._desk.submit(ProcedureDone(step="washed"))
        elif step == "cut":
            self._desk.submit(ProcedureDone(step="cut", from_back=_CARDS_BEHIND_CUT_CARD))
            self._desk.submit(ProcedureDone(step="loaded"))
        elif step:
            self._desk.submit(ProcedureDone(step=step, by="hand"))

    def _fresh_shoe(self) -> None:
        cards = list(DECK) * self._decks
        self._rng.shuffle(cards)
        self._cards = deque(cards)
        self._cut_card_in = len(cards) - _CARDS_BEHIND_CUT_CARD

    def _next_card(self) -> Card:
        if not self._cards:
            self._fresh_shoe()
        self._cut_card_in -= 1
        return self._cards.popleft()

    def _draw(self, *, face_up: bool = False, smear: bool = False) -> None:
        if self._cut_card_in == 0:
            self._cut_card_in -= 1
            self._shoe.move(self._hand.cut_card(self._shoe.soon_us()))
            return
        card = self._next_card()
        self.unruled = [card]
        soon_us = self._shoe.soon_us()
        self._shoe.move(self._hand.card(card, soon_us, face_up=face_up, smear=smear))
        self._seen_face_up = card if face_up else None

    def _name_card(self, card: Card) -> None:
        """The dealer says on the screen what lies there face up."""
        self._seen_face_up = None
        self._desk.submit(CardNamed(card=card))

    def _press(self, button: str) -> None:
        pin: Pin = f"button_{button}"  # type: ignore[assignment]
        self._shoe.press(pin)

    def _rule(self) -> None:
        """Rule as a supervisor would who has looked at the cards on the table."""
        seen = self._desk.view("supervisor")
        codes = {alert["code"] for alert in seen["alerts"] if alert["severity"] == "stop"}
        by = "simulated supervisor"
        if codes & {"double_draw", "drawn_out_of_play"} and seen["waiting"]:
            read = [parse_card(name) for name in seen["waiting_cards"] if name]
            cards = self.unruled if len(read) < seen["waiting"] else read
            self._desk.submit(Ruled(ruling="order", cards=tuple(cards), by=by))
        if codes & {"unreadable", "readers_disagree", "surplus_card", "foreign_card"}:
            self._desk.submit(Ruled(ruling="card", card=self.unruled[0], by=by))
        self._desk.submit(Ruled(ruling="resume", by=by))

    def _fitting_mischief(self, table: dict[str, Any]) -> Mischief | None:
        return next((wish for wish in self._asked if _fits(wish, table)), None)

    def _do_wrong(self, mischief: Mischief) -> None:
        deeds: dict[Mischief, Callable[[], None]] = {
            "first_face_up": lambda: self._draw(face_up=True),
            "face_up": lambda: self._draw(face_up=True),
            "two_together": self._draw_two,
            "one_too_many": self._draw,
            "unholdable": self._draw_unholdable,
            "unreadable": lambda: self._draw(smear=True),
            "push_back": lambda: self._half_draw(rest_s=0.6, finish=False),
            "half_draw": lambda: self._half_draw(rest_s=6.5, finish=True),
            "cut_card": lambda: self._shoe.move(self._hand.cut_card(self._shoe.soon_us())),
            "wrong_declaration": self._declare_wrongly,
            "lid": lambda: self._hold("lid", 3.0),
            "beam_blocked": lambda: self._hold("beam_m2", 8.0),
            "camera_lost": self._lose_camera,
            "board_unplugged": self._unplug,
            "call": lambda: self._press("call"),
        }
        deeds[mischief]()

    def _draw_two(self) -> None:
        self.unruled = [self._next_card(), self._next_card()]
        self._shoe.move(self._hand.together(self.unruled, self._shoe.soon_us()))

    def _draw_unholdable(self) -> None:
        """Stack the shoe with one card until there are more of it than its decks hold."""
        self._cards.extendleft([DECK[0]] * (self._decks + 1))
        self._draw()

    def _half_draw(self, rest_s: float, finish: bool) -> None:
        half = self._hand.half(self._cards[0], self._shoe.soon_us())
        self._shoe.move((half,))
        time.sleep(rest_s)
        go_on = self._hand.finish if finish else self._hand.push_back
        if finish:
            self.unruled = [self._next_card()]
        self._shoe.move(go_on(half, self._shoe.soon_us()))

    def _declare_wrongly(self) -> None:
        right = _outcome_of(self._desk.view("dealer"))
        self._press("tie" if right != "tie" else "player")

    def _hold(self, pin: Pin, seconds: float) -> None:
        self._shoe.set_pin(pin, True)
        time.sleep(seconds)
        self._shoe.set_pin(pin, False)

    def _lose_camera(self) -> None:
        self._shoe.camera_works.clear()
        time.sleep(3.0)
        self._shoe.camera_works.set()

    def _unplug(self) -> None:
        self._shoe.pico.unplug()
        time.sleep(3.0)
        self._shoe.pico.plug()


def _fits(mischief: Mischief, table: dict[str, Any]) -> bool:
    """Whether a dealer could do it now."""
    phase, card_wanted = table["phase"], table["lock"] == "open"
    match mischief:
        case "first_face_up":
            return bool(phase == "wagers")
        case "face_up":
            return bool(phase == "dealing" and card_wanted)
        case "one_too_many" | "wrong_declaration":
            return bool(phase == "reveal")
        case "lid" | "beam_blocked" | "camera_lost" | "board_unplugged" | "call":
            return bool(phase != "ruling")
        case _:
            return bool(phase in ("wagers", "dealing") and card_wanted)


def _outcome_of(table: dict[str, Any]) -> str:
    """What the dealer reads off the turned hands: the points are on the table to be seen."""
    played = table["round"]
    difference = played["player"]["points"] - played["banker"]["points"]
    return "tie" if difference == 0 else "player" if difference > 0 else "banker"

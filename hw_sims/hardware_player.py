"""Plays a story on the whole stack: every step is done at the simulated shoe, by hand.

Cards move past beams and camera, buttons are pressed at the Pico's pins, and what a person does on
a screen is submitted as the screens do it. What comes out is read off the table's record alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import dropwhile
from pathlib import Path
from random import Random
from typing import Any, TypedDict

from firmware_bridge.board import Button
from hw_sims.art import STYLES, Deck, draw_deck, foreign_deck, load_deck
from hw_sims.camera import Conditions
from hw_sims.codes import code_reader, coded, foreign_code
from hw_sims.dealer_hand import CALM, LIVELY, DealerHand
from hw_sims.enrolment import reader_of
from hw_sims.faults import troubled
from hw_sims.rig import Rig, Trouble
from hw_sims.shoe import Geometry, Passing, shoe_for
from hw_sims.story import Story, StorySimulation, StoryStep
from hw_sims.story_events import events_of
from table_controller.core.cards import Card
from table_controller.core.events import CardExposed, CardNamed
from table_controller.core.views import view
from table_controller.journal import Beginning
from vision.frame import Image, Reads
from vision.glass import View

_AHEAD_US = 30_000
_NOTICED_US = 1_300_000
"""How long a half-drawn card or a blocked beam waits for the next step, so that it is noticed."""
_DEVICE_US = 1_500_000


def player(story: Story) -> HardwarePlayer:
    """A player of the story."""
    return HardwarePlayer(story)


class HardwarePlayer:
    """Does one step of a story after another at a rig of its own.

    The table has enrolled its deck; ``make_reader`` puts another reader in its place.
    """

    def __init__(self, story: Story, make_reader: Callable[[View], Reads] | None = None) -> None:
        simulation = story.simulation
        self.moves = simulation.moves
        self._deck = deck_of(simulation)
        self._coded = simulation.codes
        self._seed = simulation.seed
        self._manner = LIVELY if simulation.lively else CALM
        self._steps = story.steps
        self._half: Passing | None = None
        self._waited_us = 0
        self._parts = ExitStack()
        folder = self._parts.enter_context(tempfile.TemporaryDirectory(prefix="sabot-story-"))
        beginning = Beginning(story.house, story.decks, story.start, story.drawn)
        codes = code_reader() if _needs_code_reader(story) else None
        reader = make_reader or partial(reader_of, self._deck)
        rig = Rig(beginning, Path(folder), reader, codes, **_surroundings(simulation, self._deck))
        self.rig = self._parts.enter_context(rig)

    def play(self, step: StoryStep, at_us: int) -> str | None:
        """Do the step; the code with which the table declined it, or None."""
        self.rig.refusals.codes.clear()
        self._deeds().get(step.action, self._on_screen)(step)
        return next(iter(self.rig.refusals.codes), None)

    def record(self) -> dict[str, Any]:
        """The table's record."""
        return view(self.rig.controller.table, "record")

    def close(self) -> None:
        """End the rig."""
        self._parts.close()

    def _deeds(self) -> dict[str, Callable[[StoryStep], None]]:
        return {
            "draw": self._draw,
            "burn": self._draw,
            "half_draw": self._half_draw,
            "push_back": lambda step: self._push_back(),
            "cut_card": lambda step: self.rig.move(self._hand().cut_card(self._soon_us())),
            "turned": lambda step: self.rig.press("turned"),
            "declare": self._declare,
            "next_round": lambda step: self.rig.press("next_round"),
            "call_supervisor": lambda step: self.rig.press("call"),
            "lid": lambda step: self.rig.set_pin("lid", step.lid == "open"),
            "sensor": self._block,
            "device": self._lose_board,
            "power": lambda step: self.rig.cut_power(),
            "wait_s": self._wait,
        }

    def _on_screen(self, step: StoryStep) -> None:
        for event in events_of(step, self.rig.now_us):
            self.rig.submit(event)

    def _declare(self, step: StoryStep) -> None:
        if step.declare is not None:
            button: Button = step.declare
            self.rig.press(button)

    def _draw(self, step: StoryStep) -> None:
        cards = step.burn if step.draw is None else step.draw
        if isinstance(cards, tuple):
            self.rig.move(self._hand().together(cards, self._soon_us()))
        elif cards is not None:
            self._draw_one(cards, step)

    def _draw_one(self, card: Card, step: StoryStep) -> None:
        if self._half is not None:
            self.rig.move(self._hand().finish(self._half, self._soon_us()))
            self._half = None
        else:
            hand = self._hand(foreign=step.back == "foreign")
            self.rig.move(hand.shown(self._side(hand, card, step), self._soon_us()))
        if step.face == "up" and self.rig.controller.table.unnamed:
            self.rig.submit(CardNamed(card=None if step.unreadable else card))
        if step.exposed and self.rig.controller.view("dealer")["may_expose"]:
            self.rig.submit(CardExposed())

    def _side(self, hand: DealerHand, card: Card, step: StoryStep) -> Image:
        """What of the card lies on the glass."""
        face_up = step.face == "up"
        # What makes it unreadable is on its face, and of a face-up card the camera sees the back.
        shown = hand.side_of(card, face_up=face_up, smear=bool(step.unreadable) and not face_up)
        if step.barcode == "foreign" or step.back == "foreign":
            shown = foreign_code(shown)
        elif step.barcode is not None or (self._coded and not step.unreadable):
            shown = coded(shown, card if step.barcode is None else step.barcode)
        return shown

    def _half_draw(self, step: StoryStep) -> None:
        card = step.half_draw
        assert card is not None
        comes = self._comes_as(step)
        hand = self._hand(foreign=comes.back == "foreign")
        self._half = hand.half_shown(self._side(hand, card, comes), self._soon_us())
        self.rig.move((self._half,))
        self._let_notice()
        if step.push_back:
            self._push_back()

    def _comes_as(self, half: StoryStep) -> StoryStep:
        """The step with which the half-drawn card comes out: what it looks like stands there."""
        after = dropwhile(lambda step: step is not half, self._steps)
        return next((step for step in after if step.draw == half.half_draw), half)

    def _push_back(self) -> None:
        if self._half is not None:
            self.rig.move(self._hand().push_back(self._half, self._soon_us()))
            self._half = None

    def _block(self, step: StoryStep) -> None:
        """Something lies over a beam, or is taken away."""
        self.rig.set_pin("beam_m1", step.sensor == "blocked")
        self._let_notice()

    def _let_notice(self) -> None:
        """A story's time moves by ``wait_s`` alone: the next one has begun with this already."""
        self.rig.let_pass(_NOTICED_US)
        self._waited_us = _NOTICED_US

    def _wait(self, step: StoryStep) -> None:
        wait_us = round((step.wait_s or 0) * 1e6)
        self.rig.let_pass(max(0, wait_us - self._waited_us))
        self._waited_us = max(0, self._waited_us - wait_us)

    def _lose_board(self, step: StoryStep) -> None:
        (self.rig.pico.unplug if step.device == "lost" else self.rig.pico.plug)()
        self.rig.let_pass(_DEVICE_US)

    def _hand(self, foreign: bool = False) -> DealerHand:
        """A hand whose next movement depends only on the seed and on how many came before."""
        self.moves += 1
        seed = f"{self._seed} {self.moves}"
        self.rig.begin_movement(seed)
        rng = Random(seed)
        deck = foreign_deck(self._deck) if foreign else self._deck
        return DealerHand(deck, self.rig.geometry, rng, self._manner)

    def _soon_us(self) -> int:
        return self.rig.now_us + _AHEAD_US


def deck_of(simulation: StorySimulation) -> Deck:
    """The cards that a simulation deals: a folder's, or one of our own decks."""
    if simulation.art is not None:
        return load_deck(Path(simulation.art))
    if not simulation.lively:
        return draw_deck()
    return draw_deck(STYLES[Random(simulation.seed).choice(sorted(STYLES))])


def _needs_code_reader(story: Story) -> bool:
    """Whether any card of the story has a code."""
    printed = any(step.barcode is not None or step.back is not None for step in story.steps)
    return story.simulation.codes or printed


class _Surroundings(TypedDict):
    geometry: Geometry
    conditions: Conditions
    trouble: Trouble
    seed: int


def _surroundings(simulation: StorySimulation, deck: Deck) -> _Surroundings:
    """Shoe, window and camera."""
    rng = Random(simulation.seed)
    usual = Conditions()
    return {
        "geometry": shoe_for(deck.width_mm),
        "conditions": troubled(usual, rng) if simulation.lively else usual,
        "trouble": Trouble(0.02, 0.01) if simulation.lively else Trouble(),
        "seed": rng.randrange(2**32),
    }

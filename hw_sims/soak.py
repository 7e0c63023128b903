"""The soak: thousands of rounds on the whole stack, every one compared with the truth.

A shoe is dealt by :class:`hw_sims.soak_dealer.SoakDealer`. Each step is done twice: told to the
pure core as it really happened, and done by hand at the simulated shoe. The records must agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from os import sched_getaffinity
from pathlib import Path
from random import Random
from typing import Any

import cv2

from hw_sims.hardware_player import player as hardware_player
from hw_sims.soak_dealer import SoakDealer, step_of
from hw_sims.story import Story, StorySimulation, StoryStep
from hw_sims.story_player import RulesPlayer
from hw_sims.story_text import as_text
from table_controller.profile import load_profile

ROUNDS_PER_SHOE = 60
CODED_SHOES = 0.3
PROFILES = ("prairie-meadows", "traditional")


@dataclass(slots=True)
class Tally:
    """What a soak counted. ``stories`` are the texts of those that show a failure again."""

    rounds: int = 0
    cards: int = 0
    no_reads: int = 0
    misreads: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    false_alarms: Counter[str] = field(default_factory=Counter)
    frames: int = 0
    stories: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.rounds += other.rounds
        self.cards += other.cards
        self.no_reads += other.no_reads
        self.misreads += other.misreads
        self.missed += other.missed
        self.false_alarms += other.false_alarms
        self.frames += other.frames
        self.stories += other.stories

    def as_object(self, seconds: float) -> dict[str, Any]:
        """What ``sabot soak --json`` prints."""
        return {
            "rounds": self.rounds,
            "cards": self.cards,
            "no_reads": self.no_reads,
            "misreads": self.misreads,
            "missed": dict(sorted(self.missed.items())),
            "false_alarms": dict(sorted(self.false_alarms.items())),
            "frames": self.frames,
            "seconds": round(seconds, 1),
        }

    @property
    def clean(self) -> bool:
        """Whether nothing was missed, invented or misread; a refused card is allowed."""
        return not (self.misreads or self.missed or self.false_alarms)


@dataclass(frozen=True, slots=True)
class ShoeToSoak:
    """One shoe's work: it alone decides what happens in it."""

    seed: str
    rounds: int
    fault_rate: float
    art: str | None


def soak(rounds: int, seed: int, fault_rate: float, art: Path | None) -> Iterator[Tally]:
    """Deal that many rounds, on every processor core; the tally of each shoe as it is done."""
    with ProcessPoolExecutor(len(sched_getaffinity(0)), get_context("spawn")) as pool:
        yield from pool.map(soak_shoe, _shoes(rounds, seed, fault_rate, art))


def _shoes(rounds: int, seed: int, fault_rate: float, art: Path | None) -> Iterator[ShoeToSoak]:
    folder = str(art.resolve()) if art else None
    for number, first in enumerate(range(0, rounds, ROUNDS_PER_SHOE)):
        count = min(ROUNDS_PER_SHOE, rounds - first)
        yield ShoeToSoak(f"{seed}-{number}", count, fault_rate, folder)


def soak_shoe(work: ShoeToSoak) -> Tally:
    """Deal one shoe; after a difference go on with a fresh one."""
    cv2.setNumThreads(1)
    tally = Tally()
    again = 0
    while tally.rounds < work.rounds:
        left = replace(work, seed=f"{work.seed}-{again}", rounds=work.rounds - tally.rounds)
        tally.add(_SoakedShoe(left).deal())
        again += 1
    return tally


class _SoakedShoe:
    """One shoe on both sides: the truth, and the table with its simulated hardware."""

    def __init__(self, work: ShoeToSoak) -> None:
        rng = Random(work.seed)
        self._work = work
        self._story = _story(work, rng.choice(PROFILES), codes=rng.random() < CODED_SHOES)
        self._dealer = SoakDealer(
            self._story.decks, rng, work.fault_rate, codes=self._story.simulation.codes
        )
        self._tally = Tally()
        self._known: Counter[Any] = Counter()
        self._steps: list[StoryStep] = []
        self._at_us = 0

    def deal(self) -> Tally:
        """Deal until the rounds are done, the shoe is, or the two sides differ."""
        self._truth = RulesPlayer(self._story)
        self._table = hardware_player(self._story)
        try:
            for _ in range(self._work.rounds):
                same = self._deal_round()
                self._tally.rounds += 1
                if not same or self._truth.record()["phase"] == "reshuffle":
                    break
        finally:
            self._tally.frames = self._table.rig.frames
            self._table.close()
        return self._tally

    def _deal_round(self) -> bool:
        if _nothing_pending(self._truth.record()):
            self._start_story_here()
        return all(self._do(step) for step in self._dealer.round(self._truth.record))

    def _start_story_here(self) -> None:
        """From here a story needs nothing of what came before but how many cards have left."""
        shoe = self._truth.record()["shoe"]
        simulation = replace_simulation(self._story.simulation, self._table.moves)
        self._short = replace(self._story, drawn=shoe["drawn"], simulation=simulation)
        self._steps = []

    def _do(self, step: StoryStep) -> bool:
        """Do a step on both sides; whether they agree after it."""
        self._steps.append(step)
        self._tally.cards += _cards_drawn(step)
        self._at_us += round((step.wait_s or 0) * 1e6)
        refusals = [side.play(step, self._at_us) for side in (self._truth, self._table)]
        if refusals[0] != refusals[1]:
            return self._note(step, Counter(), Counter([f"refused {refusals[1]}"]))
        return self._compare(step)

    def _compare(self, step: StoryStep) -> bool:
        true, found = self._truth.record(), self._table.record()
        alerts, told = _alerts(true), _alerts(found) - self._known
        missed, invented = alerts - told, told - alerts
        if _only_unreadable(invented) and not missed and step.action in ("draw", "burn"):
            self._tally.no_reads += 1
            self._known += invented
            return self._name(step) and self._compare(step)
        if missed or invented:
            return self._note(step, _codes(missed), _codes(invented))
        if _cards(true) != _cards(found):
            self._tally.misreads += 1
            return self._note(step, Counter(), Counter())
        differs = next((key for key in _COMPARED if true[key] != found[key]), None)
        return differs is None or self._note(step, Counter([f"state: {differs}"]), Counter())

    def _name(self, step: StoryStep) -> bool:
        """A supervisor names the card that the reader refused."""
        card = step.burn if step.draw is None else step.draw
        if card is not None and not isinstance(card, tuple):
            ruling = {"supervisor": {"ruling": "card", "card": str(card)}}
            self._table.play(step_of(ruling), self._at_us)
        return True

    def _note(self, step: StoryStep, missed: Counter[str], invented: Counter[str]) -> bool:
        self._tally.missed += missed
        self._tally.false_alarms += invented
        truth = RulesPlayer(self._short)
        at_us = 0
        for done in self._steps:
            at_us += round((done.wait_s or 0) * 1e6)
            truth.play(done, at_us)
        self._tally.stories.append(as_text(self._short, self._steps, truth.record()))
        return False


def _story(work: ShoeToSoak, profile: str, *, codes: bool) -> Story:
    house = load_profile(profile)
    simulation = StorySimulation(seed=work.seed, art=work.art, lively=True, codes=codes)
    title = f"soak {work.seed}"
    return Story(Path(title), title, house, house.decks, "round", 0, (), simulation)


def replace_simulation(simulation: StorySimulation, moves: int) -> StorySimulation:
    """The same simulation after so many movements."""
    return simulation.model_copy(update={"moves": moves})


def _cards_drawn(step: StoryStep) -> int:
    if isinstance(step.draw, tuple):
        return len(step.draw)
    return int(step.draw is not None or step.burn is not None)


_COMPARED = ("phase", "due", "held", "lock", "shoe", "lights", "rounds")


def _nothing_pending(table: dict[str, Any]) -> bool:
    shoe = table["shoe"]
    calm = table["phase"] == "wagers" and table["held"] is None and not table["lights"]
    return calm and not shoe["cut_card"]


def _alerts(table: dict[str, Any]) -> Counter[Any]:
    return Counter((each["code"], each["round"], each["card"]) for each in table["alerts"])


def _codes(alerts: Counter[Any]) -> Counter[str]:
    return Counter(code for code, _, _ in alerts.elements())


def _only_unreadable(alerts: Counter[Any]) -> bool:
    return bool(alerts) and set(_codes(alerts)) == {"unreadable"}


def _cards(table: dict[str, Any]) -> list[Any]:
    hands = [[one["player"]["cards"], one["banker"]["cards"]] for one in table["rounds"]]
    return [*hands, table["held"]]

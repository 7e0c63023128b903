"""Playing a story at some depth of the stack, and comparing what it expects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from hw_sims.story import Story, StoryStep
from hw_sims.story_events import events_of, is_done
from table_controller.core.effects import Refused
from table_controller.core.step import step as core_step
from table_controller.core.table import Table, open_table
from table_controller.core.views import record


class Player(Protocol):
    """Plays the steps of one story at one depth."""

    def play(self, step: StoryStep, at_us: int) -> str | None:
        """Make the step happen; the code with which it was declined, or None.

        :param at_us: the story's time after the step; it moves by ``wait_s`` alone.
        """
        ...

    def record(self) -> dict[str, Any]:
        """The table as docs/stories.md prints it, without ``refused``."""
        ...

    def close(self) -> None:
        """End the devices and files of this story."""
        ...


@dataclass(frozen=True, slots=True)
class Played:
    """How a story went: the printed object, and the first expectation that did not hold."""

    printed: dict[str, Any]
    failure: str | None


class RulesPlayer:
    """The pure core alone: no clock, no device."""

    def __init__(self, story: Story) -> None:
        self.table: Table = open_table(story.house, story.decks, story.start, story.drawn)

    def play(self, step: StoryStep, at_us: int) -> str | None:
        """Give the step's events to the core."""
        code = None
        for event in events_of(step, at_us):
            if not is_done(event, self.table):
                continue
            self.table, effects = core_step(self.table, event)
            refusals = [effect.code for effect in effects if isinstance(effect, Refused)]
            code = code or next(iter(refusals), None)
        return code

    def record(self) -> dict[str, Any]:
        """The table's record."""
        return record(self.table)

    def close(self) -> None:
        """There is nothing to end."""


def play(story: Story, player: Player) -> Played:
    """Play to the end, or to the first ``expect`` that does not hold."""
    refused: list[dict[str, Any]] = []
    at_us = 0
    for number, step in enumerate(story.steps, start=1):
        if step.expect is not None:
            printed = printed_object(player, refused)
            difference = mismatch(step.expect, printed)
            if difference:
                return Played(printed, f"step {number}: expect: {difference}")
            continue
        at_us += int((step.wait_s or 0) * 1_000_000)
        code = player.play(step, at_us)
        if code is not None:
            refused.append({"step": number, "code": code})
    return Played(printed_object(player, refused), None)


def printed_object(player: Player, refused: list[dict[str, Any]]) -> dict[str, Any]:
    """The printed object of docs/stories.md, its keys in the order given there."""
    record = player.record()
    last = {key: record.pop(key) for key in ("bank", "fees", "deck_check")}
    return {**record, "refused": list(refused), **last}


def mismatch(expected: Any, came: Any, at: str = "") -> str | None:
    """Where an expectation does not hold, what it was and what came; None when it holds."""
    if isinstance(expected, dict) and isinstance(came, dict):
        for key, value in expected.items():
            inside = f"{at}.{key}" if at else key
            if difference := mismatch(value, came.get(key), inside):
                return difference
        return None
    if isinstance(expected, list) and isinstance(came, list):
        if len(expected) != len(came):
            return f"{at}: expected {len(expected)} entries, there are {len(came)}: {came!r}"
        pairs = enumerate(zip(expected, came, strict=True))
        return next(
            (found for i, (want, have) in pairs if (found := mismatch(want, have, f"{at}[{i}]"))),
            None,
        )
    wanted = None if expected == "none" else expected
    same_kind = isinstance(wanted, bool) == isinstance(came, bool)
    return None if same_kind and wanted == came else f"{at}: expected {wanted!r}, came {came!r}"

"""The controller: commit, step, act. The only place where the table changes.

An event is committed to the journal, then the pure core makes the next table of it, then the
outputs carry out what follows. If power goes in between, the next start folds the same journal to
the same table and says to every output again what that table wants; so outputs take a wish twice
without harm.

One thread runs the controller (:func:`run`). Screens live in others: they give events by
:meth:`Controller.submit` and read :attr:`Controller.table`, a frozen value.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, Literal, Protocol

from table_controller.alerts import Notices
from table_controller.clock import Clock
from table_controller.core.effects import Effect, Refused
from table_controller.core.events import DeviceChanged, Event, PowerReturned, TimePassed
from table_controller.core.house import House
from table_controller.core.step import step
from table_controller.core.table import Table
from table_controller.core.views import Role, view
from table_controller.journal import Beginning, Journal
from table_controller.pictures import PictureFolder
from table_controller.recovery import fold, keep_snapshot

TURN_S = 0.002
"""How long the loop rests between two looks at the devices, in seconds."""

_TIME_STEP_US = 100_000
"""How often the table is asked whether time alone changes something."""


class Output(Protocol):
    """Something that follows the table: lamps, a broker, a webhook.

    It is called in the controller's thread, must not block, and takes the same wish twice.
    """

    def carry_out(self, effects: Sequence[Effect], table: Table) -> None:
        """Act on what has just happened."""
        ...

    def refresh(self, table: Table) -> None:
        """Say everything again: the controller has started or a device has come back."""
        ...

    def tend(self, now_us: int) -> None:
        """Do what is due without an event. Called every turn."""
        ...

    def close(self) -> None:
        """Leave everything safe and release it."""
        ...


class SenseEvents(Protocol):
    """Where the events of the devices come from."""

    @property
    def memory(self) -> str:
        """What a later run needs to go on behind the events of the last poll."""
        ...

    def poll(self, now_us: int) -> Sequence[Event]:
        """The events since the last poll, each once, in order."""
        ...


class Controller:
    """One table, on one journal."""

    def __init__(
        self,
        journal: Journal,
        house: House,
        *,
        decks: int | None = None,
        start: Literal["round", "opening"] = "opening",
        drawn: int = 0,
        outputs: Sequence[Output] = (),
        pictures: PictureFolder | None = None,
        notices: Notices | None = None,
    ) -> None:
        """Begin the journal, or go on where it ends.

        A journal that has begun goes on under its own house: what ``house``, ``decks``, ``start``
        and ``drawn`` say counts for a new one. ``notices`` turns alerts into messages for the
        journal's outbox.

        :raises InputError: the journal is damaged or cannot be written.
        """
        self._journal = journal
        self._outputs = tuple(outputs)
        self._pictures = pictures
        self._notices = notices
        self._submitted: SimpleQueue[tuple[Event, Future[str | None]]] = SimpleQueue()
        self._subscribers: tuple[Callable[[], None], ...] = ()
        self._asked_us = 0
        self._ahead_us: int | None = None
        self._since_us = self._now_us = 0
        goes_on = journal.last is not None
        if not goes_on:
            journal.begin(Beginning(house, decks, start, drawn))
        folded = fold(journal)
        self._table, self._last_us = folded.table, folded.last_us
        if goes_on and not journal.stopped_cleanly:
            self.handle(PowerReturned(at_us=self._last_us))
        for output in self._outputs:
            output.refresh(self._table)

    @property
    def table(self) -> Table:
        """The table as it stands: a frozen value, to be read from any thread."""
        return self._table

    @property
    def last_us(self) -> int:
        """The time of the newest event, in microseconds of the table."""
        return self._last_us

    def handle(self, event: Event) -> tuple[Effect, ...]:
        """Commit one event, step, act; what followed from it."""
        return self._handle_all((event,))

    def turn(self, now_us: int, sensed: Sequence[Event] = (), memory: str | None = None) -> None:
        """One turn of the loop: what the devices sensed, what people asked, what time brings.

        ``memory`` is committed with what was sensed, for the senses of the next run.
        The devices' clock begins anew when the machine is switched on; the table's goes on from its
        last event, so that its times never go back.
        """
        if self._ahead_us is None:
            self._ahead_us = max(0, self._last_us - now_us)
            self._since_us = self._last_us
        self._now_us = now_us + self._ahead_us
        if sensed:
            events = [self._on_table_time(event, event.at_us) for event in sensed]
            self._handle_all(events, memory)
        self._answer_submitted(now_us)
        if now_us - self._asked_us >= _TIME_STEP_US:
            self._asked_us = now_us
            self._let_time_pass(now_us)
        for output in self._outputs:
            output.tend(now_us)

    def submit(self, event: Event) -> Future[str | None]:
        """Ask for an event from any thread; the loop stamps it with its own time.

        The future gives None when the table took it, or the code with which it was declined.
        """
        answer: Future[str | None] = Future()
        self._submitted.put((event, answer))
        return answer

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` after each change, in the controller's thread; it must not block.

        What comes back ends the subscription.
        """
        self._subscribers = (*self._subscribers, callback)

        def end() -> None:
            self._subscribers = tuple(each for each in self._subscribers if each is not callback)

        return end

    def view(self, role: Role) -> dict[str, Any]:
        """What that role may see of the table; from any thread."""
        return view(self._table, role)

    def clock(self) -> dict[str, int]:
        """The table's time now, and at this start, in microseconds; it stood still in between."""
        return {"now_us": self._now_us, "since_us": self._since_us}

    def picture(self, name: str) -> bytes | None:
        """The picture of that name as a JPEG, if it is still kept."""
        return self._pictures.read(name) if self._pictures else None

    def stop(self) -> None:
        """A clean end: outputs made safe, the journal marked and closed."""
        self.release()
        self._journal.stop()
        self._journal.close()

    def release(self) -> None:
        """Make the outputs safe and let them go."""
        for output in self._outputs:
            output.close()

    def _handle_all(self, events: Sequence[Event], memory: str | None = None) -> tuple[Effect, ...]:
        """Several events of one moment share one commit."""
        table = self._table
        effects: list[Effect] = []
        for event in events:
            table, of_event = step(table, event)
            effects.extend(of_event)
        # The steps are pure: nothing has happened before this returns, nor when it raises.
        self._journal.append(events, self._messages(effects, table), memory)
        shoe_begun = table.shoe.drawn < self._table.shoe.drawn
        self._table = table
        self._last_us = max(self._last_us, *(event.at_us for event in events))
        self._act(events, effects)
        if shoe_begun:
            # Nobody waits for the table now, and it holds least.
            keep_snapshot(self._journal, table, self._last_us)
        return tuple(effects)

    def _on_table_time(self, event: Event, devices_us: int) -> Event:
        at_us = devices_us + (self._ahead_us or 0)
        return event if event.at_us == at_us else dataclasses.replace(event, at_us=at_us)

    def _messages(self, effects: Sequence[Effect], table: Table) -> Iterable[tuple[str, str]]:
        return self._notices.of(effects, table) if self._notices else ()

    def _act(self, events: Sequence[Event], effects: Sequence[Effect]) -> None:
        came_back = any(isinstance(event, DeviceChanged) and not event.lost for event in events)
        for output in self._outputs:
            output.carry_out(effects, self._table)
            if came_back:
                output.refresh(self._table)
        for callback in self._subscribers:
            callback()

    def _answer_submitted(self, now_us: int) -> None:
        while True:
            try:
                event, answer = self._submitted.get_nowait()
            except Empty:
                return
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                effects = self.handle(self._on_table_time(event, now_us))
            except BaseException as wrong:
                answer.set_exception(wrong)
                raise
            answer.set_result(_refusal(effects))

    def _let_time_pass(self, now_us: int) -> None:
        """Time is an event only where it changes something; a pure step can be tried."""
        passed = self._on_table_time(TimePassed(), now_us)
        if step(self._table, passed)[1]:
            self.handle(passed)


def run(
    controller: Controller,
    senses: SenseEvents,
    clock: Clock,
    stop: threading.Event,
    each_turn: Callable[[int], None] = lambda now_us: None,
) -> None:
    """The loop, in the caller's thread, until ``stop`` is set. ``each_turn`` feeds a watchdog."""
    while not stop.is_set():
        now_us = clock.now_us()
        sensed = senses.poll(now_us)
        controller.turn(now_us, sensed, senses.memory if sensed else None)
        each_turn(now_us)
        # What the board is to do leaves with the next poll: after an event that follows at once.
        if not sensed:
            stop.wait(TURN_S)


def _refusal(effects: Sequence[Effect]) -> str | None:
    return next((effect.code for effect in effects if isinstance(effect, Refused)), None)

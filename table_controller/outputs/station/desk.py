"""What the screens need of the table: ask, be told, and hand in what people did."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from table_controller.core.events import Event

Role = Literal["record", "dealer", "supervisor", "public"]


class Desk(Protocol):
    """The running table. Every method may be called from any thread."""

    def submit(self, event: Event) -> Future[str | None]:
        """Hand in an event. Its result: None when it was accepted, else the code of the refusal."""
        ...

    def view(self, role: Role) -> dict[str, Any]:
        """The table as that role may see it (``core.views``): plain values, ready for JSON."""
        ...

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` after each change, from any thread; gives what ends that."""
        ...

    def clock(self) -> dict[str, int]:
        """``now_us`` and ``since_us``: the table's time now and when this run began.

        By it a page tells by the wall's clock when something happened, if it did in this run.
        """
        ...

    def picture(self, name: str) -> bytes | None:
        """The JPEG kept under that name, or None when it is not kept any more."""
        ...


@dataclass(frozen=True, slots=True)
class Device:
    """A device as the technician's page lists it: ``detail`` is one line in plain words."""

    name: str
    works: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """One step of how the reader came to its answer; ``picture`` is a JPEG."""

    title: str
    text: str
    picture: bytes


class Workshop(Protocol):
    """What the technician's page needs besides the table."""

    def devices(self) -> list[Device]:
        """Every device and how it is."""
        ...

    def last_reading(self) -> list[Sheet]:
        """How the last card was read. The caller sees to it that no hidden card is shown."""
        ...

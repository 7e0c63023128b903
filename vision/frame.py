"""A camera frame, and what a reader says of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import Card
from table_controller.core.events import ReadingKind

Image = NDArray[np.uint8]
"""Grey ``(height, width)`` or colour ``(height, width, 3)`` in OpenCV's order: blue, green, red."""

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the window; ``at_us`` on the controller's monotonic clock."""

    image: Image
    sequence: int
    at_us: int


@dataclass(frozen=True, slots=True)
class CardSeen:
    """One card on a picture. ``by``: the evidence that agreed; ``quad``: its corners in pixels.

    ``index_tops``: where the tops of the indices that say its name point. Those in opposite corners
    of a card point opposite ways.
    """

    card: Card
    confidence: float
    by: tuple[str, ...]
    quad: tuple[tuple[float, float], ...] = ()
    index_tops: frozenset[Side] = frozenset()


@dataclass(frozen=True, slots=True)
class Look:
    """What one picture shows. ``cards`` is filled for ``card`` (one) and ``several``.

    ``foreign``: with a deck profile, that the back or the face is not of that deck. ``perhaps``:
    the card of an ``unreadable`` picture, if something speaks for it, too little, and nothing
    against it.
    """

    kind: ReadingKind
    cards: tuple[CardSeen, ...] = ()
    foreign: bool = False
    perhaps: CardSeen | None = None

    @property
    def confidence(self) -> float:
        """Of the surest card; 0 where there is none."""
        return max((card.confidence for card in self.cards), default=0.0)


class Reads(Protocol):
    """A reader of single pictures."""

    def look(self, image: Image) -> Look:
        """What this picture shows; raises nothing."""
        ...


class FrameSource(Protocol):
    """A camera: picamera2, V4L2, files or the simulated one."""

    def frames(self) -> Iterator[Frame]:
        """The frames as they come, until the source is closed.

        :raises CameraLost: the camera stopped answering.
        """
        ...

    def close(self) -> None:
        """Release the device."""
        ...

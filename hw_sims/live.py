"""The simulated shoe in real time: what ``sabot live --sim`` has instead of hardware.

The Pico's firmware runs in its own process; the camera is a frame source whose pictures come from
where the cards are at that moment. Nothing but pins and pictures reaches the table.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from hw_sims.camera import FRAMES_PER_S, Camera
from hw_sims.pico import Pin, PinChange, SimulatedPico
from hw_sims.shoe import POKER_SHOE, BeamEdge, Geometry, Passing, beam_edges, rough
from vision.errors import CameraLost
from vision.frame import Frame

_AHEAD_S = 0.02
_PRESS_S = 0.08
_PIN_OF_BEAM: dict[str, Pin] = {"M1": "beam_m1", "M2": "beam_m2"}


def now_us() -> int:
    """Microseconds of the system's monotonic clock: the controller's and the real-time Pico's."""
    return time.monotonic_ns() // 1000


def beam_changes(edges: Iterable[BeamEdge]) -> list[PinChange]:
    """Edges as changes of the Pico's pins."""
    return [PinChange(_PIN_OF_BEAM[edge.beam], edge.covered, edge.at_us) for edge in edges]


@dataclass
class LiveShoe:
    """The shoe, its beams, switches and camera. Methods may be called from any thread."""

    pico: SimulatedPico
    geometry: Geometry = POKER_SHOE
    rng: Random = field(default_factory=Random)

    def __post_init__(self) -> None:
        self.camera = Camera(self.geometry, seed=self.rng.randrange(2**32))
        self.camera_works = threading.Event()
        self.camera_works.set()
        self._on_the_way: tuple[Passing, ...] = ()

    def move(self, passings: tuple[Passing, ...]) -> None:
        """Let cards move, and wait until they have. Their motion starts at :meth:`soon_us`."""
        self._on_the_way = passings
        changes = beam_changes(rough(beam_edges(passings, self.geometry), self.rng))
        self.pico.apply(changes)
        ends_us = max(passing.motion.ends_us for passing in passings)
        time.sleep(max(0.0, (ends_us - now_us()) / 1e6))

    def soon_us(self) -> int:
        """A moment a little ahead, so that pins can be told before it."""
        return now_us() + round(_AHEAD_S * 1e6)

    def set_pin(self, pin: Pin, level: bool) -> None:
        """Change a switch or cover a beam."""
        self.pico.apply([PinChange(pin, level, now_us())])

    def press(self, pin: Pin) -> None:
        """Press a button and let it go."""
        down_us = now_us()
        up_us = down_us + round(_PRESS_S * 1e6)
        self.pico.apply([PinChange(pin, True, down_us), PinChange(pin, False, up_us)])
        time.sleep(_PRESS_S)

    def in_the_window(self) -> tuple[Passing, ...]:
        """The cards that are or were moved last, wherever they are."""
        return self._on_the_way


class LiveCamera:
    """The camera of a :class:`LiveShoe` as a frame source."""

    def __init__(self, shoe: LiveShoe) -> None:
        self._shoe = shoe
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Sixty pictures a second, until closed.

        :raises CameraLost: its cable was pulled.
        """
        sequence = 0
        due_us = now_us()
        while not self._closed.is_set():
            due_us = max(due_us + round(1e6 / FRAMES_PER_S), now_us())
            time.sleep(max(0.0, (due_us - now_us()) / 1e6))
            if not self._shoe.camera_works.is_set():
                raise CameraLost("the simulated camera's cable is pulled: plug it in on the page")
            sequence += 1
            image = self._shoe.camera.picture(self._shoe.in_the_window(), due_us)
            yield Frame(image, sequence, due_us)

    def close(self) -> None:
        """End :meth:`frames`."""
        self._closed.set()

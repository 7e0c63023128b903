"""What the technician's page shows, taken from the running table's own reader and devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import cv2
import numpy as np

from table_controller.outputs.station.desk import Device, Sheet
from vision.frame import Image

JPEG_QUALITY = 85


class Explains(Protocol):
    """A reader that shows how it comes to its answer (``vision.reader.CardReader``)."""

    def explain(self, image: Image) -> Sequence[tuple[str, Image, str]]:
        """The steps, each with its name, a picture and a text."""
        ...


class LiveWorkshop:
    """Satisfies ``Workshop``."""

    def __init__(
        self,
        reader: Explains,
        newest_picture: Callable[[], bytes | None],
        troubles: Mapping[str, Callable[[], str | None]],
    ) -> None:
        """Set what is looked at.

        :param newest_picture: the JPEG of the card that was read last, if there is one.
        :param troubles: for each device, what tells its trouble in one line, or None.
        """
        self._reader = reader
        self._newest_picture = newest_picture
        self._troubles = dict(troubles)
        self._explained: tuple[bytes, list[Sheet]] = (b"", [])

    def devices(self) -> list[Device]:
        """Every device and how it is."""
        told = ((name, trouble()) for name, trouble in self._troubles.items())
        return [Device(name, why is None, why or "answers") for name, why in told]

    def last_reading(self) -> list[Sheet]:
        """How the last card was read; worked out once a picture."""
        jpeg = self._newest_picture()
        if jpeg is None:
            return []
        if jpeg != self._explained[0]:
            self._explained = (jpeg, self._explain(jpeg))
        return self._explained[1]

    def _explain(self, jpeg: bytes) -> list[Sheet]:
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_UNCHANGED)
        if image is None:
            return []
        steps = self._reader.explain(image.astype(np.uint8))
        return [Sheet(title, text, _jpeg(picture)) for title, picture, text in steps]


def _jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()

"""The window: every frame of the camera comes in, one Reading for each passage goes out.

``offer`` is called by the camera's thread, ``reading`` and ``sight`` by the controller's.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import Protocol

import cv2
import numpy as np

from table_controller.core.events import Reading
from vision.frame import Frame, Image, Look, Reads
from vision.fuse import CodeSeen, Sight, Sighting, fuse
from vision.glass import STANDARD_VIEW, Glass, Stretch, View
from vision.track import Track, Tracks, went

READABLE_SHARE = 0.75
"""From less of a card than this share nothing but a name is believed."""
INDEX_SHARE = 0.45
"""With so much of a card over the glass one of its indices lies well inside."""
CODE_MM = 12.0
"""So much of a card shows the code along one edge."""
MOST_LOOKS = 120
FROZEN_US = 1_000_000
_JPEG_QUALITY = 80
_GREY = 34


class ReadsCodes(Protocol):
    """A reader of the codes along a card's edges (``vision.barcode.CodeReader``)."""

    def codes(self, image: Image) -> tuple[CodeSeen, ...]:
        """The codes on this picture."""
        ...


class Window:
    """Reads frames while a card is over the glass, and tells what each passage showed."""

    def __init__(
        self, reader: Reads, code_reader: ReadsCodes | None = None, view: View = STANDARD_VIEW
    ) -> None:
        self.view = view
        self._reader = reader
        self._code_reader = code_reader
        self._glass = Glass(view)
        self._tracks = Tracks(view)
        self._lock = Lock()
        self._newest_us = -1
        self._changed_us = 0
        self._last: Image | None = None
        self._lost: str | None = None

    def offer(self, frame: Frame) -> None:
        """Look at one frame; frames must come in the order of their times."""
        if frame.at_us <= self._newest_us or self._is_frozen(frame):
            return
        if frame.image.shape[1::-1] != self.view.picture_px:
            self._fit(frame.image)
        stretches = self._glass.stretches(frame.image)
        with self._lock:
            tracks = self._tracks.follow(frame.at_us, stretches)
        looks = [
            self._look(frame, stretch, track, alone=len(stretches) == 1)
            for stretch, track in zip(stretches, tracks, strict=True)
        ]
        with self._lock:
            for track, look in zip(tracks, looks, strict=True):
                if look is not None:
                    track.sightings.append(look)
                    del track.sightings[:-MOST_LOOKS]
            self._newest_us = frame.at_us

    def hear(self, code: CodeSeen) -> None:
        """A scan engine read a code: it is the youngest card's over the glass, if there is one."""
        with self._lock:
            here = [track for track in self._tracks.all if not track.ended]
            if here:
                seen = Sighting(here[-1].last.at_us, Look("unreadable"), (code,))
                here[-1].sightings.append(seen)

    def reading(self, first_us: int, last_us: int) -> Reading:
        """The Reading, with its picture, of the card that came in between two times."""
        reading = self.sight(first_us, last_us).reading
        with self._lock:
            tracks = self._tracks.born_between(first_us, last_us)
        best = max(tracks, key=lambda track: track.best_mm, default=None)
        if best is None or best.best is None:
            return reading
        return replace(reading, picture=_jpeg(best.best))

    def sight(self, first_us: int, last_us: int) -> Sight:
        """All that is known by now of the card that came into the window between two times."""
        with self._lock:
            tracks = self._tracks.born_between(first_us, last_us)
            if not tracks:
                return Sight(Reading("empty", first_us, last_us), until_us=self._newest_us)
            return self._sight_of(tracks)

    def mark_lost(self, why: str) -> None:
        """The camera stopped answering (told by whoever runs it)."""
        self._lost = why

    def mark_found(self) -> None:
        """The camera answers again."""
        self._lost = None

    @property
    def lost(self) -> str | None:
        """Why there is no camera, or None when there is one."""
        if self._lost is None and self._newest_us - self._changed_us > FROZEN_US:
            return "the camera gives the same picture again and again"
        return self._lost

    def _fit(self, image: Image) -> None:
        """The camera gives pictures of another size than the view was described for."""
        self.view = self.view.fitted(image)
        self._glass = Glass(self.view)

    def _sight_of(self, tracks: list[Track]) -> Sight:
        return Sight(
            fuse([sighting for track in tracks for sighting in track.sightings]),
            seen=True,
            places=tuple(place for track in tracks for place in track.places),
            went=went(tracks[-1].last),
            until_us=self._newest_us,
        )

    def _look(
        self, frame: Frame, stretch: Stretch, track: Track, *, alone: bool
    ) -> Sighting | None:
        shown_mm = (stretch.rows.stop - stretch.rows.start) / self.view.px_per_mm
        if shown_mm < CODE_MM or not track.is_worth_a_look():
            return None
        image = frame.image if alone else self._only(frame.image, stretch)
        if shown_mm > track.best_mm:
            track.best_mm, track.best = shown_mm, image
        codes = self._code_reader.codes(image) if self._code_reader else ()
        return Sighting(frame.at_us, self._read(image, shown_mm / self.view.card_depth_mm), codes)

    def _read(self, image: Image, share: float) -> Look:
        """What a picture shows of a card of which such a share is over the glass."""
        if share < INDEX_SHARE:
            return Look("unreadable")
        look = self._reader.look(image)
        return look if share >= READABLE_SHARE or look.kind == "card" else Look("unreadable")

    def _only(self, image: Image, stretch: Stretch) -> Image:
        """The picture with the other cards blanked out."""
        single = image.copy()
        glass = self.view.glass(single)
        glass[: stretch.rows.start] = _GREY
        glass[stretch.rows.stop :] = _GREY
        return single

    def _is_frozen(self, frame: Frame) -> bool:
        """A sensor's noise never repeats: the same picture twice is not a second look."""
        thinned = frame.image[::24, ::24]
        same = self._last is not None and np.array_equal(thinned, self._last)
        self._newest_us = frame.at_us if same else self._newest_us
        if not same:
            self._last = thinned.copy()
            self._changed_us = frame.at_us
        return same


def _jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()

"""The thread that looks through the camera: every frame to the window, a lost camera back again.

It ends only when it is told to. What it cannot see it says (:meth:`Window.mark_lost`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from vision.errors import CameraLost
from vision.frame import FrameSource
from vision.window import Window

AGAIN_AFTER_S = 0.5


class Lookout:
    """Feeds a window from a camera that may be lost and found again."""

    def __init__(self, open_camera: Callable[[], FrameSource], window: Window) -> None:
        """``open_camera`` is called at the start and after each loss; it may raise CameraLost."""
        self._open_camera = open_camera
        self._window = window
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; waits for the frame under way, at most 2 s."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def _watch(self) -> None:
        while not self._stopped.is_set():
            try:
                self._look_until_lost(self._open_camera())
            except CameraLost as lost:
                self._window.mark_lost(str(lost))
                self._stopped.wait(AGAIN_AFTER_S)

    def _look_until_lost(self, camera: FrameSource) -> None:
        try:
            for number, frame in enumerate(camera.frames()):
                if self._stopped.is_set():
                    return
                if number == 0:
                    self._window.mark_found()
                self._window.offer(frame)
        finally:
            camera.close()

"""One role's view as a stream of server-sent events.

A message goes out exactly when what the role may see has changed. A change that the role may not
see (a hidden card, rules.md D7) sends nothing and wakes nobody: neither the content nor the moment
of a message depends on it. Between messages a beat tells the page that the line is alive.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

BEAT_S = 0.5

_BEAT = "event: beat\ndata: \n\n"
_GONE = "event: gone\ndata: \n\n"


class Feed:
    """The newest view of a role, and the streams that wait for the next. One event loop only."""

    def __init__(self, read: Callable[[], dict[str, Any]]) -> None:
        """``read`` gives the view as it is now."""
        self._read = read
        self._text = ""
        self._waiting: set[asyncio.Event] = set()
        self._ended = False

    def refresh(self) -> None:
        """Read the view and wake the streams if it has changed. Without streams nothing is read.

        When the view cannot be read the streams end: better no screen than one that stands still.
        """
        if not self._waiting:
            return
        try:
            text = self._message()
        except Exception:
            for waiting in self._waiting:
                waiting.set()
            self._waiting.clear()
            raise
        if text != self._text:
            self._text = text
            for waiting in self._waiting:
                waiting.set()

    def end(self) -> None:
        """End every stream: the station stops, and would wait for them."""
        self._ended = True
        for waiting in self._waiting:
            waiting.set()

    async def stream(self, allowed: Callable[[], bool]) -> AsyncIterator[str]:
        """Messages for one page: the view at once, then as it changes, while it is ``allowed``."""
        changed = asyncio.Event()
        self._waiting.add(changed)
        try:
            self.refresh()
            changed.clear()
            yield self._text
            while self._goes_on(changed) and allowed():
                try:
                    await asyncio.wait_for(changed.wait(), BEAT_S)
                except TimeoutError:
                    yield _BEAT
                else:
                    changed.clear()
                    if self._goes_on(changed):
                        yield self._text
            if self._goes_on(changed):
                yield _GONE
        finally:
            self._waiting.discard(changed)

    def _goes_on(self, changed: asyncio.Event) -> bool:
        return not self._ended and changed in self._waiting

    def _message(self) -> str:
        # JSON has no raw line breaks, so one data line holds it.
        return f"event: table\ndata: {json.dumps(self._read(), separators=(',', ':'))}\n\n"

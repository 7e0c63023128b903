"""The pictures of the cards, beside the journal, never more than so many bytes.

A picture may show a card that is still hidden (rules.md D7). So its name tells nothing: it is
random, and whoever does not have the name from the journal cannot guess it.
"""

from __future__ import annotations

import re
import secrets
from collections import deque
from pathlib import Path

_NAME = re.compile(r"[0-9A-Za-z_-]{22}")


class PictureFolder:
    """A folder of JPEG files that keeps the newest and forgets the oldest."""

    def __init__(self, folder: Path, *, keep_bytes: int = 200_000_000) -> None:
        """``folder`` is made if it is not there; ``keep_bytes`` is what its files may weigh."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o750)
        self._folder = folder
        self._keep_bytes = keep_bytes
        self._kept: deque[tuple[str, int]] = deque(_oldest_first(folder))
        self._bytes = sum(size for _, size in self._kept)

    def keep(self, jpeg: bytes) -> str:
        """Keep a picture and give its name."""
        name = secrets.token_urlsafe(16)
        self._path(name).write_bytes(jpeg)
        self._kept.append((name, len(jpeg)))
        self._bytes += len(jpeg)
        while self._bytes > self._keep_bytes and len(self._kept) > 1:
            self._forget_oldest()
        return name

    def read(self, name: str) -> bytes | None:
        """The picture of that name; None when it was never kept or is forgotten."""
        if not _NAME.fullmatch(name):
            return None
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            return None

    def newest(self) -> bytes | None:
        """The picture that was kept last."""
        return self.read(self._kept[-1][0]) if self._kept else None

    def _forget_oldest(self) -> None:
        name, size = self._kept.popleft()
        self._path(name).unlink(missing_ok=True)
        self._bytes -= size

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jpg"


def _oldest_first(folder: Path) -> list[tuple[str, int]]:
    files = [(file.stat(), file.stem) for file in folder.glob("*.jpg")]
    return [
        (name, stat.st_size) for stat, name in sorted(files, key=lambda each: each[0].st_mtime_ns)
    ]

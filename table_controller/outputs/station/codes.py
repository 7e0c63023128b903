"""One-time codes: short enough to type from the console, good once and not for long."""

from __future__ import annotations

import secrets
from typing import Literal

Purpose = Literal["setup", "pair"]

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
LENGTH = 8
GOOD_FOR_S = 600.0


class Codes:
    """The codes given out and not used yet, one for each purpose. 32^8 of them exist."""

    def __init__(self) -> None:
        self._given: dict[Purpose, tuple[str, float]] = {}

    def give(self, purpose: Purpose, now_s: float, good_for_s: float = GOOD_FOR_S) -> str:
        """A new code, as ``ABCD-EFGH``; it takes the place of the one before."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        self._given[purpose] = (code, now_s + good_for_s)
        return f"{code[:4]}-{code[4:]}"

    def take(self, purpose: Purpose, typed: str, now_s: float) -> bool:
        """Whether the code is right; a right one is used up by this."""
        code, until_s = self._given.get(purpose, ("", 0.0))
        if now_s > until_s or not secrets.compare_digest(_plain(typed), code.encode()):
            return False
        del self._given[purpose]
        return True


def _plain(typed: str) -> bytes:
    return typed.replace("-", "").replace(" ", "").upper().encode()

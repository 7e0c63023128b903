"""How often a passphrase or code may be tried: the answer to guessing."""

from __future__ import annotations

from dataclasses import dataclass

FREE_TRIES = 5
FREE_TRIES_OF_THE_NETWORK = 30
LONGEST_WAIT_S = 300.0
FORGOTTEN_AFTER_S = 3600.0
ADDRESSES_REMEMBERED = 1000
NETWORK = "network"


@dataclass(slots=True)
class _Failures:
    count: int = 0
    last_s: float = 0.0
    wait_until_s: float = 0.0


class Tries:
    """Failures by address, and of the whole network together.

    After the free tries each failure doubles the wait, up to five minutes. The machine itself is
    not part of the network: nobody out there can lock out the person who stands at the table.
    """

    def __init__(self) -> None:
        self._failures: dict[str, _Failures] = {}

    def wait_s(self, address: str, now_s: float, *, local: bool) -> float:
        """Seconds until the address may try again; 0 when it may now."""
        until_s = max(self._failures[key].wait_until_s for key in self._keys(address, local))
        return max(0.0, until_s - now_s)

    def failed(self, address: str, now_s: float, *, local: bool) -> None:
        """Count a wrong passphrase or code."""
        for key in self._keys(address, local):
            failures = self._failures[key]
            if now_s - failures.last_s > FORGOTTEN_AFTER_S:
                failures.count = 0
            failures.count += 1
            failures.last_s = now_s
            free = FREE_TRIES_OF_THE_NETWORK if key == NETWORK else FREE_TRIES
            if failures.count >= free:
                wait_s = min(2.0 ** (failures.count - free), LONGEST_WAIT_S)
                failures.wait_until_s = now_s + wait_s

    def succeeded(self, address: str) -> None:
        """A right passphrase: what the address got wrong before is forgotten."""
        self._failures.pop(address, None)

    def _keys(self, address: str, local: bool) -> tuple[str, ...]:
        keys = (address,) if local else (address, NETWORK)
        while len(self._failures) > ADDRESSES_REMEMBERED:
            self._failures.pop(next(key for key in self._failures if key != NETWORK))
        for key in keys:
            self._failures.setdefault(key, _Failures())
        return keys

"""Who may do what at the screens: supervisors by passphrase, dealers' screens by pairing.

No HTTP here. What must outlast a restart (supervisors and paired screens) is one small file; it
holds no passphrase and no token, only what checks them.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import threading
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from table_controller.errors import InputError
from table_controller.outputs.station.codes import Codes, Purpose
from table_controller.outputs.station.tries import Tries

SHORTEST_PASSPHRASE = 12
LONGEST_PASSPHRASE = 200
LONGEST_NAME = 60
SESSION_IDLE_S = 30 * 60.0
SESSION_LONGEST_S = 12 * 3600.0
SETUP_CODE_GOOD_FOR_S = 24 * 3600.0
VERSION = 1

# 19 MiB and two passes: what OWASP asks of argon2id at least, and what a Pi can spare.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class NotAllowed(Exception):
    """The request is declined; ``wait_s`` is set when there were too many tries."""

    def __init__(self, why: str, wait_s: float = 0.0) -> None:
        super().__init__(why)
        self.wait_s = wait_s


@dataclass(slots=True)
class _Session:
    name: str
    began_s: float
    used_s: float


class Access:
    """Supervisors, their sessions, and the dealer's screens that were paired.

    :param file: where supervisors and screens are kept; it is made at the first set-up.
    :raises InputError: the file is there and cannot be understood.
    """

    def __init__(self, file: Path, now_s: Callable[[], float] = time.monotonic) -> None:
        self.codes = Codes()
        self._file = file
        self._now_s = now_s
        self._tries = Tries()
        self._sessions: dict[str, _Session] = {}
        self._one_at_a_time = threading.Lock()
        kept = _load(file)
        self._supervisors: dict[str, str] = kept["supervisors"]
        self._screens: dict[str, str] = kept["screens"]
        self._removed: list[str] = kept.get("removed", [])
        self._nobody = _HASHER.hash(secrets.token_hex(16))

    @property
    def is_set_up(self) -> bool:
        """Whether there is a supervisor yet."""
        return bool(self._supervisors)

    @property
    def supervisors(self) -> list[str]:
        """The names of the supervisors."""
        return sorted(self._supervisors)

    @property
    def screens(self) -> int:
        """How many dealer's screens are paired."""
        return len(self._screens)

    def setup_code(self) -> str:
        """The code that lets the first supervisor set a passphrase."""
        return self.codes.give("setup", self._now_s(), SETUP_CODE_GOOD_FOR_S)

    def pairing_code(self) -> str:
        """A code that pairs one more dealer's screen."""
        return self.codes.give("pair", self._now_s())

    def set_up(self, code: str, name: str, passphrase: str, address: str, *, local: bool) -> str:
        """Make the first supervisor; gives the token of a session.

        :raises NotAllowed: there is one already, the code is wrong, or the passphrase is too weak.
        """
        if self.is_set_up:
            raise NotAllowed("a supervisor is set up already: sign in")
        _require_good(name, passphrase)
        self._take_code("setup", code, address, local)
        self._keep_supervisor(name, passphrase)
        return self._begin_session(name)

    def sign_in(self, name: str, passphrase: str, address: str, *, local: bool) -> str:
        """Check a passphrase; gives the token of a session.

        :raises NotAllowed: it is wrong, or there were too many tries.
        """
        # One check at a time: a flood of tries must not take the memory and time of the table.
        with self._one_at_a_time:
            self._require_patience(address, local)
            if not self._is_right(name, passphrase):
                self._tries.failed(address, self._now_s(), local=local)
                raise NotAllowed("the name or the passphrase is wrong")
            self._tries.succeeded(address)
        return self._begin_session(name)

    def sign_out(self, token: str) -> None:
        """End a session."""
        self._sessions.pop(_digest(token), None)

    def supervisor(self, token: str | None, *, touch: bool = True) -> str | None:
        """The name of the supervisor whose session this is, or None. ``touch``: a person acted."""
        key = _digest(token or "")
        session = self._sessions.get(key)
        if session is None:
            return None
        now_s = self._now_s()
        if now_s - session.used_s > SESSION_IDLE_S or now_s - session.began_s > SESSION_LONGEST_S:
            del self._sessions[key]
            return None
        if touch:
            session.used_s = now_s
        return session.name

    def add_supervisor(self, name: str, passphrase: str, *, by: str) -> None:
        """Make one more supervisor, or give ``by`` a new passphrase: sessions of that name end.

        :raises NotAllowed: the name or the passphrase is not good enough, or the name is another
            supervisor's, whose rulings one could then make.
        """
        _require_good(name, passphrase)
        if _tidy(name) in (*self._supervisors, *self._removed) and _tidy(name) != by:
            raise NotAllowed("this name is another supervisor's in the record: take a new name")
        self._keep_supervisor(name, passphrase)
        self._end_sessions_of(name)

    def remove_supervisor(self, name: str) -> None:
        """Take a supervisor's access away; in the record the name stays that person's alone.

        :raises NotAllowed: there is no such supervisor, or it is the last.
        """
        name = _tidy(name)
        if name not in self._supervisors:
            raise NotAllowed(f"there is no supervisor {name!r}")
        if len(self._supervisors) == 1:
            raise NotAllowed("the last supervisor cannot be removed: add another first")
        del self._supervisors[name]
        self._removed.append(name)
        self._end_sessions_of(name)
        self._save()

    def pair(self, code: str, address: str, *, local: bool) -> str:
        """Pair a dealer's screen; gives the token that it shows from now on.

        :raises NotAllowed: the code is wrong or used, or there were too many tries.
        """
        self._take_code("pair", code, address, local)
        token = secrets.token_urlsafe(32)
        self._screens[_digest(token)] = time.strftime("%Y-%m-%d")
        self._save()
        return token

    def is_paired(self, token: str | None) -> bool:
        """Whether a dealer's screen was paired with this token."""
        return _digest(token or "") in self._screens

    def unpair_all(self) -> None:
        """Take the access of every paired screen away."""
        self._screens.clear()
        self._save()

    def _take_code(self, purpose: Purpose, code: str, address: str, local: bool) -> None:
        with self._one_at_a_time:
            self._require_patience(address, local)
            if not self.codes.take(purpose, code, self._now_s()):
                self._tries.failed(address, self._now_s(), local=local)
                raise NotAllowed("the code is wrong, used or too old")
            self._tries.succeeded(address)

    def _require_patience(self, address: str, local: bool) -> None:
        wait_s = self._tries.wait_s(address, self._now_s(), local=local)
        if wait_s > 0:
            raise NotAllowed(f"too many tries: wait {wait_s:.0f} s and try again", wait_s)

    def _is_right(self, name: str, passphrase: str) -> bool:
        # An unknown name costs the same time, so that names cannot be found out.
        known = self._supervisors.get(_tidy(name))
        try:
            _HASHER.verify(known or self._nobody, _tidy(passphrase)[:LONGEST_PASSPHRASE])
        except VerificationError:
            return False
        return known is not None

    def _begin_session(self, name: str) -> str:
        token = secrets.token_urlsafe(32)
        now_s = self._now_s()
        self._sessions[_digest(token)] = _Session(_tidy(name), now_s, now_s)
        return token

    def _end_sessions_of(self, name: str) -> None:
        of_name = [key for key, session in self._sessions.items() if session.name == _tidy(name)]
        for key in of_name:
            del self._sessions[key]

    def _keep_supervisor(self, name: str, passphrase: str) -> None:
        self._supervisors[_tidy(name)] = _HASHER.hash(_tidy(passphrase))
        self._save()

    def _save(self) -> None:
        with self._one_at_a_time:
            self._write()

    def _write(self) -> None:
        kept = {
            "version": VERSION,
            "supervisors": self._supervisors,
            "screens": self._screens,
            "removed": self._removed,
        }
        self._file.parent.mkdir(parents=True, exist_ok=True)
        _replace_safely(self._file, json.dumps(kept, indent=1))


def _replace_safely(file: Path, text: str) -> None:
    """The text in place of the file's: after a loss of power it is the old or the new, whole."""
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    with new.open("w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _load(file: Path) -> dict[str, Any]:
    remedy = "mend it, or remove it to set the supervisors up again"
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {"supervisors": {}, "screens": {}}
    except (OSError, ValueError) as wrong:
        raise InputError(f"{file} cannot be read ({wrong}): {remedy}") from None
    if not isinstance(kept, dict) or kept.get("version") != VERSION:
        raise InputError(f"{file} is not of version {VERSION}: {remedy}")
    if not all(isinstance(kept.get(key), dict) for key in ("supervisors", "screens")):
        raise InputError(f"{file} lacks supervisors or screens: {remedy}")
    if not isinstance(kept.get("removed", []), list):
        raise InputError(f"{file}: 'removed' is no list of names: {remedy}")
    return kept


def _require_good(name: str, passphrase: str) -> None:
    if not 1 <= len(_tidy(name)) <= LONGEST_NAME or not _tidy(name).isprintable():
        raise NotAllowed(f"write a name of at most {LONGEST_NAME} letters")
    length = len(_tidy(passphrase))
    if not SHORTEST_PASSPHRASE <= length <= LONGEST_PASSPHRASE:
        raise NotAllowed(f"a passphrase has {SHORTEST_PASSPHRASE} to {LONGEST_PASSPHRASE} letters")
    if len(set(_tidy(passphrase))) < 5 or _tidy(name).lower() == _tidy(passphrase).lower():
        raise NotAllowed("that passphrase is too easy to guess: take several words")


def _tidy(text: str) -> str:
    """The same letters give the same text, whatever keyboard they were typed on."""
    return unicodedata.normalize("NFKC", text).strip()


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

"""What stands in a table's configuration file: typed, and refused as a whole when a key is wrong.

A file in TOML with the sections below; each may be left out, each key has its default here.
``docs/operate.md`` explains it with an example.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from table_controller.errors import InputError

_SQUASHED = 0.02


class Section(BaseModel):
    """A part of the file that knows all its keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class TableSettings(Section):
    """``[table]``: its name, its house, and how a new journal begins."""

    name: str = Field(default="table-1", pattern=r"^[A-Za-z0-9_-]{1,32}$")
    rules: str = "prairie-meadows"
    """A profile by name, or the path of a profile file."""
    decks: int | None = None
    start: Literal["opening", "round"] = "opening"
    house: dict[str, Any] = {}
    """Settings of the profile that this table has otherwise."""


class JournalSettings(Section):
    """``[journal]``: where the record and the pictures are kept."""

    file: str | None = None
    pictures_mb: int = Field(default=200, ge=1)


class BoardSettings(Section):
    """``[board]``: the Pico behind a port, or the Pi's own pins."""

    kind: Literal["pico", "pi"] = "pico"
    port: str | None = None
    """A device or a pyserial URL; None: found by ``serial_number``, or the only Pico there is."""
    serial_number: str | None = None
    pins: dict[str, int] = {}


class CameraSettings(Section):
    """``[camera]``: where the pictures of the window come from."""

    kind: Literal["picamera", "v4l2", "files"] = "picamera"
    device: str = "/dev/video0"
    """The device of ``v4l2``, or the folder of ``files``."""
    width: int = Field(default=640, ge=160)
    height: int = Field(default=480, ge=120)
    frames_per_second: int = Field(default=60, ge=1, le=120)

    @model_validator(mode="after")
    def _is_four_to_three(self) -> Self:
        """Millimetres are counted by rows alone: in a squashed picture all would be wrong."""
        if abs(self.width * 3 / (self.height * 4) - 1) > _SQUASHED:
            raise ValueError("width and height must be 4 to 3, such as 640 x 480 or 1456 x 1088")
        return self


class ReaderSettings(Section):
    """``[reader]``: what is known of the deck."""

    profile: str | None = None
    """A deck profile that 'sabot enroll' made."""
    scan_engine: str | None = None
    """The port of a serial barcode scanner, where there is one."""


class ScreenSettings(Section):
    """``[screens]``: where the pages are served; beyond the machine itself over TLS only."""

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    names: list[str] = []
    """Further host names by which browsers reach the table; any other is refused."""
    certificate: str | None = None
    """A PEM file, with its ``key``; needed when ``host`` is on the network."""
    key: str | None = None


class BrokerSettings(Section):
    """``[broker]``: the MQTT broker, if there is one."""

    host: str
    port: int = Field(default=1883, ge=1, le=65535)
    username: str | None = None
    password_file: str | None = None
    ca_file: str | None = None
    prefix: str = Field(
        default="sabot", pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$", max_length=100
    )
    """The first levels of every topic; a wildcard, space or empty level would reach no receiver."""


class WebhookSettings(Section):
    """``[webhook]``: an address that alerts are posted to."""

    url: str = Field(pattern=r"^https?://")


class Config(Section):
    """The whole file."""

    table: TableSettings = TableSettings()
    journal: JournalSettings = JournalSettings()
    board: BoardSettings = BoardSettings()
    camera: CameraSettings = CameraSettings()
    reader: ReaderSettings = ReaderSettings()
    screens: ScreenSettings = ScreenSettings()
    broker: BrokerSettings | None = None
    webhook: WebhookSettings | None = None

    def journal_file(self, simulated: bool) -> Path:
        """Where the journal is: as configured, or in the user's state folder."""
        if self.journal.file is not None:
            return Path(self.journal.file)
        house = Path(self.table.rules).stem
        folder = Path("simulated", house) if simulated else Path(self.table.name)
        return state_folder() / folder / "journal.sqlite3"


def state_folder() -> Path:
    """Where a program keeps what must outlive it; systemd's ``StateDirectory`` goes first."""
    if folder := os.environ.get("STATE_DIRECTORY"):
        return Path(folder)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "sabot"


def load_config(file: Path | None) -> Config:
    """The configuration in a file; the defaults without one.

    :raises InputError: no such file, no TOML, an unknown key or a value that does not fit.
    """
    if file is None:
        return Config()
    try:
        with file.open("rb") as opened:
            raw = tomllib.load(opened)
    except OSError as wrong:
        raise InputError(f"{file}: {wrong.strerror}: name a configuration file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise InputError(f"{file}: {wrong}: write it as TOML") from None
    try:
        return Config.model_validate(raw)
    except ValidationError as wrong:
        raise InputError(f"{file}: {_first_error(wrong)}") from None


def _first_error(wrong: ValidationError) -> str:
    error = wrong.errors()[0]
    key = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        known = ", ".join(_known_keys(error["loc"][:-1]))
        return f"{key}: no such key: write one of {known}"
    if error["type"] == "missing":
        return f"{key}: this key is missing: add it"
    if error["type"] == "value_error":
        return f"{key}: {error['ctx']['error']}"
    return f"{key}: {error['input']!r}: {error['msg'].lower()}"


def _known_keys(path: tuple[int | str, ...]) -> list[str]:
    """The keys of the section at that place of the file."""
    section: type[BaseModel] = Config
    for key in path:
        hint = section.model_fields[str(key)].annotation
        candidates = getattr(hint, "__args__", (hint,))
        section = next(each for each in candidates if isinstance(each, type))
    return sorted(section.model_fields)

"""What a table reads cards with: its deck's profile, the codes on it, a scan engine."""

from __future__ import annotations

from pathlib import Path

from table_controller.config import ReaderSettings
from vision.barcode import CodeReader
from vision.code_text import CodeScheme, standard_scheme
from vision.deck import DeckProfile, load_profile
from vision.enrolled import reader_for
from vision.frame import Reads
from vision.glass import STANDARD_VIEW
from vision.scan_engine import ScanEngine
from vision.window import Window


def open_window(settings: ReaderSettings, reader: Reads) -> Window:
    """The window, which knows the deck and looks for codes where the profile says there are any.

    :raises PictureError: the profile is missing, damaged or of another version.
    """
    profile = _profile(settings)
    codes = profile.codes if profile is not None else None
    code_reader = CodeReader(codes) if codes is not None else None
    return Window(reader_for(reader, profile, STANDARD_VIEW), code_reader)


def open_scan_engine(settings: ReaderSettings) -> ScanEngine | None:
    """The scan engine, where there is one; without a profile it reads our own sheets' codes.

    :raises PictureError: the profile is missing, damaged or of another version.
    """
    if settings.scan_engine is None:
        return None
    return ScanEngine(settings.scan_engine, _scheme(_profile(settings)))


def _profile(settings: ReaderSettings) -> DeckProfile | None:
    return load_profile(Path(settings.profile)) if settings.profile is not None else None


def _scheme(profile: DeckProfile | None) -> CodeScheme:
    if profile is not None and profile.codes is not None:
        return profile.codes
    return standard_scheme("code128")

"""Codes along a card's edges: zxing-cpp reads, zbar reads the same place again.

zxing-cpp is several times faster and better on noise; wrong reads do occur in both. So zbar looks
at each place where zxing-cpp found a code, and where both read, they must agree. zbar does not
know DataMatrix. Without the system's libzbar zxing-cpp works alone, and
:data:`SECOND_READER_MISSING` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import zxingcpp

from vision.code_text import CodeFormat, CodeScheme
from vision.frame import Image
from vision.fuse import CodeSeen
from vision.grey import as_grey

SECOND_READER_MISSING = (
    "barcodes are read by zxing-cpp alone: zbar is not installed; run: apt install libzbar0"
)
_QUIET_PX = 24
_LINES_PX = 10

ZXING_FORMATS: dict[CodeFormat, zxingcpp.BarcodeFormat] = {
    "code128": zxingcpp.BarcodeFormat.Code128,
    "code39": zxingcpp.BarcodeFormat.Code39,
    "itf": zxingcpp.BarcodeFormat.ITF,
    "ean13": zxingcpp.BarcodeFormat.EAN13,
    "ean8": zxingcpp.BarcodeFormat.EAN8,
    "databar": zxingcpp.BarcodeFormat.DataBar,
    "qr": zxingcpp.BarcodeFormat.QRCode,
    "datamatrix": zxingcpp.BarcodeFormat.DataMatrix,
}
_ZBAR_NAMES: dict[CodeFormat, str] = {
    "code128": "CODE128",
    "code39": "CODE39",
    "itf": "I25",
    "ean13": "EAN13",
    "ean8": "EAN8",
    "databar": "DATABAR",
    "qr": "QRCODE",
}

Second = Callable[[Image], list[str]]


class CodeReader:
    """Reads the codes of one deck's scheme from pictures; safe to use from several threads."""

    def __init__(self, scheme: CodeScheme) -> None:
        self._scheme = scheme
        self._formats = zxingcpp.BarcodeFormats([ZXING_FORMATS[name] for name in scheme.formats])
        self._second = second_reader(scheme.formats)

    @property
    def why_alone(self) -> str | None:
        """Why there is no second reader, in one line; None when there is one."""
        return SECOND_READER_MISSING if _zbar() is None else None

    def codes(self, image: Image) -> tuple[CodeSeen, ...]:
        """The codes on a picture; one on which the two readers disagree is left out."""
        grey = as_grey(image)
        found = zxingcpp.read_barcodes(grey, formats=self._formats, try_invert=False)
        seen = (self._checked(grey, code) for code in found)
        return tuple(dict.fromkeys(code for code in seen if code is not None))

    def _checked(self, grey: Image, code: zxingcpp.Barcode) -> CodeSeen | None:
        text = _plain(code.text)
        others = self._second(_around(grey, code)) if self._second else []
        if others and text not in others:
            return None
        seen = self._scheme.card_of(text)
        return CodeSeen(seen.card, text, seen.deck, seen.serial, confirmed=bool(others))


def second_reader(formats: Sequence[CodeFormat]) -> Second | None:
    """Zbar for those of the formats that it knows; None without the library or such a format."""
    zbar = _zbar()
    names = [_ZBAR_NAMES[name] for name in formats if name in _ZBAR_NAMES]
    if zbar is None or not names:
        return None
    symbols = [getattr(zbar.ZBarSymbol, name) for name in names]

    def read(grey: Image) -> list[str]:
        return [
            found.data.decode("utf-8", "replace").removeprefix(
                "01" if found.type == "DATABAR" else ""
            )
            for found in zbar.decode(grey, symbols)
        ]

    return read


@cache
def _zbar():  # type: ignore[no-untyped-def]
    try:
        from pyzbar import pyzbar
    except ImportError:
        return None
    return pyzbar


def _around(grey: Image, code: zxingcpp.Barcode) -> Image:
    """The place of a code with its quiet zones; of a linear one a few lines are enough."""
    place = code.position
    corners = (place.top_left, place.top_right, place.bottom_left, place.bottom_right)
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    beside_x = _LINES_PX if wide < high / 4 else _QUIET_PX
    beside_y = _LINES_PX if high < wide / 4 else _QUIET_PX
    top, left = max(0, min(ys) - beside_y), max(0, min(xs) - beside_x)
    return np.ascontiguousarray(grey[top : max(ys) + beside_y, left : max(xs) + beside_x])


def _plain(text: str) -> str:
    """Without the application identifier that belongs to DataBar and that each reader writes so."""
    return text.removeprefix("(01)")

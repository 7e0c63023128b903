"""Sheets of codes to print, cut and stick along the edges of a deck's cards."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from table_controller.core.cards import DECK
from vision.barcode import ZXING_FORMATS
from vision.code_text import CodeFormat, standard_text

DOTS_PER_MM = 600 / 25.4
PAGE_MM = (210.0, 297.0)
MARGIN_MM = 10.0
LONGEST_MM = 64.0
"""Along the card's long edge, so that the index at its end stays free."""
BAR_MM = 0.42
"""The narrowest bar: two pixels at the camera's 5 px/mm; less where the text is too long for it."""
SQUARE_BAR_MM = 0.55
_BETWEEN_MM = 3.0
_BAR_HIGH_MM = 5.0
_SQUARE = frozenset({"qr", "datamatrix"})


def label(text: str, format_: CodeFormat) -> Pictures.Image:
    """One code at printing size, with its quiet zones."""
    code = zxingcpp.create_barcode(text, ZXING_FORMATS[format_])
    square = format_ in _SQUARE
    modules = np.array(zxingcpp.write_barcode_to_image(code, scale=1, add_quiet_zones=True))
    if not square:
        modules = modules[modules.shape[0] // 2 :][:1]
    bar_mm = SQUARE_BAR_MM if square else min(BAR_MM, LONGEST_MM / modules.shape[1])
    bar = int(bar_mm * DOTS_PER_MM)
    high = bar if square else round(_BAR_HIGH_MM * DOTS_PER_MM)
    return Pictures.fromarray(np.kron(modules, np.ones((high, bar), np.uint8)))


def sheets(deck: str, format_: CodeFormat, first_serial: int = 1) -> list[Pictures.Image]:
    """A4 pages with two labels for each card, one for each long edge.

    :raises ValueError: the deck's name does not fit the format.
    """
    texts = [
        (str(card), standard_text(card, deck, first_serial + place, format_))
        for place, card in enumerate(DECK)
    ]
    labels = [(name, label(text, format_)) for name, text in texts for _ in range(2)]
    wide = max(picture.width for _, picture in labels) + _dots(_BETWEEN_MM)
    high = max(picture.height for _, picture in labels) + _dots(2 * _BETWEEN_MM)
    columns = _dots(PAGE_MM[0] - 2 * MARGIN_MM) // wide
    each = columns * (_dots(PAGE_MM[1] - 2 * MARGIN_MM) // high)
    return [
        _page(labels[at : at + each], columns, (wide, high)) for at in range(0, len(labels), each)
    ]


def _page(
    labels: Iterable[tuple[str, Pictures.Image]], columns: int, cell: tuple[int, int]
) -> Pictures.Image:
    page = Pictures.new("L", (_dots(PAGE_MM[0]), _dots(PAGE_MM[1])), 255)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(_dots(2.0))
    for place, (name, picture) in enumerate(labels):
        x = _dots(MARGIN_MM) + place % columns * cell[0]
        y = _dots(MARGIN_MM) + place // columns * cell[1]
        page.paste(picture, (x, y))
        draw.text((x, y + picture.height + _dots(0.3)), name, fill=0, font=font)
    return page


def save(pages: list[Pictures.Image], path: Path) -> list[Path]:
    """Write one PDF, or a PNG a page; gives the files written.

    :raises ValueError: the name ends neither with .pdf nor with .png.
    """
    dpi = round(DOTS_PER_MM * 25.4)
    if path.suffix.lower() == ".pdf":
        pages[0].save(path, save_all=True, append_images=pages[1:], resolution=dpi)
        return [path]
    if path.suffix.lower() != ".png":
        raise ValueError("write a name that ends with .pdf or .png")
    paths = [path.with_stem(f"{path.stem}-{number}") for number in range(1, len(pages) + 1)]
    paths = paths if len(pages) > 1 else [path]
    for page, file in zip(pages, paths, strict=True):
        page.save(file, dpi=(dpi, dpi))
    return paths


def _dots(mm: float) -> int:
    return round(mm * DOTS_PER_MM)

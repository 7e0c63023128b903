"""Codes along a card's edge, printed as on our sheets and seen through the window."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from hw_sims.camera import Camera
from hw_sims.shoe import POKER_SHOE, Knot, Motion, Passing
from table_controller.core.cards import DECK, parse_card
from vision import barcode
from vision.barcode import CodeReader
from vision.code_sheet import DOTS_PER_MM, label, save, sheets
from vision.code_text import FORMATS, CodeFormat, CodeScheme, standard_scheme, standard_text
from vision.frame import Image
from vision.fuse import CodeSeen
from vision.scan_engine import ScanEngine

EIGHT = parse_card("8S")
LINEAR: list[CodeFormat] = ["code128", "code39", "itf", "ean13", "ean8", "databar"]


def barcoded(format_: CodeFormat, serial: int = 7) -> Image:
    """A white card, 9 px/mm, with a label along both long edges, away from the indices."""
    art = np.full((792, 567, 3), 245, np.uint8)
    dots = np.array(label(standard_text(EIGHT, "7", serial, format_), format_))
    scale = 9.0 / DOTS_PER_MM
    strip = cv2.resize(dots, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    upright = cv2.rotate(strip, cv2.ROTATE_90_CLOCKWISE)[:, :, None]
    high, wide = upright.shape[:2]
    art[200 : 200 + high, 12 : 12 + wide] = upright
    art[792 - 200 - high : 792 - 200, 567 - 12 - wide : 567 - 12] = upright[::-1, ::-1]
    return art


def looks_at(art: Image, mm_per_s: float, lead_mm: float) -> Image:
    motion = Motion([Knot(0, mm_per_s), Knot(2e6, mm_per_s)])
    at_us = (lead_mm + 2) / mm_per_s * 1e6
    return Camera(POKER_SHOE, seed=3).picture([Passing(art, motion)], at_us)


@pytest.mark.parametrize("mm_per_s", [100, 1000])
@pytest.mark.parametrize("format_", FORMATS)
def test_a_printed_code_is_read_from_a_moving_card(format_: CodeFormat, mm_per_s: int) -> None:
    reader = CodeReader(standard_scheme(format_))
    frames = [looks_at(barcoded(format_), mm_per_s, lead_mm) for lead_mm in (30, 45, 60, 75, 90)]
    seen = [code for frame in frames for code in reader.codes(frame)]
    assert {code.card for code in seen} == {EIGHT}


def test_a_half_seen_card_shows_the_code_of_one_edge() -> None:
    reader = CodeReader(standard_scheme("code128"))
    (code,) = reader.codes(looks_at(barcoded("code128"), 300, 20))
    assert (code.card, code.deck, code.serial, code.confirmed) == (EIGHT, "7", "0007", True)


def test_a_code_of_another_deck_is_of_no_card() -> None:
    reader = CodeReader(standard_scheme("code128", deck="8"))
    (code,) = reader.codes(looks_at(barcoded("code128"), 300, 60))
    assert code.card is None


def test_a_plain_card_shows_no_code() -> None:
    plain = looks_at(np.full((792, 567, 3), 245, np.uint8), 300, 60)
    assert CodeReader(CodeScheme(FORMATS)).codes(plain) == ()


def test_where_the_two_readers_disagree_there_is_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(barcode, "second_reader", lambda formats: lambda grey: ["9H-7-0001"])
    reader = CodeReader(standard_scheme("code128"))
    assert reader.codes(looks_at(barcoded("code128"), 300, 60)) == ()


def test_without_zbar_one_reader_works_alone_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(barcode, "_zbar", lambda: None)
    reader = CodeReader(standard_scheme("code128"))
    (code,) = reader.codes(looks_at(barcoded("code128"), 300, 60))
    assert (code.card, code.confirmed) == (EIGHT, False)
    assert reader.why_alone is not None
    assert "apt install libzbar0" in reader.why_alone


@pytest.mark.parametrize("format_", FORMATS)
def test_every_card_of_every_format_comes_back_from_its_text(format_: CodeFormat) -> None:
    scheme = standard_scheme(format_)
    check = "" if format_ in ("code128", "code39", "itf", "qr", "datamatrix") else "0"
    texts = [standard_text(card, "7", 1, format_) + check for card in DECK]
    assert [scheme.card_of(text).card for text in texts] == list(DECK)


def test_a_table_of_texts_goes_before_the_pattern() -> None:
    scheme = CodeScheme(("qr",), table={"X17": EIGHT})
    assert scheme.card_of("X17").card == EIGHT
    assert scheme.card_of("X18").card is None
    assert scheme.card_of("1X-7-0001").card is None


def test_a_scheme_with_an_unknown_format_or_a_broken_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="code129"):
        CodeScheme(("code129",))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="regular expression"):
        CodeScheme(("qr",), pattern="(")


@pytest.mark.parametrize("name", ["codes.pdf", "codes.png"])
def test_a_sheet_holds_two_labels_a_card(tmp_path: Path, name: str) -> None:
    written = save(sheets("7", "code128"), tmp_path / name)
    assert all(path.stat().st_size > 10_000 for path in written)


def test_labels_leave_the_index_free() -> None:
    for format_ in FORMATS:
        assert label(standard_text(EIGHT, "12", 999, format_), format_).width < 70 * DOTS_PER_MM


@pytest.fixture
def wires() -> Iterator[tuple[int, str]]:
    ours, theirs = pty.openpty()
    yield ours, os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def test_a_scan_engine_sends_lines(wires: tuple[int, str]) -> None:
    engine = ScanEngine(wires[1], standard_scheme("code128"))
    os.write(wires[0], b"8S-7-0001\r\nnot ours\r\n8S-7")
    assert [(code.card, code.text) for code in engine.poll()] == [
        (EIGHT, "8S-7-0001"),
        (None, "not ours"),
    ]
    os.write(wires[0], b"-0002\r\n")
    assert engine.poll() == [CodeSeen(EIGHT, "8S-7-0002", "7", "0002", confirmed=True)]
    engine.close()


def test_a_scan_engine_that_is_not_there_says_so_and_is_looked_for_again(tmp_path: Path) -> None:
    engine = ScanEngine(str(tmp_path / "ttyACM9"), standard_scheme("code128"))
    assert engine.poll() == []
    assert engine.lost is not None
    assert "no scan engine" in engine.lost
    ours, theirs = pty.openpty()
    (tmp_path / "ttyACM9").symlink_to(os.ttyname(theirs))
    engine.look_for_it()
    assert engine.lost is None
    engine.close()
    os.close(ours)
    os.close(theirs)

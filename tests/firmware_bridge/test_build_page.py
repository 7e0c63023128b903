"""The drawings and pin tables of docs/build.md are those of the code."""

from __future__ import annotations

import importlib.util
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def drawings() -> ModuleType:
    spec = importlib.util.spec_from_file_location("drawings", DOCS / "drawings.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_drawings_are_up_to_date(drawings: ModuleType) -> None:
    assert (DOCS / "wiring.svg").read_text() == drawings.wiring()
    assert (DOCS / "ramp.svg").read_text() == drawings.ramp()


def test_the_pin_tables_are_up_to_date(drawings: ModuleType) -> None:
    page = (DOCS / "build.md").read_text()
    assert drawings.build_page(page) == page
    assert "| lock | GP19 | 25 |" in page and "| lock | 18 |" in page


def test_the_drawings_are_whole_pictures(drawings: ModuleType) -> None:
    for drawing in (drawings.wiring(), drawings.ramp()):
        assert ElementTree.fromstring(drawing).tag.endswith("svg")

"""The generated pages are fresh, and no clause or alert code is without a test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "rules.md").read_text()
ROWS = [line for line in PAGE.splitlines() if line.startswith(("| **", "| `"))]


def test_the_pages_are_what_the_code_and_the_tests_say() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "script" / "pages", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip(" *`"))
def test_every_clause_and_every_code_has_a_test(row: str) -> None:
    assert row.split("|")[-2].strip()


def test_no_clause_is_forgotten() -> None:
    clauses = {row.split("**")[1] for row in ROWS if row.startswith("| **")}
    counts = {"C": 4, "D": 7, "W": 8, "S": 10, "I": 7}
    assert clauses == {f"{letter}{n + 1}" for letter in counts for n in range(counts[letter])}

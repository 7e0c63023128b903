"""The virtual Pi needs QEMU and a minute; that its programs start at all is seen here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("program", ["tests.virtual_pi.guest", "tests.virtual_pi.machine"])
def test_its_programs_find_all_that_they_import(program: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(ROOT)!r}); import {program}"],
        cwd=tmp_path,  # lgpio leaves a file where it is imported.
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr

"""What a person may give wrongly: one line with the place and the remedy, exit status 2."""

import subprocess
import sys
from pathlib import Path

SABOT = Path(sys.executable).with_name("sabot")


def sabot(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SABOT, *args], capture_output=True, text=True, timeout=60, check=False)


def test_a_command_that_does_not_exist_is_refused_with_status_2() -> None:
    result = sabot("shuffel")
    assert result.returncode == 2
    assert "shuffel" in result.stderr
    assert "Traceback" not in result.stderr

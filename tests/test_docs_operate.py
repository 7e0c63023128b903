"""The page on running a table: its example is a configuration, its service file a service."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from table_controller.config import Config, load_config

ROOT = Path(__file__).parents[1]


def test_the_example_is_a_configuration_with_every_section(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "operate.md").read_text()
    example = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert example is not None
    file = tmp_path / "table.toml"
    file.write_text(example[1])
    config = load_config(file)
    assert set(Config.model_fields) - config.model_fields_set == {"reader"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_the_service_file_is_one_that_systemd_accepts(tmp_path: Path) -> None:
    unit = tmp_path / "sabot.service"
    text = (ROOT / "deploy" / "sabot.service").read_text()
    # The program's place on a Pi: here any program will do.
    unit.write_text(re.sub(r"^ExecStart=.*$", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    checked = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert "sabot.service" not in checked.stderr

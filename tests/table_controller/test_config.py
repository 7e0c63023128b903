"""The configuration: what is right is taken, what is wrong is named with its remedy."""

from pathlib import Path

import pytest

from table_controller.config import Config, load_config
from table_controller.errors import InputError


def written(folder: Path, text: str) -> Path:
    file = folder / "table.toml"
    file.write_text(text)
    return file


def test_without_a_file_everything_has_its_default() -> None:
    assert load_config(None) == Config()


def test_what_the_file_says_counts(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, '[table]\nname = "pit-3"\n[broker]\nhost = "pi.lan"\n'))
    assert config.table.name == "pit-3"
    assert config.broker is not None
    assert (config.broker.host, config.broker.port) == ("pi.lan", 1883)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tabel]\n", "tabel: no such key: write one of board, broker, camera"),
        ("[screens]\nprot = 80\n", "screens.prot: no such key: write one of "),
        ('[broker]\nhost = "a"\nqos = 1\n', "broker.qos: no such key: write one of ca_file, host"),
        ("[broker]\n", "broker.host: this key is missing"),
        ('[screens]\nport = "80"\n', "screens.port: '80': input should be a valid integer"),
        ("[screens]\nport = 70000\n", "screens.port: 70000: input should be less than or equal"),
        ('[board]\nkind = "arduino"\n', "board.kind: 'arduino': input should be 'pico' or 'pi'"),
        ('[broker]\nhost = "a"\nprefix = "pit/#"\n', "broker.prefix: 'pit/#': string should match"),
        ("[camera]\nwidth = 1280\n", "camera: width and height must be 4 to 3, such as 640 x 480"),
        ("[table\n", "write it as TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_remedy(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        load_config(written(tmp_path, text))
    assert f"{tmp_path}/table.toml: " in str(refused.value)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: No such file"):
        load_config(tmp_path / "none.toml")


def test_the_journal_stands_in_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/sabot")
    simulated = "/var/lib/sabot/simulated"
    assert str(Config().journal_file(False)) == "/var/lib/sabot/table-1/journal.sqlite3"
    assert str(Config().journal_file(True)) == f"{simulated}/prairie-meadows/journal.sqlite3"

"""Who gets in: set-up, signing in, guessing, pairing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from table_controller.errors import InputError
from table_controller.outputs.station.access import (
    SESSION_IDLE_S,
    SESSION_LONGEST_S,
    Access,
    NotAllowed,
)

PASSPHRASE = "nine calm herons"


def set_up(access: Access) -> str:
    return access.set_up(access.setup_code(), "Ada", PASSPHRASE, "127.0.0.1", local=True)


def sign_in(access: Access, passphrase: str, address: str = "10.0.0.9", local: bool = False) -> str:
    return access.sign_in("Ada", passphrase, address, local=local)


def test_the_first_supervisor_needs_the_code_from_the_console(access: Access) -> None:
    access.setup_code()
    with pytest.raises(NotAllowed, match="code is wrong"):
        access.set_up("AAAA-AAAA", "Eve", PASSPHRASE, "127.0.0.1", local=True)
    assert not access.is_set_up


def test_nobody_can_set_up_a_second_first_supervisor(access: Access) -> None:
    set_up(access)
    with pytest.raises(NotAllowed, match="set up already"):
        access.set_up(access.setup_code(), "Eve", PASSPHRASE, "127.0.0.1", local=True)


def test_a_code_is_good_once_and_not_for_long(access: Access, clock: list[float]) -> None:
    code = access.pairing_code()
    assert access.pair(code.lower().replace("-", " "), "10.0.0.9", local=False)
    with pytest.raises(NotAllowed):
        access.pair(code, "10.0.0.9", local=False)
    late = access.pairing_code()
    clock[0] += 601
    with pytest.raises(NotAllowed):
        access.pair(late, "10.0.0.9", local=False)


@pytest.mark.parametrize("weak", ["short", "aaaaaaaaaaaaaa", "x" * 201, "Ada Lovelace ", ""])
def test_a_weak_passphrase_is_declined_and_the_code_stays_good(access: Access, weak: str) -> None:
    code = access.setup_code()
    with pytest.raises(NotAllowed, match="passphrase"):
        access.set_up(code, "Ada Lovelace", weak, "127.0.0.1", local=True)
    assert access.set_up(code, "Ada Lovelace", PASSPHRASE, "127.0.0.1", local=True)


def test_the_file_holds_neither_passphrase_nor_token_and_is_the_owners(
    access: Access, tmp_path: Path
) -> None:
    set_up(access)
    token = access.pair(access.pairing_code(), "10.0.0.9", local=False)
    file = tmp_path / "station.json"
    assert "$argon2id$" in file.read_text()
    assert PASSPHRASE not in file.read_text() and token not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0


def test_supervisors_and_screens_outlast_a_restart_and_sessions_do_not(
    access: Access, tmp_path: Path
) -> None:
    session = set_up(access)
    screen = access.pair(access.pairing_code(), "10.0.0.9", local=False)
    again = Access(tmp_path / "station.json")
    assert again.is_paired(screen)
    assert again.supervisor(session) is None
    assert sign_in(again, PASSPHRASE)


def test_guessing_is_slowed_down_and_even_the_right_one_waits(
    access: Access, clock: list[float]
) -> None:
    set_up(access)
    for _ in range(5):
        with pytest.raises(NotAllowed, match="is wrong"):
            sign_in(access, "a wrong passphrase")
    with pytest.raises(NotAllowed, match="too many tries") as declined:
        sign_in(access, PASSPHRASE)
    clock[0] += declined.value.wait_s + 0.1
    assert sign_in(access, PASSPHRASE)


def test_a_thousand_guesses_take_days(access: Access, clock: list[float]) -> None:
    set_up(access)
    began = clock[0]
    for _ in range(1000):
        clock[0] += access._tries.wait_s("10.0.0.9", clock[0], local=False)
        access._tries.failed("10.0.0.9", clock[0], local=False)
    assert clock[0] - began > 3 * 24 * 3600


def test_many_addresses_together_do_not_get_more_tries(access: Access, clock: list[float]) -> None:
    set_up(access)
    for number in range(40):
        access._tries.failed(f"10.0.0.{number}", clock[0], local=False)
    with pytest.raises(NotAllowed, match="too many tries"):
        sign_in(access, PASSPHRASE, "10.0.0.200")


def test_the_network_cannot_lock_out_who_stands_at_the_table(
    access: Access, clock: list[float]
) -> None:
    set_up(access)
    for number in range(100):
        access._tries.failed(f"10.0.0.{number}", clock[0], local=False)
    assert sign_in(access, PASSPHRASE, "127.0.0.1", local=True)


def test_an_unknown_name_and_a_wrong_passphrase_get_the_same_answer(access: Access) -> None:
    set_up(access)
    with pytest.raises(NotAllowed) as wrong:
        sign_in(access, "a wrong passphrase")
    with pytest.raises(NotAllowed) as unknown:
        access.sign_in("Nobody", PASSPHRASE, "10.0.0.9", local=False)
    assert str(wrong.value) == str(unknown.value)


@pytest.mark.parametrize("steps", [[SESSION_IDLE_S + 1], [SESSION_IDLE_S - 1] * 30])
def test_a_session_ends_when_nobody_acts_and_after_a_long_day(
    access: Access, clock: list[float], steps: list[float]
) -> None:
    token = set_up(access)
    assert sum(steps) > SESSION_LONGEST_S or len(steps) == 1
    for step in steps:
        clock[0] += step
        name = access.supervisor(token)
    assert name is None


def test_watching_is_not_acting(access: Access, clock: list[float]) -> None:
    token = set_up(access)
    for _ in range(3):
        clock[0] += SESSION_IDLE_S / 2 + 1
        name = access.supervisor(token, touch=False)
    assert name is None


def test_a_new_passphrase_and_a_removal_end_the_sessions_of_that_name(access: Access) -> None:
    token = set_up(access)
    access.add_supervisor("Ada", "another calm heron", by="Ada")
    assert access.supervisor(token) is None
    access.add_supervisor("Grace", PASSPHRASE, by="Ada")
    grace = access.sign_in("Grace", PASSPHRASE, "127.0.0.1", local=True)
    access.remove_supervisor("Grace")
    assert access.supervisor(grace) is None


def test_no_supervisor_can_take_the_name_of_another_not_even_of_one_removed(
    access: Access,
) -> None:
    set_up(access)
    access.add_supervisor("Grace", PASSPHRASE, by="Ada")
    for _ in range(2):
        with pytest.raises(NotAllowed, match="another supervisor's in the record"):
            access.add_supervisor("Grace", "known to Ada alone", by="Ada")
        if "Grace" in access.supervisors:
            access.remove_supervisor("Grace")


def test_a_power_cut_while_it_is_kept_leaves_the_old_file_or_the_new_one(
    access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(access)
    synced: list[Path] = []
    monkeypatch.setattr(
        os, "fsync", lambda fd: synced.append(Path(f"/proc/self/fd/{fd}").readlink())
    )
    access.add_supervisor("Grace", PASSPHRASE, by="Ada")
    assert [path.suffix for path in synced] == [".new", ""]
    assert synced[1].is_dir()


def test_the_last_supervisor_stays(access: Access) -> None:
    set_up(access)
    with pytest.raises(NotAllowed, match="last supervisor"):
        access.remove_supervisor("Ada")


def test_the_same_letters_of_another_keyboard_are_the_same_passphrase(access: Access) -> None:
    access.set_up(access.setup_code(), "Ada", "neuf hérons calmés", "127.0.0.1", local=True)
    decomposed = "neuf he\u0301rons calme\u0301s"
    assert access.sign_in("Ada", decomposed, "127.0.0.1", local=True)


@pytest.mark.parametrize("content", ["{", "[]", '{"version": 7}', json.dumps({"version": 1})])
def test_a_damaged_file_is_refused_with_its_name_and_the_remedy(
    tmp_path: Path, content: str
) -> None:
    file = tmp_path / "station.json"
    file.write_text(content)
    with pytest.raises(InputError, match=r"station\.json .*: mend it, or remove it"):
        Access(file)

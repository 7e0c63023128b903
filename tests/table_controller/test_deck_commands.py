"""``sabot enroll``, ``deck-check``, ``print-codes``: what a person gives, and what comes back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from hw_sims.art import draw_deck
from vision.deck import load_profile

SABOT = Path(sys.executable).with_name("sabot")


def sabot(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SABOT, *args], capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("art")
    deck = draw_deck()
    for card, face in deck.faces.items():
        cv2.imwrite(str(where / f"{card}.png"), face)
    cv2.imwrite(str(where / "back.png"), deck.back)
    return where


def test_enrolling_says_how_far_apart_the_closest_two_lie(folder: Path, tmp_path: Path) -> None:
    result = sabot("enroll", tmp_path / "my.deck", "--pictures", folder, "--codes", "code128")
    assert result.returncode == 0, result.stderr
    assert "closest two:" in result.stdout
    assert "52 of 52" in result.stdout
    profile = load_profile(tmp_path / "my.deck")
    assert profile.back is not None
    assert profile.codes is not None


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("enroll", "x.deck"), "say where the cards are seen"),
        (("enroll", "x.deck", "--pictures", "/nowhere"), "/nowhere: no such folder"),
        (("enroll", "x.deck", "--sim", "--codes", "morse"), "'morse' is not known"),
        (("deck-check",), "say where the cards are seen"),
        (("deck-check", "--sim", "--without", "1X"), "1X"),
        (("deck-check", "--sim", "--profile", "/nowhere.deck"), "/nowhere.deck: No such file"),
        (("read", "/nowhere.png", "--profile", "/nowhere.deck"), "/nowhere"),
        (("print-codes", "x.txt"), "ends with .pdf or .png"),
        (("print-codes", "x.pdf", "--code", "ean8", "--deck", "ABC"), "holds digits only"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(args: tuple[str, ...], said: str) -> None:
    result = sabot(*args)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_deck_check_of_pictures_names_what_is_missing(folder: Path, tmp_path: Path) -> None:
    for name in ("AS.png", "back.png"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    result = sabot("deck-check", "--pictures", tmp_path, "--json")
    assert result.returncode == 1
    count = json.loads(result.stdout)
    assert count["seen"] == 2
    assert "KC" in count["missing"]

"""Profiles: what they accept, what they refuse, and what they say in plain words."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from table_controller.cli import _application
from table_controller.core.house import House, Odds
from table_controller.errors import InputError
from table_controller.plain_words import rules_in_words
from table_controller.profile import load_profile, profile_as_toml, shipped_profiles
from table_controller.profile_settings import ProfileSettings


def test_a_profile_that_says_nothing_is_the_house_of_no_settings(tmp_path: Path) -> None:
    (tmp_path / "plain.toml").write_text("")
    assert load_profile(tmp_path / "plain.toml") == House(name="plain", title="plain")


def test_every_setting_of_a_house_has_its_key() -> None:
    by_spot = {"minimum_cents", "maximum_cents", "step_cents", "pays"}
    settings = {field.name for field in fields(House)} - {"name", "spots"}
    assert set(ProfileSettings.model_fields) == settings | by_spot


def refused(overrides: dict[str, Any], profile: str = "traditional") -> str:
    with pytest.raises(InputError) as wrong:
        load_profile(profile, overrides)
    return str(wrong.value)


def check(path: Path) -> Any:
    return CliRunner().invoke(_application(("profile",)), ["profile", "check", str(path)])


@pytest.mark.clause("C3")
@pytest.mark.parametrize(
    ("profile", "accepted"),
    [
        ("prairie-meadows", {8, 9, 10, 11, 12}),
        ("player-dealer", {6, 7, 8}),
        ("traditional", {8}),
    ],
)
def test_a_profile_refuses_any_other_number_of_decks(profile: str, accepted: set[int]) -> None:
    for decks in range(1, 14):
        if decks in accepted:
            assert load_profile(profile, {"decks": decks}).decks == decks
        else:
            assert "decks" in refused({"decks": decks}, profile)


@pytest.mark.clause("S7")
def test_the_house_says_what_follows_the_cutting_card() -> None:
    assert load_profile("prairie-meadows").after_cut_card == "finish_round"
    assert load_profile("traditional").after_cut_card == "one_more_round"
    changed = load_profile("traditional", {"after_cut_card": "finish_round"})
    assert changed.after_cut_card == "finish_round"


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"dekcs": 8}, "did you mean decks?"),
        ({"deal": "upside"}, "'face_down' or 'face_up'"),
        ({"decks": "8"}, "valid integer"),
        ({"minimum_cents": 2.5}, "minimum_cents"),
        ({"step_cents": {"tie": 0}}, "step_cents.tie"),
        ({"step_cents": {"bunker": 100}}, "step_cents.bunker"),
        ({"pays": {"tie": {"tie": "9;1"}}}, "pays.tie.tie"),
        ({"pays": {"tie": {"pair": "9:1"}}}, "pays.tie.pair"),
        ({"pays": {"egalite": {}}}, "pays.egalite"),
    ],
)
def test_a_wrong_key_or_value_is_told_with_place_and_remedy(
    overrides: dict[str, Any], words: str
) -> None:
    said = refused(overrides)
    assert said.startswith("[house]: ")
    assert words in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("overrides", "key"),
    [
        ({"maximum_cents": 50}, "maximum_cents"),
        ({"minimum_cents": 1000, "maximum_cents": {"tie": 900}}, "maximum_cents"),
        ({"pays": {"banker": {"win": "19:20"}}}, "commission_percent"),
        ({"commission": "boxed", "commission_percent": 0}, "commission"),
        ({"fee_per_hand_cents": 100}, "fee_per_spot_cents"),
        ({"burn": "fixed"}, "burn_cards"),
        ({"burn": "none", "overdraw": "next_burn"}, "overdraw"),
        ({"cut_from_ends_cards": 14}, "cut_card_missing_cards"),
        ({"rank_run_alarm": 4}, "rank_run_alarm"),
        ({"carry_unused": True}, "carry_unused"),
    ],
)
def test_a_contradiction_is_told_by_its_key(overrides: dict[str, Any], key: str) -> None:
    assert f": {key}: " in refused(overrides)


def test_limits_may_differ_by_spot_and_an_override_changes_only_its_own() -> None:
    house = load_profile("prairie-meadows", {"step_cents": {"tie": 500}})
    assert [spot.step_cents for spot in house.spots] == [500, 500, 500]


def test_odds_may_be_written_with_decimals() -> None:
    house = load_profile("traditional", {"pays": {"big": {"five_or_six_cards": "0.54:1"}}})
    big = house.spot("big")
    assert big is not None
    assert big.pays == (("five_or_six_cards", Odds(27, 50)),)


@pytest.mark.parametrize("name", shipped_profiles())
def test_a_shown_profile_is_a_file_of_the_same_house(name: str, tmp_path: Path) -> None:
    house = load_profile(name)
    copy = tmp_path / f"{name}.toml"
    copy.write_text(profile_as_toml(house))
    assert load_profile(copy) == house


@pytest.mark.parametrize("name", shipped_profiles())
def test_every_shipped_profile_can_be_said_in_plain_words(name: str) -> None:
    sentences = rules_in_words(load_profile(name))
    assert all(sentence.endswith(".") and "_" not in sentence for sentence in sentences)


def test_check_prints_the_rules_of_a_profile_that_holds_together(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('title = "Mine"\npays.tie = {tie = "9:1"}\ncommission_percent = 4\n')
    done = check(mine)
    assert done.exit_code == 0
    assert "tie: tie pays 9:1; steps of $1." in done.stdout
    assert "Commission 4 %" in done.stdout


def test_check_tells_every_fault_on_a_line_of_its_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('deal = "upside"\ndekcs = 3\nminimum_cents = {tie = -1}\n')
    done = check(mine)
    told = [*done.stderr.splitlines(), str(done.exception)]
    assert isinstance(done.exception, InputError)
    assert len(told) == 3
    for key in ("deal", "dekcs", "minimum_cents.tie"):
        assert any(f"mine.toml: {key}: " in line for line in told)


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "No such file"), (b"decks 8", "not TOML"), (b"\xff\xfe", "not a text file")],
)
def test_a_file_that_is_no_profile_is_told(
    content: bytes | None, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        load_profile(path)


def test_an_unknown_profile_names_those_there_are() -> None:
    with pytest.raises(InputError, match="prairie-meadows"):
        load_profile("prairie")

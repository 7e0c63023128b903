"""docs/profiles.md names every setting, side bet and shipped profile that there is."""

from __future__ import annotations

from pathlib import Path

from table_controller.core.side_bets import RESULTS
from table_controller.profile import shipped_profiles
from table_controller.profile_settings import ProfileSettings

PAGE = (Path(__file__).parents[1] / "docs" / "profiles.md").read_text()


def test_the_page_names_every_setting() -> None:
    unnamed = ProfileSettings.model_fields.keys() - {"title", "pays"}
    assert [key for key in unnamed if f"`{key}`" not in PAGE] == []


def test_the_page_names_every_profile_side_bet_and_result() -> None:
    words = {*shipped_profiles(), *RESULTS, "win", "natural"}
    assert [word for word in words if f"`{word}`" not in PAGE and word not in PAGE] == []

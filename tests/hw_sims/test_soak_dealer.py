"""The soak's dealer, on the truth alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hw_sims.soak_dealer import SoakDealer
from hw_sims.story import Story, load_story
from hw_sims.story_player import RulesPlayer, play
from hw_sims.story_text import as_text
from table_controller.profile import load_profile


def story(profile: str) -> Story:
    house = load_profile(profile)
    return Story(Path("soak"), "soak", house, house.decks, "round", 0, ())


@pytest.mark.parametrize("profile", ["prairie-meadows", "traditional"])
@pytest.mark.parametrize("seed", range(6))
def test_a_shoe_full_of_faults_is_dealt_to_its_end(profile: str, seed: int) -> None:
    told = story(profile)
    truth = RulesPlayer(told)
    dealer = SoakDealer(told.decks, Random(seed), 1.0, codes=True)
    rounds, at_us = 0, 0
    while truth.record()["phase"] == "wagers":
        for step in dealer.round(truth.record):
            at_us += round((step.wait_s or 0) * 1e6)
            truth.play(step, at_us)
        rounds += 1
    assert truth.record()["phase"] == "reshuffle"
    assert rounds > 40


def test_a_dealer_without_faults_raises_no_alert() -> None:
    truth = RulesPlayer(story("prairie-meadows"))
    dealer = SoakDealer(8, Random(1), 0.0, codes=False)
    for _ in range(30):
        for step in dealer.round(truth.record):
            assert truth.play(step, 0) is None
    assert truth.record()["alerts"] == []


def test_what_a_dealer_did_can_be_written_as_a_story_and_played_again(tmp_path: Path) -> None:
    told = story("prairie-meadows")
    truth = RulesPlayer(told)
    steps = []
    for step in SoakDealer(8, Random(3), 1.0, codes=True).round(truth.record):
        steps.append(step)
        truth.play(step, 0)
    file = tmp_path / "failure.toml"
    file.write_text(as_text(told, steps, truth.record()), encoding="utf-8")
    again = load_story(file)
    assert play(again, RulesPlayer(again)).failure is None

"""Stories on a board: lamps and lock are read back, and what is wrong stands in the report."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from hw_sims.hil import (
    BoardPlayer,
    PersonPlayer,
    Result,
    SimulatedBoardPlayer,
    instruction,
    try_story,
)
from hw_sims.hil_report import write_report
from hw_sims.live import LiveCamera, LiveShoe
from hw_sims.pico import SimulatedPico
from hw_sims.story import Story, StoryStep, load_story
from table_controller.commands.hil import run
from vision.frame import Image, Look

STORIES = Path(__file__).parents[1] / "stories"


def played(player: BoardPlayer, story: Story) -> Result:
    try:
        return try_story(story, player)
    finally:
        player.close()


def story_of(name: str) -> Story:
    return load_story(STORIES / f"{name}.toml")


def test_the_simulated_board_shows_what_the_table_wants_at_every_step() -> None:
    story = story_of("supervisor-called")
    assert played(SimulatedBoardPlayer(story), story).faults == []


def test_a_lamp_that_does_not_light_is_a_fault_of_its_step() -> None:
    class DarkBoard(SimulatedBoardPlayer):
        def read_back(self) -> tuple[frozenset[str], bool]:
            return frozenset(), super().read_back()[1]

    story = story_of("supervisor-called")
    faults = played(DarkBoard(story), story).faults
    assert any("alert" in fault for fault in faults)


class Hands:
    """Does at the simulated Pico, in real time, what a person is asked to do."""

    def __init__(self, pico: SimulatedPico) -> None:
        self.asked: list[str] = []
        self._shoe = LiveShoe(pico)

    def open_camera(self) -> LiveCamera:
        return LiveCamera(self._shoe)

    def do(self, step: StoryStep, sentence: str) -> None:
        self.asked.append(sentence)
        if step.lid is not None:
            self._shoe.set_pin("lid", step.lid == "open")
        else:
            self._shoe.press("button_call")


class SeesNothing:
    def look(self, image: Image) -> Look:
        return Look("unreadable")


BY_HAND = """
title = "what hands can do without a card"
rules = "traditional"
[[step]]
call_supervisor = true
[[step]]
expect = {lights = ["alert"]}
[[step]]
acknowledge = "supervisor_called"
[[step]]
lid = "open"
[[step]]
expect = {phase = "ruling", lock = "closed"}
[[step]]
power = "cut"
[[step]]
lid = "closed"
[[step]]
expect = {alerts = [{code = "supervisor_called"}, {code = "lid_open"}, {code = "power_lost"}]}
"""


def test_a_story_is_played_by_hand_at_a_board_that_is_named_by_its_port(tmp_path: Path) -> None:
    story_file = tmp_path / "by-hand.toml"
    story_file.write_text(BY_HAND)
    story = load_story(story_file)
    with SimulatedPico(virtual=False) as pico:
        hands = Hands(pico)
        player = PersonPlayer(story, pico.port, hands.open_camera, SeesNothing(), hands.do)
        assert played(player, story).faults == []
    assert hands.asked == ["Press the call button.", "Open the lid.", "Close the lid."]


def test_the_command_writes_a_report_for_machines_and_one_for_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run([STORIES / "supervisor-called.toml"], report=tmp_path)
    assert "1 of 1 passed" in capsys.readouterr().out
    assert ElementTree.parse(tmp_path / "hil.xml").getroot().get("failures") == "0"
    assert (tmp_path / "hil.html").is_file()


def test_a_person_is_asked_only_for_what_a_hand_does() -> None:
    steps = load_story(STORIES / "double-draw.toml").steps
    asked = [instruction(step) for step in steps if step.expect is None]
    assert "Draw 6C and 9S together, 6C underneath." in asked
    assert asked.count(None) == 1


def test_the_report_counts_and_names_the_faults(tmp_path: Path) -> None:
    results = [Result("natural", "a natural"), Result("lid", "the lid", ["step 2 (lid): dark"])]
    machine, page = write_report(tmp_path, "a board", results)
    suite = ElementTree.parse(machine).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert "1 of 2 stories passed on a board" in page.read_text()

"""Stories on a board: lamps and lock are read back, and what is wrong stands in the report."""

from pathlib import Path
from xml.etree import ElementTree

from hw_sims.hil import Result, SimulatedBoardPlayer, instruction, try_story
from hw_sims.hil_report import write_report
from hw_sims.story import load_story

STORIES = Path(__file__).parents[1] / "stories"


def played(player: SimulatedBoardPlayer, story: str) -> Result:
    try:
        return try_story(load_story(STORIES / f"{story}.toml"), player)
    finally:
        player.close()


def on_board(story: str) -> SimulatedBoardPlayer:
    return SimulatedBoardPlayer(load_story(STORIES / f"{story}.toml"))


def test_the_simulated_board_shows_what_the_table_wants_at_every_step() -> None:
    assert played(on_board("supervisor-called"), "supervisor-called").faults == []


def test_a_lamp_that_does_not_light_is_a_fault_of_its_step() -> None:
    class DarkBoard(SimulatedBoardPlayer):
        def read_back(self) -> tuple[frozenset[str], bool]:
            return frozenset(), super().read_back()[1]

    story = "supervisor-called"
    player = DarkBoard(load_story(STORIES / f"{story}.toml"))
    faults = played(player, story).faults
    assert any("alert" in fault for fault in faults)


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

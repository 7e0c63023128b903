"""``sabot hil``: stories on a board, simulated or real, with a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from hw_sims.hil import BoardPlayer
    from hw_sims.story import Story, StoryStep

FAILED = 1


def run(
    stories: Annotated[list[Path], typer.Argument(help="stories, or folders of stories")],
    board: Annotated[
        str | None,
        typer.Option(help="the board's pyserial URL or port; without it the simulated board"),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="the configuration that names the camera")
    ] = None,
    report: Annotated[Path, typer.Option(help="where hil.xml and hil.html go")] = Path("hil"),
) -> None:
    """Play stories on a board, read its lamps and lock back after each step, write a report.

    At a real board a person is asked to draw the named cards and to press the buttons.
    """
    from hw_sims.hil import try_story
    from hw_sims.hil_report import write_report
    from hw_sims.story import load_story, stories_below

    results = []
    for story in [load_story(file) for path in stories for file in stories_below(path)]:
        player = _player(story, board, config)
        try:
            results.append(try_story(story, player))
        finally:
            player.close()
        for fault in results[-1].faults or ["passed"]:
            print(f"{story.path.name}: {fault}", flush=True)
    machine, page = write_report(report, board or "the simulated board", results)
    print(f"{sum(not r.faults for r in results)} of {len(results)} passed; {machine}, {page}")
    if any(result.faults for result in results):
        raise typer.Exit(FAILED)


def _player(story: Story, board: str | None, config: Path | None) -> BoardPlayer:
    if board is None:
        from hw_sims.hil import SimulatedBoardPlayer

        return SimulatedBoardPlayer(story)
    from hw_sims.hil import PersonPlayer
    from table_controller.config import load_config
    from table_controller.devices import open_camera
    from vision.glass import STANDARD_VIEW
    from vision.reader import CardReader

    camera = load_config(config).camera
    return PersonPlayer(story, board, lambda: open_camera(camera), CardReader(STANDARD_VIEW), _ask)


def _ask(step: StoryStep, sentence: str) -> None:
    input(f"  {sentence}  [Enter] ")

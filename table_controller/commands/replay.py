"""``sabot replay``: stories played at any depth of the stack (docs/stories.md)."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from hw_sims.story import Story, load_story, stories_below
from hw_sims.story_player import Played, Player, RulesPlayer, play
from table_controller.errors import InputError

Stack = Literal["rules", "table", "hardware"]

FAILED = 1
WRONG_FILE = 2


def run(
    stories: Annotated[list[Path], typer.Argument(help="stories, or folders of stories")],
    stack: Annotated[Stack, typer.Option(help="how much of the machine plays")] = "rules",
    as_json: Annotated[bool, typer.Option("--json", help="print only the objects")] = False,
) -> None:
    """Play stories and check what they expect.

    Exit status: 0 all played to the end; 1 an expectation did not hold; 2 a file is wrong, and
    nothing was played.
    """
    listed = len(stories) > 1 or any(path.is_dir() for path in stories)
    loaded = _loaded([file for path in stories for file in stories_below(path)])
    failed = [_played(story, stack, as_json, listed) for story in loaded]
    if not as_json and listed:
        _print_list(loaded, failed)
    if any(failed):
        raise typer.Exit(FAILED)


def _loaded(paths: list[Path]) -> list[Story]:
    """All stories, checked before any is played; every wrong file is told."""
    loaded: list[Story] = []
    wrong: list[InputError] = []
    for path in paths:
        try:
            loaded.append(load_story(path))
        except InputError as error:
            wrong.append(error)
    for one in wrong:
        print(f"sabot: {one}", file=sys.stderr)
    if wrong:
        raise typer.Exit(WRONG_FILE)
    return loaded


def _played(story: Story, stack: Stack, as_json: bool, listed: bool) -> str | None:
    """Play one story and print it; why it failed, or None."""
    player = _player(story, stack)
    try:
        played = play(story, player)
    finally:
        player.close()
    if as_json:
        file = {"file": str(story.path)} if listed else {}
        print(json.dumps({**file, **played.printed}), flush=True)
    elif not listed:
        _print_one(story, played)
    if played.failure and (as_json or not listed):
        print(f"{story.path}: {played.failure}", file=sys.stderr)
    return played.failure


def _player(story: Story, stack: Stack) -> Player:
    if stack == "rules":
        return RulesPlayer(story)
    # The deeper players bring the journal, OpenCV and the serial port with them.
    module = importlib.import_module(f"hw_sims.{stack}_player")
    player: Player = module.player(story)
    return player


def _print_one(story: Story, played: Played) -> None:
    print(json.dumps(played.printed, indent=1))
    print(f"{story.title}: {'failed' if played.failure else 'passed'}", file=sys.stderr)


def _print_list(stories: list[Story], failures: list[str | None]) -> None:
    width = max(len(story.path.name) for story in stories)
    for story, failure in zip(stories, failures, strict=True):
        result = f"failed  {failure}" if failure else f"passed  {story.title}"
        print(f"{story.path.name:{width}}  {result}")
    print(f"{len(stories) - sum(map(bool, failures))} of {len(stories)} stories passed")

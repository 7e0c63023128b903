"""Every story prints the same on the running controller as in the pure core."""

from pathlib import Path

import pytest

from hw_sims.story import load_story, stories_below
from hw_sims.story_player import RulesPlayer, play
from hw_sims.table_player import TablePlayer

STORIES = stories_below(Path(__file__).parents[1] / "stories")


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_at_the_table_prints_what_the_rules_print(path: Path) -> None:
    story = load_story(path)
    player = TablePlayer(story)
    played = play(story, player)
    player.close()
    assert played.failure is None
    assert played == play(story, RulesPlayer(story))

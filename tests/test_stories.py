"""Every story of ``tests/stories``, played through the core."""

from pathlib import Path

import pytest

from hw_sims.story import load_story
from hw_sims.story_player import RulesPlayer, play

STORIES = sorted((Path(__file__).parent / "stories").glob("*.toml"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_story_holds_at_depth_rules(path: Path) -> None:
    story = load_story(path)
    assert play(story, RulesPlayer(story)).failure is None

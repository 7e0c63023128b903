"""Every story of ``tests/stories``, played through the core."""

from pathlib import Path

import pytest

from hw_sims.story import load_story
from hw_sims.story_player import RulesPlayer, play
from table_controller.core.alerts import ADVICE

STORIES = sorted((Path(__file__).parent / "stories").glob("*.toml"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_story_holds_at_depth_rules(path: Path) -> None:
    story = load_story(path)
    assert play(story, RulesPlayer(story)).failure is None


def test_every_alert_is_raised_and_dealt_with_in_some_story() -> None:
    dealt_with: set[str] = set()
    for path in STORIES:
        player = RulesPlayer(load_story(path))
        play(load_story(path), player)
        alerts = player.table.alerts
        dealt_with |= {alert.code for alert in alerts if not (alert.shining or alert.stops)}
    assert dealt_with == set(ADVICE)

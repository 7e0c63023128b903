"""A story as the text of its file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from hw_sims.story import Story, StoryStep
from table_controller.core.cards import Card

_EXPECTED = ("phase", "due", "held", "lock", "alerts", "rounds")


def as_text(story: Story, steps: Iterable[StoryStep], expected: Mapping[str, Any]) -> str:
    """The file of a story that ends with expecting what a table's record says."""
    head = {
        "title": story.title,
        "rules": story.house.name,
        "decks": story.decks,
        "drawn": story.drawn,
    }
    lines = [f"{key} = {_value(value)}" for key, value in head.items()]
    lines += ["", "[simulation]", *_lines(story.simulation.model_dump(exclude_defaults=True))]
    for step in steps:
        lines += ["", "[[step]]", *_lines(step.model_dump(exclude_unset=True))]
    wanted = {key: expected[key] for key in _EXPECTED}
    return "\n".join([*lines, "", "[[step]]", f"expect = {_value(wanted)}", ""])


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items() if value is not None]


def _value(value: Any) -> str:
    if value is None:
        return '"none"'
    if isinstance(value, Card):
        return json.dumps(str(value))
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items())
        return "{" + inside + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(inner) for inner in value) + "]"
    return json.dumps(value, ensure_ascii=False)

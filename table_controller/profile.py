"""Profiles: a house's settings as a small TOML file, checked before anything is played."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from table_controller.core.house import House
from table_controller.errors import InputError
from table_controller.profile_settings import (
    Fault,
    ProfileSettings,
    contradictions,
    spot_of,
    spots_of,
    unusable,
)

SHIPPED = Path(__file__).parent / "profiles"


def shipped_profiles() -> tuple[str, ...]:
    """The names of the profiles that come with Sabot."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


def load_profile(
    name_or_path: str | Path,
    overrides: Mapping[str, Any] | None = None,
    overrides_in: str = "[house]",
) -> House:
    """The house of a shipped profile (``"ez"``) or of a file (``"my-house.toml"``).

    :param overrides: settings that replace the profile's, as a story's ``[house]`` table does;
        a table is laid over the profile's table, spot by spot.
    :param overrides_in: where the overrides stand, for the message when one of them is wrong.
    :raises InputError: no such profile, an unknown key, a wrong value or a contradiction; the
        message names the place, the key and the remedy.
    """
    upper = overrides or {}
    raw = _laid_over(read_profile(name_or_path), upper)
    if wrong := faults(raw):
        overridden = wrong[0].key.split(".")[0] in upper
        raise InputError(f"{overrides_in if overridden else name_or_path}: {wrong[0]}")
    return _house(Path(name_or_path).stem, ProfileSettings.model_validate(raw))


def read_profile(name_or_path: str | Path) -> dict[str, Any]:
    """The keys and values of a profile as they are written, unchecked.

    :raises InputError: no such profile, or the file is not TOML.
    """
    path = _path(name_or_path)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: give the path of a profile") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file: give a profile written in TOML") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from None


def faults(raw: Mapping[str, Any]) -> tuple[Fault, ...]:
    """All that is wrong: keys and values first; contradictions only where these are right."""
    return tuple(unusable(raw)) or tuple(contradictions(ProfileSettings.model_validate(raw)))


def _path(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if path.suffix == ".toml" or len(path.parts) > 1:
        return path
    if path.name not in shipped_profiles():
        raise InputError(
            f"{path.name}: no such profile: write one of {', '.join(shipped_profiles())}, "
            "or the path of a .toml file"
        )
    return SHIPPED / f"{path.name}.toml"


def _laid_over(base: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in upper.items():
        below = base.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            merged[key] = _laid_over(below, value)
        else:
            merged[key] = value
    return merged


def _house(name: str, settings: ProfileSettings) -> House:
    own = {"title", "decks_allowed", "minimum_cents", "maximum_cents", "step_cents", "pays"}
    return House(
        name=name,
        title=settings.title or name,
        decks_allowed=tuple(sorted(set(settings.decks_allowed))),
        spots=tuple(spot_of(settings, on) for on in spots_of(settings)),
        **settings.model_dump(exclude=own),
    )


def profile_as_toml(house: House) -> str:
    """A complete profile file: every setting, also those that the house left at their defaults."""
    lines = [
        f"{key} = {_toml(getattr(house, key))}"
        for key in ProfileSettings.model_fields
        if key not in ("pays", *_BY_SPOT) and getattr(house, key) is not None
    ]
    for key in _BY_SPOT:
        by_spot = {spot.on: getattr(spot, key) for spot in house.spots}
        written = {on: value for on, value in by_spot.items() if value is not None}
        lines.append(f"{key} = {_toml(written)}")
    lines.append("\n[pays]")
    for spot in house.spots:
        lines.append(f"{spot.on} = {_toml({result: str(odds) for result, odds in spot.pays})}")
    return "\n".join(lines)


_BY_SPOT = ("minimum_cents", "maximum_cents", "step_cents")


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # A TOML string, number or boolean is written as in JSON.
    return json.dumps(value, ensure_ascii=False)

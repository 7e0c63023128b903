"""Profiles: a house's settings as a small TOML file, checked before anything is played."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from table_controller.core.house import (
    CARDS_PER_DECK,
    MAIN_SPOTS,
    PUSH,
    AfterCutCard,
    Burn,
    Commission,
    Deal,
    FirstCardFaceUp,
    House,
    Odds,
    Rounding,
    Spot,
    Surplus,
)
from table_controller.core.side_bets import RESULTS, USUAL_ODDS
from table_controller.errors import InputError

SHIPPED = Path(__file__).parent / "profiles"

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
OddsText = Annotated[str, StringConstraints(pattern=r"^(push|\d{1,4}(\.\d{1,3})?:[1-9]\d{0,3})$")]
BySpot = dict[str, Count]

_HINTS = {
    "pays": 'write odds as "11:1", "0.54:1" or "push"',
    "decks_allowed": "write a list of whole numbers from 6 to 12, as in [6, 7, 8]",
}


class ProfileSettings(BaseModel):
    """The keys of a profile; what each means stands at :class:`table_controller.core.house.House`.

    ``pays`` adds spots to player, banker and tie, and changes odds; an empty table there means the
    usual odds. The limits are one number for all spots, or a table of those that differ.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    title: str = ""
    decks: Positive = 8
    decks_allowed: list[Annotated[int, Field(ge=6, le=12)]] = [8]
    deal: Deal = "face_up"
    burn: Burn = "first_card"
    burn_cards: Annotated[int, Field(ge=0, le=8)] = 0
    burn_ace: Literal[1, 11] = 1
    burn_at_dead_game: bool = True
    burn_at_dealer_relief: bool = False
    cut_from_ends_cards: Annotated[int, Field(ge=7, le=2 * CARDS_PER_DECK)] = CARDS_PER_DECK
    cut_card_missing_cards: Count = CARDS_PER_DECK // 2
    virtual_cut_card: bool = False
    after_cut_card: AfterCutCard = "one_more_round"
    first_card_face_up: FirstCardFaceUp = "dead"
    overdraw: Surplus = "next_round"
    overdraw_exposed: Surplus = "dummy_hand"
    carry_unused: bool = False
    demonstrations_per_shoe: Count | None = None
    half_drawn_s: Positive = 5
    minimum_cents: Count | BySpot = 0
    maximum_cents: Positive | dict[str, Positive] | None = None
    step_cents: Positive | dict[str, Positive] = 100
    dealer_step_cents: Positive = 100
    pays: dict[str, dict[str, OddsText]] = {}
    commission_percent: Annotated[int, Field(ge=0, le=50)] = 5
    commission: Commission = "at_once"
    rounding: Rounding = "down"
    commission_to_cents: Positive = 1
    player_dealer: bool = False
    hands_per_place: Positive = 2
    fee_per_spot_cents: Count = 0
    fee_per_hand_cents: Count = 0
    rank_run_warn: Annotated[int, Field(ge=3)] = 5
    rank_run_alarm: Annotated[int, Field(ge=3)] = 6
    suit_run_warn: Annotated[int, Field(ge=3)] = 8
    suit_run_alarm: Annotated[int, Field(ge=3)] = 10
    slug_cards: Annotated[int, Field(ge=4)] = 10


def shipped_profiles() -> tuple[str, ...]:
    """The names of the profiles that come with Sabot."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


def load_profile(name_or_path: str | Path, overrides: Mapping[str, Any] | None = None) -> House:
    """The house of a shipped profile (``"ez"``) or of a file (``"my-house.toml"``).

    :param overrides: settings that replace the profile's, as a story's ``[house]`` table does;
        a table is laid over the profile's table, spot by spot.
    :raises InputError: no such profile, an unknown key, a wrong value or a contradiction; the
        message names the file, the key and the remedy.
    """
    path = _path(name_or_path)
    raw = _laid_over(_read(path), overrides or {})
    settings = _checked(path.name, raw)
    if contradiction := next(contradictions(settings), None):
        raise InputError(f"{path.name}: {contradiction}")
    return _house(path.stem, settings)


def read_settings(name_or_path: str | Path) -> ProfileSettings:
    """The settings of a profile whose keys and values are right; they may contradict each other.

    :raises InputError: no such profile, an unknown key or a wrong value.
    """
    path = _path(name_or_path)
    return _checked(path.name, _read(path))


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


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: give the path of a profile") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file: give a profile written in TOML") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name}: not TOML: {error}") from None


def _laid_over(base: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in upper.items():
        below = base.get(key)
        both_tables = isinstance(value, Mapping) and isinstance(below, Mapping)
        merged[key] = _laid_over(below, value) if both_tables and below is not None else value
    return merged


def _checked(file: str, raw: Mapping[str, Any]) -> ProfileSettings:
    for key in raw:
        if key not in ProfileSettings.model_fields:
            raise InputError(f"{file}: {key}: no such setting: {_meant(key)}")
    try:
        return ProfileSettings.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"][:3] if part not in _BRANCHES)
        remedy = _HINTS.get(str(first["loc"][0]), first["msg"][:1].lower() + first["msg"][1:])
        raise InputError(f"{file}: {key}: {first['input']!r} does not do: {remedy}") from None


# Pydantic names the branch of a union in the place of a fault; the reader knows only keys.
_BRANCHES = ("constrained-int", "int", "dict[str,constrained-int]")


def _meant(key: str) -> str:
    close = difflib.get_close_matches(key, ProfileSettings.model_fields, n=1)
    return f"did you mean {close[0]}?" if close else "sabot profile show lists them all"


def contradictions(settings: ProfileSettings) -> Iterator[str]:
    """What cannot hold together, a sentence for each: the key, what is wrong, and the remedy."""
    yield from _deck_faults(settings)
    yield from _shoe_faults(settings)
    yield from _spot_faults(settings)
    yield from _limit_faults(settings)
    yield from _money_faults(settings)


def _deck_faults(settings: ProfileSettings) -> Iterator[str]:
    if settings.decks not in settings.decks_allowed:
        allowed = ", ".join(map(str, settings.decks_allowed))
        yield f"decks: {settings.decks} is not allowed here: write one of {allowed}"


def _shoe_faults(settings: ProfileSettings) -> Iterator[str]:
    if (settings.burn == "fixed") != (settings.burn_cards > 0):
        yield 'burn_cards: goes with burn = "fixed" and with nothing else: write 1 to 8 there'
    if settings.burn != "first_card" and "next_burn" in (
        settings.overdraw,
        settings.overdraw_exposed,
    ):
        yield 'overdraw: "next_burn" needs a shown burn card: write burn = "first_card"'
    if settings.cut_card_missing_cards > settings.cut_from_ends_cards:
        yield (
            "cut_card_missing_cards: the cutting card may lie deeper than this and be missed "
            f"in every shoe: write at most cut_from_ends_cards, {settings.cut_from_ends_cards}"
        )
    if settings.carry_unused and settings.first_card_face_up == "dead":
        yield (
            "carry_unused: the first card of a round lies open already: write "
            'first_card_face_up = "stands"'
        )
    for kind in ("rank_run", "suit_run"):
        if getattr(settings, f"{kind}_alarm") < getattr(settings, f"{kind}_warn"):
            yield f"{kind}_alarm: comes before the warning: write at least {kind}_warn"


def _spot_faults(settings: ProfileSettings) -> Iterator[str]:
    for on, table in settings.pays.items():
        if on not in RESULTS:
            yield f"pays.{on}: no such wager: write one of {', '.join(RESULTS)}"
            continue
        for result in table.keys() - RESULTS[on]:
            known = ", ".join(sorted(RESULTS[on]))
            yield f"pays.{on}.{result}: no such result: write one of {known}"


def _limit_faults(settings: ProfileSettings) -> Iterator[str]:
    spots = _spots(settings)
    for key in ("minimum_cents", "maximum_cents", "step_cents"):
        value = getattr(settings, key)
        for on in value if isinstance(value, dict) else ():
            if on not in spots:
                yield f"{key}.{on}: no such wager at this table: write {', '.join(spots)}"
    for on in spots:
        minimum, maximum, step = _limits(settings, on)
        if maximum is not None and maximum < max(minimum, step):
            yield f"maximum_cents: {on}: no wager fits: write at least {max(minimum, step)}"


def _money_faults(settings: ProfileSettings) -> Iterator[str]:
    banker = _pay_table(settings, "banker")
    if settings.commission_percent and dict(banker).get("win") != Odds(1, 1):
        yield "commission_percent: banker wins are paid short already: write 0, or banker 1:1"
    if settings.commission == "boxed" and not settings.commission_percent:
        yield 'commission: "boxed" needs a commission: write commission_percent = 5, or "at_once"'
    fees = settings.fee_per_spot_cents or settings.fee_per_hand_cents
    if fees and not settings.player_dealer:
        yield "fee_per_spot_cents: fees are a player-dealer game's: write player_dealer = true"


def _spots(settings: ProfileSettings) -> tuple[str, ...]:
    return tuple(on for on in USUAL_ODDS if on in MAIN_SPOTS or on in settings.pays)


def _pay_table(settings: ProfileSettings, on: str) -> tuple[tuple[str, Odds], ...]:
    written = {result: _odds(text) for result, text in settings.pays.get(on, {}).items()}
    usual = dict(USUAL_ODDS[on])
    # The special results come before a plain win, which they would be otherwise.
    return tuple(sorted({**usual, **written}.items(), key=lambda pay: pay[0] == "win"))


def _odds(text: str) -> Odds:
    if text == "push":
        return PUSH
    pays, to = text.split(":")
    whole, _, decimals = pays.partition(".")
    return Odds(int(whole + decimals), int(to) * 10 ** len(decimals))


def _limits(settings: ProfileSettings, on: str) -> tuple[int, int | None, int]:
    def of(value: Any, default: int | None) -> Any:
        return value.get(on, default) if isinstance(value, dict) else value

    return (
        of(settings.minimum_cents, 0),
        of(settings.maximum_cents, None),
        of(settings.step_cents, 100),
    )


def _spot(settings: ProfileSettings, on: str) -> Spot:
    minimum, maximum, step = _limits(settings, on)
    return Spot(on, step, minimum, maximum, _pay_table(settings, on))


def _house(name: str, settings: ProfileSettings) -> House:
    own = {"title", "decks_allowed", "minimum_cents", "maximum_cents", "step_cents", "pays"}
    return House(
        name=name,
        title=settings.title or name,
        decks_allowed=tuple(sorted(set(settings.decks_allowed))),
        spots=tuple(_spot(settings, on) for on in _spots(settings)),
        **settings.model_dump(exclude=own),
    )

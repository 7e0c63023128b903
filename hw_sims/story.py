"""Stories of a table as TOML files (docs/stories.md), checked before anything is played."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from table_controller.core.alerts import ADVICE
from table_controller.core.cards import Card, parse_card
from table_controller.core.events import Outcome, Procedure
from table_controller.core.house import CARDS_PER_DECK, House
from table_controller.core.rulings import RULINGS
from table_controller.core.side_bets import USUAL_ODDS
from table_controller.errors import InputError
from table_controller.profile import load_profile


def _card(value: object) -> Card:
    if not isinstance(value, str):
        raise ValueError("write a card as in TH")
    return parse_card(value)


def _code(value: object) -> Card | Literal["foreign"]:
    return "foreign" if value == "foreign" else _card(value)


def _cards(value: object) -> Card | tuple[Card, ...]:
    if not isinstance(value, list):
        return _card(value)
    if len(value) < 2:
        raise ValueError("name at least two cards that leave together")
    return tuple(_card(one) for one in value)


def _spot(name: Any) -> Any:
    if isinstance(name, str) and name not in USUAL_ODDS:
        raise ValueError(f"no such wager: write one of {', '.join(USUAL_ODDS)}")
    return name


StoryCard = Annotated[Card, BeforeValidator(_card)]
Yes = Literal[True]
Seat = Annotated[int, Field(ge=1)]


class _Form(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, arbitrary_types_allowed=True
    )


class StoryWager(_Form):
    """The table of a ``wager`` step; ``cents`` above 0."""

    seat: Seat
    on: Annotated[str, BeforeValidator(_spot)]
    cents: Annotated[int, Field(ge=1)]
    dealer: bool = False
    withdraw: bool = False


class StoryRuling(_Form):
    """The table of a ``supervisor`` step."""

    ruling: str
    cards: list[StoryCard] = []
    card: StoryCard | None = None
    round: int | None = None
    player: list[StoryCard] = []
    banker: list[StoryCard] = []
    by: str = ""


class StoryStep(_Form):
    """One step: exactly one action, and what qualifies it."""

    draw: Annotated[Card | tuple[Card, ...] | None, BeforeValidator(_cards)] = None
    half_draw: StoryCard | None = None
    push_back: Yes | None = None
    cut_card: Yes | None = None
    turned: Yes | None = None
    declare: Outcome | None = None
    next_round: Yes | None = None
    wager: StoryWager | None = None
    call_supervisor: Yes | None = None
    acknowledge: str | None = None
    supervisor: StoryRuling | None = None
    burn: StoryCard | None = None
    procedure: Procedure | None = None
    shuffler_light: Literal["error", "clear"] | None = None
    lid: Literal["open", "closed"] | None = None
    sensor: Literal["blocked", "clear"] | None = None
    device: Literal["lost", "back"] | None = None
    power: Literal["cut"] | None = None
    wait_s: Annotated[float, Field(gt=0)] | None = None
    sit: Seat | None = None
    leave: Seat | None = None
    offer: Seat | None = None
    expect: dict[str, Any] | None = None

    face: Literal["up", "down"] | None = None
    exposed: bool | None = None
    unreadable: bool | None = None
    barcode: Annotated[Card | Literal["foreign"] | None, BeforeValidator(_code)] = None
    back: Literal["foreign"] | None = None
    by: Literal["hand", "machine"] | None = None
    from_back: Annotated[int, Field(ge=0)] | None = None
    accept: bool | None = None

    @property
    def action(self) -> str:
        """The key that says what the step does."""
        return _actions(self)[0]


_QUALIFIERS: Mapping[str, tuple[str, ...]] = {
    "draw": ("face", "exposed", "unreadable", "barcode", "back"),
    "half_draw": ("push_back",),
    "procedure": ("by", "from_back"),
    "offer": ("accept",),
}
_QUALIFYING = tuple(key for keys in _QUALIFIERS.values() for key in keys)


class StorySimulation(_Form):
    """How the hardware is simulated: a soak writes it, so that what it met comes again.

    ``seed`` decides how hands, cards, window and camera are; ``moves`` is how many movements of
    cards came before the story; ``lively``: worn cards, hesitating hands, a troubled window;
    ``art``: a folder of 52 pictures as the deck; ``codes``: every card has its code printed on it.
    """

    seed: str = "0"
    moves: Annotated[int, Field(ge=0)] = 0
    lively: bool = False
    art: str | None = None
    codes: bool = False


class _StoryFile(_Form):
    title: str = ""
    rules: str
    decks: int | None = None
    start: Literal["round", "opening"] = "round"
    drawn: Annotated[int, Field(ge=0)] = 0
    house: dict[str, Any] = {}
    simulation: StorySimulation = StorySimulation()
    step: list[dict[str, Any]] = []


@dataclass(frozen=True, slots=True)
class Story:
    """A story ready to be played."""

    path: Path
    title: str
    house: House
    decks: int
    start: Literal["round", "opening"]
    drawn: int
    steps: tuple[StoryStep, ...]
    simulation: StorySimulation = field(default_factory=StorySimulation)


def stories_below(path: Path) -> list[Path]:
    """The story files that a path names: itself, or every ``.toml`` below a folder, sorted.

    :raises InputError: no such file, or a folder without stories.
    """
    if path.is_dir():
        found = sorted(path.rglob("*.toml"))
        if not found:
            raise InputError(f"{path}: no story (.toml) in this folder: give another")
        return found
    if not path.exists():
        raise InputError(f"{path}: no such file: give a story (.toml) or a folder of stories")
    return [path]


def load_story(path: Path) -> Story:
    """Read and check a story.

    :raises InputError: the file, the step's number, the key and the remedy.
    """
    form = _checked(_StoryFile, _read(path), str(path))
    try:
        house = load_profile(form.rules, form.house)
    except InputError as wrong:
        place = "" if str(wrong).startswith("[house]") else "rules: "
        raise InputError(f"{path}: {place}{wrong}") from None
    decks = form.decks if form.decks is not None else house.decks
    if decks not in house.decks_allowed:
        allowed = ", ".join(map(str, house.decks_allowed))
        raise InputError(f"{path}: decks: {house.name} is not played with {decks}: write {allowed}")
    if form.drawn > decks * CARDS_PER_DECK:
        raise InputError(f"{path}: drawn: {decks} decks hold {decks * CARDS_PER_DECK} cards")
    steps = tuple(_step(path, number, raw) for number, raw in enumerate(form.step, start=1))
    title = form.title or path.stem
    return Story(path, title, house, decks, form.start, form.drawn, steps, form.simulation)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: give a story (.toml)") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file: give a story (.toml)") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from None


def _checked(form: type[Any], raw: dict[str, Any], where: str) -> Any:
    try:
        return form.model_validate(raw)
    except ValidationError as error:
        raise InputError(f"{where}: {_fault(form, error)}") from None


def _fault(form: type[BaseModel], error: ValidationError) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        close = difflib.get_close_matches(str(first["loc"][-1]), form.model_fields, n=1)
        remedy = f"did you mean {close[0]}?" if close else "see docs/stories.md for the keys"
        return f"{key}: no such key: {remedy}"
    if first["type"] == "missing":
        return f"{key}: missing: write it"
    message = first["msg"].removeprefix("Value error, ")
    return f"{key}: {first['input']!r}: {message[:1].lower()}{message[1:]}"


def _step(path: Path, number: int, raw: dict[str, Any]) -> StoryStep:
    where = f"{path}: step {number}"
    step: StoryStep = _checked(StoryStep, raw, where)
    actions = _actions(step)
    if len(actions) != 1:
        found = ", ".join(actions) or "none"
        raise InputError(f"{where}: one action is wanted, not {found}: split the step")
    action = actions[0]
    for key in step.model_fields_set - {action}:
        if key not in _QUALIFIERS.get(action, ()):
            raise InputError(f"{where}: {key}: does not go with {action}: leave it out")
    _check_meaning(where, step)
    return step


def _actions(step: StoryStep) -> list[str]:
    named = [key for key in StoryStep.model_fields if key in step.model_fields_set]
    actions = [key for key in named if key not in _QUALIFYING]
    return actions or [key for key in named if key == "push_back"]


def _check_meaning(where: str, step: StoryStep) -> None:
    if step.supervisor is not None and step.supervisor.ruling not in RULINGS:
        raise InputError(
            f"{where}: supervisor.ruling: no ruling {step.supervisor.ruling!r}: "
            f"write one of {', '.join(RULINGS)}"
        )
    if step.acknowledge is not None and step.acknowledge not in ADVICE:
        raise InputError(
            f"{where}: acknowledge: no alert {step.acknowledge!r}: write one of {', '.join(ADVICE)}"
        )
    if step.offer is not None and step.accept is None:
        raise InputError(f"{where}: offer: write accept = true or false with it")
    together = isinstance(step.draw, tuple)
    if together and step.model_fields_set - {"draw"}:
        raise InputError(f"{where}: draw: nothing qualifies cards that leave together")
    if step.expect is not None:
        _check_expectation(where, step.expect, _PRINTED, "expect")


_HAND = {"cards": None, "points": None, "pair": None, "natural": None}
_PAYMENT = dict.fromkeys(("seat", "on", "staked", "returned", "commission", "dealer"))
_DECIDED: dict[str, Any] = {"player": _HAND, "banker": _HAND, "outcome": None, "paid": _PAYMENT}
_PRINTED: dict[str, Any] = {
    "rounds": {"number": None, "kind": None, "status": None, "corrected_from": _DECIDED} | _DECIDED,
    "alerts": dict.fromkeys(("code", "severity", "round", "card")),
    "phase": None,
    "due": None,
    "lights": None,
    "lock": None,
    "shoe": dict.fromkeys(("drawn", "burned", "remaining", "cut_card", "last_round")),
    "held": None,
    "refused": dict.fromkeys(("step", "code")),
    "bank": dict.fromkeys(("seat", "hands")),
    "fees": dict.fromkeys(("seat", "cents")),
    "deck_check": dict.fromkeys(("seen", "missing", "surplus", "unreadable", "foreign")),
}


def _check_expectation(where: str, expected: Any, known: dict[str, Any] | None, at: str) -> None:
    """A key that is never printed could never hold: a typing error, told before anything plays."""
    if isinstance(expected, list):
        for index, one in enumerate(expected):
            _check_expectation(where, one, known, f"{at}[{index}]")
    elif isinstance(expected, dict) and known is not None:
        for key, value in expected.items():
            if key not in known:
                raise InputError(
                    f"{where}: {at}.{key}: no such key: write one of {', '.join(known)}"
                )
            _check_expectation(where, value, known[key], f"{at}.{key}")

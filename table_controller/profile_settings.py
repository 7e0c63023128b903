"""The keys of a profile: their kinds and bounds, and what cannot hold together."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from math import gcd
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from table_controller.core.house import (
    CARDS_PER_DECK,
    MAIN_SPOTS,
    PUSH,
    AfterCutCard,
    Burn,
    BurnAce,
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

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
OddsText = Annotated[str, StringConstraints(pattern=r"^(push|\d{1,4}(\.\d{1,3})?:[1-9]\d{0,3})$")]
BySpot = dict[str, Count]

_HINTS = {
    "pays": 'write odds as "11:1", "0.54:1" or "push"',
    "decks_allowed": "write a list of whole numbers from 6 to 12, as in [6, 7, 8]",
}


USUAL = House(name="", title="")
"""What a house does that says nothing else."""


class ProfileSettings(BaseModel):
    """The keys of a profile; what each means stands at :class:`table_controller.core.house.House`.

    ``pays`` adds spots to player, banker and tie, and changes odds; an empty table there means the
    usual odds. The limits are one number for all spots, or a table of those that differ.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    title: str = ""
    decks: Positive = USUAL.decks
    decks_allowed: list[Annotated[int, Field(ge=6, le=12)]] = list(USUAL.decks_allowed)
    deal: Deal = USUAL.deal
    burn: Burn = USUAL.burn
    burn_cards: Annotated[int, Field(ge=0, le=8)] = USUAL.burn_cards
    burn_ace: BurnAce = USUAL.burn_ace
    burn_at_dead_game: bool = USUAL.burn_at_dead_game
    burn_at_dealer_relief: bool = USUAL.burn_at_dealer_relief
    cut_from_ends_cards: Annotated[int, Field(ge=7, le=2 * CARDS_PER_DECK)] = (
        USUAL.cut_from_ends_cards
    )
    cut_card_missing_cards: Count = USUAL.cut_card_missing_cards
    virtual_cut_card: bool = USUAL.virtual_cut_card
    after_cut_card: AfterCutCard = USUAL.after_cut_card
    first_card_face_up: FirstCardFaceUp = USUAL.first_card_face_up
    overdraw: Surplus = USUAL.overdraw
    overdraw_exposed: Surplus = USUAL.overdraw_exposed
    carry_unused: bool = USUAL.carry_unused
    demonstrations_per_shoe: Count | None = USUAL.demonstrations_per_shoe
    half_drawn_s: Positive = USUAL.half_drawn_s
    minimum_cents: Count | BySpot = 0
    maximum_cents: Positive | dict[str, Positive] | None = None
    step_cents: Positive | dict[str, Positive] = 100
    dealer_step_cents: Positive = USUAL.dealer_step_cents
    pays: dict[str, dict[str, OddsText]] = {}
    commission_percent: Annotated[int, Field(ge=0, le=50)] = USUAL.commission_percent
    commission: Commission = USUAL.commission
    rounding: Rounding = USUAL.rounding
    commission_to_cents: Positive = USUAL.commission_to_cents
    player_dealer: bool = USUAL.player_dealer
    hands_per_place: Positive = USUAL.hands_per_place
    fee_per_spot_cents: Count = USUAL.fee_per_spot_cents
    fee_per_hand_cents: Count = USUAL.fee_per_hand_cents
    rank_run_warn: Annotated[int, Field(ge=3)] = USUAL.rank_run_warn
    rank_run_alarm: Annotated[int, Field(ge=3)] = USUAL.rank_run_alarm
    suit_run_warn: Annotated[int, Field(ge=3)] = USUAL.suit_run_warn
    suit_run_alarm: Annotated[int, Field(ge=3)] = USUAL.suit_run_alarm
    slug_cards: Annotated[int, Field(ge=4)] = USUAL.slug_cards


class Fault(NamedTuple):
    """What is wrong with a profile: the key, as in ``pays.tie``, and what to write there."""

    key: str
    says: str

    def __str__(self) -> str:
        return f"{self.key}: {self.says}"


def unusable(raw: Mapping[str, Any]) -> Iterator[Fault]:
    """Every key that no profile has, and every value of the wrong kind or out of bounds."""
    known = {key: value for key, value in raw.items() if key in ProfileSettings.model_fields}
    for key in raw.keys() - known.keys():
        yield Fault(key, f"no such setting: {_meant(key)}")
    try:
        ProfileSettings.model_validate(known)
    except ValidationError as error:
        found = [_fault(each) for each in error.errors()]
        # A value that may be of two kinds is found wrong for each; the deeper place says more.
        told = {fault.key: fault for fault in reversed(found)}
        yield from (told[key] for key in told if not any(k.startswith(f"{key}.") for k in told))


def _fault(error: Any) -> Fault:
    parts = [str(part) for part in error["loc"] if part not in _BRANCHES]
    remedy = _HINTS.get(parts[0], error["msg"][:1].lower() + error["msg"][1:])
    return Fault(".".join(parts), f"{error['input']!r} does not do: {remedy}")


# Pydantic names the branch of a union in the place of a fault; the reader knows only keys.
_BRANCHES = ("constrained-int", "int", "dict[str,constrained-int]")


def _meant(key: str) -> str:
    close = difflib.get_close_matches(key, ProfileSettings.model_fields, n=1)
    return f"did you mean {close[0]}?" if close else "sabot profile show lists them all"


def contradictions(settings: ProfileSettings) -> Iterator[Fault]:
    """What cannot hold together, a sentence for each: the key, what is wrong, and the remedy."""
    yield from _deck_faults(settings)
    yield from _shoe_faults(settings)
    yield from _spot_faults(settings)
    yield from _limit_faults(settings)
    yield from _money_faults(settings)


def _deck_faults(settings: ProfileSettings) -> Iterator[Fault]:
    if settings.decks not in settings.decks_allowed:
        allowed = ", ".join(map(str, settings.decks_allowed))
        yield Fault("decks", f"{settings.decks} is not allowed here: write one of {allowed}")


def _shoe_faults(settings: ProfileSettings) -> Iterator[Fault]:
    if (settings.burn == "fixed") != (settings.burn_cards > 0):
        yield Fault(
            "burn_cards", 'goes with burn = "fixed" and with nothing else: write 1 to 8 there'
        )
    if settings.burn != "first_card" and "next_burn" in (
        settings.overdraw,
        settings.overdraw_exposed,
    ):
        yield Fault("overdraw", '"next_burn" needs a shown burn card: write burn = "first_card"')
    if settings.cut_card_missing_cards > settings.cut_from_ends_cards:
        yield Fault(
            "cut_card_missing_cards",
            "the cutting card may lie deeper than this and be missed "
            f"in every shoe: write at most cut_from_ends_cards, {settings.cut_from_ends_cards}",
        )
    if settings.carry_unused and settings.first_card_face_up == "dead":
        yield Fault(
            "carry_unused",
            'the first card of a round lies open already: write first_card_face_up = "stands"',
        )
    for kind in ("rank_run", "suit_run"):
        if getattr(settings, f"{kind}_alarm") < getattr(settings, f"{kind}_warn"):
            yield Fault(f"{kind}_alarm", f"comes before the warning: write at least {kind}_warn")


def _spot_faults(settings: ProfileSettings) -> Iterator[Fault]:
    for on, table in settings.pays.items():
        if on not in RESULTS:
            yield Fault(f"pays.{on}", f"no such wager: write one of {', '.join(RESULTS)}")
            continue
        for result in table.keys() - RESULTS[on]:
            known = ", ".join(sorted(RESULTS[on]))
            yield Fault(f"pays.{on}.{result}", f"no such result: write one of {known}")


def _limit_faults(settings: ProfileSettings) -> Iterator[Fault]:
    spots = spots_of(settings)
    for key in ("minimum_cents", "maximum_cents", "step_cents"):
        value = getattr(settings, key)
        for on in value if isinstance(value, dict) else ():
            if on not in spots:
                yield Fault(f"{key}.{on}", f"no such wager at this table: write {', '.join(spots)}")
    for on in spots:
        minimum, maximum, step = _limits(settings, on)
        if maximum is not None and maximum < max(minimum, step):
            yield Fault(
                "maximum_cents", f"{on}: no wager fits: write at least {max(minimum, step)}"
            )


def _money_faults(settings: ProfileSettings) -> Iterator[Fault]:
    banker = _pay_table(settings, "banker")
    if settings.commission_percent and dict(banker).get("win") != Odds(1, 1):
        yield Fault(
            "commission_percent", "banker wins are paid short already: write 0, or banker 1:1"
        )
    if settings.commission == "boxed" and not settings.commission_percent:
        yield Fault(
            "commission", '"boxed" needs a commission: write commission_percent = 5, or "at_once"'
        )
    fees = settings.fee_per_spot_cents or settings.fee_per_hand_cents
    if fees and not settings.player_dealer:
        yield Fault(
            "fee_per_spot_cents", "fees are a player-dealer game's: write player_dealer = true"
        )


def spots_of(settings: ProfileSettings) -> tuple[str, ...]:
    """The spots that take wagers, in the order of the layout."""
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
    won, staked = int(whole + decimals), int(to) * 10 ** len(decimals)
    return Odds(won // gcd(won, staked), staked // gcd(won, staked))


def _limits(settings: ProfileSettings, on: str) -> tuple[int, int | None, int]:
    def of(value: Any, default: int | None) -> Any:
        return value.get(on, default) if isinstance(value, dict) else value

    return (
        of(settings.minimum_cents, 0),
        of(settings.maximum_cents, None),
        of(settings.step_cents, 100),
    )


def spot_of(settings: ProfileSettings, on: str) -> Spot:
    """One spot with its limits and its whole pay table."""
    minimum, maximum, step = _limits(settings, on)
    return Spot(on, step, minimum, maximum, _pay_table(settings, on))

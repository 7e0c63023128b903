"""A house's rules in plain words, as they could hang beside the table."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.core.house import CARDS_PER_DECK, MAIN_SPOTS, House, Spot

_DEAL = {
    "face_down": "Cards are dealt face down; the dealer turns the hands over, the player's first.",
    "face_up": "Cards are turned at once.",
}
_AFTER_CUT_CARD = {
    "one_more_round": "After the round in which the cutting card appears, one more is played.",
    "finish_round": "The round in which the cutting card appears is the last.",
    "at_will": "The cutting card ends nothing by itself; the house says when the shoe is changed.",
}
_SURPLUS = {
    "next_round": "is kept as the first card of the next round",
    "dummy_hand": "is the first card of a dummy hand",
    "burned": "is burned",
    "next_burn": "is the next burn card",
    "ruling": "goes where a supervisor says",
}
_ROUNDING = {"down": "down", "nearest": "to the nearest", "up": "up"}


def rules_in_words(house: House) -> tuple[str, ...]:
    """The settings of a house as sentences, in the order in which a round would meet them."""
    return (
        f"{house.title}.",
        *_shoe(house),
        _DEAL[house.deal],
        *_mishaps(house),
        *(_wager(house, spot) for spot in house.spots),
        *_payment(house),
        *_player_dealer(house),
        *_watch(house),
    )


def money(cents: int) -> str:
    """Cents as dollars: ``$5``, ``$0.25``."""
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents / 100:.2f}"


def _shoe(house: House) -> Iterator[str]:
    others = [str(decks) for decks in house.decks_allowed if decks != house.decks]
    yield f"{house.decks} decks" + (f"; {', '.join(others)} are allowed too." if others else ".")
    yield _burn(house)
    yield (
        f"The cut leaves at least {_cards(house.cut_from_ends_cards)} at either end, and as many "
        f"behind the cutting card, which must have come when fewer than "
        f"{_cards(house.cut_card_missing_cards)} are left."
    )
    if house.virtual_cut_card:
        yield (
            "There is no plastic cutting card: it counts as come out with "
            f"{_cards(house.cut_from_ends_cards)} left."
        )
    yield _AFTER_CUT_CARD[house.after_cut_card]


def _burn(house: House) -> str:
    if house.burn == "none":
        return "No cards are burned."
    how = {
        "first_card": f"the first card is shown and as many are burned as it says, an ace "
        f"{house.burn_ace}, tens and faces 10",
        "as_decks": "as many cards are burned as the shoe has decks",
        "fixed": f"{_cards(house.burn_cards)} are burned",
    }[house.burn]
    more = [
        occasion
        for occasion, burns in (
            ("when a dead game resumes", house.burn_at_dead_game),
            ("when the dealer is relieved", house.burn_at_dealer_relief),
        )
        if burns
    ]
    return f"After the shuffle{''.join(f', {occasion}' for occasion in more)}: {how}."


def _mishaps(house: House) -> Iterator[str]:
    if house.first_card_face_up == "dead":
        yield "A first card that leaves face up makes the round dead, and wagers go back."
    else:
        yield "A first card that leaves face up stands, and so do the wagers."
    yield f"A card drawn too many and not seen {_SURPLUS[house.overdraw]}."
    yield f"A card drawn too many and exposed {_SURPLUS[house.overdraw_exposed]}."
    if house.carry_unused:
        yield "Six cards are drawn each round; those not needed begin the next."
    if house.demonstrations_per_shoe is not None:
        yield f"At most {house.demonstrations_per_shoe} dummy hands on request in a shoe."
    yield f"A card may stand in the mouth, or a beam be blocked, for {house.half_drawn_s} s."


def _wager(house: House, spot: Spot) -> str:
    odds = ", ".join(_odds_in_words(result, str(odds)) for result, odds in spot.pays)
    push = "; a tie pushes" if spot.on in ("player", "banker") else ""
    limits = [f"steps of {money(spot.step_cents)}"]
    if spot.minimum_cents:
        limits.append(f"at least {money(spot.minimum_cents)}")
    if spot.maximum_cents is not None:
        limits.append(f"at most {money(spot.maximum_cents)}")
    kind = "" if spot.on in MAIN_SPOTS else "Side bet "
    return f"{kind}{_words(spot.on)}: {odds}{push}; {', '.join(limits)}."


def _odds_in_words(result: str, odds: str) -> str:
    return f"{_words(result)} {'pushes' if odds == 'push' else f'pays {odds}'}"


def _payment(house: House) -> Iterator[str]:
    yield f"Dealer wagers: steps of {money(house.dealer_step_cents)}, without commission."
    if not house.commission_percent:
        yield "No commission."
        return
    when = "at once" if house.commission == "at_once" else "at the shoe's end"
    yield (
        f"Commission {house.commission_percent} % of a banker win's winnings, paid {when}, "
        f"rounded {_ROUNDING[house.rounding]} to {money(house.commission_to_cents)}."
    )


def _player_dealer(house: House) -> Iterator[str]:
    if not house.player_dealer:
        return
    yield (
        f"A player banks the game: after {house.hands_per_place} hands the place is offered "
        "clockwise."
    )
    if not house.fee_per_spot_cents and not house.fee_per_hand_cents:
        yield "No fees."
        return
    yield (
        f"Before the deal each spot costs its player {money(house.fee_per_spot_cents)}, and the "
        f"hand the player who banks {money(house.fee_per_hand_cents)}."
    )


def _watch(house: House) -> Iterator[str]:
    yield (
        f"Order alarm: ranks in a run of {house.rank_run_warn} warn, of {house.rank_run_alarm} "
        f"alarm; one suit {house.suit_run_warn} and {house.suit_run_alarm}; "
        f"{house.slug_cards} cards in the last shoe's order alarm."
    )


def _cards(count: int) -> str:
    if count % CARDS_PER_DECK == 0 and count:
        decks = count // CARDS_PER_DECK
        return "a deck" if decks == 1 else f"{decks} decks"
    return "1 card" if count == 1 else f"{count} cards"


def _words(name: str) -> str:
    return name.replace("_", " ")

"""Deck profiles: learned, kept in files, compared with; a foreign one refused."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from hw_sims.art import STYLES, Deck, draw_deck
from hw_sims.camera import Camera
from hw_sims.shoe import POKER_SHOE, Knot, Motion, Passing
from table_controller.core.cards import DECK, Card, parse_card
from table_controller.core.events import Reading
from vision.code_text import standard_scheme
from vision.deck import DeckProfile, load_profile, make_profile, save_profile
from vision.deck_count import count_cards
from vision.enroll import Learner, check_itself, learn_folder
from vision.enrolled import EnrolledReader
from vision.errors import PictureError
from vision.frame import CardSeen, Image, Look
from vision.glass import STANDARD_VIEW

EIGHT, KING = parse_card("8S"), parse_card("KD")


class Saying:
    """A general reader that says the same of every picture."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def look(self, image: Image) -> Look:
        return self._look


UNREADABLE, BACK = Saying(Look("unreadable")), Saying(Look("back"))


@pytest.fixture(scope="module")
def casino() -> Deck:
    return draw_deck(STYLES["casino"])


@pytest.fixture(scope="module")
def folder(casino: Deck, tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("art")
    for card, face in casino.faces.items():
        cv2.imwrite(str(where / f"{card}.png"), face)
    cv2.imwrite(str(where / "back.png"), casino.back)
    return where


@pytest.fixture(scope="module")
def profile(folder: Path) -> DeckProfile:
    return learn_folder(folder, "casino", standard_scheme("code128", "7"))


def seen(shown: Image, lead_mm: float = 66.0, skew_deg: float = 1.0) -> Image:
    motion = Motion([Knot(0, 300.0), Knot(1e6, 300.0)])
    passing = Passing(shown, motion, skew_deg=skew_deg)
    return Camera(POKER_SHOE, seed=5).picture([passing], (lead_mm + 2) / 300 * 1e6)


def enrolled(reader: Saying, profile: DeckProfile) -> EnrolledReader:
    return EnrolledReader(reader, profile, STANDARD_VIEW)


def test_a_profile_comes_back_from_its_file(profile: DeckProfile, tmp_path: Path) -> None:
    save_profile(profile, tmp_path / "casino.deck")
    back = load_profile(tmp_path / "casino.deck")
    assert np.array_equal(back.faces, profile.faces)
    assert (back.name, back.width_mm, back.codes) == ("casino", 63, profile.codes)


@pytest.mark.parametrize("kept", [0, 10, 2000])
def test_a_damaged_profile_is_refused_by_name(
    profile: DeckProfile, tmp_path: Path, kept: int
) -> None:
    file = tmp_path / "casino.deck"
    save_profile(profile, file)
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(PictureError, match=r"casino\.deck: no deck profile, or a damaged one"):
        load_profile(file)


@pytest.mark.parametrize(
    ("about", "said"),
    [({"kind": "other"}, "no deck profile"), ({"version": 99}, "of version 99"), ({}, "damaged")],
)
def test_a_foreign_or_newer_profile_is_refused(
    tmp_path: Path, about: dict[str, object], said: str
) -> None:
    whole = {"kind": "sabot deck profile", "version": 1, **about}
    with (tmp_path / "x.deck").open("wb") as file:
        blank = np.zeros((52, 3, 3), np.uint8)
        np.savez(file, about=np.array(json.dumps(whole)), faces=blank, back=blank[0])
    with pytest.raises(PictureError, match=said):
        load_profile(tmp_path / "x.deck")


def test_a_missing_profile_is_told(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="No such file"):
        load_profile(tmp_path / "none.deck")


def test_a_folder_that_lacks_a_card_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "AS.png"), np.zeros((88, 63, 3), np.uint8))
    with pytest.raises(PictureError, match="no picture of AH"):
        learn_folder(tmp_path, "x")
    with pytest.raises(PictureError, match="no picture of AS"):
        make_profile("x", {}, None, 63)


@pytest.mark.parametrize(
    ("spoilt", "told"), [("blank", "nothing is printed"), ("aside", "portrait")]
)
def test_a_face_that_no_card_can_be_like_is_refused_by_name(
    casino: Deck, tmp_path: Path, spoilt: str, told: str
) -> None:
    for card, face in casino.faces.items():
        cv2.imwrite(str(tmp_path / f"{card}.png"), face)
    ten = casino.faces[parse_card("TH")]
    shown = np.full_like(ten, 255) if spoilt == "blank" else np.rot90(ten).copy()
    cv2.imwrite(str(tmp_path / "TH.png"), shown)
    with pytest.raises(PictureError, match=f"TH.png.*{told}"):
        learn_folder(tmp_path, "x")


def test_a_deck_tells_all_its_own_cards_and_how_far_apart_they_lie(profile: DeckProfile) -> None:
    check = check_itself(profile)
    assert (check.right, check.wrong) == (52, ())
    assert 0.01 < check.apart < 0.2


@pytest.mark.parametrize("card", DECK[::7])
def test_the_deck_names_a_card_that_the_general_reader_cannot(
    profile: DeckProfile, casino: Deck, card: Card
) -> None:
    look = enrolled(UNREADABLE, profile).look(seen(casino.faces[card]))
    assert look.kind == "unreadable" or look.cards[0].card == card


def test_most_unread_cards_are_named_by_the_deck(profile: DeckProfile, casino: Deck) -> None:
    reader = enrolled(UNREADABLE, profile)
    looks = [(card, reader.look(seen(casino.faces[card]))) for card in DECK]
    named = [(card, look.cards[0].card) for card, look in looks if look.kind == "card"]
    assert all(card == said for card, said in named)
    assert len(named) > 26


@pytest.mark.parametrize("lead_mm", [45.0, 58.0, 66.0, 75.0, 90.0])
def test_a_card_of_another_deck_is_never_named_wrongly(
    profile: DeckProfile, lead_mm: float
) -> None:
    reader, other = enrolled(UNREADABLE, profile), draw_deck(STYLES["engraved"])
    for card in DECK[::5]:
        look = reader.look(seen(other.faces[card], lead_mm))
        assert look.kind == "unreadable" or look.cards[0].card == card


def test_a_reader_that_contradicts_the_deck_is_not_believed(
    profile: DeckProfile, casino: Deck
) -> None:
    quad = ((103.0, 394.0), (103.0, 80.0), (543.0, 80.0), (543.0, 394.0))
    wrong = Saying(Look("card", (CardSeen(KING, 0.99, ("index", "pips"), quad),)))
    right = Saying(Look("card", (CardSeen(EIGHT, 0.99, ("index", "pips"), quad),)))
    picture = seen(casino.faces[EIGHT], skew_deg=0.0)
    assert enrolled(wrong, profile).look(picture).kind == "unreadable"
    assert enrolled(right, profile).look(picture).cards[0].by == ("index", "pips", "deck")


def test_a_foreign_back_is_noticed_and_ones_own_is_not(profile: DeckProfile, casino: Deck) -> None:
    reader = enrolled(BACK, profile)
    assert not reader.look(seen(casino.back)).foreign
    assert reader.look(seen(draw_deck(STYLES["engraved"]).back)).foreign


def test_a_pass_in_another_order_than_told_is_refused(casino: Deck) -> None:
    eight = Saying(Look("card", (CardSeen(EIGHT, 0.99, ("index", "pips")),)))
    learner = Learner(63, STANDARD_VIEW)
    with pytest.raises(PictureError, match="KD was due and 8S came"):
        learner.look(seen(casino.faces[EIGHT]), eight, due=KING)


def test_the_count_names_what_is_missing_surplus_unreadable_and_foreign() -> None:
    cards = [Reading("card", 0, 0, card) for card in DECK if card != EIGHT]
    more = [Reading("card", 0, 0, KING), Reading("unreadable", 0, 0), Reading("cut_card", 0, 0)]
    foreign = [Reading("back", 0, 0, foreign=True)]
    count = count_cards([*cards, *more, *foreign], decks=1)
    assert (count.seen, count.missing, count.surplus) == (54, (EIGHT,), (KING,))
    assert (count.unreadable, count.foreign, count.is_right) == (1, 1, False)


def test_a_complete_shoe_is_right() -> None:
    cards = [Reading("card", 0, 0, card) for card in DECK for _ in range(6)]
    assert count_cards(cards, decks=6).is_right

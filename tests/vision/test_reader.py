from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from hw_sims.art import STYLES, draw_deck
from hw_sims.camera import Camera
from hw_sims.parade import parade, view_of
from hw_sims.shoe import POKER_SHOE, Knot, Motion, Passing
from table_controller.core.cards import DECK, Card, parse_card
from vision.frame import Image, Look
from vision.glass import STANDARD_VIEW, View
from vision.reader import CardReader

PHOTOGRAPHS = sorted((Path(__file__).parent / "photographs").glob("*.jpg"))
ALONG_THE_PICTURE = (0, 90, 180, 270)
ASKEW = (7, 97, 173, 352)


@pytest.fixture(scope="module")
def reader() -> CardReader:
    cv2.setNumThreads(1)
    return CardReader()


def on_table(face: Image, degrees: float, size: int = 640) -> Image:
    """The face, 400 pixels high, turned on a dark table."""
    scale = 400 / face.shape[0]
    matrix = cv2.getRotationMatrix2D((face.shape[1] / 2, face.shape[0] / 2), degrees, scale)
    matrix[:, 2] += np.array([size / 2 - face.shape[1] / 2, size / 2 - face.shape[0] / 2])
    table = np.full((size, size, 3), 40, np.uint8)
    cv2.warpAffine(face, matrix, (size, size), table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return cv2.GaussianBlur(table, (0, 0), 0.8).astype(np.uint8)


def names(look: Look) -> list[str]:
    return [str(seen.card) for seen in look.cards]


@pytest.mark.parametrize("degrees", ALONG_THE_PICTURE + ASKEW)
def test_no_card_is_taken_for_another_at_any_rotation(reader: CardReader, degrees: int) -> None:
    faces = draw_deck().faces
    looks = {card: reader.look(on_table(faces[card], degrees)) for card in DECK}
    assert {
        card: names(look) for card, look in looks.items() if set(names(look)) - {str(card)}
    } == {}
    assert sum(names(look) == [str(card)] for card, look in looks.items()) >= 40


@pytest.mark.parametrize("name", ["6S", "9S", "6D", "9D"])
def test_six_and_nine_stay_what_they_are_upside_down(reader: CardReader, name: str) -> None:
    face = draw_deck().faces[parse_card(name)]
    assert names(reader.look(on_table(face, 0))) == [name]
    assert names(reader.look(on_table(face, 180))) == [name]


def test_suits_are_told_without_colour(reader: CardReader) -> None:
    faces = draw_deck(STYLES["black"]).faces
    looks = [reader.look(on_table(faces[Card(rank * 4 + suit)], 90)) for rank, suit in _some()]
    read = [names(look) for look in looks]
    assert all(
        told in ([], [str(Card(r * 4 + s))]) for told, (r, s) in zip(read, _some(), strict=True)
    )
    assert sum(map(bool, read)) >= 6


def _some() -> list[tuple[int, int]]:
    return [(1, 0), (1, 3), (4, 1), (4, 2), (7, 0), (7, 3), (12, 1), (12, 2)]


@pytest.mark.parametrize("path", PHOTOGRAPHS, ids=lambda path: path.stem)
def test_a_photograph_is_read_right(reader: CardReader, path: Path) -> None:
    image = cv2.imread(str(path))
    assert image is not None
    assert names(reader.look(np.asarray(image, np.uint8))) == [path.stem.split("_")[0]]


def test_every_card_says_what_spoke_for_it(reader: CardReader) -> None:
    (seen,) = reader.look(on_table(draw_deck().faces[parse_card("8H")], 90)).cards
    assert {"index", "second index", "pips"} >= set(seen.by) >= {"index"}
    assert len(seen.by) >= 2
    assert 0.98 < seen.confidence <= 1


@pytest.mark.parametrize(
    "shape", [(0, 0), (1, 1), (1, 3000), (3, 700), (480, 640), (700, 3, 3), (64, 64, 3)]
)
@pytest.mark.parametrize("window", [None, STANDARD_VIEW], ids=["anywhere", "in the window"])
def test_a_picture_of_nothing_is_answered_without_a_card(
    window: View | None, shape: tuple[int, ...]
) -> None:
    reader = CardReader(window)
    for image in (np.zeros(shape, np.uint8), np.random.default_rng(1).integers(0, 256, shape)):
        assert reader.look(np.asarray(image, np.uint8)).cards == ()


def test_stains_on_an_empty_ground_make_no_card() -> None:
    reader = CardReader()
    # In 183 a stain is taken for half an index.
    assert {seed: reader.look(_stained(seed)).kind for seed in range(178, 188)} == dict.fromkeys(
        range(178, 188), "empty"
    )


def _stained(seed: int) -> Image:
    rng = np.random.default_rng(seed)
    ground = 90 + 300 * cv2.GaussianBlur(rng.normal(0, 1, (128, 128)), (0, 0), 9)
    for _ in range(6):
        x, y = rng.integers(15, 113, 2).tolist()
        across, along = rng.integers(1, 4, 2).tolist()
        cv2.ellipse(ground, (x, y), (across, along), 0, 0, 360, (40.0,), -1)
    ground = cv2.GaussianBlur(ground, (0, 0), 0.7) + rng.normal(0, 2, ground.shape)
    grey = ground.clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def test_the_explanation_ends_with_the_answer(reader: CardReader) -> None:
    steps = reader.explain(on_table(draw_deck().faces[parse_card("KC")], 0))
    assert [steps[0][0], steps[-1][0]] == ["found", "answer"]
    assert "KC" in steps[-1][2]


def test_a_card_that_the_end_of_the_glass_cuts_is_told_as_itself_or_not_at_all() -> None:
    cards = [parse_card(rank + suit) for rank in "3689" for suit in "SHDC"]
    reader = CardReader(STANDARD_VIEW)
    for card, frames in zip(cards, parade(draw_deck(), cards, seed=9, mm_per_s=300), strict=True):
        told = [reader.look(frame.image) for frame in frames]
        assert {name for look in told for name in names(look)} == {str(card)}
        assert "several" not in {look.kind for look in told}


def over_the_glass(face: Image, lead_mm: float) -> Image:
    """A still card that lies straight, its leading edge so far down the ramp."""
    still = Motion([Knot(0, 0), Knot(1_000_000, 0)], lead_mm)
    return Camera(POKER_SHOE, seed=9).picture([Passing(face, still)], 0)


def mm_down_the_ramp(quad: Sequence[tuple[float, float]]) -> list[float]:
    """Where the ends of a card are by its corners."""
    view = view_of(POKER_SHOE)
    ys = sorted(y for _, y in quad)
    ends = np.mean(ys[:2]), np.mean(ys[2:])
    return [view.glass_from_mm + (float(y) - view.from_px) / view.px_per_mm for y in ends]


def test_in_the_window_corners_are_told_in_places_of_the_whole_picture() -> None:
    reader = CardReader(view_of(POKER_SHOE))
    (card,) = reader.look(over_the_glass(draw_deck().faces[parse_card("7H")], 66)).cards
    left, right = STANDARD_VIEW.across_px
    assert abs(np.mean([x for x, _ in card.quad]) - (left + right) / 2) < 10
    assert mm_down_the_ramp(card.quad) == pytest.approx([3, 66], abs=3)


@pytest.mark.parametrize("name", ["2D", "7H", "9C", "QS"])
def test_in_the_window_one_index_is_enough_for_the_place_of_its_card(name: str) -> None:
    face = draw_deck().faces[parse_card(name)].copy()
    height, width = face.shape[:2]
    face[-height // 3 :, -width // 5 :] = 245
    reader = CardReader(view_of(POKER_SHOE))
    (card,) = reader.look(over_the_glass(face, 66)).cards
    assert card.by[0] == "index"
    assert "second index" not in card.by
    assert mm_down_the_ramp(card.quad) == pytest.approx([3, 66], abs=1.5)
    xs = sorted(x for x, _ in card.quad)
    assert (xs[-1] - xs[0]) / STANDARD_VIEW.px_per_mm == pytest.approx(88, abs=2)


def test_in_the_window_a_finer_camera_names_the_same_cards() -> None:
    card = parse_card("8C")
    (frames,) = parade(draw_deck(), [card], seed=9, mm_per_s=300)
    reader = CardReader(STANDARD_VIEW)
    for frame in frames:
        fine = np.asarray(cv2.resize(frame.image, (1456, 1088)), np.uint8)
        assert set(names(reader.look(fine))) <= {str(card)}
    middle = np.asarray(cv2.resize(frames[len(frames) // 2].image, (1456, 1088)), np.uint8)
    (quad,) = [one.quad for one in reader.look(middle).cards]
    assert 600 < np.linalg.norm(np.subtract(quad[0], quad[1])) < 800

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import PictureError
from vision.pictures import find_pictures, load_picture

PHOTOGRAPH = Path(__file__).parent / "photographs" / "KS_4.jpg"


def sabot_read(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "table_controller.cli", "read", *map(str, arguments)]
    script = "from table_controller.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", script, *command[3:]], capture_output=True, text=True
    )


def test_one_json_object_a_file(tmp_path: Path) -> None:
    done = sabot_read(PHOTOGRAPH, "--json", "--explain", tmp_path / "why")
    answer = json.loads(done.stdout)
    assert answer.keys() == {"file", "kind", "cards", "ms"}
    assert answer["cards"][0]["card"] == "KS"
    assert len(list((tmp_path / "why").iterdir())) == 1


@pytest.mark.parametrize("kind", ["missing", "text", "folder"])
def test_what_is_no_picture_is_refused_in_one_line(tmp_path: Path, kind: str) -> None:
    place = {"missing": tmp_path / "no.jpg", "text": tmp_path / "t.jpg", "folder": tmp_path}[kind]
    if kind == "text":
        place.write_text("no picture")
    done = sabot_read(place)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert str(place) in done.stderr


def test_one_bad_file_does_not_keep_the_others_from_being_read(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_text("no picture")
    (tmp_path / "b.jpg").write_bytes(PHOTOGRAPH.read_bytes())
    done = sabot_read(tmp_path, "--json")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["cards"][0]["card"] == "KS"


def test_pictures_of_one_name_are_explained_side_by_side(tmp_path: Path) -> None:
    for folder in ("x/same", "y/same"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "KS.jpg").write_bytes(PHOTOGRAPH.read_bytes())
    sabot_read(tmp_path / "x", tmp_path / "y", "--explain", tmp_path / "why")
    assert len(list((tmp_path / "why").iterdir())) == 2


@pytest.mark.parametrize("shape", [(1, 2000), (2000, 1)])
def test_the_narrowest_picture_is_explained(tmp_path: Path, shape: tuple[int, int]) -> None:
    narrow = tmp_path / "narrow.png"
    cv2.imwrite(str(narrow), np.full(shape, 90, np.uint8))
    done = sabot_read(narrow, "--explain", tmp_path / "why")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((tmp_path / "why").iterdir())) == 1


@pytest.mark.parametrize("suffix", [".png", ".webp", ".gif", ".tif", ".bmp"])
def test_every_format_gives_the_same_picture(tmp_path: Path, suffix: str) -> None:
    image = np.full((20, 30, 3), 200, np.uint8)
    path = tmp_path / f"picture{suffix}"
    cv2.imwrite(str(path), image)
    read = load_picture(path)
    assert read.shape == image.shape
    assert abs(float(read.mean()) - 200) < 4


def test_sixteen_bits_and_transparency_become_eight_bits_on_paper(tmp_path: Path) -> None:
    deep, clear = tmp_path / "deep.png", tmp_path / "clear.png"
    cv2.imwrite(str(deep), np.full((4, 4), 51400, np.uint16))
    cv2.imwrite(str(clear), np.zeros((4, 4, 4), np.uint8))
    assert load_picture(deep).max() == 200
    assert load_picture(clear).min() == 255


def test_a_folder_without_pictures_is_told(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no picture in this folder"):
        find_pictures(tmp_path)

"""Pictures are kept within their bounds and under names that tell nothing."""

from pathlib import Path

from table_controller.pictures import PictureFolder


def test_a_kept_picture_is_read_back_by_its_name(tmp_path: Path) -> None:
    store = PictureFolder(tmp_path / "pictures")
    assert store.read(store.keep(b"a card")) == b"a card"


def test_names_cannot_be_guessed_from_one_another(tmp_path: Path) -> None:
    store = PictureFolder(tmp_path)
    names = {store.keep(b"the same card") for _ in range(100)}
    assert len(names) == 100
    assert all(len(name) == 22 for name in names)


def test_the_oldest_pictures_make_room(tmp_path: Path) -> None:
    store = PictureFolder(tmp_path, keep_bytes=1000)
    names = [store.keep(bytes(300)) for _ in range(5)]
    assert [store.read(name) is not None for name in names] == [False, False, True, True, True]


def test_a_new_start_knows_what_was_kept(tmp_path: Path) -> None:
    old = PictureFolder(tmp_path).keep(bytes(600))
    again = PictureFolder(tmp_path, keep_bytes=1000)
    new = again.keep(bytes(600))
    assert (again.read(old), again.read(new)) == (None, bytes(600))


def test_a_name_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_bytes(b"no card")
    store = PictureFolder(tmp_path / "pictures")
    assert store.read("../secret") is None
    assert store.read("a" * 22) is None

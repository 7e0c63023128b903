"""``sabot enroll``: learn what a deck looks like."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from table_controller.errors import InputError

if TYPE_CHECKING:
    from vision.code_text import CodeScheme
    from vision.deck import DeckProfile
    from vision.enroll import Learner, SelfCheck

BACKS = 2
SLOWLY_MM_PER_S = 130.0
"""Slow enough for each card to be seen whole on several frames."""


def run(
    out: Annotated[Path, typer.Argument(help="The profile to write, casino.deck for instance.")],
    pictures: Annotated[
        Path | None,
        typer.Option(help="A folder of 52 pictures named as in TH.png, and back.png."),
    ] = None,
    sim: Annotated[bool, typer.Option("--sim", help="Through the simulated shoe.")] = False,
    art: Annotated[
        Path | None, typer.Option(help="With --sim: a folder of 52 pictures, the deck to deal.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="Through the table's own shoe, with this configuration.")
    ] = None,
    codes: Annotated[
        str | None, typer.Option(help="The format of the codes on the cards, where there are any.")
    ] = None,
) -> None:
    """Learn a deck from pictures, or from one pass of it through the shoe, and check it."""
    from vision.deck import save_profile
    from vision.enroll import check_itself, learn_folder

    scheme = _scheme(codes)
    if [pictures is not None, sim, config is not None].count(True) != 1:
        raise InputError("enroll: say where the cards are seen: --pictures, --sim or --config")
    if pictures is not None:
        profile = learn_folder(pictures, out.stem, scheme)
        check = check_itself(profile)
    else:
        learner = _simulated_pass(art) if config is None else _pass_at_the_table(config)
        profile = learner.profile(out.stem, scheme)
        check = check_itself(profile, learner.faces)
    try:
        save_profile(profile, out)
    except OSError as wrong:
        raise InputError(
            f"{out}: cannot be written ({wrong.strerror}): name another place"
        ) from None
    _tell(out, profile, check)
    if check.wrong:
        raise typer.Exit(1)


def _scheme(codes: str | None) -> CodeScheme | None:
    from vision.code_text import FORMATS, standard_scheme

    if codes is None:
        return None
    format_ = next((known for known in FORMATS if known == codes), None)
    if format_ is None:
        raise InputError(f"--codes: {codes!r} is not known: write one of {', '.join(FORMATS)}")
    return standard_scheme(format_)


def _simulated_pass(art: Path | None) -> Learner:
    from hw_sims.art import draw_deck, load_deck
    from hw_sims.parade import parade, shoe_for, view_of
    from table_controller.core.cards import DECK
    from vision.enroll import Learner

    deck = load_deck(art) if art is not None else draw_deck()
    geometry = shoe_for(deck)
    learner = Learner(round(geometry.card_depth_mm), view_of(geometry))
    cards = [*DECK, *[None] * BACKS]
    passes = parade(deck, cards, seed=1, mm_per_s=SLOWLY_MM_PER_S)
    reader = importlib.import_module("vision.reader").CardReader()
    for due, frames in zip(cards, passes, strict=True):
        for frame in frames:
            if due is None:
                learner.look_at_back(frame.image)
            else:
                learner.look(frame.image, reader, due)
    return learner


def _pass_at_the_table(config: Path) -> Learner:
    from table_controller.config import load_config
    from table_controller.devices import open_camera
    from vision.enroll import Learner
    from vision.glass import STANDARD_VIEW

    camera = open_camera(load_config(config).camera)
    learner = Learner(round(STANDARD_VIEW.card_depth_mm), STANDARD_VIEW)
    typer.echo("Draw every card once, slowly, and one face up; then press Ctrl-C.", err=True)
    reader = importlib.import_module("vision.reader").CardReader()
    try:
        for frame in camera.frames():
            learner.look(frame.image, reader)
    except KeyboardInterrupt:
        pass
    finally:
        camera.close()
    return learner


def _tell(out: Path, profile: DeckProfile, check: SelfCheck) -> None:
    right, down = profile.index_mm
    back = "with" if profile.back is not None else "WITHOUT"
    one, other = check.closest
    typer.echo(
        f"{out}: 52 faces of {profile.width_mm} mm, {back} back; "
        f"index {right:.1f} x {down:.1f} mm, paper {profile.paper_grey:.0f} of 255\n"
        f"checked on itself: {check.right} of {check.right + len(check.wrong)} pictures right\n"
        f"closest two: {one} and {other}, {check.apart:.3f} apart (0 is the same, 1 unlike)"
    )
    for wrong in check.wrong:
        typer.echo(f"wrong: {wrong}", err=True)

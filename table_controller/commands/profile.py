"""``sabot profile``: what is wrong with a house's settings, and the rules that they make."""

from __future__ import annotations

from typing import Annotated

import typer

from table_controller.errors import InputError
from table_controller.plain_words import rules_in_words
from table_controller.profile import (
    faults,
    load_profile,
    profile_as_toml,
    read_profile,
    shipped_profiles,
)

app = typer.Typer(help="The house's settings: check a profile, or show one.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A shipped profile's name, or the path of a .toml file.")]


@app.command("check")
def check(profile: Name) -> None:
    """Say all that is wrong or contradictory; if nothing is, print the table's rules."""
    wrong = faults(read_profile(profile))
    for fault in wrong[:-1]:
        typer.echo(f"sabot: {profile}: {fault}", err=True)
    if wrong:
        raise InputError(f"{profile}: {wrong[-1]}")
    for sentence in rules_in_words(load_profile(profile)):
        print(sentence)


@app.command("show")
def show(profile: Name = "") -> None:
    """Print every setting of a profile as a file to copy and change; without a name, list them."""
    print(profile_as_toml(load_profile(profile)) if profile else "\n".join(shipped_profiles()))

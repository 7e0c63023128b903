"""Changing a frozen value: a copy that differs.

The table is one value of some forty fields, and every card changes a few of them several times.
``dataclasses.replace`` gives each field to ``__init__`` again, 11 µs for a table; copying the
value's ``__dict__`` takes 0.5. So the values of the state have no ``__slots__``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    # The same signature, so that a field's name and type are checked as for any dataclass.
    from dataclasses import replace as replace
else:
    T = TypeVar("T")

    def replace(value: T, /, **changes: Any) -> T:
        """A copy of a frozen dataclass value with these fields changed.

        Neither ``__init__`` nor ``__post_init__`` runs, and no name is checked: mypy does that.
        """
        copy = object.__new__(type(value))
        object.__setattr__(copy, "__dict__", value.__dict__ | changes)
        return copy

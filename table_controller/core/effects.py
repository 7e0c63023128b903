"""What the core wants done, as small frozen values: the differences that a step has made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from table_controller.core.alerts import Alert
from table_controller.core.signals import Lamp, lamps, lock_open
from table_controller.core.stops import alerts_told, hands_hidden
from table_controller.core.table import Table


@dataclass(frozen=True, slots=True)
class LampsSet:
    """Light exactly these lamps."""

    lamps: tuple[Lamp, ...]


@dataclass(frozen=True, slots=True)
class LockSet:
    """Open or close the shoe's lock."""

    open: bool


@dataclass(frozen=True, slots=True)
class Buzzed:
    """Sound the buzzer for so many milliseconds."""

    ms: int


@dataclass(frozen=True, slots=True)
class AlertRaised:
    """Tell an alert. One that would tell a hidden hand is raised when the hands are open."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class AlertChanged:
    """An alert that was told before was acknowledged, settled, or its card was named."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class Refused:
    """The event was declined, with a code of docs/stories.md; nothing else has changed."""

    code: str


Effect = LampsSet | LockSet | Buzzed | AlertRaised | AlertChanged | Refused

STOP_BUZZ_MS = 600
WARN_BUZZ_MS = 150


def differences(before: Table, after: Table) -> Iterator[Effect]:
    """What has to be done so that the world follows the table."""
    lit, open_ = lamps(after), lock_open(after)
    if lamps(before) != lit:
        yield LampsSet(lit)
    if lock_open(before) != open_:
        yield LockSet(open_)
    if before.alerts is not after.alerts or _opened(before, after):
        yield from _alert_differences(before, after)


def _opened(before: Table, after: Table) -> bool:
    return hands_hidden(before) and not hands_hidden(after)


def _alert_differences(before: Table, after: Table) -> Iterator[Effect]:
    # By number and not by what was told: an alert of a hidden hand is told after younger ones.
    known = {alert.number: alert for alert in alerts_told(before)}
    for alert in alerts_told(after):
        if alert.number not in known:
            yield AlertRaised(alert)
            if alert.severity != "info":
                yield Buzzed(STOP_BUZZ_MS if alert.severity == "stop" else WARN_BUZZ_MS)
        elif known[alert.number] is not alert:
            yield AlertChanged(alert)

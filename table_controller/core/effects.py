"""What the core wants done, as small frozen values: the differences that a step has made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from table_controller.core.alerts import Alert
from table_controller.core.table import Lamp, Table, is_told, lamps, lock_open


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
    if lamps(before) != lamps(after):
        yield LampsSet(lamps(after))
    if lock_open(before) != lock_open(after):
        yield LockSet(lock_open(after))
    if before.alerts is not after.alerts or before.rounds is not after.rounds:
        yield from _alert_differences(before, after)


def _alert_differences(before: Table, after: Table) -> Iterator[Effect]:
    # By number and not by what was told: an alert of a hidden hand is told after younger ones.
    first = max(0, len(before.alerts) - _RECENT)
    known = {alert.number: alert for alert in before.alerts[first:] if is_told(before, alert)}
    for alert in after.alerts[first:]:
        if not is_told(after, alert):
            continue
        if alert.number not in known:
            yield AlertRaised(alert)
            if alert.severity != "info":
                yield Buzzed(STOP_BUZZ_MS if alert.severity == "stop" else WARN_BUZZ_MS)
        elif known.get(alert.number, alert) is not alert:
            yield AlertChanged(alert)


_RECENT = 64

"""The real devices of a table, as its configuration names them. Imported by commands only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.board import Board
from firmware_bridge.serial_board import SerialBoard
from table_controller.config import BoardSettings, CameraSettings, Config
from table_controller.errors import InputError
from vision.frame import FrameSource
from vision.sources import EXPOSURE_US, Files, PiCamera, V4l2Camera


@dataclass(frozen=True, slots=True)
class Devices:
    """What a table senses and acts with. The camera is opened by whoever watches it."""

    board: Board
    open_camera: Callable[[], FrameSource]


def real_devices(config: Config) -> Devices:
    """The board, opened, and the way to open the camera.

    :raises BoardError: the board is not there or busy.
    :raises InputError: the configuration does not say enough to find one.
    """
    board = open_board(config.board)
    if isinstance(board, SerialBoard):
        board.set_strobe(config.camera.frames_per_second, EXPOSURE_US)
    return Devices(board, lambda: open_camera(config.camera))


def open_board(settings: BoardSettings) -> Board:
    """The Pico or the Pi's own pins.

    :raises BoardError: it is not there or busy.
    :raises InputError: two pins clash, or no Pico was named and none or several were found.
    """
    if settings.kind == "pi":
        from firmware_bridge.gpio_board import GpioBoard

        return GpioBoard(settings.pins)
    if settings.serial_number is not None:
        return SerialBoard(f"Pico {settings.serial_number}", find_id=settings.serial_number)
    if settings.port is None:
        raise InputError(
            "[board] names no board: write port = '/dev/serial/by-id/…' or serial_number = '…' "
            "('sabot doctor' lists what is plugged in)"
        )
    return SerialBoard(settings.port)


def open_camera(settings: CameraSettings) -> FrameSource:
    """The camera above which the cards pass.

    :raises CameraLost: it is not there.
    """
    rate = settings.frames_per_second
    match settings.kind:
        case "picamera":
            return PiCamera(settings.width, settings.height, rate)
        case "v4l2":
            return V4l2Camera(settings.device, settings.width, settings.height, rate)
        case "files":
            return Files(settings.device, rate)

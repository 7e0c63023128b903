"""``sabot live``: the table.

Here the parts are put together: devices or their simulation, senses, controller, outputs, screens.
They are taken down in the opposite order, whatever ends the table.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from table_controller.clock import MonotonicClock

if TYPE_CHECKING:
    from fastapi import APIRouter, FastAPI

    from firmware_bridge.board import Board
    from firmware_bridge.serial_board import SerialBoard
    from hw_sims.live import LiveShoe
    from hw_sims.robot import RobotDealer
    from table_controller.alerts import Notices
    from table_controller.config import BrokerSettings, Config
    from table_controller.controller import Controller, Output
    from table_controller.core.house import House
    from table_controller.devices import Devices
    from table_controller.journal import Journal
    from table_controller.outputs.mqtt import Broker
    from table_controller.outputs.station.access import Access
    from table_controller.workshop import TableWorkshop
    from vision.frame import Reads
    from vision.reader import CardReader


def run(
    sim: Annotated[
        bool, typer.Option("--sim", help="A simulated shoe that deals by itself or by clicks.")
    ] = False,
    config: Annotated[
        Path | None, typer.Option(help="The table's configuration, a TOML file.")
    ] = None,
) -> None:
    """Run the table until it is told to stop (Ctrl-C or SIGTERM)."""
    from table_controller.config import load_config

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    with ExitStack() as parts:
        _run(load_config(config), sim, parts, stop)


def _run(config: Config, sim: bool, parts: ExitStack, stop: threading.Event) -> None:
    from table_controller.controller import Controller
    from table_controller.controller import run as turn_until
    from table_controller.devices import real_devices
    from table_controller.eyes import open_scan_engine, open_window
    from table_controller.outputs.station.access import Access
    from table_controller.outputs.station.server import StationServer
    from table_controller.pictures import PictureFolder
    from table_controller.profile import load_profile
    from table_controller.senses import Senses
    from table_controller.watchdog import Watchdog
    from table_controller.workshop import TableWorkshop
    from vision.glass import STANDARD_VIEW
    from vision.lookout import Lookout
    from vision.reader import CardReader

    house = load_profile(config.table.rules, config.table.house)
    journal = _journal(config, house, sim)
    parts.callback(journal.close)
    pictures = PictureFolder(
        journal.path.with_name("pictures"), keep_bytes=config.journal.pictures_mb * 1_000_000
    )
    access = Access(journal.path.with_name("access.json"))
    simulation = parts.enter_context(_simulation()) if sim else None
    devices = simulation.devices if simulation else real_devices(config)
    controller = Controller(
        journal,
        house,
        decks=config.table.decks,
        start=config.table.start,
        outputs=_outputs(config, journal, devices),
        pictures=pictures,
        notices=_notices(config),
    )
    parts.callback(controller.release)
    reader = CardReader(STANDARD_VIEW)
    reads = simulation.reader(reader) if simulation else reader
    window = open_window(config.reader, reads)
    lookout = Lookout(devices.open_camera, window)
    parts.callback(lookout.stop)
    robot = simulation.dealer_at(controller) if simulation else None
    workshop = TableWorkshop(devices.board, window, reader, journal, pictures)
    server = StationServer(_station(config, controller, access, workshop, robot), config.screens)
    parts.callback(server.stop)
    lookout.start()
    server.start()
    _say_where(server.address, access, sim)
    watchdog = Watchdog()
    watchdog.ready()
    scan_engine = open_scan_engine(config.reader)
    senses = Senses(
        devices.board, window, pictures, scan_engine=scan_engine, remembered=journal.memory
    )
    if simulation and robot:
        simulation.wait_for_board()
        robot.start()
        parts.callback(robot.stop)
    turn_until(controller, senses, MonotonicClock(), stop, watchdog.alive)
    watchdog.stopping()
    # Only an end that was asked for is marked as one; after a failure the next start tells it.
    journal.stop()


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulated shoe: its devices, and who deals from it."""

    devices: Devices
    shoe: LiveShoe
    board: SerialBoard

    def wait_for_board(self) -> None:
        """A card that is dealt before the board answers would pass beams that seem dead."""
        clock = MonotonicClock()
        while not self.board.link.up:
            self.board.poll(clock.now_us())
            time.sleep(0.001)

    def reader(self, general: CardReader) -> Reads:
        """The reader of a table that has enrolled this deck."""
        from hw_sims.art import deck_on_demand
        from hw_sims.enrolment import reader_of
        from vision.glass import STANDARD_VIEW

        return reader_of(deck_on_demand(), STANDARD_VIEW, general)

    def dealer_at(self, controller: Controller) -> RobotDealer:
        """The dealer made of code, at this table."""
        from hw_sims.art import deck_on_demand
        from hw_sims.dealer_hand import LIVELY, DealerHand
        from hw_sims.robot import RobotDealer

        rng = Random()
        hand = DealerHand(deck_on_demand(), self.shoe.geometry, rng, LIVELY)
        robot = RobotDealer(controller, self.shoe, hand, decks=controller.table.shoe.decks)
        robot.take_over(controller.table.shoe)
        return robot


@contextmanager
def _simulation() -> Iterator[Simulation]:
    """The simulated shoe, for as long as it is needed."""
    from firmware_bridge.serial_board import SerialBoard
    from hw_sims.live import LiveCamera, LiveShoe
    from hw_sims.pico import SimulatedPico
    from table_controller.devices import Devices

    with SimulatedPico(virtual=False) as pico:
        shoe = LiveShoe(pico)
        board = SerialBoard(pico.port)
        yield Simulation(Devices(board, lambda: LiveCamera(shoe)), shoe, board)


def _journal(config: Config, house: House, sim: bool) -> Journal:
    """The table's journal, to go on with.

    :raises InputError: it cannot be used, or was begun under another house.
    """
    from table_controller.errors import InputError
    from table_controller.journal import open_journal

    journal = open_journal(config.journal_file(sim))
    if journal.last is not None and journal.beginning().house != house:
        journal.close()
        raise InputError(
            f"{journal.path}: begun under other house rules than [table] names: put them back, or "
            "give [journal] file a new name"
        )
    return journal


def _outputs(config: Config, journal: Journal, devices: Devices) -> list[Output]:
    from table_controller.outputs.lights import Lights

    outputs: list[Output] = [Lights(devices.board)]
    if config.broker is not None:
        from table_controller.outputs.mqtt import Mqtt

        health = partial(_health, devices.board, journal, time.monotonic())
        outputs.append(Mqtt(_broker(config.broker), config.table.name, journal, health))
    if config.webhook is not None:
        from table_controller.outputs.webhook import Webhook

        outputs.append(Webhook(config.webhook.url, journal))
    return outputs


def _health(board: Board, journal: Journal, started_s: float) -> dict[str, Any]:
    """What the broker is told of the table's parts."""
    from table_controller.workshop import board_device

    shown = board_device(board)
    return {
        "running_s": round(time.monotonic() - started_s),
        "board": {"works": shown.works, "detail": shown.detail},
        "entries": journal.last.number if journal.last else 0,
    }


def _broker(settings: BrokerSettings) -> Broker:
    """The broker, with the password out of its file.

    :raises InputError: the file cannot be read.
    """
    from table_controller.errors import InputError
    from table_controller.outputs.mqtt import Broker

    password = None
    if settings.password_file is not None:
        try:
            password = Path(settings.password_file).read_text().strip()
        except OSError as wrong:
            raise InputError(
                f"[broker] password_file {settings.password_file}: {wrong.strerror}: name a file "
                "that holds the password"
            ) from None
    return Broker(
        settings.host,
        settings.port,
        settings.username,
        password,
        settings.ca_file,
        settings.prefix,
    )


def _notices(config: Config) -> Notices:
    """Messages for every channel that is configured."""
    from table_controller.alerts import Notices
    from table_controller.outputs import mqtt, webhook

    channels = [mqtt.CHANNEL] if config.broker else []
    channels += [webhook.CHANNEL] if config.webhook else []
    return Notices(config.table.name, tuple(channels))


def _station(
    config: Config,
    controller: Controller,
    access: Access,
    workshop: TableWorkshop,
    robot: RobotDealer | None,
) -> FastAPI:
    from table_controller.outputs.station.app import create_app

    routers: list[APIRouter] = []
    if robot is not None:
        from hw_sims.panel import panel

        routers.append(panel(robot))
    return create_app(
        controller,
        access,
        name=config.table.name,
        simulated=robot is not None,
        host_names=config.screens.names,
        workshop=workshop,
        extra_routers=routers,
    )


def _say_where(address: str, access: Access, sim: bool) -> None:
    """Tell the person at the console where the pages are."""
    print(f"dealer      {address}/")
    print(f"supervisor  {address}/supervisor")
    if not access.is_set_up:
        print(f"            first set a passphrase there, with the code {access.setup_code()}")
    if sim:
        print(f"SIMULATED   {address}/sim  deals by itself; provoke what may go wrong by a click")
    print("Ctrl-C stops the table and locks the shoe.", flush=True)

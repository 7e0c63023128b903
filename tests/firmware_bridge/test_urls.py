"""The same board behind every kind of URL that pyserial knows, in real time."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import serial
from serial.rfc2217 import PortManager

from firmware_bridge.board import BoardEvent, BoardFound, BoardLost
from firmware_bridge.serial_board import SerialBoard
from hw_sims.pico import PinChange, SimulatedPico
from table_controller.core.events import Edge

PATIENCE_S = 5.0


class TerminalPort(serial.Serial):
    """A pseudo-terminal has no modem lines, and RFC 2217 asks for them."""

    cts = dsr = ri = cd = False
    rts = dtr = True


class Relay:
    """One connection at a time from a TCP port to the board's pseudo-terminal."""

    def __init__(self, device: str, rfc2217: bool) -> None:
        self._port = TerminalPort(device, timeout=0)
        self._rfc2217 = rfc2217
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._server.getsockname()[1]}"
        self._connection: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                self._connection, _ = self._server.accept()
                self._carry(self._connection)
            except (OSError, serial.SerialException, TypeError):
                if self._server.fileno() < 0:
                    return

    def _carry(self, connection: socket.socket) -> None:
        manager = PortManager(self._port, connection_of(connection)) if self._rfc2217 else None
        while True:
            ready = select.select([connection, self._port], [], [], 0.5)[0]
            if connection in ready:
                data = connection.recv(4096)
                if not data:
                    return
                self._port.write(b"".join(manager.filter(data)) if manager else data)
            if self._port in ready:
                data = self._port.read(4096)
                connection.sendall(b"".join(manager.escape(data)) if manager else data)

    def cut(self) -> None:
        assert self._connection is not None
        self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        if self._connection is not None:
            self._connection.close()
        self._thread.join(2)
        self._port.close()


class connection_of:
    """What PortManager writes its answers to."""

    def __init__(self, connection: socket.socket) -> None:
        self.write = connection.sendall


@pytest.fixture
def pico() -> Iterator[SimulatedPico]:
    with SimulatedPico(virtual=False) as pico:
        yield pico


@pytest.fixture(params=["socket", "rfc2217"])
def relay(request: pytest.FixtureRequest, pico: SimulatedPico) -> Iterator[Relay]:
    relay = Relay(pico.port, request.param == "rfc2217")
    relay.address = f"{request.param}://{relay.address}"
    yield relay
    relay.close()


def now_us() -> int:
    return time.monotonic_ns() // 1000


def until(board: SerialBoard, wanted: type[BoardEvent]) -> BoardEvent:
    give_up_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up_s:
        for event in board.poll(now_us()):
            if isinstance(event, wanted):
                return event
        time.sleep(0.002)
    raise AssertionError(f"no {wanted.__name__}")


def test_a_board_behind_a_url_is_found_and_tells_its_edges(
    relay: Relay, pico: SimulatedPico
) -> None:
    board = SerialBoard(relay.address)
    until(board, BoardFound)
    pico.apply([PinChange("beam_m1", True, now_us())])
    edge = until(board, Edge)
    assert isinstance(edge, Edge) and edge.covered
    board.close()


def test_a_connection_that_is_cut_is_made_again(relay: Relay) -> None:
    board = SerialBoard(relay.address)
    until(board, BoardFound)
    relay.cut()
    until(board, BoardLost)
    until(board, BoardFound)
    board.close()


def test_a_host_that_does_not_answer_is_said_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        free = server.getsockname()[1]
    with pytest.raises(OSError, match=rf"^socket://127.0.0.1:{free}: .*refused"):
        SerialBoard(f"socket://127.0.0.1:{free}")

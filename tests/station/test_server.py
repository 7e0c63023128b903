"""The station on a real socket: what is no HTTP, a port in use, and the network without TLS."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from table_controller.config import ScreenSettings
from table_controller.errors import InputError
from table_controller.outputs.station.access import Access
from table_controller.outputs.station.app import create_app
from table_controller.outputs.station.server import StationServer, are_too_many


@pytest.fixture
def server(desk: Any, access: Access) -> Iterator[StationServer]:
    serving = StationServer(create_app(desk, access), ScreenSettings(port=0))
    serving.start()
    yield serving
    serving.stop()


def port_of(server: StationServer) -> int:
    return int(server.address.rpartition(":")[2])


def say(server: StationServer, words: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=5) as connection:
        connection.sendall(words)
        connection.settimeout(2)
        heard = b""
        while more := connection.recv(65536):
            heard += more
        return heard


@pytest.mark.parametrize(
    "words",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /api/dealer/press HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        + b"X: "
        + b"y" * 100_000
        + b"\r\n\r\n",
    ],
)
def test_what_is_no_http_gets_one_line_and_no_traceback(
    server: StationServer, words: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    head, _, body = say(server, words).partition(b"\r\n\r\n")
    assert head.split()[1].startswith(b"4")
    assert list(json.loads(body)) == ["error"]
    assert "Traceback" not in capfd.readouterr().err


def test_a_port_in_use_is_told_with_the_remedy(server: StationServer, desk: Any) -> None:
    with pytest.raises(InputError, match=r"port \d+ \(Address already in use\): choose another"):
        StationServer(server._server.config.app, ScreenSettings(port=port_of(server)))  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.20", "::"])
def test_nothing_is_served_to_the_network_without_tls(desk: Any, access: Access, host: str) -> None:
    with pytest.raises(InputError, match="needs TLS: give certificate and key"):
        StationServer(create_app(desk, access), ScreenSettings(host=host))


def test_a_certificate_without_its_key_or_its_file_is_told(
    desk: Any, access: Access, tmp_path: Path
) -> None:
    app = create_app(desk, access)
    with pytest.raises(InputError, match="belong together"):
        StationServer(app, ScreenSettings(certificate="a.crt"))
    with pytest.raises(InputError, match=r"a\.crt: no such file"):
        StationServer(app, ScreenSettings(certificate="a.crt", key="a.key"))
    (tmp_path / "bad").write_text("no certificate")
    bad = str(tmp_path / "bad")
    with pytest.raises(InputError, match=r"bad.*no certificate and key in PEM"):
        StationServer(app, ScreenSettings(certificate=bad, key=bad))


def test_over_tls_the_pages_are_served(desk: Any, access: Access, tmp_path: Path) -> None:
    key, certificate = tmp_path / "station.key", tmp_path / "station.crt"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*make.split(), *names, *files], check=True, capture_output=True)
    settings = ScreenSettings(port=0, certificate=str(certificate), key=str(key))
    serving = StationServer(create_app(desk, access), settings)
    serving.start()
    trust = ssl.create_default_context(cafile=str(certificate))
    with urlopen(f"{serving.address}/dealer", context=trust, timeout=5) as answer:
        assert answer.status == 200
    serving.stop()


def test_the_station_stops_at_once_although_pages_are_open(server: StationServer) -> None:
    with urlopen(f"{server.address}/api/dealer/stream", timeout=5) as stream:
        assert stream.readline() == b"event: table\n"
        began_s = time.monotonic()
        server.stop()
        assert time.monotonic() - began_s < 2


def test_a_flood_of_connections_is_turned_away_and_the_next_page_is_served(
    server: StationServer,
) -> None:
    flood = [socket.create_connection(("127.0.0.1", port_of(server))) for _ in range(150)]
    for connection in flood:
        connection.close()
    time.sleep(0.2)
    assert urlopen(f"{server.address}/dealer", timeout=5).status == 200


def test_one_address_and_the_network_get_so_many_connections_and_the_table_always_one() -> None:
    here, network = "127.0.0.1", [f"10.0.0.{number}" for number in range(80)]
    assert not are_too_many([*network, here], here)
    assert not are_too_many(network, network[0])
    assert are_too_many([*network, "10.0.0.200"], "10.0.0.200")
    assert are_too_many(["10.0.0.9"] * 21, "10.0.0.9")
    assert not are_too_many([here] * 90, here)


def test_when_the_view_cannot_be_read_the_stream_ends_and_does_not_stand_still(
    server: StationServer, desk: Any
) -> None:
    with urlopen(f"{server.address}/api/dealer/stream", timeout=5) as stream:
        stream.readline(), stream.readline(), stream.readline()
        del desk.views["dealer"]
        for call in desk.callbacks:
            call()
        rest = stream.read()
    assert b"event: table" not in rest and b"event: gone" not in rest


def test_a_message_goes_out_when_the_table_changes_in_another_thread(
    server: StationServer, desk: Any
) -> None:
    with urlopen(f"{server.address}/api/dealer/stream", timeout=5) as stream:
        stream.readline(), stream.readline(), stream.readline()
        desk.views["dealer"] = {"phase": "dealing", "round": None, "alerts": []}
        threading.Thread(target=lambda: [call() for call in desk.callbacks]).start()
        heard = [stream.readline() for _ in range(2)]
    assert heard[0] == b"event: table\n" and b'"dealing"' in heard[1]

"""What the station turns away before anything else looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

PRESS = "/api/dealer/press"


def test_a_page_of_another_origin_cannot_press_a_button(here: TestClient, desk: Any) -> None:
    foreign = {"Origin": "http://evil.example"}
    answer = here.post(PRESS, json={"button": "call"}, headers=foreign)
    assert answer.status_code == 403
    assert desk.events == []


def test_another_port_of_this_machine_is_another_origin(here: TestClient, desk: Any) -> None:
    foreign = {"Origin": "http://127.0.0.1:3000"}
    answer = here.post(PRESS, json={"button": "call"}, headers=foreign)
    assert answer.status_code == 403
    assert desk.events == []


def test_a_form_without_an_origin_is_turned_away(here: TestClient) -> None:
    del here.headers["Origin"]
    assert here.post(PRESS, json={"button": "call"}).status_code == 403


def test_a_rebound_name_is_turned_away(here: TestClient) -> None:
    answer = here.get("/dealer", headers={"Host": "evil.example:8080"})
    assert answer.status_code == 421
    assert "evil" not in answer.text


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:8080", "192.168.1.20"])
def test_the_tables_own_names_and_addresses_are_taken(here: TestClient, host: str) -> None:
    assert here.get("/dealer", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["", "[", "a b", "localhost.evil.example", "127.0.0.1.evil.example"]
)
def test_a_host_that_is_no_name_of_ours_is_turned_away(here: TestClient, host: str) -> None:
    assert here.get("/dealer", headers={"Host": host}).status_code == 421


def test_another_sites_page_cannot_embed_what_the_station_gives(here: TestClient) -> None:
    foreign = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}
    assert here.get("/api/dealer/access", headers=foreign).status_code == 403


def test_every_answer_forbids_frames_foreign_scripts_and_storing(
    browse: Callable[..., TestClient],
) -> None:
    for path in ("/dealer", "/static/dealer.js", "/api/dealer/access", "/nowhere"):
        headers = browse().get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe-inline" not in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("page", ["/dealer", "/supervisor", "/technician"])
def test_no_page_has_a_script_or_style_of_its_own_or_from_elsewhere(
    here: TestClient, page: str
) -> None:
    text = here.get(page).text
    assert "<style" not in text and "style=" not in text and "onclick" not in text
    assert text.count("<script") == text.count('src="/static/') == 1
    assert "http" not in text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 422),
        (b"\xff\xfe", 422),
        (b"[]", 422),
        (b'{"button": "bribe"}', 422),
        (b'{"button": "call", "more": 1}', 422),
        (b'{"button": ["call"]}', 422),
        (b"[" * 16_000, 400),
        (b" " * 20_000, 413),
    ],
)
def test_a_malformed_body_gets_one_line_of_json(
    here: TestClient, desk: Any, body: bytes, status: int
) -> None:
    answer = here.post(PRESS, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert "\n" not in answer.text and "Traceback" not in answer.text
    assert desk.events == []


def test_a_body_of_unknown_length_is_turned_away(here: TestClient) -> None:
    assert here.post(PRESS, content=iter([b"{}"])).status_code == 411


def test_a_body_in_chunks_cannot_hide_behind_a_short_length(here: TestClient) -> None:
    both = {"Content-Length": "2", "Transfer-Encoding": "chunked"}
    assert here.post(PRESS, content=iter([b" " * 99_999]), headers=both).status_code == 411


@pytest.mark.parametrize("path", ["/nowhere", "/static/../app.py", "/static/%2e%2e/app.py"])
def test_what_is_not_there_is_told_in_one_line(here: TestClient, path: str) -> None:
    answer = here.get(path)
    assert answer.status_code == 404
    assert list(answer.json()) == ["error"]

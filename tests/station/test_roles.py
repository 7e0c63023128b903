"""What each role may do, and what it is never given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from table_controller.core.cards import parse_card
from table_controller.core.events import (
    Acknowledged,
    CardExposed,
    CardNamed,
    Declared,
    HandsTurned,
    PlaceOffered,
    ProcedureDone,
    Ruled,
    SeatTaken,
    ShufflerLight,
    SupervisorCalled,
    TableCleared,
    Wagered,
)
from table_controller.outputs.station.access import Access
from table_controller.outputs.station.answers import REFUSALS


@pytest.mark.parametrize(
    ("button", "event"),
    [
        ("turned", HandsTurned()),
        ("player", Declared(outcome="player")),
        ("banker", Declared(outcome="banker")),
        ("tie", Declared(outcome="tie")),
        ("next_round", TableCleared()),
        ("exposed", CardExposed()),
        ("call", SupervisorCalled()),
        ("shuffler_error", ShufflerLight(error=True)),
        ("shuffler_clear", ShufflerLight(error=False)),
    ],
)
def test_a_button_is_an_event_of_the_table(
    here: TestClient, desk: Any, button: str, event: object
) -> None:
    assert here.post("/api/dealer/press", json={"button": button}).json() == {"accepted": True}
    assert desk.events == [event]


def test_the_dealer_names_a_card_and_tells_the_steps_of_the_shoe(
    here: TestClient, desk: Any
) -> None:
    here.post("/api/dealer/name", json={"card": "TH"})
    here.post("/api/dealer/procedure", json={"step": "cut", "from_back": 60})
    assert desk.events == [
        CardNamed(card=parse_card("TH")),
        ProcedureDone(step="cut", from_back=60),
    ]


def test_wagers_and_seats_are_entered_at_the_table(here: TestClient, desk: Any) -> None:
    here.post("/api/dealer/wager", json={"seat": 3, "on": "banker", "cents": 2500})
    here.post("/api/dealer/seat", json={"seat": 3, "does": "sit"})
    here.post("/api/dealer/seat", json={"seat": 4, "does": "refuse"})
    assert desk.events == [
        Wagered(seat=3, on="banker", cents=2500),
        SeatTaken(seat=3),
        PlaceOffered(seat=4, accepted=False),
    ]


def test_a_card_that_is_none_is_told_plainly(here: TestClient, desk: Any) -> None:
    answer = here.post("/api/dealer/name", json={"card": "1X"})
    assert answer.status_code == 422
    assert "'1X' is no card" in answer.json()["error"]


def test_a_button_that_does_not_fit_is_declined_in_words(here: TestClient, desk: Any) -> None:
    desk.refusal = "not_now"
    answer = here.post("/api/dealer/press", json={"button": "tie"}).json()
    assert answer == {"accepted": False, "code": "not_now", "why": REFUSALS["not_now"]}


def test_a_stranger_on_the_network_can_neither_see_the_table_nor_press(
    there: TestClient, desk: Any
) -> None:
    assert there.get("/api/dealer/stream").status_code == 401
    for path in ("press", "name", "procedure", "wager", "seat"):
        assert there.post(f"/api/dealer/{path}", json={}).status_code == 401
    assert desk.events == []


def test_behind_a_proxy_of_this_machine_nobody_is_local(here: TestClient) -> None:
    answer = here.get("/api/dealer/access", headers={"X-Forwarded-For": "10.0.0.9"})
    assert answer.json() == {"allowed": False}


def test_a_paired_screen_may_press_until_it_is_unpaired(
    there: TestClient, signed_in: TestClient, desk: Any
) -> None:
    code = signed_in.post("/api/supervisor/pairing-code").json()["code"]
    paired = there.post("/api/dealer/pair", json={"code": code})
    cookie = paired.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert there.post("/api/dealer/press", json={"button": "call"}).status_code == 200
    signed_in.post("/api/supervisor/unpair")
    assert there.post("/api/dealer/press", json={"button": "call"}).status_code == 401


def test_pairing_codes_cannot_be_guessed_without_end(there: TestClient) -> None:
    answers = [there.post("/api/dealer/pair", json={"code": f"AAAAAAA{n}"}) for n in range(8)]
    assert [answer.status_code for answer in answers[:5]] == [403] * 5
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1


SUPERVISORS_ALONE = [
    ("GET", "/api/supervisor/stream"),
    ("GET", "/api/supervisor/picture/x"),
    ("GET", "/api/supervisor/clock"),
    ("GET", "/api/supervisor/people"),
    ("GET", "/api/technician/devices"),
    ("GET", "/api/technician/reading"),
    ("POST", "/api/supervisor/acknowledge"),
    ("POST", "/api/supervisor/rule"),
    ("POST", "/api/supervisor/people/add"),
    ("POST", "/api/supervisor/people/remove"),
    ("POST", "/api/supervisor/pairing-code"),
    ("POST", "/api/supervisor/unpair"),
]


@pytest.mark.parametrize(("method", "path"), SUPERVISORS_ALONE)
def test_what_is_the_supervisors_is_closed_to_the_dealers_screen(
    here: TestClient, desk: Any, method: str, path: str
) -> None:
    assert here.request(method, path, json={} if method == "POST" else None).status_code == 401
    assert desk.events == []


def test_every_path_under_supervisor_and_technician_is_closed_or_a_way_in(here: TestClient) -> None:
    known = {path.replace("/x", "/{name}") for _, path in SUPERVISORS_ALONE}
    ways_in = {f"/api/supervisor/{name}" for name in ("access", "setup", "signin", "signout")}
    app: Any = here.app
    parts = ("/api/supervisor", "/api/technician")
    served = {path for path in app.openapi()["paths"] if path.startswith(parts)}
    assert served == known | ways_in


def test_a_ruling_and_an_acknowledgement_are_recorded_with_the_name(
    signed_in: TestClient, desk: Any
) -> None:
    desk.views["supervisor"]["alerts"] = [{"code": "overdraw", "acknowledged": False}]
    signed_in.post("/api/supervisor/rule", json={"ruling": "order", "cards": ["8S", "4C"]})
    signed_in.post("/api/supervisor/acknowledge", json={"code": "overdraw"})
    cards = (parse_card("8S"), parse_card("4C"))
    assert desk.events == [
        Ruled(ruling="order", cards=cards, by="Ada"),
        Acknowledged(code="overdraw", by="Ada"),
    ]


def test_nobody_can_rule_in_anothers_name(signed_in: TestClient, desk: Any) -> None:
    answer = signed_in.post("/api/supervisor/rule", json={"ruling": "void", "by": "Grace"})
    assert answer.status_code == 422
    assert desk.events == []


def test_only_the_picture_of_an_alert_is_given_out(signed_in: TestClient, desk: Any) -> None:
    desk.pictures = {"shown": b"jpeg of the alert", "hidden": b"jpeg of a hidden card"}
    desk.views["supervisor"]["alerts"] = [{"code": "unreadable", "picture": "shown"}]
    answer = signed_in.get("/api/supervisor/picture/shown")
    assert (answer.content, answer.headers["content-type"]) == (b"jpeg of the alert", "image/jpeg")
    assert signed_in.get("/api/supervisor/picture/hidden").status_code == 404


def test_signing_out_ends_the_session(signed_in: TestClient) -> None:
    cookie = signed_in.cookies["sabot_supervisor"]
    signed_in.post("/api/supervisor/signout")
    signed_in.cookies.set("sabot_supervisor", cookie)
    assert signed_in.get("/api/supervisor/people").status_code == 401


def test_over_tls_the_session_cookie_is_secure(
    browse: Callable[..., TestClient], access: Access
) -> None:
    browser = browse("192.168.1.66")
    browser.base_url = "https://192.168.1.20"
    answer = browser.post(
        "/api/supervisor/setup",
        json={"code": access.setup_code(), "name": "Ada", "passphrase": "nine calm herons"},
        headers={"Origin": "https://192.168.1.20"},
    )
    cookie = answer.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("secure", "httponly", "samesite=strict"))


def test_why_a_button_was_declined_stays_untold_while_hands_are_hidden(
    here: TestClient, desk: Any
) -> None:
    desk.views["dealer"]["round"] = {"hidden": True, "player": {"count": 2}, "banker": {"count": 2}}
    answers = []
    for refusal in ("not_now", "anything_else"):
        desk.refusal = refusal
        answers.append(here.post("/api/dealer/press", json={"button": "tie"}).content)
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("phase", "shown"), [("dealing", False), ("inspection", True)])
def test_how_a_card_was_read_is_shown_only_out_of_play(
    signed_in: TestClient, desk: Any, phase: str, shown: bool
) -> None:
    desk.views["record"]["phase"] = phase

    class Workshop:
        def last_reading(self) -> list[object]:
            return []

    signed_in.app.state.workshop = Workshop()  # type: ignore[attr-defined]
    assert signed_in.get("/api/technician/reading").json()["shown"] is shown


@pytest.mark.clause("D7")
@pytest.mark.parametrize(
    "ruling",
    [
        {"ruling": "exposed"},
        {"ruling": "not_exposed"},
        {"ruling": "correct", "round": 4, "player": ["9S", "KS"], "banker": ["2S", "TS"]},
    ],
)
def test_a_ruling_whose_answer_would_tell_hidden_hands_is_not_even_asked(
    signed_in: TestClient, desk: Any, ruling: dict[str, object]
) -> None:
    desk.views["supervisor"] |= {
        "round": {"number": 4, "hidden": True},
        "rulings": ["void", "correct"],
    }
    answer = signed_in.post("/api/supervisor/rule", json=ruling).json()
    assert answer["code"] == "not_now"
    assert desk.events == []
    signed_in.post("/api/supervisor/rule", json={"ruling": "void"})
    assert len(desk.events) == 1


@pytest.mark.clause("D7")
def test_an_alert_that_is_not_shown_cannot_be_acknowledged(
    signed_in: TestClient, desk: Any
) -> None:
    acknowledgement = {"code": "overdraw"}
    told = signed_in.post("/api/supervisor/acknowledge", json=acknowledgement).json()
    assert told["code"] == "not_now"
    assert desk.events == []

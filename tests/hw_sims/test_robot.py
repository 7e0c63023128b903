"""The dealing robot at the core itself, and its page; shoe and buttons are stand-ins."""

from __future__ import annotations

from concurrent.futures import Future
from random import Random
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from hw_sims.art import draw_deck
from hw_sims.dealer_hand import DealerHand
from hw_sims.panel import TITLES, panel
from hw_sims.robot import MISCHIEFS, RobotDealer
from hw_sims.shoe import POKER_SHOE, Passing
from table_controller.core.cards import Card
from table_controller.core.events import (
    CardLeft,
    CutCardLeft,
    Declared,
    Event,
    HandsTurned,
    SupervisorCalled,
    TableCleared,
)
from table_controller.core.step import step
from table_controller.core.table import Table, open_table
from table_controller.core.views import Role, view
from table_controller.profile import load_profile

PRESSED: dict[str, Event] = {
    "button_turned": HandsTurned(),
    "button_next_round": TableCleared(),
    "button_call": SupervisorCalled(),
    "button_player": Declared(outcome="player"),
    "button_banker": Declared(outcome="banker"),
    "button_tie": Declared(outcome="tie"),
}


class TableAndShoe:
    """The core as the robot's desk, and a shoe whose cards are told to it at once."""

    def __init__(self, start: Any = "round") -> None:
        self.table: Table = open_table(load_profile("prairie-meadows"), 8, start)
        self.faces = {id(face): card for card, face in draw_deck().faces.items()}
        self.moved: list[Card | None] = []

    def view(self, role: Role) -> dict[str, Any]:
        return view(self.table, role)

    def submit(self, event: Event) -> Future[str | None]:
        self.table, _ = step(self.table, event)
        return Future()

    def soon_us(self) -> int:
        return 0

    def press(self, pin: str) -> None:
        self.submit(PRESSED[pin])

    def move(self, passings: tuple[Passing, ...]) -> None:
        shown = passings[0].shown
        card = self.faces.get(id(shown))
        self.moved.append(card)
        if shown is draw_deck().cut_card:
            self.submit(CutCardLeft())
        else:
            self.submit(CardLeft(card=card, face_up=shown is draw_deck().back))


def robot_at(place: TableAndShoe) -> RobotDealer:
    hand = DealerHand(draw_deck(), POKER_SHOE, Random(1))
    return RobotDealer(place, place, hand, decks=8, pause_s=0)  # type: ignore[arg-type]


def do(robot: RobotDealer, times: int) -> None:
    for _ in range(times):
        robot._do_next_thing()


def test_it_deals_round_after_round_without_an_alert() -> None:
    place = TableAndShoe()
    do(robot_at(place), 60)
    record = place.view("record")
    assert len(record["rounds"]) > 5
    assert record["alerts"] == []


def test_it_opens_a_new_table_by_itself() -> None:
    place = TableAndShoe("opening")
    do(robot_at(place), 30)
    assert place.view("record")["rounds"]


def test_a_whole_shoe_ends_and_another_begins() -> None:
    place = TableAndShoe()
    do(robot_at(place), 800)
    assert len(place.view("record")["rounds"]) > 85
    assert place.view("record")["alerts"] == []


@pytest.mark.parametrize(
    ("mischief", "code"),
    [
        ("first_face_up", "first_card_face_up"),
        ("face_up", "face_up"),
        ("one_too_many", "overdraw"),
        ("unreadable", "unreadable"),
        ("wrong_declaration", "wrong_declaration"),
        ("unholdable", "surplus_card"),
        ("call", "supervisor_called"),
    ],
)
def test_a_provoked_irregularity_raises_its_alert(mischief: Any, code: str) -> None:
    place = TableAndShoe()
    robot = robot_at(place)
    robot.provoke(mischief)
    do(robot, 60)
    assert code in [alert["code"] for alert in place.view("record")["alerts"]]


def test_the_simulated_supervisor_names_what_nobody_could_read() -> None:
    place = TableAndShoe()
    robot = robot_at(place)
    robot.provoke("unreadable")
    do(robot, 3)
    assert place.view("record")["phase"] == "ruling"
    robot.settle()
    do(robot, 1)
    assert place.view("record")["phase"] != "ruling"


def test_a_stop_that_nobody_provoked_is_ruled_on_after_a_while() -> None:
    place = TableAndShoe()
    robot = robot_at(place)
    robot.patience_s = 0
    do(robot, 1)
    robot._draw(smear=True)
    assert place.view("record")["phase"] == "ruling"
    do(robot, 1)
    assert place.view("record")["phase"] == "dealing"


def test_a_provoked_stop_waits_for_a_person() -> None:
    place = TableAndShoe()
    robot = robot_at(place)
    robot.patience_s = 0
    robot.provoke("unreadable")
    do(robot, 10)
    assert place.view("record")["phase"] == "ruling"


@pytest.fixture
def page() -> TestClient:
    app = FastAPI()
    app.include_router(panel(robot_at(TableAndShoe())))
    return TestClient(app)


def test_the_page_has_a_button_for_each_irregularity(page: TestClient) -> None:
    text = page.get("/sim").text
    assert "SIMULATED" in text
    assert all(f"/sim/provoke/{name}" in text and TITLES[name] in text for name in MISCHIEFS)


def test_a_click_is_remembered_until_it_fits(page: TestClient) -> None:
    page.post("/sim/provoke/lid")
    assert page.get("/sim/state").json()["asked"] == ["Open the lid"]


def test_the_page_pauses_and_goes_on(page: TestClient) -> None:
    assert page.post("/sim/pause").json()["running"] is False
    assert page.post("/sim/run").json()["running"] is True


def test_an_irregularity_that_is_not_there_is_told(page: TestClient) -> None:
    assert page.post("/sim/provoke/earthquake").status_code == 404

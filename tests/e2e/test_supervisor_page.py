"""The supervisor's page in a real browser: first start, signing in, alerts, rulings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from table_controller.core.cards import parse_card
from table_controller.core.events import (
    Acknowledged,
    CardLeft,
    ProcedureDone,
    Ruled,
    SupervisorCalled,
    TableCleared,
)

Tables = Callable[..., Any]
Pages = Callable[..., Page]

PASSPHRASE = "nine calm herons"
ONE_PIXEL = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300" + "01" * 64 + "ffc0000b080001000101011100"
    "ffc40014000100000000000000000000000000000009ffc40014100100000000000000000000000000000000"
    "ffda0008010100003f0054ffd9"
)


def set_up(table: Any, browse: Pages) -> Page:
    page = browse(f"{table.server.address}/supervisor#{table.access.setup_code()}", 1280, 900)
    page.fill("#setup-name", "Ada")
    page.fill("#setup-passphrase", PASSPHRASE)
    page.fill("#setup-again", PASSPHRASE)
    page.click("#set-up button")
    expect(page.locator("#who")).to_have_text("Ada")
    return page


def test_the_first_supervisor_sets_a_passphrase_and_signs_in_with_it(
    open_table: Tables, browse: Pages
) -> None:
    table = open_table("traditional")
    page = set_up(table, browse)
    with page.expect_navigation():
        page.click("#sign-out")
    page.fill("#name", "Ada")
    page.fill("#passphrase", "a wrong passphrase")
    page.click("#sign-in button")
    expect(page.locator("#sign-in .wrong")).to_contain_text("is wrong")
    page.fill("#passphrase", PASSPHRASE)
    page.click("#sign-in button")
    expect(page.locator("#office")).to_be_visible()


def test_an_unreadable_card_is_named_from_its_picture_and_the_name_is_recorded(
    open_table: Tables, browse: Pages
) -> None:
    table = open_table("traditional")
    page = set_up(table, browse)
    table.hands.draw("2H")
    table.hands.let(CardLeft(card=None, picture=table.pictures.keep(ONE_PIXEL)))
    expect(page.locator("#open-alerts .what")).to_contain_text("no reader could tell")
    picture = page.locator("#open-alerts img")
    picture.wait_for()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    page.click("#open-alerts [data-ruling=card]")
    page.click("[aria-label='rank K']")
    page.click("dialog [aria-label=spades]")
    page.click("dialog >> text=Confirm")
    expect(page.locator("#banker .card").first).to_have_attribute("aria-label", "king of spades")
    expect(page.locator("#no-alerts")).to_be_visible()
    assert rulings(table) == [("card", parse_card("KS"), "Ada")]


def rulings(table: Any) -> list[tuple[str, object, str]]:
    events = table.journal.events()
    return [(each.ruling, each.card, each.by) for each in events if isinstance(each, Ruled)]


def test_an_alert_is_acknowledged_by_name(open_table: Tables, browse: Pages) -> None:
    table = open_table("traditional")
    page = set_up(table, browse)
    table.hands.let(SupervisorCalled())
    page.click("[data-acknowledge=supervisor_called]")
    expect(page.locator("#no-alerts")).to_be_visible()
    acknowledged = [each for each in table.journal.events() if isinstance(each, Acknowledged)]
    assert [(each.code, each.by) for each in acknowledged] == [("supervisor_called", "Ada")]


def test_a_decided_round_is_corrected(open_table: Tables, browse: Pages) -> None:
    table = open_table("traditional")
    page = set_up(table, browse)
    table.hands.draw("8S", "KD", "AD", "7C")
    expect(page.locator("#history tr")).to_have_count(1)
    page.click("#rulings [data-ruling=correct]")
    page.click("dialog .hand.player button")
    for rank, suit in (("8", "spades"), ("8", "diamonds")):
        page.click(f"[aria-label='rank {rank}']")
        page.click(f"dialog [aria-label={suit}] >> nth=-1")
    page.click("dialog >> nth=-1 >> text=Confirm")
    page.click("text=Correct the record")
    expect(page.locator("#history td.banker, #history td.player, #history td.tie")).to_have_count(1)
    expect(page.locator("#answer")).to_have_text("")


def test_a_card_that_came_once_too_often_shows_all_its_reads(
    open_table: Tables, browse: Pages
) -> None:
    table = open_table("traditional")
    page = set_up(table, browse)
    doubtful = CardLeft(card=parse_card("9S"), confidence=0.8)
    table.hands.let(doubtful, *[CardLeft(card=parse_card("9S"))] * 3, TableCleared())
    table.hands.draw("9S", "9S", "9S", "9S")
    table.hands.let(TableCleared())
    table.hands.draw("9S")
    reads = page.locator("#open-alerts .clash li")
    expect(reads).to_have_count(9)
    expect(reads.first).to_contain_text("round 1, 80.0 % sure")
    expect(page.locator("#shoe")).to_contain_text("alarm: 6 same rank")


def test_rulings_that_the_table_does_not_allow_are_not_offered(
    open_table: Tables, browse: Pages
) -> None:
    table = open_table("traditional")
    page = set_up(table, browse)
    expect(page.locator("#rulings [data-ruling=dummy]")).to_be_visible()
    table.hands.draw("8S")
    expect(page.locator("#rulings [data-ruling=void]")).to_be_visible()
    assert page.locator("#rulings [data-ruling=dummy]").count() == 0


def test_a_dealers_screen_on_the_network_is_paired_with_a_code(
    open_table: Tables, browse: Pages
) -> None:
    table = open_table("traditional")
    page = set_up(table, browse)
    page.click("#people summary")
    page.click("#pair")
    expect(page.locator("#pairing-code")).not_to_be_empty()
    code = page.locator("#pairing-code").inner_text()
    screen = browse("about:blank")
    # A browser that says it comes through a proxy is not on this machine.
    screen.set_extra_http_headers({"X-Forwarded-For": "192.168.1.66"})
    screen.goto(f"{table.server.address}/dealer")
    screen.fill("#code", code)
    screen.click("#pairing button")
    expect(screen.locator("#next")).to_contain_text("Take wagers")


def test_the_technicians_page_asks_for_a_supervisor(open_table: Tables, browse: Pages) -> None:
    table = open_table("traditional")
    page = browse(f"{table.server.address}/technician", 1280, 900)
    expect(page.locator("#closed")).to_be_visible()
    set_up(table, browse)


def test_the_closing_is_a_procedure_that_a_supervisor_signs(
    open_table: Tables, browse: Pages
) -> None:
    table = open_table("traditional")
    page = set_up(table, browse)
    table.controller.submit(Ruled(ruling="reshuffle", by="Ada"))
    table.controller.submit(ProcedureDone(step="closed"))
    expect(page.locator("#procedure-title")).to_have_text("Closing")
    page.click("#rulings [data-ruling=approve]")
    expect(page.locator("#steps li.done .signed").nth(1)).to_contain_text("Ada, ")
    expect(page.locator("#steps li[aria-current]")).to_contain_text("new cards")

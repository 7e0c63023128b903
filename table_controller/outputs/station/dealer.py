"""The dealer's page and what it may do. Nothing here gives the record or a hidden card."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from table_controller.core.events import Event
from table_controller.outputs.station.access import NotAllowed
from table_controller.outputs.station.answers import (
    declined,
    desk_of,
    hands_are_hidden,
    submit,
    told,
)
from table_controller.outputs.station.feed import Feed
from table_controller.outputs.station.forms import (
    Naming,
    Pairing,
    Press,
    Procedure,
    SeatForm,
    WagerForm,
)
from table_controller.outputs.station.visitor import (
    SCREEN_COOKIE,
    SCREEN_COOKIE_GOOD_FOR_S,
    access_of,
    address_of,
    is_local,
    may_deal,
    require_dealer,
    set_cookie,
)

router = APIRouter(prefix="/api/dealer")
at_the_table = APIRouter(prefix="/api/dealer", dependencies=[Depends(require_dealer)])


@router.get("/access")
async def access(request: Request) -> dict[str, bool]:
    """Whether this browser is a dealer's screen."""
    return {"allowed": may_deal(request)}


@router.post("/pair")
def pair(request: Request, pairing: Pairing) -> Response:
    """Make this browser a dealer's screen."""
    try:
        token = access_of(request).pair(pairing.code, address_of(request), local=is_local(request))
    except NotAllowed as wrong:
        return declined(wrong)
    response = JSONResponse({"accepted": True})
    set_cookie(request, response, SCREEN_COOKIE, token, SCREEN_COOKIE_GOOD_FOR_S)
    return response


@at_the_table.get("/stream")
async def stream(request: Request) -> StreamingResponse:
    """The table as the dealer may see it, as it changes."""
    feed: Feed = request.app.state.feeds["dealer"]
    return StreamingResponse(feed.stream(lambda: may_deal(request)), media_type="text/event-stream")


@at_the_table.get("/clock")
async def clock(request: Request) -> dict[str, int]:
    """The table's time."""
    return desk_of(request).clock()


@at_the_table.post("/press")
async def press(request: Request, pressed: Press) -> Response:
    """A button of the dealer."""
    return await _hand_in(request, pressed.event())


@at_the_table.post("/name")
async def name_card(request: Request, naming: Naming) -> Response:
    """The dealer names the card that lies face up."""
    return await _hand_in(request, naming.event())


@at_the_table.post("/procedure")
async def procedure(request: Request, done: Procedure) -> Response:
    """A step of the shoe's life is done."""
    return await _hand_in(request, done.event())


@at_the_table.post("/wager")
async def wager(request: Request, placed: WagerForm) -> Response:
    """Chips on a spot, or taken back."""
    return await _hand_in(request, placed.event())


@at_the_table.post("/seat")
async def seat(request: Request, said: SeatForm) -> Response:
    """A player sits down, leaves, or answers to an offer of the place."""
    return await _hand_in(request, said.event())


async def _hand_in(request: Request, event: Event) -> Response:
    refusal = await submit(request, event)
    if refusal is not None and hands_are_hidden(desk_of(request).view("dealer")):
        # Why it was declined would tell what the hidden cards are (rules.md D7).
        return JSONResponse({"accepted": False, "code": None, "why": "Not now."})
    return told(refusal)

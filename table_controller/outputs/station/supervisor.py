"""The supervisor's page and what it may do: every ruling is recorded with the name."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

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
    Acknowledgement,
    Removal,
    RulingForm,
    SetUp,
    SignIn,
)
from table_controller.outputs.station.visitor import (
    SESSION_COOKIE,
    access_of,
    address_of,
    is_local,
    require_supervisor,
    set_cookie,
    supervisor_of,
)

log = logging.getLogger(__name__)
router = APIRouter(prefix="/api/supervisor")
signed_in = APIRouter(prefix="/api/supervisor", dependencies=[Depends(require_supervisor)])


@router.get("/access")
async def access(request: Request) -> dict[str, Any]:
    """Whether there is a supervisor yet, and who is signed in here."""
    return {"set_up": access_of(request).is_set_up, "name": supervisor_of(request, touch=False)}


@router.post("/setup")
def set_up(request: Request, wanted: SetUp) -> Response:
    """Make the first supervisor, with the code from the console."""
    try:
        token = access_of(request).set_up(
            wanted.code,
            wanted.name,
            wanted.passphrase,
            address_of(request),
            local=is_local(request),
        )
    except NotAllowed as wrong:
        return declined(wrong)
    return _welcome(request, token)


@router.post("/signin")
def sign_in(request: Request, who: SignIn) -> Response:
    """Check name and passphrase."""
    try:
        token = access_of(request).sign_in(
            who.name, who.passphrase, address_of(request), local=is_local(request)
        )
    except NotAllowed as wrong:
        log.warning("sign-in as %r from %s declined: %s", who.name, address_of(request), wrong)
        return declined(wrong)
    return _welcome(request, token)


@router.post("/signout")
def sign_out(request: Request) -> Response:
    """End the session."""
    access_of(request).sign_out(request.cookies.get(SESSION_COOKIE, ""))
    response = JSONResponse({"accepted": True})
    response.delete_cookie(SESSION_COOKIE)
    return response


@signed_in.get("/stream")
async def stream(request: Request) -> StreamingResponse:
    """The table as a supervisor may see it, as it changes."""
    feed: Feed = request.app.state.feeds["supervisor"]
    allowed = feed.stream(lambda: supervisor_of(request, touch=False) is not None)
    return StreamingResponse(allowed, media_type="text/event-stream")


@signed_in.get("/picture/{name}")
async def picture(request: Request, name: str) -> Response:
    """The picture of a card that an alert or a clash is about; no other picture is given out."""
    desk = desk_of(request)
    seen = desk.view("supervisor")
    shown = {one.get("picture") for one in (*seen["alerts"], *seen["clash"])}
    jpeg = desk.picture(name) if name in shown else None
    if jpeg is None:
        raise HTTPException(404, "no alert has this picture, or it is not kept any more")
    return Response(jpeg, media_type="image/jpeg")


@signed_in.get("/clock")
async def clock(request: Request) -> dict[str, int]:
    """The table's time."""
    return desk_of(request).clock()


@signed_in.post("/acknowledge")
async def acknowledge(
    request: Request, seen: Acknowledgement, name: str = Depends(require_supervisor)
) -> Response:
    """Alerts of a code are acknowledged, those that are shown."""
    shown = desk_of(request).view("supervisor")["alerts"]
    if not any(alert["code"] == seen.code and not alert["acknowledged"] for alert in shown):
        return told("not_now")
    return told(await submit(request, seen.event(name)))


@signed_in.post("/rule")
async def rule(
    request: Request, ruling: RulingForm, name: str = Depends(require_supervisor)
) -> Response:
    """A ruling."""
    if _would_tell(ruling, desk_of(request).view("supervisor")):
        return told("not_now")
    return told(await submit(request, ruling.event(name)))


@signed_in.get("/people")
async def people(request: Request) -> dict[str, Any]:
    """The supervisors, and how many dealer's screens are paired."""
    access_list = access_of(request)
    return {"supervisors": access_list.supervisors, "screens": access_list.screens}


@signed_in.post("/people/add")
def add_supervisor(
    request: Request, who: SignIn, name: str = Depends(require_supervisor)
) -> Response:
    """One more supervisor, or a new passphrase for oneself."""
    try:
        access_of(request).add_supervisor(who.name, who.passphrase, by=name)
    except NotAllowed as wrong:
        return declined(wrong)
    return told(None)


@signed_in.post("/people/remove")
def remove_supervisor(request: Request, who: Removal) -> Response:
    """One supervisor less."""
    try:
        access_of(request).remove_supervisor(who.name)
    except NotAllowed as wrong:
        return declined(wrong)
    return told(None)


@signed_in.post("/pairing-code")
async def pairing_code(request: Request) -> dict[str, str]:
    """A code that pairs one more dealer's screen, good for ten minutes."""
    return {"code": access_of(request).pairing_code()}


@signed_in.post("/unpair")
def unpair(request: Request) -> Response:
    """Take the access of every paired screen away."""
    access_of(request).unpair_all()
    return told(None)


def _would_tell(ruling: RulingForm, view: dict[str, Any]) -> bool:
    """Whether the answer to it, yes or no, depends on hands that lie face down (rules.md D7)."""
    if not hands_are_hidden(view):
        return False
    of_these_hands = ruling.ruling == "correct" and ruling.round == view["round"]["number"]
    return of_these_hands or ruling.ruling not in view["rulings"]


def _welcome(request: Request, token: str) -> Response:
    response = JSONResponse({"accepted": True})
    set_cookie(request, response, SESSION_COOKIE, token)
    return response

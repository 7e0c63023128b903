"""What a request that changes something is answered with."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse

from table_controller.core.events import Event
from table_controller.outputs.station.access import NotAllowed
from table_controller.outputs.station.desk import Desk

PATIENCE_S = 3.0

REFUSALS = {
    "not_now": "The table does not take this now.",
    "not_due": "It is not this seat's turn.",
    "wager_step": "The amount does not fit the table's steps.",
    "wager_limit": "The amount is outside the table's limits.",
    "wagers_closed": "Wagers are closed.",
}


def desk_of(request: Request) -> Desk:
    """The table behind the station."""
    desk: Desk = request.app.state.desk
    return desk


async def submit(request: Request, event: Event) -> str | None:
    """Hand the event to the table; gives the code of a refusal.

    :raises HTTPException: 503, the table did not answer.
    """
    answer = asyncio.wrap_future(desk_of(request).submit(event))
    try:
        return await asyncio.wait_for(answer, PATIENCE_S)
    except TimeoutError:
        raise HTTPException(503, "the table does not answer") from None


def hands_are_hidden(view: dict[str, Any]) -> bool:
    """Whether cards lie face down whose faces the view leaves out."""
    return bool((view["round"] or {}).get("hidden"))


def told(refusal: str | None) -> JSONResponse:
    """Accepted, or why not."""
    if refusal is None:
        return JSONResponse({"accepted": True})
    why = REFUSALS.get(refusal, "The table declined this.")
    return JSONResponse({"accepted": False, "code": refusal, "why": why})


def declined(wrong: NotAllowed) -> JSONResponse:
    """Not allowed, and how long to wait after too many tries."""
    if wrong.wait_s:
        wait = {"retry-after": str(int(wrong.wait_s) + 1)}
        return JSONResponse({"error": str(wrong)}, 429, headers=wait)
    return JSONResponse({"error": str(wrong)}, 403)

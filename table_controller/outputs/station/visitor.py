"""Who is asking: where from, and with what right."""

from __future__ import annotations

import ipaddress

from fastapi import HTTPException, Request, Response

from table_controller.outputs.station.access import Access

SESSION_COOKIE = "sabot_supervisor"
SCREEN_COOKIE = "sabot_screen"
SCREEN_COOKIE_GOOD_FOR_S = 400 * 24 * 3600

# Behind a proxy on this machine everyone would come from this machine.
_MARKS_OF_A_PROXY = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


def access_of(request: Request) -> Access:
    """The access list of the station that the request came to."""
    access: Access = request.app.state.access
    return access


def address_of(request: Request) -> str:
    """The address of the browser."""
    return request.client.host if request.client else "unknown"


def is_this_machine(address: str) -> bool:
    """Whether an address is that of the loopback interface."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def is_local(request: Request) -> bool:
    """Whether the browser runs on the machine itself."""
    proxied = any(mark in request.headers for mark in _MARKS_OF_A_PROXY)
    return is_this_machine(address_of(request)) and not proxied


def may_deal(request: Request) -> bool:
    """Whether this is the dealer's screen: the machine's own, or one that was paired."""
    return is_local(request) or access_of(request).is_paired(request.cookies.get(SCREEN_COOKIE))


async def require_dealer(request: Request) -> None:
    """Let only a dealer's screen pass."""
    if not may_deal(request):
        raise HTTPException(401, "this screen is not paired with the table")


def supervisor_of(request: Request, *, touch: bool = True) -> str | None:
    """The name of the supervisor who is signed in at this browser, or None."""
    token = request.cookies.get(SESSION_COOKIE)
    return access_of(request).supervisor(token, touch=touch)


async def require_supervisor(request: Request) -> str:
    """Let only a supervisor pass; gives the name."""
    name = supervisor_of(request)
    if name is None:
        raise HTTPException(401, "sign in as a supervisor first")
    return name


async def require_watching_supervisor(request: Request) -> None:
    """The same for what a page asks by itself: it does not keep the session alive."""
    if supervisor_of(request, touch=False) is None:
        raise HTTPException(401, "sign in as a supervisor first")


def set_cookie(
    request: Request, response: Response, name: str, token: str, good_for_s: int | None = None
) -> None:
    """Give the browser a token that no script and no other site can use."""
    response.set_cookie(
        name,
        token,
        max_age=good_for_s,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )

"""The pages themselves: HTML with the table's name put in, and the files that they load."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

STATIC = Path(__file__).parent / "static"

_PAGES = Path(__file__).parent / "pages"
_SIMULATED = '<p class="simulated">SIMULATED</p>'

router = APIRouter()


@router.get("/")
async def start() -> RedirectResponse:
    """The dealer's page is the first."""
    return RedirectResponse("/dealer")


@router.get("/dealer")
async def dealer(request: Request) -> HTMLResponse:
    """The dealer's page."""
    return _page(request, "dealer")


@router.get("/supervisor")
async def supervisor(request: Request) -> HTMLResponse:
    """The supervisor's page; signing in happens on it."""
    return _page(request, "supervisor")


@router.get("/technician")
async def technician(request: Request) -> HTMLResponse:
    """The technician's page."""
    return _page(request, "technician")


def _page(request: Request, name: str) -> HTMLResponse:
    state = request.app.state
    text = (_PAGES / f"{name}.html").read_text(encoding="utf-8")
    filled = Template(text).substitute(
        table=escape(state.name), simulated=_SIMULATED if state.simulated else ""
    )
    return HTMLResponse(filled)

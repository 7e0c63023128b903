"""The station: the screens as one web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as AnyHTTPException

from table_controller.outputs.station import dealer, pages, supervisor, technician
from table_controller.outputs.station.access import Access
from table_controller.outputs.station.desk import Desk, Workshop
from table_controller.outputs.station.feed import Feed
from table_controller.outputs.station.guard import Guard
from table_controller.outputs.station.visitor import require_dealer


def create_app(
    desk: Desk,
    access: Access,
    *,
    name: str = "Table",
    simulated: bool = False,
    host_names: Iterable[str] = (),
    workshop: Workshop | None = None,
    extra_routers: Iterable[APIRouter] = (),
) -> FastAPI:
    """The web application of one table.

    :param name: what the table is called on its screens.
    :param simulated: the screens say so, loudly.
    :param host_names: names by which browsers reach the table, besides its own.
    :param extra_routers: further pages; only a dealer's screen reaches them.
    """
    app = FastAPI(
        title="Sabot", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_following(desk)
    )
    app.state.desk = desk
    app.state.access = access
    app.state.name = name
    app.state.simulated = simulated
    app.state.workshop = workshop
    app.state.feeds = {
        "dealer": Feed(lambda: desk.view("dealer")),
        "supervisor": Feed(lambda: desk.view("supervisor")),
    }
    for part in (
        pages.router,
        dealer.router,
        dealer.at_the_table,
        supervisor.router,
        supervisor.signed_in,
        technician.router,
    ):
        app.include_router(part)
    for extra in extra_routers:
        app.include_router(extra, dependencies=[Depends(require_dealer)])
    app.mount("/static", StaticFiles(directory=pages.STATIC))
    app.add_exception_handler(AnyHTTPException, _say_what_is_wrong)
    app.add_exception_handler(RequestValidationError, _say_what_does_not_fit)
    app.add_middleware(Guard, names=tuple(host_names))
    return app


def _following(desk: Desk) -> Any:
    """While the application runs, changes of the table wake its feeds."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()

        def refresh() -> None:
            for feed in app.state.feeds.values():
                feed.refresh()

        def changed() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(refresh)

        unsubscribe = desk.subscribe(changed)
        try:
            yield
        finally:
            unsubscribe()

    return cast("type[AbstractAsyncContextManager[None]]", lifespan)


def _say_what_is_wrong(_request: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, AnyHTTPException)
    return JSONResponse({"error": wrong.detail}, wrong.status_code, headers=wrong.headers)


def _say_what_does_not_fit(_request: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, RequestValidationError)
    first = wrong.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
    return JSONResponse({"error": f"{place}: {first['msg']}"}, 422)

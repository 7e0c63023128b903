"""The page of the simulated shoe: pause it, deal card by card, provoke irregularities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, HTMLResponse

from hw_sims.robot import MISCHIEFS, Mischief, RobotDealer

_PAGE = Path(__file__).with_name("panel.html")

TITLES: dict[Mischief, str] = {
    "first_face_up": "First card face up",
    "face_up": "A later card face up",
    "two_together": "Two cards together",
    "one_too_many": "A card too many",
    "unholdable": "A card the shoe cannot hold",
    "unreadable": "A card nobody can read",
    "push_back": "Draw half and push back",
    "half_draw": "Stop half way for a while",
    "cut_card": "The cutting card",
    "wrong_declaration": "Declare the wrong result",
    "lid": "Open the lid",
    "beam_blocked": "Something before the beam",
    "camera_lost": "Pull the camera's cable",
    "board_unplugged": "Pull the board's cable",
    "call": "Press the call button",
}


def panel(robot: RobotDealer) -> APIRouter:
    """The routes of the page, under ``/sim``."""
    router = APIRouter(prefix="/sim", tags=["simulated"])

    @router.get("", response_class=HTMLResponse)
    def page() -> str:
        return _page()

    @router.get("/panel.css")
    def style() -> FileResponse:
        return FileResponse(_PAGE.with_suffix(".css"))

    @router.get("/panel.js")
    def script() -> FileResponse:
        return FileResponse(_PAGE.with_suffix(".js"))

    @router.get("/state")
    def state() -> dict[str, Any]:
        return state_of(robot)

    @router.post("/provoke/{mischief}")
    def provoke(mischief: str) -> dict[str, Any]:
        if mischief not in MISCHIEFS:
            raise HTTPException(404, f"no irregularity {mischief!r}; there are {MISCHIEFS}")
        robot.provoke(mischief)
        return state_of(robot)

    @router.post("/{order}")
    def order(order: str) -> dict[str, Any]:
        orders = {
            "pause": robot.running.clear,
            "run": robot.running.set,
            "one": robot.deal_one,
            "settle": robot.settle,
        }
        if order not in orders:
            raise HTTPException(404, f"no order {order!r}; there are {', '.join(orders)}")
        orders[order]()
        return state_of(robot)

    return router


def state_of(robot: RobotDealer) -> dict[str, Any]:
    """What the page shows."""
    return {
        "simulated": True,
        "running": robot.running.is_set(),
        "doing": robot.doing,
        "asked": [TITLES[mischief] for mischief in robot.asked()],
    }


def _page() -> str:
    buttons = "\n".join(
        f'<button type="button" data-post="/sim/provoke/{name}">{title}</button>'
        for name, title in TITLES.items()
    )
    return _PAGE.read_text(encoding="utf-8").replace("<!-- irregularities -->", buttons)

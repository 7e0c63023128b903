"""The technician's page: devices, and how the last card was read.

A card is shown only when it can be nobody's secret: while the table is out of play, or where the
whole table is simulated.
"""

from __future__ import annotations

import base64
from typing import Any

from fastapi import APIRouter, Depends, Request

from table_controller.outputs.station.answers import desk_of
from table_controller.outputs.station.desk import Workshop
from table_controller.outputs.station.visitor import require_watching_supervisor

OUT_OF_PLAY = frozenset({"closed", "inspection", "shuffle", "approval", "cut", "reshuffle"})

router = APIRouter(prefix="/api/technician", dependencies=[Depends(require_watching_supervisor)])


@router.get("/devices")
def devices(request: Request) -> list[dict[str, Any]]:
    """Every device and how it is."""
    workshop: Workshop | None = request.app.state.workshop
    listed = workshop.devices() if workshop else []
    return [{"name": each.name, "works": each.works, "detail": each.detail} for each in listed]


@router.get("/reading")
def reading(request: Request) -> dict[str, Any]:
    """How the last card was read, step by step; pictures as data URLs."""
    workshop: Workshop | None = request.app.state.workshop
    out_of_play = desk_of(request).view("record").get("phase") in OUT_OF_PLAY
    if workshop is None or not (out_of_play or request.app.state.simulated):
        return {"shown": False, "sheets": []}
    return {
        "shown": True,
        "sheets": [
            {
                "title": sheet.title,
                "text": sheet.text,
                "picture": f"data:image/jpeg;base64,{base64.b64encode(sheet.picture).decode()}",
            }
            for sheet in workshop.last_reading()
        ],
    }

"""Draws ``docs/wiring.svg`` and ``docs/ramp.svg`` and gives the pin tables of ``docs/build.md``.

``python docs/drawings.py`` writes all three anew; a test holds them to the firmware's pins.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape

from firmware_bridge.firmware import pins
from firmware_bridge.gpio_board import DEFAULT_PINS

DOCS = Path(__file__).parent
# Where each GPIO is on the Pico's two rows of 20 holes.
PICO_HOLES = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17,
    14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
LEVEL_MEANS = {
    "beam_m1": "high: covered",
    "beam_m2": "high: covered",
    "lid": "high: open",
    "key": "low: on",
}
OUTPUTS = (
    *((f"lamp_{name}", gpio, "ULN2003A, channel {}") for name, gpio in pins.LAMPS),
    ("lock", pins.LOCK, "MOSFET, 10 kΩ to ground, diode over the coil"),
    ("light", pins.LIGHT, "LED driver's dimming input"),
    ("trigger", pins.TRIGGER, "camera XTR (divider to 1.8 V)"),
    ("buzzer", pins.BUZZER, "transistor, active buzzer"),
)
_STYLE = (
    "text{font:12px sans-serif;fill:#222}.t{font-weight:bold}.s{font-size:10px;fill:#555}"
    "rect{fill:#fff;stroke:#222}path{fill:none;stroke:#222}.p{stroke:#b22}.m{stroke:#888}"
)


def pico_table() -> str:
    """The pin table of the Pico, in Markdown."""
    rows = ["| name | GPIO | hole | goes to |", "|---|---|---|---|"]
    for name, gpio, _, _ in pins.INPUTS:
        means = LEVEL_MEANS.get(name, "low: down")
        rows.append(f"| {name} | GP{gpio} | {PICO_HOLES[gpio]} | {means} |")
    rows += [f"| {name} | GP{gpio} | {PICO_HOLES[gpio]} | {to} |" for name, gpio, to in _outputs()]
    return "\n".join(rows)


def _outputs() -> list[tuple[str, int, str]]:
    return [(name, gpio, to.format(place + 1)) for place, (name, gpio, to) in enumerate(OUTPUTS)]


def pi_table() -> str:
    """The default pins of the Pi-only build, in Markdown."""
    rows = ["| name | BCM |", "|---|---|"]
    return "\n".join(rows + [f"| {name} | {pin} |" for name, pin in DEFAULT_PINS.items()])


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>'


def _wire(points: str, kind: str = "") -> str:
    return f'<path d="{points}" class="{kind}"/>'


def _drawing(width: int, height: int, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<style>{_STYLE}</style><rect width="{width}" height="{height}" style="stroke:none"/>'
        + "\n".join(parts)
        + "</svg>\n"
    )


def wiring() -> str:
    """The wiring of the Pico: inputs on the left, outputs on the right, supply below."""
    row, top, left, right = 30, 60, 330, 530
    parts = [_box(left, 30, right - left, 400), _text(430, 50, "Raspberry Pi Pico", "t", "middle")]
    for place, (name, gpio, _, _) in enumerate(pins.INPUTS):
        y = top + 20 + row * place
        parts += [_box(20, y - 13, 240, 24), _text(30, y + 3, _sensor(name))]
        parts += [_wire(f"M260 {y}H{left}"), _text(left + 6, y + 4, f"GP{gpio}")]
        parts.append(_text(left - 8, y - 4, f"hole {PICO_HOLES[gpio]}", "s", "end"))
    for place, (name, gpio, to) in enumerate(_outputs()):
        y = top + 10 + row * place
        parts += [_box(650, y - 13, 330, 24), _text(660, y + 3, f"{name}: {to}")]
        parts += [_wire(f"M{right} {y}H650"), _text(right - 6, y + 4, f"GP{gpio}", "", "end")]
        parts.append(_text(right + 8, y - 4, f"hole {PICO_HOLES[gpio]}", "s"))
    return _drawing(1000, 560, parts + _supply())


def _sensor(name: str) -> str:
    if name.startswith("beam"):
        return f"{name}: receiver, open collector"
    return f"{name}: contact to ground"


def _supply() -> list[str]:
    boxes = (
        (20, 140, "12 V 3 A", "lock, lamps, light"),
        (220, 240, "12 → 5 V 4 A", "Pi, beams, Pico (hole 39, by a diode)"),
        (520, 210, "Pi 4 or 5", "USB to the Pico, camera by ribbon"),
        (760, 220, "one ground", "of 12 V, 5 V, Pi and Pico together"),
    )
    parts = [_wire("M160 490H220", "p"), _wire("M460 490H520", "p")]
    parts.append(_wire("M340 468V430", "p"))
    for x, width, title, words in boxes:
        parts += [_box(x, 468, width, 50)]
        parts += [_text(x + 8, 486, title, "t"), _text(x + 8, 506, words, "s")]
    return parts


def ramp() -> str:
    """The ramp from the side, with its measures in millimetres; 5 pixels a millimetre."""
    scale, mouth, deck = 5, 250, 150

    def x(mm: float) -> float:
        return mouth + mm * scale

    parts = [
        _box(20, 40, x(-6) - 20, deck - 40),
        _text(36, 90, "cards face down,", "t"),
        _text(36, 106, "weight above", "t"),
        _wire(f"M20 {deck}H{x(90)}"),
        f'<rect x="{x(1)}" y="{deck}" width="{68 * scale}" height="12" style="fill:#cde"/>',
        _text(x(35), deck + 10, "glass 68 × 96, 2 mm, anti-reflex", "s", "middle"),
        _wire(f"M{x(-4)} {deck - 60}V{deck}", "p"),
        _text(x(-3), deck - 66, "lock"),
        _wire(f"M{x(1)} {deck + 12}L{x(30)} 420H{x(40)}L{x(69)} {deck + 12}", "m"),
        _box(x(28), 420, 14 * scale, 40),
        _text(x(35), 444, "camera", "t", "middle"),
        _text(x(44), 440, "light path 200 (folded by a mirror where flat)", "s"),
        _text(x(-22), 330, "LED bars left and right, 45°", "s"),
    ]
    for name, mm in (("M1", 0.0), ("M2", 58.0)):
        parts += [_wire(f"M{x(mm)} {deck - 40}V{deck + 30}", "p")]
        parts.append(_text(x(mm), deck - 46, name, "t", "middle"))
    for mm, y in ((58.0, deck + 60), (69.0, deck + 85)):
        parts += [_wire(f"M{x(0)} {y - 6}V{y + 6}M{x(0)} {y}H{x(mm)}M{x(mm)} {y - 6}V{y + 6}")]
        parts.append(_text(x(mm / 2), y - 4, f"{mm:.0f}", "", "middle"))
    parts.append(_text(20, 500, "Poker cards (63 deep). For bridge cards (57): M2 at 52.", "s"))
    return _drawing(760, 520, parts)


def build_page(page: str) -> str:
    """The page with its two pin tables replaced by those of the code."""
    for mark, table in (("pico", pico_table()), ("pi", pi_table())):
        block = re.compile(rf"(<!-- {mark} pins -->\n).*?(\n<!-- end -->)", re.S)
        page = block.sub(lambda match, table=table: match[1] + table + match[2], page)
    return page


def main() -> None:
    """Write the drawings and the tables."""
    (DOCS / "wiring.svg").write_text(wiring())
    (DOCS / "ramp.svg").write_text(ramp())
    page = DOCS / "build.md"
    page.write_text(build_page(page.read_text()))


if __name__ == "__main__":
    main()

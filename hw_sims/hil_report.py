"""What was found on a board, as JUnit XML for machines and as a page for people."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from hw_sims.hil import Result


def write_report(folder: Path, board: str, results: Sequence[Result]) -> tuple[Path, Path]:
    """Write ``hil.xml`` and ``hil.html`` into ``folder``, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    machine, page = folder / "hil.xml", folder / "hil.html"
    ElementTree.ElementTree(_suite(board, results)).write(
        machine, encoding="utf-8", xml_declaration=True
    )
    page.write_text(_page(board, results), encoding="utf-8")
    return machine, page


def _suite(board: str, results: Sequence[Result]) -> ElementTree.Element:
    suite = ElementTree.Element(
        "testsuite",
        name=f"stories on {board}",
        tests=str(len(results)),
        failures=str(sum(bool(result.faults) for result in results)),
        time=f"{sum(result.seconds for result in results):.3f}",
    )
    for result in results:
        case = ElementTree.SubElement(
            suite, "testcase", name=result.name, time=f"{result.seconds:.3f}"
        )
        if result.faults:
            failure = ElementTree.SubElement(case, "failure", message=result.faults[0])
            failure.text = "\n".join(result.faults)
    return suite


def _page(board: str, results: Sequence[Result]) -> str:
    rows = "\n".join(
        f"<tr><td>{html.escape(result.title)}<td>{result.seconds:.1f} s"
        f"<td>{'<br>'.join(map(html.escape, result.faults)) or 'passed'}"
        for result in results
    )
    passed = sum(not result.faults for result in results)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Stories on the board</title>'
        f"<h1>{passed} of {len(results)} stories passed on {html.escape(board)}</h1>"
        f"<table border><tr><th>story<th>time<th>result\n{rows}\n</table></html>\n"
    )

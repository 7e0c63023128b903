"""The measurements of ``sabot bench``; what each figure is stands in its help."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import cv2

from firmware_bridge.board import BoardEvent, Heard, Lamp
from firmware_bridge.serial_board import SerialBoard
from hw_sims.art import draw_deck
from hw_sims.camera import Camera, frame_times
from hw_sims.dealer_hand import LIVELY, DealerHand
from hw_sims.enrolment import reader_of
from hw_sims.live import LiveCamera, LiveShoe
from hw_sims.pico import SimulatedPico
from hw_sims.shoe import POKER_SHOE, Geometry, Passing, beam_edges
from table_controller.clock import MonotonicClock
from table_controller.controller import Controller
from table_controller.controller import run as turn_until
from table_controller.core.cards import DECK, Card
from table_controller.core.drawing import DUE, NEXT, START
from table_controller.core.events import (
    CardLeft,
    CutCardLeft,
    Event,
    ProcedureDone,
    Ruled,
    TableCleared,
)
from table_controller.core.step import step
from table_controller.core.table import Table, open_table
from table_controller.errors import InputError
from table_controller.journal import Beginning, open_journal
from table_controller.outputs.lights import Lights
from table_controller.profile import load_profile
from table_controller.recovery import fold, keep_snapshot
from table_controller.senses import Senses
from vision.baseline import ClassicReader
from vision.frame import Image, Look
from vision.glass import STANDARD_VIEW
from vision.lookout import Lookout
from vision.reader import CardReader
from vision.window import Window

Percentiles = dict[str, float]

_PROFILE = "traditional"
_ROUNDS = 1000
_SHOES = 10
_TRIES = 3
_FRAMES = 500
_COMPARED_FRAMES = 100
_ROUNDS_PER_SHOE = 73
_DRAWN_ROUNDS = 200_000
_MEGABYTE = 1_000_000
_SETTLES_S = 5.0
_NOTICED_WITHIN_S = 3.0
_COMMANDS_LEFT_S = 0.05
_STREAMS = ("/api/dealer/stream", "/api/dealer/stream")
_BEHIND_CUT_CARD = 60
_NEW_SHOE: tuple[Event, ...] = (
    ProcedureDone(step="shuffled", by="hand"),
    Ruled(ruling="approve"),
    ProcedureDone(step="cut", from_back=_BEHIND_CUT_CARD),
    ProcedureDone(step="loaded"),
)


def all_of_them(seconds: float) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every figure's name and its measurement; ``seconds``: how long those in real time deal."""
    yield "read_ms", lambda: read_ms((640, 480))
    yield "read_ms_1456x1088", lambda: read_ms((1456, 1088))
    yield "against_the_classic_way", against_the_classic_way
    yield "draw_to_light_ms", lambda: draw_to_light_ms(seconds)
    yield "step_us", step_us
    yield "rounds_per_s", rounds_per_s
    yield "full_rounds_per_s", full_rounds_per_s
    yield "recover_ms_per_1000_rounds", recover_ms_per_1000_rounds
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        table = LiveProcess(Path(folder))
        yield "start_s", table.start
        yield "rss_mb", table.resident_megabytes
        table.stop()


def percentiles(values: Iterable[float]) -> Percentiles:
    """The median and the value that 99 of 100 do not exceed."""
    ordered = sorted(values)
    return {
        "p50": round(ordered[len(ordered) // 2], 3),
        "p99": round(ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)], 3),
    }


def read_ms(size: tuple[int, int]) -> Percentiles:
    """Milliseconds that the reader takes for one frame with a card on it."""
    cv2.setNumThreads(1)
    reader = CardReader(STANDARD_VIEW)
    frames = (_enlarged(frame, size) for _, frame in islice(_frames_of_cards(), _FRAMES))
    reader.look(next(frames))
    return percentiles(_best_seconds(partial(reader.look, frame)) * 1e3 for frame in frames)


def _enlarged(frame: Image, size: tuple[int, int]) -> Image:
    return cv2.resize(frame, size).astype(frame.dtype)


def against_the_classic_way() -> dict[str, float]:
    """Reader and classic way on the same frames: shares read right, and ratios of both figures."""
    cv2.setNumThreads(1)
    reader, classic = CardReader(STANDARD_VIEW), ClassicReader(draw_deck().faces)
    frames = list(islice(_frames_of_cards(), _COMPARED_FRAMES))
    ours_s = sum(_best_seconds(partial(reader.look, frame)) for _, frame in frames)
    theirs_s = sum(_best_seconds(partial(classic.read, frame)) for _, frame in frames)
    ours = sum(_names(reader.look(frame), card) for card, frame in frames)
    theirs = sum(classic.read(frame) == card for card, frame in frames)
    return {
        "right": round(ours / len(frames), 3),
        "classic_right": round(theirs / len(frames), 3),
        "right_ratio": round(ours / max(1, theirs), 2),
        "time_ratio": round(ours_s / theirs_s, 2),
    }


def _names(look: Look, card: Card) -> bool:
    return look.kind == "card" and look.cards[0].card == card


def _frames_of_cards() -> Iterator[tuple[Card, Image]]:
    """Frames of one card after another, at any place that the camera met it, with the card."""
    rng = Random(5)
    camera = Camera(POKER_SHOE, seed=5)
    hand = DealerHand(draw_deck(), POKER_SHOE, rng, LIVELY)
    while True:
        card = rng.choice(DECK)
        passings = hand.card(card, 0.0)
        for at_us in frame_times(passings, camera, rng.uniform(0, 1e6)):
            # One frame in three: many cards and not many pictures of a few.
            if camera.sees(passings, at_us) and rng.random() < 1 / 3:
                yield card, camera.picture(passings, at_us)


def _best_seconds(do: Callable[[], object]) -> float:
    """The shortest of a few tries: what else the machine does only makes them longer."""
    tries = []
    for _ in range(_TRIES):
        began = time.perf_counter()
        do()
        tries.append(time.perf_counter() - began)
    return min(tries)


def step_us() -> Percentiles:
    """Microseconds of one step."""
    return percentiles(seconds * 1e6 for seconds in _steps_seconds())


def full_rounds_per_s() -> int:
    """Whole rounds through the core's step, with everything that surrounds the drawing."""
    return round(_ROUNDS / sum(_steps_seconds()))


def _steps_seconds() -> Iterator[float]:
    """How long each step of some shoes takes."""
    return (_best_seconds(partial(step, table, event)) for table, event in _play(_ROUNDS))


def rounds_per_s() -> int:
    """Rounds through the core's table of drawing, the one that step, odds and this walk."""
    rng = Random(3)
    points = [rng.choice(DECK).points for _ in range(_DRAWN_ROUNDS * 6)]

    def draw() -> None:
        next_card = iter(points).__next__
        for _ in range(_DRAWN_ROUNDS):
            stand = START
            while DUE[stand]:
                stand = NEXT[stand][next_card()]

    return round(_DRAWN_ROUNDS / _best_seconds(draw))


def recover_ms_per_1000_rounds() -> float:
    """Milliseconds from opening a journal of 1000 rounds to the table they lead to, all folded."""
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        path = Path(folder) / "journal.sqlite3"
        write_history(path, rounds=_ROUNDS, snapshot=False)
        began = time.perf_counter()
        with closing(open_journal(path)) as journal:
            fold(journal)
        return round((time.perf_counter() - began) * 1e3, 1)


def write_history(path: Path, *, rounds: int, snapshot: bool) -> None:
    """A journal of so many rounds, its last run not ended; the snapshot as the table keeps it."""
    events = [event for _, event in _play(rounds)]
    last_shoe = max(place for place, event in enumerate(events) if event == _NEW_SHOE[-1]) + 1
    with closing(open_journal(path)) as journal:
        journal.begin(Beginning(load_profile(_PROFILE), start="round"))
        journal.append(events[:last_shoe])
        if snapshot:
            folded = fold(journal)
            keep_snapshot(journal, folded.table, folded.last_us)
        journal.append(events[last_shoe:])


def _play(rounds: int) -> Iterator[tuple[Table, Event]]:
    """So many rounds, shoe after shoe: each table, and the event that it meets."""
    rng = Random(4)
    table = open_table(load_profile(_PROFILE), None, "round")
    cards: list[Card] = []
    while table.next_number <= rounds + 1:
        if not cards or table.phase == "reshuffle":
            cards = list(DECK) * table.shoe.decks
            rng.shuffle(cards)
        for event in _next_events(table, cards):
            yield table, event
            table, _ = step(table, event)


def _next_events(table: Table, cards: list[Card]) -> tuple[Event, ...]:
    """What a dealer and a supervisor do now, who do everything right."""
    if table.phase == "result":
        return (TableCleared(),)
    if table.phase == "reshuffle":
        return _NEW_SHOE
    if len(cards) == _BEHIND_CUT_CARD and not table.shoe.cut_card:
        return CutCardLeft(), CardLeft(card=cards.pop())
    return (CardLeft(card=cards.pop()),)


class _WireClock:
    """A board that notes when a command for lamps or lock has left for the wire."""

    def __init__(self, board: SerialBoard) -> None:
        self._board = board
        self._wished = False
        self.sent_us: list[int] = []

    def poll(self, now_us: int) -> list[BoardEvent]:
        """Pass on."""
        sent = self._board.bytes_sent
        events = self._board.poll(now_us)
        if self._wished and self._board.bytes_sent > sent:
            self._wished = False
            self.sent_us.append(MonotonicClock().now_us())
        return events

    @property
    def heard(self) -> Heard:
        """Pass on."""
        return self._board.heard

    def settle(self, heard: Heard) -> None:
        """Pass on."""
        self._board.settle(heard)

    def go_on_after(self, heard: Heard) -> None:
        """Pass on."""
        self._board.go_on_after(heard)

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        """Pass on and note."""
        self._wished = True
        self._board.set_lamps(lamps)

    def set_lock(self, open_: bool) -> None:
        """Pass on and note."""
        self._wished = True
        self._board.set_lock(open_)

    def buzz(self, milliseconds: int) -> None:
        """Pass on."""
        self._board.buzz(milliseconds)

    def close(self) -> None:
        """Pass on."""
        self._board.close()


def draw_to_light_ms(seconds: float) -> Percentiles:
    """Milliseconds from what decides a card to the command on the wire, in real time."""
    with RealTimeTable() as table:
        return percentiles(table.deal(seconds))


class RealTimeTable:
    """The whole table in this process, its Pico and camera simulated, dealt by this thread."""

    def __init__(self) -> None:
        self._parts = ExitStack()
        self._folder = Path(self._parts.enter_context(tempfile.TemporaryDirectory()))
        pico = self._parts.enter_context(SimulatedPico(virtual=False))
        self._shoe = LiveShoe(pico)
        self._board = _WireClock(SerialBoard(pico.port))
        deck = draw_deck()
        self._hand = DealerHand(deck, self._shoe.geometry, Random(6))
        self._window = Window(reader_of(deck, STANDARD_VIEW))
        self._journal = open_journal(self._folder / "journal.sqlite3")
        self._controller = Controller(
            self._journal, load_profile(_PROFILE), start="round", outputs=[Lights(self._board)]
        )
        self._lookout = Lookout(lambda: LiveCamera(self._shoe), self._window)
        self._stop = threading.Event()
        senses = Senses(self._board, self._window)
        self._loop = threading.Thread(
            target=turn_until, args=(self._controller, senses, MonotonicClock(), self._stop)
        )

    def __enter__(self) -> RealTimeTable:
        self._lookout.start()
        self._loop.start()
        time.sleep(1.0)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._loop.join()
        self._lookout.stop()
        self._controller.stop()
        self._parts.close()

    def deal(self, seconds: float) -> Iterator[float]:
        """Deal for so long; the way from each card to its lamp or lock, where there was one."""
        rng = Random(8)
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if self._controller.view("record")["phase"] in ("result", "ruling"):
                self._go_on()
                continue
            self._board.sent_us.clear()
            drawn = self._controller.table.shoe.drawn
            passings = self._hand.card(rng.choice(DECK), self._shoe.soon_us())
            self._shoe.move(passings)
            self._wait_until_noticed(drawn)
            decided_us = _last_edge_of(passings, self._shoe.geometry)
            yield from ((sent_us - decided_us) / 1e3 for sent_us in self._board.sent_us[:1])

    def _wait_until_noticed(self, drawn: int) -> None:
        gives_up = time.monotonic() + _NOTICED_WITHIN_S
        while self._controller.table.shoe.drawn == drawn and time.monotonic() < gives_up:
            time.sleep(0.005)
        time.sleep(_COMMANDS_LEFT_S)

    def _go_on(self) -> None:
        stopped = self._controller.view("record")["phase"] == "ruling"
        self._controller.submit(Ruled(ruling="void") if stopped else TableCleared()).result()


class LiveProcess:
    """``sabot live --sim`` in a process of its own, on a journal of ten shoes."""

    def __init__(self, folder: Path) -> None:
        journal = folder / "journal.sqlite3"
        write_history(journal, rounds=_SHOES * _ROUNDS_PER_SHOE, snapshot=True)
        self._config = folder / "table.toml"
        self._config.write_text(
            f"[table]\nrules = '{_PROFILE}'\n[journal]\nfile = '{journal}'\n[screens]\nport = 0\n"
        )

    def start(self) -> float:
        """Seconds from the start of the process to the first page served."""
        began = time.perf_counter()
        self._process = subprocess.Popen(
            [Path(sys.executable).with_name("sabot"), "live", "--sim", "--config", self._config],
            stdout=subprocess.PIPE,
            text=True,
        )
        self._address = self._told_address()
        urllib.request.urlopen(self._address, timeout=10).close()
        return round(time.perf_counter() - began, 2)

    def resident_megabytes(self) -> float:
        """Megabytes in memory after some rounds, two screens following the table."""
        followed = [urllib.request.urlopen(f"{self._address}{path}") for path in _STREAMS]
        time.sleep(_SETTLES_S)
        for stream in followed:
            stream.close()
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        kilobytes = int(status.split("VmRSS:")[1].split()[0])
        return round(kilobytes * 1024 / _MEGABYTE, 1)

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(timeout=10)

    def _told_address(self) -> str:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("dealer"):
                return line.split()[1].rstrip("/")
        raise InputError("sabot live did not start: try it by itself to see why")


def _last_edge_of(passings: tuple[Passing, ...], geometry: Geometry) -> int:
    """When the end of the card leaves the first beam: no later edge or frame is waited for."""
    return max(edge.at_us for edge in beam_edges(passings, geometry) if edge.beam == "M1")

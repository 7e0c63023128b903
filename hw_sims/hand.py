"""How a dealer's hand moves a card: draws of every temper, as motions of :mod:`hw_sims.shoe`."""

from __future__ import annotations

from random import Random

from hw_sims.shoe import RESTING_MM, Geometry, Knot, Motion

SLOWEST_MM_PER_S = 100.0
FASTEST_MM_PER_S = 1000.0


class HandTrack:
    """A motion in the making: go a way at a speed, stop, go on. ``place_mm``: so far it leads."""

    def __init__(self, rng: Random, starts_us: float, from_mm: float) -> None:
        self._rng = rng
        self._from_mm = from_mm
        self._knots = [Knot(starts_us, 0.0)]
        self.place_mm = from_mm

    def change_to(self, mm_per_s: float, way_mm: float) -> None:
        """Reach a speed within about ``way_mm``."""
        mean = (abs(self._knots[-1].mm_per_s) + abs(mm_per_s)) / 2
        self._add(mm_per_s, way_mm / max(mean, 1.0))

    def go_to(self, place_mm: float) -> None:
        """Go on to a place at a speed that wavers as a hand's does."""
        speed = self._knots[-1].mm_per_s
        stretch_mm = (place_mm - self.place_mm) / 3
        if stretch_mm * speed <= 0:
            return
        for _ in range(3):
            wavering = speed * self._rng.uniform(0.9, 1.1)
            self._add(wavering, stretch_mm / ((self._knots[-1].mm_per_s + wavering) / 2))

    def stop(self, seconds: float, way_mm: float = 2.0) -> None:
        """Come to rest and stay so."""
        self.change_to(0.0, way_mm)
        self._add(0.0, seconds)

    def motion(self) -> Motion:
        """All of it so far."""
        return Motion(self._knots, self._from_mm)

    def _add(self, mm_per_s: float, seconds: float) -> None:
        last = self._knots[-1]
        self.place_mm += (last.mm_per_s + mm_per_s) / 2 * seconds
        self._knots.append(Knot(last.at_us + seconds * 1e6, mm_per_s))


def draw(
    rng: Random,
    starts_us: float,
    geometry: Geometry,
    *,
    mm_per_s: float | None = None,
    from_mm: float = RESTING_MM,
) -> Motion:
    """An ordinary draw, 0.1 to 1 m/s, right out of the shoe."""
    speed = mm_per_s or any_speed(rng)
    track = HandTrack(rng, starts_us, from_mm)
    track.change_to(speed, rng.uniform(1.0, 8.0))
    track.go_to(geometry.gone_mm)
    track.stop(0.0)
    return track.motion()


def hesitating_draw(rng: Random, starts_us: float, geometry: Geometry) -> Motion:
    """A draw that slows down, stops or even goes back some way, and then goes on."""
    track = HandTrack(rng, starts_us, RESTING_MM)
    speed = any_speed(rng)
    track.change_to(speed, 4.0)
    track.go_to(rng.uniform(8.0, geometry.beam_gap_mm + 8.0))
    match rng.randrange(3):
        case 0:
            track.change_to(rng.uniform(20.0, 60.0), 3.0)
            track.go_to(rng.uniform(8.0, geometry.card_depth_mm))
        case 1:
            track.stop(rng.uniform(0.05, 1.5))
        case _:
            track.stop(rng.uniform(0.0, 0.3))
            _go_back_some_way(track, rng)
    track.change_to(any_speed(rng), 4.0)
    track.go_to(geometry.gone_mm)
    track.stop(0.0)
    return track.motion()


def _go_back_some_way(track: HandTrack, rng: Random) -> None:
    """By one to six millimetres: less than would uncover a beam for good."""
    track.change_to(-rng.uniform(20.0, 80.0), 1.0)
    track.stop(rng.uniform(0.0, 0.2), rng.uniform(0.5, 5.0))


def half_draw(rng: Random, starts_us: float, geometry: Geometry) -> Motion:
    """A card comes half way and stays; M2 is not reached."""
    track = HandTrack(rng, starts_us, RESTING_MM)
    track.change_to(rng.uniform(100.0, 400.0), 3.0)
    track.go_to(rng.uniform(0.3, 0.8) * geometry.beam_gap_mm)
    track.stop(0.0)
    return track.motion()


def push_back(rng: Random, starts_us: float, from_mm: float) -> Motion:
    """A half-drawn card goes back to where the next card lies."""
    track = HandTrack(rng, starts_us, from_mm)
    track.change_to(-rng.uniform(100.0, 400.0), 3.0)
    track.go_to(RESTING_MM + 1.0)
    track.stop(0.0, 1.0)
    return track.motion()


def any_speed(rng: Random) -> float:
    """Most draws are about 0.4 m/s; all lie between 0.1 and 1."""
    return min(FASTEST_MM_PER_S, max(SLOWEST_MM_PER_S, rng.lognormvariate(6.0, 0.45)))

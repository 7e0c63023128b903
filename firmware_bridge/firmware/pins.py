"""Which wire goes to which pin of the Pico: the source of the table in ``docs/build.md``."""

# Name, GPIO, level that means "covered", "open", "on" or "down", and how long it must stand (us).
# A broken wire reads high: beam covered, lid open, key off, button up.
INPUTS = (
    ("beam_m1", 2, 1, 200),
    ("beam_m2", 3, 1, 200),
    ("lid", 4, 1, 5_000),
    ("key", 5, 0, 5_000),
    ("button_player", 6, 0, 5_000),
    ("button_banker", 7, 0, 5_000),
    ("button_tie", 8, 0, 5_000),
    ("button_turned", 9, 0, 5_000),
    ("button_next_round", 10, 0, 5_000),
    ("button_call", 11, 0, 5_000),
)
LAMPS = (
    ("player", 12),
    ("banker", 13),
    ("tie", 14),
    ("draw_player", 15),
    ("draw_banker", 16),
    ("alert", 17),
    ("shuffle", 18),
)
LOCK = 19
# Both on one PWM slice: same rate, same phase.
LIGHT = 20
TRIGGER = 21
BUZZER = 22
ON_BOARD_LED = 25

"""The firmware's version, and the check value of its sources, which ``sabot flash`` writes."""

VERSION = (0, 1, 0)
BUILD = 0

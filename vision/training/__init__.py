"""How the reader's networks are made: pictures that the project draws itself, then training.

Nothing here runs at the table. ``script/train-reader`` calls it in an environment of its own.
"""

"""What holds for every test."""

import os

from hypothesis import settings

# A busy machine is no failure; speed is measured by sabot bench.
# In CI the examples are the same each time: a find there must be of the change.
settings.register_profile("sabot", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("sabot")

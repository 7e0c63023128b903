"""What holds for every test."""

from hypothesis import settings

# A busy machine is no failure; speed is measured by sabot bench.
settings.register_profile("sabot", deadline=None)
settings.load_profile("sabot")

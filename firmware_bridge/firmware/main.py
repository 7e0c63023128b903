"""What the Pico starts with: the shoe, or once the prompt, when it was asked to stay there."""

import os

from firmware_bridge.firmware.shoe import STAY, run

if STAY in os.listdir():
    os.remove(STAY)
else:
    run()

"""The Pico's program: MicroPython for the RP2040. Nothing of it runs on the Pi."""

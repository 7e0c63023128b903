"""MicroPython's raw prompt for mpremote, on the unix port, which has none: input is executed here.

Run by the unix port with a pseudo-terminal as input and output; files land in the working folder.
"""

import io
import sys

END, RAW, ORDINARY, INTERRUPT, PASTE = b"\x04", b"\x01", b"\x02", b"\x03", b"\x05"
BANNER = b"raw REPL; CTRL-B to exit\r\n>"
names = {"__name__": "__main__"}


def run(code):
    try:
        exec(code.decode(), names)
        return b""
    except SystemExit:
        raise
    except BaseException as error:
        text = io.StringIO()
        sys.print_exception(error, text)
        return text.getvalue().encode()


def write(data):
    sys.stdout.buffer.write(data)


def main():
    code = b""
    while True:
        byte = sys.stdin.buffer.read(1)
        if not byte:
            return
        if byte == RAW:
            code = b""
            write(BANNER)
        elif byte in (ORDINARY, INTERRUPT):
            code = b""
        elif byte == PASTE:
            sys.stdin.buffer.read(2)
            write(b"R\x00")
        elif byte != END:
            code += byte
        elif not code:
            write(b"OK\r\nMPY: soft reboot\r\n" + BANNER)
        else:
            write(b"OK")
            failed = run(code)
            code = b""
            write(END + failed + END + b">")


main()

"""Runs in place of the browser that chromedriver starts: hands chromedriver's ends of the DevTools pipe to Walker over a Unix socket,
takes two others for them, and becomes the browser. A program of its own (`python -I -S`), as short as it can be: `protocol_tap`."""

import os
import socket
import sys

FROM_DRIVER, TO_DRIVER = 3, 4
"""Where a browser that is started with --remote-debugging-pipe finds its pipe."""


def become_browser(place: str, *command: str) -> None:
    """Exchange the pipes with whoever listens at `place`, and run the command as this process."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as tap:
        tap.connect(place)
        socket.send_fds(tap, [b"."], [FROM_DRIVER, TO_DRIVER])
        _, (commands, answers), _, _ = socket.recv_fds(tap, 1, 2)
    os.dup2(commands, FROM_DRIVER)
    os.dup2(answers, TO_DRIVER)
    os.execv(command[0], command)  # noqa: S606 - the browser that Walker has found


if __name__ == "__main__":
    become_browser(*sys.argv[1:])

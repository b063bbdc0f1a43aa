"""Tells the supervisor how the process is doing, in the words of systemd's notify protocol."""

import contextlib
import os
import socket

VARIABLE = "NOTIFY_SOCKET"


def notify(message: str) -> None:
    """Sends one datagram to the socket that NOTIFY_SOCKET names: `READY=1`, `STATUS=...`, `STOPPING=1`.

    Does nothing without a supervisor, and nothing when it does not listen any more: a service outlives that.
    """
    address = os.environ.get(VARIABLE)
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.setblocking(False)
        channel.sendto(message.encode(), address)

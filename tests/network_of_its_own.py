"""Runs commands in a network namespace with nothing but loopback and a tunnel that leads into this program, and prints what they
would have sent out.

usage: python network_of_its_own.py COMMAND...      one shell command an argument, one after the other
Prints a JSON object: `codes`, the exit code of each, and `sent`, what was to leave the machine: host names that were asked for, else
address and port. Needs Linux, iproute2 and the right to make namespaces.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x20000, 0x10000000, 0x40000000
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
TUNNEL = "out"
TCP, UDP, DNS = 6, 17, 53


def open_tunnel() -> int:
    """A namespace whose every way out is the file that is returned: reading it gives the packets."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET | CLONE_NEWNS | (0 if os.geteuid() == 0 else CLONE_NEWUSER)):
        raise OSError(ctypes.get_errno(), "no network namespace can be made")
    tunnel = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tunnel, TUNSETIFF, struct.pack("16sH22s", TUNNEL.encode(), IFF_TUN | IFF_NO_PI, b""))
    Path("resolv.conf").write_text("nameserver 192.0.2.53\noptions timeout:1 attempts:1\n", encoding="utf-8")
    for command in (
        "ip link set lo up",
        f"ip link set {TUNNEL} up",
        f"ip addr add 192.0.2.1/24 dev {TUNNEL}",
        f"ip route add default dev {TUNNEL}",
        "mount --make-rprivate /",
        "mount --bind resolv.conf /etc/resolv.conf",
    ):
        subprocess.run(command.split(), check=True)
    return tunnel


def place_of(packet: bytes) -> str:
    """Where an IPv4 packet was to go: the name that it asks for, else address and port; "" for what the kernel sends by itself."""
    if packet[0] >> 4 != 4:
        return ""  # IPv6 has no route here: what the kernel says to its neighbours
    header = (packet[0] & 15) * 4
    protocol, address = packet[9], socket.inet_ntoa(packet[16:20])
    if protocol not in (TCP, UDP):
        return f"{address} (protocol {protocol})"
    (port,) = struct.unpack("!H", packet[header + 2 : header + 4])
    return name_in(packet[header + 8 :]) if protocol == UDP and port == DNS else f"{address}:{port}"


def name_in(question: bytes) -> str:
    """The name that a DNS question is for (RFC 1035, section 4.1)."""
    labels, at = [], 12
    while at < len(question) and question[at]:
        labels.append(question[at + 1 : at + 1 + question[at]].decode("ascii", "replace"))
        at += 1 + question[at]
    return ".".join(labels)


def main() -> None:
    """Run the commands, then print."""
    tunnel, sent = open_tunnel(), set[str]()

    def read() -> None:
        with contextlib.suppress(OSError):
            while packet := os.read(tunnel, 65536):
                sent.add(place_of(packet))

    threading.Thread(target=read, daemon=True).start()
    codes = [
        subprocess.run(["/bin/sh", "-c", command], check=False, stdout=sys.stderr).returncode
        for command in sys.argv[1:]
    ]
    sys.stdout.write(json.dumps({"codes": codes, "sent": sorted(sent - {""})}) + "\n")


if __name__ == "__main__":
    main()

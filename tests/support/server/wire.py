"""Clients that speak HTTP byte by byte, and what the operating system says of a server."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.waiting import PATIENCE


def dial(url: str) -> socket.socket:
    """Return a connection to the server at `url`."""
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname or "", parts.port or 80), timeout=PATIENCE)


def send_chunks(url: str, path: str, chunk: bytes, count: int) -> tuple[int, bytes]:
    """Post `count` chunks of an unannounced length; return how many were taken, and the answer."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    framed = b"%x\r\n%b\r\n" % (len(chunk), chunk)
    taken = 0
    with dial(url) as connection:
        try:
            connection.sendall(head.encode())
            while taken < count:
                connection.sendall(framed)
                taken += 1
            connection.sendall(b"0\r\n\r\n")
        except OSError:
            pass  # cut in the middle; the answer came before
        return taken, read_some(connection)


def read_some(connection: socket.socket) -> bytes:
    """Return what the server sends until it closes, resets, or is silent for long."""
    parts: list[bytes] = []
    try:
        while data := connection.recv(65536):
            parts.append(data)
            if b"}" in data:
                break
    except OSError:
        pass
    return b"".join(parts)


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(pid: int) -> int:
    """Return the most bytes that a process has had in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) * 1024


def close_all(connections: Iterable[socket.socket]) -> None:
    for connection in connections:
        connection.close()

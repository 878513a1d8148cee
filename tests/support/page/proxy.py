"""A TCP proxy that fails on command: it cuts every connection, or lets no WebSocket pass."""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Proxy:
    """Forwards a loopback port of its own to the server at `url`."""

    def __init__(self, url: str, *, no_sockets: bool = False) -> None:
        target = urlsplit(url)
        self._target = (target.hostname or "", target.port or 80)
        self._no_sockets = no_sockets
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.refused = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> int:
        """Break every connection at once; answers how many."""
        with self._lock:
            broken = list(self._open)
        for end in broken:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        return len(broken) // 2

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                viewer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(viewer,), daemon=True).start()

    def _serve(self, viewer: socket.socket) -> None:
        try:
            server = socket.create_connection(self._target)
        except OSError:
            viewer.close()
            return
        with self._lock:
            self._open |= {viewer, server}
        back = threading.Thread(target=self._pipe, args=(server, viewer), daemon=True)
        back.start()
        self._pipe(viewer, server)
        back.join()
        with self._lock:
            self._open -= {viewer, server}
        viewer.close()
        server.close()

    def _pipe(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if self._no_sockets and b"upgrade: websocket" in data.lower():
                    self.refused += 1
                    break
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

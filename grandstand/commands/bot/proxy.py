"""The address that a checked program is started with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from grandstand.commands.bot.exam import Exam
from grandstand.commands.bot.server import HttpAnswer, HttpRequest, problem


class Handler(BaseHTTPRequestHandler):
    """One connection of the program."""

    protocol_version = "HTTP/1.1"
    server: Proxy

    def answer(self) -> None:
        """HttpAnswer the request, or close the connection."""
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            self._send(problem(411, "send the request with a Content-Length"))
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        answer = self.server.exam.handle(HttpRequest(self.command, self.path, dict(self.headers.items()), body))
        if answer is None:
            self.close_connection = True
        else:
            self._send(answer)

    do_GET = do_POST = do_PUT = answer

    def _send(self, answer: HttpAnswer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None: ...


class Proxy(ThreadingHTTPServer):
    """Passes the requests of the program to the check."""

    daemon_threads = True

    def __init__(self, exam: Exam, host: str, port: int) -> None:
        super().__init__((host, port), Handler)
        self.exam = exam

    @property
    def url(self) -> str:
        """Return the address for the program."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a program that has closed its connection."""


@contextmanager
def proxy(exam: Exam, host: str, port: int) -> Iterator[Proxy]:
    """Listen at `host` and `port` until the block ends; port 0 is a free one. Raise OSError."""
    server = Proxy(exam, host, port)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()

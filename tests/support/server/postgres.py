"""A real server of PostgreSQL in a temporary folder, without durability, and databases of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.requirements import package, program

REMEDY = "run scripts/setup/scale"


class Postgres:
    """A running server, whose only superuser is `grandstand`."""

    def __init__(self, folder: Path, command: Sequence[str], user: str | None) -> None:
        self._folder = folder
        self._command = command
        self._user = user
        self._databases = 0

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, user=self._user, stderr=log, cwd="/", start_new_session=True
            )
        _wait_for(self, self._process, self._folder)

    def kill(self) -> None:
        """End it and all its processes at once; what is committed is kept."""
        self.signal(signal.SIGKILL)
        self._process.wait()

    def ended(self) -> bool:
        """Return whether it does not run."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """End it in its orderly way."""
        self.signal(signal.SIGCONT)
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(10)

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database."""
        return f"postgresql://grandstand@/{database}?host={self._folder}"

    def database(self) -> str:
        """Create an empty database and return its URL."""
        name = f"test{self._databases}"
        self._databases += 1
        psycopg = package("psycopg")
        with psycopg.connect(self.url(), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the server and to all its processes."""
        for group in (self._process.pid, *_groups_below(self._process.pid)):
            with suppress(ProcessLookupError):
                os.killpg(group, number)


def _groups_below(parent: int) -> set[int]:
    """Return the process groups of the children of `parent`: the server gives each a group of its own."""
    groups = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            groups.add(int(fields[2]))
    return groups


@contextmanager
def postgres_server(place: Path | None = None) -> Iterator[Postgres]:
    """Run a server for the block, with its data in a new folder of `place`."""
    package("psycopg")
    binaries = _binaries()
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=place))
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    new = [f"{binaries}/initdb", "--pgdata", str(data), "--username=grandstand", "--auth=trust", "--no-sync"]
    subprocess.run([*new, "--encoding=UTF8", "--locale=C"], check=True, user=user, stdout=subprocess.DEVNULL, cwd="/")
    settings = {"listen_addresses": "", "unix_socket_directories": folder, "fsync": "off", "max_connections": 60}
    flags = [flag for name, value in settings.items() for flag in ("-c", f"{name}={value}")]
    server = Postgres(folder, [f"{binaries}/postgres", "-D", str(data), *flags], user)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def _binaries() -> Path:
    """Return the folder of the server's programs: Debian keeps them out of PATH, one folder a version."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else Path(program("postgres", remedy=REMEDY)).parent


def _wait_for(server: Postgres, process: subprocess.Popen[bytes], folder: Path) -> None:
    psycopg = package("psycopg")
    for _ in range(200):
        try:
            psycopg.connect(server.url()).close()
            return
        except psycopg.OperationalError:
            if process.poll() is not None:
                break
            time.sleep(0.05)
    raise RuntimeError(f"PostgreSQL did not start: {(folder / 'log').read_text()[-2000:]}")

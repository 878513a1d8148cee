"""The modules that a command imports."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.support.live_server import ROOT


def modules_after(*arguments: str) -> set[str]:
    """The modules that a run of the command leaves imported."""
    program = (
        "import json, sys\n"
        "from grandstand.main import app\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stderr.splitlines()[-1]))

"""`server.app:app`, the address that OpenEnv's tools and plain ASGI servers expect."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.live_server import ROOT

LOAD = """
import json, os, sys
from collections import defaultdict
import server.app
started = os.path.exists(os.environ["GRANDSTAND_DATA"])
app = server.app.app
names = defaultdict(list)
for name, module in list(sys.modules.items()):
    file = getattr(module, "__file__", None)
    if file and file.endswith(".py") and os.path.getsize(file) and name != "__main__":
        names[os.path.realpath(file)].append(name)
print(json.dumps({
    "started": started,
    "app": type(app).__name__,
    "same": server.app.app is app,
    "loaded": "grandstand.server.main" in sys.modules and "grandstand.models" in sys.modules,
    "twice": {file: names for file, names in names.items() if file.startswith(os.getcwd() + os.sep) and len(names) > 1
              and ".venv" not in file},
}))
"""


def test_importing_it_starts_nothing_and_the_app_loads_no_module_under_two_names(tmp_path: Path) -> None:
    env = {**os.environ, "GRANDSTAND_DATA": str(tmp_path / "data"), "GRANDSTAND_SHOWCASE": "none"}
    done = subprocess.run([sys.executable, "-c", LOAD], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"started": False, "app": "App", "same": True, "loaded": True, "twice": {}}

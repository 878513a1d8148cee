"""A server that publishes one match without end until it is killed: `python -m tests.support.publisher RECORD`.

Started again on the same record, it goes on with the next event in a new epoch.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from grandstand.models import Draft
from grandstand.spectator.bus import new_epoch
from tests.support.stand import Stand, opening, press

EPISODE = "endless"


def main(path: Path) -> None:
    with Stand(path) as stand:
        count = stand.call(lambda: sum(1 for _ in stand.recorder.events(EPISODE)))
        stand.call(stand.bus.open, EPISODE, new_epoch(), count)
        if not count:
            stand.publish(EPISODE, *opening())
        print(stand.port, flush=True)  # noqa: T201
        for number in range(1_000_000):
            stand.publish(EPISODE, Draft("Said", {"number": number, "text": "x" * (number % 700)}), press("secret"))
            time.sleep(0.0005)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

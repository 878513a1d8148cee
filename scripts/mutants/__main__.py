"""The commands of the mutation study."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

from scripts.mutants import __doc__ as description
from scripts.mutants.draw import draw, write
from scripts.mutants.reach import measured
from scripts.mutants.run import MARKS, Study, run
from scripts.mutants.table import table


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m scripts.mutants", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    drawing = verbs.add_parser("draw", help="draw mutants at random")
    drawing.add_argument("--seed", type=int, required=True)
    drawing.add_argument("--count", type=int, required=True)
    drawing.add_argument("--out", type=Path, required=True, help="the folder of the study")
    running = verbs.add_parser("run", help="offer them to the tests")
    running.add_argument("--in", type=Path, required=True, dest="folder", help="the folder of the study")
    running.add_argument("--first", type=int, default=1, help="the first mutant to offer, by its line in mutants.jsonl")
    running.add_argument("--last", type=int, default=None, help="the last one")
    running.add_argument("--tests", choices=[*MARKS, "all"], default="all")
    running.add_argument(
        "--limit",
        type=float,
        default=120,
        help="CPU seconds for each mutant, in each phase; twice as many by the clock",
    )
    running.add_argument("--jobs", type=int, choices=[1, 2], default=1, help="mutants at a time")
    running.add_argument("--seconds", type=Path, help="a JUnit report of the tests, by which quick files are first")
    printing = verbs.add_parser("table", help="print the results as Markdown")
    printing.add_argument("--in", type=Path, required=True, dest="folder", help="the folder of the study")
    options = parser.parse_args()
    if options.verb == "draw":
        write(draw(options.seed, options.count), options.out)
    elif options.verb == "run":
        study = Study(options.folder, options.limit, measured(options.seconds) if options.seconds else {})
        phases = list(MARKS) if options.tests == "all" else [options.tests]
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        run(study, phases, options.first, options.last, options.jobs)
    else:
        print(table(options.folder))


if __name__ == "__main__":
    main()

"""Count how often spin bowls each over where invented sides choose naturally, for every length of match.

    python scripts/cricket/spin.py

Writes games/cricket/data/spin.json, which the chances of winning are worked out from. Run it after anything that
changes who is chosen to bowl: the sides, the quotas, the ball model's `spin_by_over`.
"""

from __future__ import annotations

import json

from grandstand.games.cricket.laws.rules import CONDITIONS, format_rules, super_over_rules
from grandstand.games.cricket.model.average import SPIN_FILE, SPIN_TRIALS, count_spin
from grandstand.games.cricket.model.ball_model import ERAS


def main() -> None:
    lines = []
    for era in ERAS:
        for conditions in dict.fromkeys(format_rules(20, name).league for name in CONDITIONS):
            lengths = [format_rules(overs, conditions) for overs in range(1, 51)]
            counts = [count_spin(era, rules) for rules in (super_over_rules(conditions), *lengths)]
            lines.append(f'"{era} {conditions}": {json.dumps(counts, separators=(",", ":"))}')
    SPIN_FILE.write_text('{"trials": %d,\n%s}\n' % (SPIN_TRIALS, ",\n".join(lines)), encoding="utf-8")  # noqa: UP031
    print(f"{SPIN_FILE}: {SPIN_FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()

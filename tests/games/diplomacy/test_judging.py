"""Judging positions by command: JSON lines in, JSON lines out, and a bad line, however bad, does not end the run."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

import pytest

from grandstand.games.diplomacy.rules.map import POWERS, UNITS
from grandstand.games.diplomacy.rules.state import State
from tests.support.live_server import ROOT

POSITION = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
}
GOOD = json.dumps(POSITION).encode()


def adjudicate(*lines: bytes) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-m", "grandstand.games.diplomacy"],
        cwd=ROOT,
        input=b"".join(line + b"\n" for line in lines),
        capture_output=True,
        check=True,
    )
    assert not done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_bounce_and_a_bad_line() -> None:
    unknown = json.dumps(POSITION | {"units": {"PERU": ["A PAR"]}}).encode()
    bounce, broken, unknown_power, again = adjudicate(GOOD, b"{not json", unknown, GOOD)
    assert bounce["results"] == {"A PAR": ["bounce"], "A MUN": ["bounce"]}
    assert bounce["phase"] == "F1901M"
    assert bounce["units"]["FRANCE"] == ["A PAR"]
    assert broken["error"].startswith("line: not JSON")
    assert "PERU" in unknown_power["error"]
    assert again == bounce


DEEP = b"[" * 2000 + b"]" * 2000
BAD = {
    "an integer of more digits than Python reads": (b'{"phase": ' + b"9" * 5000 + b"}", "phase: "),
    "such an integer within": (
        b'{"phase": "S1901M", "units": {"FRANCE": [' + b"9" * 5000 + b"]}}",
        "units.FRANCE[0]: ",
    ),
    "nested too deeply": (b'{"phase": ' + DEEP + b"}", "line: nested too deeply"),
    "nested too deeply to be read at all": (b"[" * 200_000, "line: nested too deeply"),
    "no UTF-8": (b'{"phase": "\xff"}', "line: not UTF-8 at byte 12"),
    "UTF-16": (json.dumps(POSITION).encode("utf-16"), "line: not UTF-8 at byte 1"),
    "a lone surrogate": (b'{"phase": "S1901M\\ud800"}', "phase: "),
    "a lone surrogate in a key": (b'{"phase": "S1901M", "units": {"\\ud800": []}}', "units.\\ud800: "),
    "a control character": (b'{"phase": "\x1b[2J"}', "line: not JSON"),
    "an escaped control character": (b'{"phase": "\\u001b[2J\\u202e"}', "phase: "),
    "not a number": (b'{"phase": NaN}', "phase: nan"),
    "infinity": (b'{"phase": "S1901M", "units": Infinity}', "units: "),
    "a list": (b"[]", "line: must be an object"),
    "a string": (b'"S1901M"', "line: must be an object"),
    "a null": (b"null", "line: must be an object"),
    "a list for an object": (b'{"phase": "S1901M", "units": []}', "units: "),
    "an object for a list": (b'{"phase": "S1901M", "units": {"FRANCE": {}}}', "units.FRANCE: "),
    "a huge line": (b'{"phase": "' + b"S" * 5_000_000 + b'"}', "phase: "),
    "orders of a wrong type": (json.dumps(POSITION | {"orders": {"FRANCE": [1]}}).encode(), "orders.FRANCE[0]: "),
}


def test_every_bad_line_is_answered_by_the_field_at_fault() -> None:
    lines = [line for bad, _ in BAD.values() for line in (bad, GOOD)]
    answers = adjudicate(*lines)
    assert len(answers) == len(lines)
    assert all(answer["phase"] == "F1901M" for answer in answers[1::2]), "the lines between are judged as ever"
    for answer, (name, (_, begins)) in zip(answers[::2], BAD.items(), strict=True):
        assert answer["error"].startswith(begins), name
        assert len(answer["error"]) < 500, name
        assert answer["error"].isprintable(), name


def test_a_byte_order_mark_is_no_fault_and_blank_lines_are_passed_over() -> None:
    assert [answer["phase"] for answer in adjudicate(b"\xef\xbb\xbf" + GOOD + b"\r", b"  ", GOOD)] == ["F1901M"] * 2


WRONG: tuple[Any, ...] = (
    None,
    True,
    1.5,
    float("nan"),
    10**50,
    "",
    "\ud800",
    "\u202e",
    [],
    {},
    [[]],
    {"a": 1},
    ["A PAR", None],
)


def mutated(value: Any, rng: Random) -> Any:
    """`value` with a few of its parts replaced, renamed, removed or added to."""
    if rng.random() < 0.08:
        return rng.choice(WRONG)
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if rng.random() > 0.03}
        names = {key: rng.choice(("", "ß", "\ud800", *POWERS)) if rng.random() < 0.04 else key for key in kept}
        return {names[key]: mutated(part, rng) if rng.random() < 0.3 else part for key, part in kept.items()}
    if isinstance(value, list):
        more = [rng.choice(UNITS)] if rng.random() < 0.3 else []
        return [mutated(part, rng) if rng.random() < 0.2 else part for part in value] + more
    return value


def random_line(rng: Random, position: dict[str, Any]) -> bytes:
    kind = rng.random()
    orders = {
        power: [f"{unit} {rng.choice(('H', f'- {rng.choice(UNITS)[2:]}', f'S {rng.choice(UNITS)}'))}" for unit in units]
        for power, units in position["units"].items()
    }
    phase = rng.choice(("S1901M", "F1901M", "W1901A", "S1901R", "F9999M"))
    ordered = position | {"orders": orders, "phase": phase}
    if kind < 0.4:
        return json.dumps(mutated(ordered, rng)).encode()
    if kind < 0.6:
        return json.dumps(ordered | {"centers": {}}).encode()
    if kind < 0.8:
        line = bytearray(json.dumps(ordered).encode())
        for _ in range(rng.randrange(1, 4)):
            line[rng.randrange(len(line))] = rng.randrange(256)
        return bytes(line).replace(b"\n", b" ")
    if kind < 0.9:
        return json.dumps(ordered).encode()[: rng.randrange(1, 500)]
    return rng.choice([bad for bad, _ in BAD.values() if len(bad) < 20_000])


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_five_thousand_random_lines_have_as_many_answers(seed: int) -> None:
    rng, start = Random(seed), State.start().to_json()
    lines = [random_line(rng, start) for _ in range(2500)]
    answers = adjudicate(*lines)
    assert len(answers) == len(lines)
    assert sum("error" in answer for answer in answers) > 500
    assert sum("results" in answer for answer in answers) > 500
    for answer in answers:
        assert set(answer) in ({"error"}, {"phase", "units", "retreats", "centers", "results"})

"""The progress of a run: in a terminal, in a pipe, for a program."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.progress import QUIET_SECONDS, WIDTH, RunProgress, sparkline

METRICS = {
    "benchmark/reward_mean": 0.5,
    "kl/mean": 0.0123,
    "kl/max": 1.5,
    "policy/entropy_mean": 1.25,
    "ppo/clip_fraction": 0.031,
    "benchmark/tokens_per_s": 5200.4,
    "benchmark/rollout_time_s": 2.13,
    "benchmark/training_time_s": 0.94,
}
EVALUATED = METRICS | {"eval/vs_base/gain": 0.0312, "eval/vs_base/ci95": 0.012, "eval/vs_base/mean": 0.2}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("NO_COLOR", "TTY_INTERACTIVE", "TTY_COMPATIBLE", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Terminal()


def stepped(step: int, metrics: dict[str, float]) -> StepMetrics:
    return StepMetrics(step, metrics)


def rendered(progress: RunProgress) -> str:
    """The panel as it stands, each space once."""
    console = Console(file=io.StringIO(), width=100, color_system=None)
    console.print(progress._panel())
    assert isinstance(console.file, io.StringIO)
    return "\n".join(" ".join(line.strip("│").split()) for line in console.file.getvalue().splitlines())


def test_a_pipe_is_told_at_once_what_goes_on_and_again_where_that_is_long() -> None:
    out, now = io.StringIO(), [1000.0]
    with RunProgress("run", 20, out=out, clock=lambda: now[0]) as progress:
        for number in range(1, 31):
            progress.doing("playing matches to clone from", number, 120)
            now[0] += 1.0
        progress.step(stepped(1, {"kl/mean": 0.5}))
        progress.doing("playing step 2", 1, 96)
        now[0] += QUIET_SECONDS
        progress.doing("playing step 2", 2, 96)
        progress.doing("learning from step 2")
    assert out.getvalue().splitlines() == [
        "playing matches to clone from 1/120",
        "playing matches to clone from 11/120",
        "playing matches to clone from 21/120",
        "step 1/20: kl 0.5000",
        "playing step 2 2/96",
    ]


def test_a_pipe_gets_a_line_for_every_step() -> None:
    out = io.StringIO()
    with RunProgress("run", 20, out=out) as progress:
        progress.step(stepped(1, METRICS))
        progress.step(stepped(2, EVALUATED))
        progress.step(stepped(3, {"kl/mean": 0.5}))
    first = (
        "step 1/20: reward +0.500, kl 0.0123, kl max 1.500, entropy 1.250, clipped 3.1%, tokens/s 5,200, play 2.1 s, "
        "learn 0.9 s"
    )
    second = first.replace("1/20", "2/20") + ", vs base +0.0312 ± 0.0120 at step 2"
    assert out.getvalue().splitlines() == [first, second, "step 3/20: kl 0.5000"]


def test_a_program_gets_an_object_for_every_step() -> None:
    out = io.StringIO()
    with RunProgress("run", 20, as_json=True, out=out) as progress:
        progress.doing("playing", 1, 2)
        progress.step(stepped(1, EVALUATED))
        progress.step(stepped(2, {"kl/mean": 0.5}))
    first, second = map(json.loads, out.getvalue().splitlines())
    assert first == {"step": 1, "version": 1, **EVALUATED}
    assert second == {"step": 2, "version": 2, "kl/mean": 0.5}


def test_a_program_gets_lines_in_a_terminal_too(terminal: Terminal) -> None:
    with RunProgress("run", 20, as_json=True, out=terminal) as progress:
        progress.step(stepped(1, METRICS))
    assert json.loads(terminal.getvalue())["kl/mean"] == 0.0123


def test_a_terminal_gets_a_panel(terminal: Terminal) -> None:
    with RunProgress("nano-diplomacy", 20, out=terminal) as progress:
        for step in range(1, 6):
            progress.step(stepped(step, EVALUATED | {"benchmark/reward_mean": step / 4}))
        progress.doing("playing step 6", 34, 96)
        panel = rendered(progress)
    for message in (
        "─ nano-diplomacy ",
        "step 5/20",
        "reward +1.250 ▁▃▅▆█",
        "vs base +0.0312 ± 0.0120 at step 5",
        "playing step 6 34/96",
    ):
        assert message in panel
    assert "nano-diplomacy" in terminal.getvalue()
    assert "playing" not in rendered(progress), "over"


def test_the_last_evaluation_stays(terminal: Terminal) -> None:
    progress = RunProgress("run", 20, out=terminal)
    progress.step(stepped(1, EVALUATED | {"eval/vs_field/gain": -0.5}))
    progress.step(stepped(2, METRICS))
    assert "vs base +0.0312 ± 0.0120 at step 1" in rendered(progress)
    assert "vs field -0.5000 at step 1" in rendered(progress)


def test_the_time_left_is_by_the_pace_of_this_process(terminal: Terminal) -> None:
    now = [1000.0]
    progress = RunProgress("run", 20, done=10, out=terminal, clock=lambda: now[0])
    assert progress.left is None
    now[0] = 1060.0
    progress.step(stepped(11, METRICS))
    assert progress.left == 60 * 9
    now[0] = 1180.0
    progress.step(stepped(12, METRICS))
    assert progress.left == 90 * 8
    assert rendered(progress).splitlines()[1].startswith("step 12/20 ━")
    assert "12 min left" in rendered(progress)
    now[0] = 1000.0 + 2 * 3600
    assert "8 h 0 min left" in rendered(progress)
    progress.step(stepped(20, METRICS))
    assert "left" not in rendered(progress)


def test_a_sparkline() -> None:
    assert sparkline([]) == ""
    assert sparkline([2.0]) == "▁"
    assert sparkline([1.0, 1.0]) == "▁▁"
    assert sparkline([-1.0, 0.0, 6.0]) == "▁▂█"


def test_only_the_last_steps_are_drawn(terminal: Terminal) -> None:
    progress = RunProgress("run", 200, out=terminal)
    for step in range(1, 101):
        progress.step(stepped(step, {"benchmark/reward_mean": float(step % 2)}))
    (line,) = [line for line in rendered(progress).splitlines() if "reward" in line]
    assert line.count("▁") + line.count("█") == WIDTH

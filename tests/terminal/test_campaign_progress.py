"""What campaigns show while they go on, as their users see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.terminal import campaign_progress
from grandstand.terminal.campaign_progress import CampaignProgress
from tests.support.command import grandstand, words

PLAY = ("play", "cricket", "--players", "random", "--set", "overs=1", "--jobs", "1")


def test_without_a_terminal_a_line_comes_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    progress: CampaignProgress[str, int] = CampaignProgress("A cup", 40, now=lambda: "heron 0.531")
    with progress:
        progress.ended("first", 1)
        assert capsys.readouterr().err == "", "the first line comes after a while"
        monkeypatch.setattr(campaign_progress, "LINE_SECONDS", 0.0)
        progress.restored([("second", 1), ("third", 1)])
    line = capsys.readouterr().err
    assert line.startswith("A cup: 3 of 40, ")
    assert line.endswith(" left, heron 0.531\n")


def test_quiet_progress_says_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign_progress, "LINE_SECONDS", 0.0)
    progress: CampaignProgress[str, int] = CampaignProgress("A cup", None, quiet=True)
    with progress:
        progress.ended("first", 1)
        progress.say("nothing")
    assert capsys.readouterr().err == ""


def test_no_match_begins_after_the_hours_are_over(tmp_path: Path) -> None:
    out = tmp_path / "out"
    more = ("--matches", "9", "--out", str(out))
    ended = grandstand(*PLAY, *more, "--max-hours", "0", status=1)
    assert "Not finished: the time is spent" in words(ended.stdout)
    assert "9 matches of cricket" in words(grandstand(*PLAY, *more, "--resume").stdout)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--resume",), "resume: set --out to the folder"),
        (("--max-tokens", "5"), "max_tokens: no player calls a provider"),
        (("--command", "x {arguments}"), "command: matches that are played elsewhere need a folder"),
    ],
)
def test_options_that_do_not_apply_are_refused(arguments: tuple[str, ...], complaint: str) -> None:
    assert complaint in words(grandstand(*PLAY, *arguments, status=2).stderr)

"""The versions that an exploiter meets, and those that it must beat."""

from __future__ import annotations

import pytest

from grandstand.trainer.league.roles import PeerRoles, main_shares, run_of, targets

PEERS: PeerRoles = {
    "b@v000010": "main", "a@v000020": "main", "a@v000005": "main", "a@v000010": "main",
    "x@v000050": "main_exploiter", "y@v000005": "league_exploiter",
}  # fmt: skip


def test_a_version_names_its_run() -> None:
    assert run_of("a.b-c@v000012") == "a.b-c"
    assert run_of("dumbbot") == ""


def test_every_main_run_has_the_same_share() -> None:
    assert main_shares(PEERS, {}) == {"a@v000020": 0.5, "b@v000010": 0.5}
    assert main_shares({"x@v000050": "main_exploiter"}, {}) == {}


def test_up_to_an_expected_score_of_a_tenth_the_past_of_the_run_is_met() -> None:
    assert main_shares(PEERS, {"a@v000020": 0.11}) == {"a@v000020": 0.5, "b@v000010": 0.5}
    shares = main_shares(PEERS, {"a@v000020": 0.1, "a@v000005": 0.8, "b@v000010": 0.01})
    weight = 0.16 + 0.25
    expected = {"a@v000005": 0.16 / weight / 2, "a@v000010": 0.25 / weight / 2, "b@v000010": 0.5}
    assert shares == pytest.approx(expected), "a run without a past is met as it is"


def test_those_to_beat_go_by_the_role() -> None:
    assert targets("main", PEERS) == []
    assert targets("main_exploiter", PEERS) == ["a@v000020", "b@v000010"]
    assert targets("league_exploiter", PEERS) == sorted(PEERS)
    assert targets("main_exploiter", {}) == []

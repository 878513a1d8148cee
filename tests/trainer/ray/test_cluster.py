"""A run names the cluster or the machine that it cannot use, with the remedy."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest

from grandstand.trainer.model.sampler import BackendError
from grandstand.trainer.ray.cluster import LONGEST_REASON, ClusterConnection, Reservation, reason, same_code
from grandstand.trainer.ray.parcel import process_info

pytestmark = pytest.mark.long


def test_an_address_without_a_cluster_is_named() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(BackendError, match=rf"backend.address: no Ray cluster at {address}.*ray start --head"):
            ClusterConnection(address)
    with pytest.raises(BackendError, match=r"backend.address: 'ray://there:10001' is no address of a node.*host:port"):
        ClusterConnection("ray://there:10001")


def test_a_place_tells_what_it_reserves() -> None:
    assert str(Reservation(1, 0.5, {"playing": 2})) == "1 CPU, 0.5 GPU, 2 playing"
    assert str(Reservation(0, 0, {})) == "nothing"


def test_a_machine_with_another_version_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    own = process_info()
    assert same_code(own) == f"on {own.host}, process {own.pid}"
    with pytest.raises(BackendError, match=r"on far, process 7: it has another version of Grandstand \(abc\).*install"):
        same_code(replace(own, host="far", pid=7, code="abc"))
    assert not caplog.text
    same_code(replace(own, torch="2.0"))
    assert "torch is 2.0 there" in caplog.text


def test_a_reason_is_one_line_with_its_cause() -> None:
    assert reason(RuntimeError("The actor died.\n\tclass_name: Worker\n\tpid: 7\n    ^^^^\nSocket closed")) == (
        "The actor died. Socket closed"
    )
    long = reason(RuntimeError("The actor died.\n" + "  File x, line 1\n" * 99 + "ModuleNotFoundError: no torch"))
    assert len(long) <= LONGEST_REASON + 3
    assert long.startswith("The actor died.")
    assert long.endswith("ModuleNotFoundError: no torch")

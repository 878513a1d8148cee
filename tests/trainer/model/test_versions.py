"""Versions on disk are whole, and stay as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from grandstand.trainer.model.policy import read_adapter
from grandstand.trainer.model.versions import ADAPTER, Versions, versions_in
from tests.support.trainer.adapters import adapted
from tests.support.trainer.training_setup import stir


def test_a_version_stays_as_it_was_published(tmp_path: Path) -> None:
    versions, policy = Versions(tmp_path / "versions", "nano"), adapted()
    stir(policy, 1)
    folder = versions.save(12, policy.save)
    assert folder == versions.path(12) == tmp_path / "versions" / "nano@v000012"
    published = {name: tensor.clone() for name, tensor in policy.adapter().items()}
    stir(policy, 2)
    assert all(torch.equal(tensor, published[name]) for name, tensor in read_adapter(folder).items())


def test_versions_are_known_by_number(tmp_path: Path) -> None:
    versions, policy = Versions(tmp_path, "a@v-nano"), adapted()
    for version in (10, 2, 0):
        versions.save(version, policy.save)
    assert versions.kept() == [0, 2, 10]
    assert versions_in(tmp_path) == {version: versions.path(version) for version in (0, 2, 10)}
    versions.drop(2)
    versions.drop(7)
    assert versions.kept() == [0, 10]
    with pytest.raises(OSError, match="nowhere"):
        versions_in(tmp_path / "nowhere")


def test_a_version_may_be_published_anew(tmp_path: Path) -> None:
    versions, policy = Versions(tmp_path, "nano"), adapted()
    before = versions.save(1, policy.save)
    old = read_adapter(before)
    stir(policy, 1)
    new = read_adapter(versions.save(1, policy.save))
    assert any(not torch.equal(tensor, new[name]) for name, tensor in old.items())


def test_a_half_saved_version_is_not_published_and_does_not_block_the_next(tmp_path: Path) -> None:
    versions, policy = Versions(tmp_path, "nano"), adapted()

    def broken(folder: Path) -> None:
        (folder / ADAPTER).write_bytes(b"half of it")
        raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        versions.save(3, broken)
    assert versions.kept() == []
    versions.save(3, policy.save)
    assert versions.kept() == [3]
    assert read_adapter(versions.path(3)).keys() == policy.adapter().keys()
    assert [path.name for path in tmp_path.iterdir()] == ["nano@v000003"]

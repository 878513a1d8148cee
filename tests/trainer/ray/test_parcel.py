"""A folder is the same after it was sent, and the digest of the code is that of its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.trainer.ray.parcel import code_digest, pack, process_info, unpack

pytestmark = pytest.mark.long


def test_a_folder_is_the_same_on_the_other_side(tmp_path: Path) -> None:
    (tmp_path / "there" / "inner").mkdir(parents=True)
    (tmp_path / "there" / "a.bin").write_bytes(bytes(range(256)))
    (tmp_path / "there" / "inner" / "b.json").write_text("{}")
    parcel = pack(tmp_path / "there")
    assert list(parcel) == ["a.bin", "inner/b.json"]
    assert pack(unpack(parcel, tmp_path / "here")) == parcel


def test_the_digest_is_of_the_source() -> None:
    assert code_digest() == code_digest() == process_info().code
    assert len(code_digest()) == 16

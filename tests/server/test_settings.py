"""Settings: defaults that run, errors that name the variable, and no variable that nothing reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.games.catalog import GAMES
from grandstand.server.settings import LOOPBACK, PAGE, PRIVATE, Settings, SettingsError
from tests.support.command import grandstand
from tests.support.live_server import ROOT


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("GRANDSTAND_SLOT", "GRANDSTAND_SLOTS"),
        ("GRANDSTAND_OPERATOR_TOKN", "GRANDSTAND_OPERATOR_TOKEN"),
        ("GRANDSTAND_LOGLEVEL", "GRANDSTAND_LOG_LEVEL"),
    ],
)
def test_a_variable_that_names_no_setting_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, meant: str) -> None:
    monkeypatch.setenv(name, "3")
    with pytest.raises(SettingsError, match=f"{name}: there is no such setting; did you mean {meant}[?]"):
        Settings.load()


def test_a_variable_of_an_older_version_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRANDSTAND_OPENENV_IDLE", "60")
    with pytest.raises(SettingsError, match=r"_IDLE: its value is fixed in this version; unset it[.]"):
        Settings.load()


def test_the_server_does_not_start_with_such_a_variable(tmp_path: Path) -> None:
    result = grandstand("serve", "--port", "0", "--data", str(tmp_path), status=2, GRANDSTAND_SLOT="3")
    assert "did you mean GRANDSTAND_SLOTS?" in result.stderr
    assert not list(tmp_path.iterdir())


def test_every_variable_that_the_project_reads_or_names_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"GRANDSTAND_{name.upper()}", raising=False)
    for name in ("PUBLISH_TOKEN", "OPERATOR_TOKEN", "ROSTER", "DATA", "BUCKET"):
        monkeypatch.setenv(f"GRANDSTAND_{name}", "x")
    Settings.load()


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"GRANDSTAND_{name.upper()}", raising=False)
    default = Settings.load()
    for name in Settings.model_fields:
        monkeypatch.setenv(f"GRANDSTAND_{name.upper()}", "")
    assert Settings.load() == default


def test_none_is_the_word_for_no_game_and_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRANDSTAND_SHOWCASE", "none")
    monkeypatch.setenv("GRANDSTAND_TRUSTED_PROXIES", "none")
    assert Settings.load().showcase == ""
    assert Settings.load().proxies == []


@pytest.mark.parametrize(
    ("flags", "variable", "value", "names"),
    [
        ({"slots": 0}, "", "", r"slots \(--slots\): "),
        ({"root_path": "x"}, "", "", r"root_path \(--root-path\): 'x' is not a path prefix"),
        ({}, "ROOT_PATH", "grandstand", r"root_path \(GRANDSTAND_ROOT_PATH\): .*looks like /grandstand"),
        ({}, "TRUSTED_PROXIES", "10.0.0.0/8, proxy", r"trusted_proxies \(GRANDSTAND_TRUSTED_PROXIES\): .*'proxy'"),
        ({}, "FRAME_ANCESTORS", "a; script-src *", r"frame_ancestors \(GRANDSTAND_FRAME_ANCESTORS\): "),
        ({}, "FRAME_ANCESTORS", "a\r\nX: y", r"frame_ancestors \(GRANDSTAND_FRAME_ANCESTORS\): "),
        ({}, "QUEUE", "-1", r"queue \(GRANDSTAND_QUEUE\): "),
        ({"showcase": "cricket,chess"}, "", "", r"showcase \(--showcase\): unknown game 'chess'; there are cricket"),
        ({"store": "mysql://db"}, "", "", r"store \(--store\): it is no URL of PostgreSQL; one looks like"),
        ({"bus": "redis://x"}, "", "", r"bus \(--bus\): it is for several servers; name the database"),
        ({"role": "watch"}, "", "", r"role \(--role\): 'watch' is for several servers; name the database"),
        ({"store": "postgresql://h/d"}, "BUCKET", "b", r"bucket \(GRANDSTAND_BUCKET\): it is for a record in a file"),
        ({}, "LOG_LEVEL", "loud", r"log_level \(GRANDSTAND_LOG_LEVEL\): .*'debug'"),
    ],
)
def test_an_error_names_where_the_value_came_from(
    monkeypatch: pytest.MonkeyPatch, flags: dict[str, object], variable: str, value: str, names: str
) -> None:
    if variable:
        monkeypatch.setenv(f"GRANDSTAND_{variable}", value)
    with pytest.raises(SettingsError, match=names):
        Settings.load(flags)


def test_a_prefix_has_no_slash_at_its_end() -> None:
    assert Settings.load({"root_path": "/grandstand/"}).root_path == "/grandstand"
    assert Settings.load({"root_path": "/"}).root_path == ""


def test_private_proxies_are_believed_on_a_space_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPACE_ID", raising=False)
    assert ",".join(Settings.load().proxies) == LOOPBACK
    monkeypatch.setenv("SPACE_ID", "demo/grandstand")
    assert ",".join(Settings.load().proxies) == PRIVATE
    assert Settings.load({"trusted_proxies": ""}).proxies == []
    assert Settings.load({"trusted_proxies": "192.0.2.7, 10.0.0.0/8"}).proxies == ["192.0.2.7", "10.0.0.0/8"]


def test_the_page_lies_beside_the_code_wherever_the_server_is_started() -> None:
    assert PAGE == ROOT / "frontend/dist"
    assert Settings.load().page == PAGE


def test_there_is_a_showcase_match_of_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRANDSTAND_SHOWCASE", raising=False)
    assert set(Settings.load().showcase.split(",")) == set(GAMES)

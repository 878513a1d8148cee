"""compose.yaml and the Dockerfile agree: folder, owner, port, and what is built from what."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import pytest

from grandstand.server.settings import PREFIX, Settings
from tests.support.live_server import ROOT
from tests.support.requirements import package

DOCKERFILE = (ROOT / "Dockerfile").read_text()
PAGE, ENVIRONMENT, LAST = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    yaml = package("yaml")
    document = yaml.safe_load((ROOT / "compose.yaml").read_text())
    assert set(document) == {"name", "services", "volumes"}
    (service,) = document["services"].values()
    assert set(service) <= KEYS, "compose knows no others"
    volumes = {mount.partition(":")[0] for mount in service["volumes"]}
    assert volumes == set(document["volumes"]), "named volumes, each declared"
    return dict(service)


KEYS = {
    "build", "image", "ports", "environment", "volumes", "read_only", "tmpfs", "cap_drop", "security_opt",
    "stop_grace_period", "restart",
}  # fmt: skip


def test_the_record_lies_in_a_volume_that_the_user_of_the_image_owns(service: dict[str, Any]) -> None:
    (mount,) = service["volumes"]
    folder = mount.partition(":")[2]
    assert service["environment"]["GRANDSTAND_DATA"] == folder
    user = re.search(r"^USER (\d+)$", LAST, re.MULTILINE)
    assert user
    assert f"install -d -o {user[1]} -g {user[1]} {folder}\n" in LAST
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp:mode=1777"]


def test_the_environment_is_what_the_server_reads(service: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    environment = service["environment"]
    ours = {name for name in environment if name.startswith(PREFIX)}
    assert ours <= {PREFIX + name.upper() for name in Settings.model_fields}
    assert environment["GRANDSTAND_OPERATOR_TOKEN"].startswith("${GRANDSTAND_OPERATOR_TOKEN:?"), "none, no start"
    for name in ours | {name for name in os.environ if name.startswith(PREFIX)}:
        monkeypatch.delenv(name, raising=False)
    for name in ours:
        monkeypatch.setenv(name, re.sub(r"\$\{\w+:[-?]([^}]*)\}", "", environment[name]))
    settings = Settings.load()
    assert settings.publish_sha256 is None, "an empty token is none"


def test_the_port_is_the_one_that_the_image_serves(service: dict[str, Any]) -> None:
    (port,) = service["ports"]
    assert f"EXPOSE {port.rpartition(':')[2]}\n" in LAST


def test_the_page_is_rebuilt_for_what_it_is_built_from_and_nothing_else() -> None:
    """A change of rules leaves the page's stage as it is; a file of a game that the page imports is in it."""
    copied = set(re.findall(r"^COPY (games\S*) ", PAGE, re.MULTILINE))
    imported = {
        name
        for path in (ROOT / "frontend/src").rglob("*")
        if path.suffix in (".ts", ".svelte", ".css") and ".test." not in path.name
        for name in re.findall(r"from '(?:\.\./)+(games/[^']+)'", path.read_text())
    }
    assert copied == imported


def test_dependencies_are_installed_before_the_sources_come() -> None:
    assert ENVIRONMENT.index("--requirements requirements.lock") < ENVIRONMENT.index("COPY grandstand")


def test_the_image_says_what_it_is() -> None:
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]+)"', LAST))
    assert labels.keys() == {"title", "description", "licenses"}
    readme = (ROOT / "README.md").read_text()
    assert f"short_description: {labels['description']}\n" in readme
    assert labels["licenses"] == "Apache-2.0"


def test_several_servers_are_set_as_the_server_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    document = package("yaml").safe_load((ROOT / "compose.scale.yaml").read_text())
    services = document["services"]
    assert {name for name, service in services.items() if "profiles" not in service} == {
        "drive", "watch", "postgres", "redis", "nginx",
    }  # fmt: skip
    for name in (name for name in os.environ if name.startswith(PREFIX)):
        monkeypatch.delenv(name)
    for role in ("drive", "watch"):
        environment = {name: value for name, value in services[role]["environment"].items() if name.startswith(PREFIX)}
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, re.sub(r"\$\{\w+:[-?][^}]*\}", "x", value))
            settings = Settings.load()
        assert settings.role == role
        assert settings.store is not None
        assert settings.store.get_secret_value() == "postgresql://grandstand:x@postgres/grandstand"
        assert settings.bus is not None
        assert settings.bus.get_secret_value() == "redis://redis:6379"
    (site,) = services["nginx"]["volumes"]
    assert "server watch:8000 " in (ROOT / site.partition(":")[0]).read_text()


def test_the_dashboard_reads_the_servers_through_prometheus() -> None:
    yaml = package("yaml")
    document = yaml.safe_load((ROOT / "compose.scale.yaml").read_text())
    configs = {name: yaml.safe_load(config["content"]) for name, config in document["configs"].items()}
    for name in ("prometheus", "grafana"):
        service = document["services"][name]
        assert service["profiles"] == ["metrics"]
        assert {config["source"] for config in service["configs"]} <= set(configs)
    (job,) = configs["prometheus"]["scrape_configs"]
    (found,) = job["dns_sd_configs"]
    assert set(found["names"]) == {name for name in document["services"] if name in ("drive", "watch")}
    assert job["authorization"]["credentials_file"] == f"/run/secrets/{next(iter(document['secrets']))}"
    (source,) = configs["datasource"]["datasources"]
    dashboard = json.loads((ROOT / "deploy/grafana.json").read_text())
    assert {panel["datasource"]["uid"] for panel in dashboard["panels"]} == {source["uid"]}
    (mounted,) = document["services"]["grafana"]["volumes"]
    host, folder, _ = mounted.split(":")
    assert (ROOT / host).is_file()
    assert folder.startswith(configs["dashboards"]["providers"][0]["options"]["path"])

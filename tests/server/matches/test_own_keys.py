"""The endpoints that take keys of visitors, and the keys of a request."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from grandstand.games.base import OptionError
from grandstand.players.roster import Roster
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.matches.own_keys import checked_keys, own_offer
from grandstand.server.settings import Settings

ROSTER = """
[[player]]
name = "paid"
kind = "llm"
key_env = "PAID_KEY"
[player.options]
base_url = "https://api.example.com/v1"
model = "large"
instructions = "Win."
price_in = 1.0
price_out = 2.0
headers = { X-Bill-To = "the operator" }
extra = { user = "operator" }

[[player]]
name = "paid elsewhere"
kind = "llm"
key_env = "PAID_KEY"
[player.options]
base_url = "https://api.example.com/other"
model = "large"

[[player]]
name = "unencrypted"
kind = "llm"
key_env = "PAID_KEY"
[player.options]
base_url = "http://models.example.com/v1"
model = "large"

[[player]]
name = "in the cellar"
kind = "llm"
[player.options]
base_url = "https://10.0.0.7/v1"
model = "large"
"""


@pytest.fixture
def roster(tmp_path: Path) -> Roster:
    file = tmp_path / "players.toml"
    file.write_text(ROSTER)
    return Roster.load(file, {})


def settings(**values: object) -> Settings:
    return Settings.model_validate({"visitor_keys": True, **values})


def test_by_default_no_endpoint_takes_keys(roster: Roster) -> None:
    assert own_offer(Settings.model_validate({}), roster).endpoints == {}
    unused = Settings.model_validate({"visitor_endpoints": "openai=https://api.openai.com/v1"})
    assert own_offer(unused, roster).endpoints == {}


def test_of_the_roster_only_the_address_of_encrypted_endpoints_with_a_key_is_offered(roster: Roster) -> None:
    offer = own_offer(settings(), roster)
    assert {name: options.base_url for name, options in offer.endpoints.items()} == {
        "api.example.com": "https://api.example.com/v1",
        "api.example.com/other": "https://api.example.com/other",
    }
    options = offer.endpoints["api.example.com"]
    assert (options.headers, options.extra, options.instructions, options.price_in) == ({}, {}, "", None)


def test_the_endpoints_of_the_setting_replace_them(roster: Roster) -> None:
    named = settings(visitor_endpoints="openai=https://api.openai.com/v1, here=http://127.0.0.1:8000/v1")
    endpoints = own_offer(named, roster).endpoints
    assert {name: options.base_url for name, options in endpoints.items()} == {
        "openai": "https://api.openai.com/v1",
        "here": "http://127.0.0.1:8000/v1",
    }


def test_where_signing_in_is_offered_so_is_the_endpoint_of_the_account(
    roster: Roster, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET", "OPENID_PROVIDER_URL"):
        monkeypatch.setenv(name, "https://example.com")
    endpoints = own_offer(settings(), roster).endpoints
    assert endpoints["router.huggingface.co"].base_url == "https://router.huggingface.co/v1"
    assert own_offer(Settings.model_validate({}), roster).endpoints == {}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("https://api.openai.com/v1", "is not name=URL"),
        ("a b=https://api.openai.com/v1", "is not name=URL"),
        ("openai=ftp://api.openai.com", "must start with https:// or http://"),
        ("openai=https://me:secret@api.openai.com/v1", "must not contain user"),
        ("openai=http://api.openai.com/v1", "would send a visitor's key unencrypted"),
        ("a=https://x.org/v1,a=https://y.org/v1", "two endpoints of one name"),
    ],
)
def test_an_unusable_endpoint_is_refused_at_the_start(value: str, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        settings(visitor_endpoints=value)


def request(**changes: object) -> StartEpisode:
    own = {"endpoint": "openai", "model": "m", "api_key": ' sk-"quoted"-key ', **changes}
    return StartEpisode.model_validate({"models": {"FRANCE": own}})


def test_the_keys_of_a_request_are_read_without_the_space_around_them() -> None:
    keys = checked_keys(request())
    assert {seat: key.get_secret_value() for seat, key in keys.items()} == {"FRANCE": 'sk-"quoted"-key'}
    assert "quoted" not in repr(request()) + request().model_dump_json()


def test_a_key_in_another_field_is_refused_in_its_json_form_too() -> None:
    with pytest.raises(OptionError, match=r"^options: it contains the key"):
        checked_keys(request().model_copy(update={"options": {"start": 'my sk-"quoted"-key'}}))

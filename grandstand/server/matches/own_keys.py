"""Keys of callers for the language models of one match: which endpoints there are, and what a request may contain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import SecretStr

from grandstand.games.base import OptionError, SeatId
from grandstand.players.options import LLMOptions
from grandstand.players.own_models import OwnOffer, checked_key
from grandstand.players.roster import Roster
from grandstand.server import sign_in
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.settings import Settings

ENDPOINT_OPTIONS = ("base_url", "dialect")
"""The options of a roster entry for its endpoint. No other option is used with a caller's key: headers, for
example, may name the operator's account."""

KEY_TOKENS = 500_000
"""Tokens that own keys may spend in one match: the most that a caller pays by mistake."""

KEY_SECONDS = 3600.0
"""Seconds after which an own key is dropped, if its match goes on for longer."""


def own_offer(settings: Settings, roster: Roster) -> OwnOffer:
    """Return the endpoints for keys of callers, and their limits; none unless the operator allows keys."""
    endpoints: dict[str, LLMOptions] = {}
    if settings.visitor_keys:
        named = {name: LLMOptions(base_url=url, model="any") for name, url in settings.endpoints.items()}
        endpoints = named or _of_roster(roster)
        account = LLMOptions(base_url=sign_in.ENDPOINT, model="any")
        if sign_in.offers_sign_in() and all(options.base_url != account.base_url for options in endpoints.values()):
            endpoints[urlsplit(account.base_url).hostname or ""] = account
    return OwnOffer(endpoints, KEY_TOKENS, KEY_SECONDS)


def _of_roster(roster: Roster) -> dict[str, LLMOptions]:
    """Return the endpoints of the entries with a key, by host; one without may be the operator's machine."""
    endpoints: dict[str, LLMOptions] = {}
    for entry, options, _available in roster.models():
        address = urlsplit(options.base_url)
        if entry.key_env is None or address.scheme != "https":
            continue
        host = address.hostname or ""
        same = LLMOptions(model="any", **options.model_dump(include=set(ENDPOINT_OPTIONS)))
        if host in endpoints and endpoints[host] != same:
            host += address.path
        endpoints.setdefault(host, same)
    return endpoints


def checked_keys(request: StartEpisode) -> Mapping[SeatId, SecretStr]:
    """Return the keys of the request by seat. Raises OptionError, which names the field and never quotes it.

    A request that repeats a key in a recorded field is refused.
    """
    keys: dict[SeatId, SecretStr] = {}
    for seat, own in request.models.items():
        if seat in request.players:
            raise OptionError(f"models.{seat}: `players` names a player of this seat as well; leave one out")
        if own.api_key is None:
            raise OptionError(f"models.{seat}.api_key: it is missing; enter your key for {own.endpoint}")
        keys[seat] = checked_key(own.api_key, f"models.{seat}.api_key")
    if keys:
        secrets = [key.get_secret_value() for key in keys.values()]
        for name, value in request.model_dump(mode="json").items():
            text = json.dumps(value, ensure_ascii=False)
            if any(json.dumps(secret)[1:-1] in text for secret in secrets):
                raise OptionError(f"{name}: it contains the key; keys belong in `api_key` alone")
    return keys

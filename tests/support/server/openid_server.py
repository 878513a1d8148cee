"""An OpenID provider over a real socket, whose user agrees at once. It checks requests as a real provider does, or
fails."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET = "client-1", "client-secret-canary-77120"
ACCESS_TOKEN = "hf_oauth_canary_5590_eyJ"


@dataclass
class OpenIdServer:
    """A running provider. `fault` is one of the ways in which it fails."""

    user: str = "ada"
    expires_in: float = 28_800
    fault: str = ""
    """`down`, `expired code`, `denied`, `not JSON`, `no token`, `no user`."""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    url: str = ""

    def __enter__(self) -> OpenIdServer:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider._get(self)

            def do_POST(self) -> None:
                provider._post(self)

            def log_message(self, format: str, *args: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def environment(self) -> Any:
        """Return the environment variables of a Space with `hf_oauth`."""
        return {"OAUTH_CLIENT_ID": CLIENT, "OAUTH_CLIENT_SECRET": SECRET, "OPENID_PROVIDER_URL": self.url}

    def _get(self, request: BaseHTTPRequestHandler) -> None:
        address = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if self.fault == "down":
            _answer(request, 503, {"error": "down"})
        elif address.path == "/.well-known/openid-configuration":
            names = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
            _answer(request, 200, {f"{name}_endpoint": f"{self.url}/oauth/{path}" for name, path in names.items()})
        elif address.path == "/oauth/authorize":
            assert query["client_id"] == CLIENT
            assert (query["response_type"], query["code_challenge_method"]) == ("code", "S256")
            assert "inference-api" in query["scope"].split()
            code = secrets.token_hex(8)
            self.codes[code] = query
            back = {"error": "access_denied"} if self.fault == "denied" else {"code": code}
            request.send_response(302)
            request.send_header("location", f"{query['redirect_uri']}?{urlencode(back | {'state': query['state']})}")
            request.end_headers()
        elif request.headers["authorization"] != f"Bearer {ACCESS_TOKEN}" or self.fault == "no user":
            _answer(request, 401, {"error": "invalid_token"})
        else:
            _answer(request, 200, {"sub": "1", "preferred_username": self.user})

    def _post(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["content-length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        asked = self.codes.pop(form.get("code", ""), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        good = (
            asked is not None
            and request.headers["authorization"] == f"Basic {basic}"
            and form["grant_type"] == "authorization_code"
            and form["redirect_uri"] == asked["redirect_uri"]
            and challenge.decode().rstrip("=") == asked["code_challenge"]
        )
        if not good or self.fault == "expired code":
            _answer(request, 400, {"error": "invalid_grant", "error_description": f"{form.get('code')} {SECRET}"})
        elif self.fault == "not JSON":
            _answer(request, 200, f"<html>{ACCESS_TOKEN}</html>")
        else:
            token = {} if self.fault == "no token" else {"access_token": ACCESS_TOKEN}
            _answer(request, 200, token | {"token_type": "bearer", "expires_in": self.expires_in})


def _answer(request: BaseHTTPRequestHandler, status: int, data: Any) -> None:
    body = (data if isinstance(data, str) else json.dumps(data)).encode()
    request.send_response(status)
    request.send_header("content-type", "application/json")
    request.send_header("content-length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)

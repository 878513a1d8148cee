"""Signing in with an account in a tab of its own, and signing out."""

from __future__ import annotations

import os
import secrets
from html import escape

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from grandstand.server.parts import Parts, ServerParts
from grandstand.server.sign_in import CALLBACK, COOKIE, LOGIN, LOGOUT, PENDING_SECONDS
from grandstand.server.transport.edge import PREFIX

BROWSER = "grandstand_sign_in"
"""The cookie that proves that the browser which returns from the provider is the one that was sent there."""

PAGE = '<!doctype html><html lang="en"><title>Sign in</title><p>{message}</p><p><a href="{back}">Back</a></p></html>'
START = "/cockpit?new"
"""The page that is shown after signing in."""

NOT_STORED = {"Cache-Control": "no-store"}

router = APIRouter(include_in_schema=False)
"""Routes that are served only if the server has an OpenID provider."""


@router.get(LOGIN)
async def login(parts: Parts, request: Request) -> Response:
    """Redirect the browser to the provider."""
    from grandstand.server.openid import SignInError  # it loads an HTTP client

    assert parts.accounts.provider is not None
    browser, redirect_uri = secrets.token_urlsafe(32), _root(parts, request) + CALLBACK
    state, verifier = parts.accounts.begin(browser, redirect_uri)
    try:
        address = await parts.accounts.provider.address(state, verifier, redirect_uri)
    except SignInError as error:
        return _failed(parts, request, 502, str(error))
    response = RedirectResponse(address, 302, NOT_STORED)
    _set_cookie(parts, request, response, BROWSER, browser, PENDING_SECONDS)
    return response


@router.get(CALLBACK)
async def callback(parts: Parts, request: Request, code: str = "", state: str = "", error: str = "") -> Response:
    """Sign in the browser that returns from the provider."""
    from grandstand.server.openid import SignInError  # it loads an HTTP client

    assert parts.accounts.provider is not None
    waiting = parts.accounts.pending(state, request.cookies.get(BROWSER, ""))
    if waiting is None:
        message = "This sign-in was not begun in this browser, or has expired. Sign in again."
        return _failed(parts, request, 400, message)
    if error or not code:
        return _failed(parts, request, 400, "You were not signed in: the provider gave no permission.")
    try:
        account = await parts.accounts.provider.signed_in(code, waiting.verifier, waiting.redirect_uri)
    except SignInError as refused:
        return _failed(parts, request, 502, f"You were not signed in: {refused}")
    parts.accounts.drop(request)
    response = RedirectResponse(START, 303, NOT_STORED)
    _set_cookie(parts, request, response, COOKIE, parts.accounts.add(account), account.seconds)
    _set_cookie(parts, request, response, BROWSER, "", 0)
    return response


@router.post(LOGOUT, status_code=204)
async def logout(parts: Parts, request: Request) -> Response:
    """Sign out. A match that is played with the account keeps its key to the end."""
    parts.accounts.drop(request)
    response = Response(status_code=204)
    _set_cookie(parts, request, response, COOKIE, "", 0)
    return response


def _root(parts: ServerParts, request: Request) -> str:
    """Return the address of this server as the provider knows it."""
    prefix = request.scope.get(PREFIX, "")
    if public_url := parts.settings.public_url:
        return public_url
    if host := os.environ.get("SPACE_HOST"):
        return f"https://{host}{prefix}"
    return f"{request.url.scheme}://{request.headers.get('host', '')}{prefix}"


def _set_cookie(
    parts: ServerParts, request: Request, response: Response, name: str, value: str, seconds: float
) -> None:
    path = request.scope.get(PREFIX, "") or "/"
    secure = _root(parts, request).startswith("https:")
    response.set_cookie(name, value, max_age=round(seconds), path=path, secure=secure, httponly=True, samesite="lax")


def _failed(parts: ServerParts, request: Request, status: int, message: str) -> Response:
    text = PAGE.format(message=escape(message), back=escape(_root(parts, request) + START))
    return HTMLResponse(text, status, NOT_STORED)

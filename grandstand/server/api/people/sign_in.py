"""Signing in with an account, in a tab of its own: the way to the provider, the way back, and out again."""

from __future__ import annotations

import secrets
from html import escape
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from grandstand.server.sign_in import CALLBACK, COOKIE, LOGIN, LOGOUT, PENDING_SECONDS, Accounts
from grandstand.server.transport.edge import PREFIX

if TYPE_CHECKING:
    from grandstand.server.openid import Provider

BROWSER = "grandstand_sign_in"
"""The cookie by which the way back is that of the browser that went."""

PAGE = '<!doctype html><html lang="en"><title>Sign in</title><p>{message}</p><p><a href="{back}">Back</a></p></html>'
START = "/cockpit?new"
"""The page to which a user who has signed in comes back."""

NOT_STORED = {"Cache-Control": "no-store"}


def router(accounts: Accounts, public_url: str, space_host: str) -> APIRouter:
    """Return the routes; none where no account can be signed in with."""
    api = APIRouter(include_in_schema=False)
    if accounts.provider is not None:
        routes = SignInRoutes(accounts, accounts.provider, public_url, space_host)
        api.add_api_route(LOGIN, routes.login, methods=["GET"])
        api.add_api_route(CALLBACK, routes.callback, methods=["GET"])
        api.add_api_route(LOGOUT, routes.logout, methods=["POST"], status_code=204)
    return api


class SignInRoutes:
    """The routes of a server with a provider."""

    def __init__(self, accounts: Accounts, provider: Provider, public_url: str, space_host: str) -> None:
        """`public_url` and `space_host` name the server as the provider knows it; by default each request does."""
        self._accounts = accounts
        self._provider = provider
        self._public_url = public_url
        self._space_host = space_host

    async def login(self, request: Request) -> Response:
        """Send the browser to the provider."""
        from grandstand.server.openid import SignInError  # it loads an HTTP client

        browser, redirect_uri = secrets.token_urlsafe(32), self._root(request) + CALLBACK
        state, verifier = self._accounts.begin(browser, redirect_uri)
        try:
            address = await self._provider.address(state, verifier, redirect_uri)
        except SignInError as error:
            return self._failed(request, 502, str(error))
        response = RedirectResponse(address, 302, NOT_STORED)
        self._set_cookie(response, request, BROWSER, browser, PENDING_SECONDS)
        return response

    async def callback(self, request: Request, code: str = "", state: str = "", error: str = "") -> Response:
        """Take the browser back from the provider, and sign it in."""
        from grandstand.server.openid import SignInError  # it loads an HTTP client

        waiting = self._accounts.pending(state, request.cookies.get(BROWSER, ""))
        if waiting is None:
            message = "This sign-in was not begun in this browser, or has expired. Sign in again."
            return self._failed(request, 400, message)
        if error or not code:
            return self._failed(request, 400, "You were not signed in: the provider gave no permission.")
        try:
            account = await self._provider.signed_in(code, waiting.verifier, waiting.redirect_uri)
        except SignInError as refused:
            return self._failed(request, 502, f"You were not signed in: {refused}")
        self._accounts.drop(request)
        response = RedirectResponse(START, 303, NOT_STORED)
        self._set_cookie(response, request, COOKIE, self._accounts.add(account), account.seconds)
        self._set_cookie(response, request, BROWSER, "", 0)
        return response

    async def logout(self, request: Request) -> Response:
        """Sign out. A match that is played with the account goes on with it to its end."""
        self._accounts.drop(request)
        response = Response(status_code=204)
        self._set_cookie(response, request, COOKIE, "", 0)
        return response

    def _root(self, request: Request) -> str:
        prefix = request.scope.get(PREFIX, "")
        if self._public_url or self._space_host:
            return self._public_url or f"https://{self._space_host}{prefix}"
        return f"{request.url.scheme}://{request.headers.get('host', '')}{prefix}"

    def _set_cookie(self, response: Response, request: Request, name: str, value: str, seconds: float) -> None:
        path = request.scope.get(PREFIX, "") or "/"
        secure = self._root(request).startswith("https:")
        response.set_cookie(
            name, value, max_age=round(seconds), path=path, secure=secure, httponly=True, samesite="lax"
        )

    def _failed(self, request: Request, status: int, message: str) -> Response:
        text = PAGE.format(message=escape(message), back=escape(self._root(request) + START))
        return HTMLResponse(text, status, NOT_STORED)

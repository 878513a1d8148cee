"""The reference: the work of making it is done once, and a client that has it receives it no second time."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from grandstand.server.api.files import reference

PATHS = ("/api/docs", "/api/openapi.json")


def client(monkeypatch: pytest.MonkeyPatch) -> tuple[TestClient, list[str]]:
    """Return a client of an app with one route and its reference, and the list of what was made."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.add_api_route("/api/thing", lambda: {}, methods=["GET"], name="thing")
    made: list[str] = []
    describe, to_html = app.openapi, reference.to_html

    def counted_document() -> reference.Schema:
        made.append("document")
        return describe()

    def counted_page(schema: reference.Schema, root: str, openapi_url: str) -> str:
        made.append("page")
        return to_html(schema, root, openapi_url)

    monkeypatch.setattr(app, "openapi", counted_document)
    monkeypatch.setattr(reference, "to_html", counted_page)
    reference.install(app, *PATHS)
    return TestClient(app), made


def test_many_requests_are_answered_with_what_was_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    visitor, made = client(monkeypatch)
    for path in PATHS:
        first, *others = [visitor.get(path).text for _ in range(3)]
        assert others == [first, first]
        assert "/api/thing" in first
    assert sorted(made) == ["document", "page"]


@pytest.mark.parametrize("path", PATHS)
def test_a_client_that_has_it_receives_no_body(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    visitor, _ = client(monkeypatch)
    tag = visitor.get(path).headers["etag"]
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}'):
        again = visitor.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    changed = visitor.get(path, headers={"If-None-Match": '"other"'})
    assert changed.status_code == 200
    assert changed.content

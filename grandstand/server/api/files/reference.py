"""The OpenAPI document of the API, and a page that shows it without scripts or foreign files."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from typing import Any

from fastapi import FastAPI, Request, Response

from grandstand.server.api.tagged import tagged
from grandstand.server.http import document_problems
from grandstand.server.transport.edge import to_root

Schema = dict[str, Any]
"""A JSON object of an OpenAPI document."""


def install(app: FastAPI, page_path: str, openapi_path: str) -> None:
    """Serve the OpenAPI document of `app` as a page and as JSON. Call it after the documented routes were added."""

    @cache
    def document() -> Schema:
        schema = app.openapi()
        document_problems(schema)
        return schema

    @cache
    def page() -> bytes:
        return to_html(document(), to_root(page_path), openapi_path).encode()

    @cache
    def data() -> bytes:
        return json.dumps(document(), ensure_ascii=False, separators=(",", ":")).encode()

    # Not `async`, so that FastAPI runs them in another thread: making the document takes long.
    @app.get(page_path, include_in_schema=False)
    def reference(request: Request) -> Response:
        return tagged(request, page(), "text/html; charset=utf-8")

    @app.get(openapi_path, include_in_schema=False)
    def openapi(request: Request) -> Response:
        return tagged(request, data(), "application/json")


def to_html(schema: Schema, root: str, openapi_url: str) -> str:
    """Return the OpenAPI document `schema` as a page; `root` is the relative address of the server's root."""
    title = escape(schema["info"]["title"])
    about = escape(schema["info"].get("description", "").strip())
    operations = [
        _operation(method, path, operation)
        for path, methods in schema.get("paths", {}).items()
        for method, operation in methods.items()
    ]
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>{title}: the API</title>
<link rel="stylesheet" href="{root}reference.css" />
<link rel="icon" href="{root}icon.svg" type="image/svg+xml" />
</head>
<body>
<main>
<h1>{title}: the API</h1>
<p>{about}</p>
<p>For programs: <a href="{root}{openapi_url.lstrip("/")}">{escape(openapi_url)}</a> (OpenAPI).</p>
{"".join(operations)}
</main>
</body>
</html>
"""


def _operation(method: str, path: str, operation: Schema) -> str:
    rows = [
        (parameter["name"], parameter["in"], _type(parameter.get("schema", {})), parameter.get("description", ""))
        for parameter in operation.get("parameters", [])
    ]
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        rows.append(("body", kind, _type(content.get("schema", {})), ""))
    for status, response in operation.get("responses", {}).items():
        kinds = response.get("content", {"": {}})
        types = " or ".join(_type(content.get("schema", {})) for content in kinds.values())
        rows.append((status, " or ".join(kinds), types, response.get("description", "")))
    cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    about = escape(operation.get("description") or operation.get("summary", ""))
    return f"<h2><code>{method.upper()} {escape(path)}</code></h2>\n<p>{about}</p>\n<table>\n{cells}</table>\n"


def _type(schema: Schema) -> str:
    """Return a short name of what `schema` describes."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(part) for part in schema[key])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    return str(schema.get("format") or schema.get("type") or "")

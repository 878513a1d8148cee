"""Play a seat by chance, to the end of its match: python examples/bot.py URL EPISODE SEAT TOKEN"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

url, episode, seat, token = sys.argv[1:]


def call(method: str, path: str = "", body: Any = None) -> Any:
    """Return the answer of the seat's address; ask again while there is none, which is safe with a number."""
    request = Request(f"{url}/api/episodes/{episode}/seats/{seat}{path}", json.dumps(body).encode(), method=method)
    request.add_header("Authorization", f"Bearer {token}")
    request.add_header("Content-Type", "application/json")
    while True:
        try:
            return json.load(urlopen(request, timeout=90))
        except HTTPError as error:
            if error.code < 500:
                return json.load(error)
        except OSError:
            pass
        time.sleep(1)


def action(legal: Any) -> dict[str, Any]:
    """Return a legal action of Diplomacy or cricket."""
    if "orders" in legal:
        return {"orders": [random.choice(orders) for orders in legal["orders"].values()]}
    return {"tool": legal["must"], "arguments": {}}


while "field" not in (view := call("GET", "?wait=30")) or view["field"] == "seat":
    if "field" in view:  # two turns were missed, and a built-in player has the seat
        print(view["detail"], call("POST", "/take").get("detail", "taken back"))
    elif view["asked"] == "negotiate":
        call("POST", body={"messages": [], "number": view["number"]})
    elif view["asked"] == "choose":
        answer = call("POST", body={"action": action(view["legal"]), "number": view["number"]})
        if answer.get("field", "number") != "number":  # orders that do not go together: hold
            call("POST", body={"action": {"orders": []}, "number": view["number"]})
print(view["detail"])

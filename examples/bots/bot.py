"""Play a seat of any game by chance, to the end of its match: python examples/bots/bot.py URL EPISODE SEAT TOKEN"""

from __future__ import annotations

import json
import random
import sys
import time
from contextlib import suppress
from http.client import HTTPException
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
        with suppress(OSError, HTTPException, ValueError):
            try:
                return json.load(urlopen(request, timeout=90))
            except HTTPError as error:
                if error.code < 500:
                    return json.load(error)
        time.sleep(1)


def value(slot: Any) -> Any:
    """Return a random value for one slot of the choices."""
    if slot["kind"] == "number":
        return random.randrange(slot["low"], slot["high"] + 1, slot["step"])
    words = [option["word"] for option in slot["options"]]
    return random.choice(words) if slot["kind"] == "pick" else slot["default"] or words[: slot["least"]]


def action(number: int) -> Any:
    """Return the action that random values make, stage by stage; texts stay empty."""
    chosen: dict[str, Any] = {}
    while True:
        answer = call("POST", "/choices", {"number": number, "chosen": chosen})
        for stage in answer.get("stages", []):
            if new := [slot for slot in stage if slot["kind"] != "text" and slot["name"] not in chosen]:
                chosen |= {slot["name"]: value(slot) for slot in new}
                break
        else:
            return answer.get("action")


while "field" not in (view := call("GET", "?wait=30")) or view["field"] == "seat":
    if "field" in view:  # two turns were missed, and a built-in player has the seat
        print(view["detail"], call("POST", "/take").get("detail", "taken back"))
    elif view["asked"] == "negotiate":
        call("POST", body={"messages": [], "number": view["number"]})
    elif view["asked"] == "choose":  # what is refused is chosen anew
        call("POST", body={"action": action(view["number"]), "number": view["number"]})
print(view["detail"])

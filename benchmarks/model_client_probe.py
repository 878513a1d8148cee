"""Stream one answer through a library, in that library's own environment; printed as JSON. See `model_clients`.

python benchmarks/model_client_probe.py LIBRARY DIALECT URL

It imports nothing of this project. The answer is asked for as the library's documentation has it, with its defaults.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from typing import Any

KEY = "sk-canary"
ASK = [{"role": "user", "content": "Play."}]
WAIT_SECONDS = 60


async def openai(dialect: str, url: str) -> AsyncIterator[str]:
    client = import_module("openai").AsyncOpenAI(base_url=url, api_key=KEY)
    if dialect == "openai-chat":
        async for chunk in await client.chat.completions.create(model="m", messages=ASK, stream=True):
            yield (chunk.choices[0].delta.content or "") if chunk.choices else ""
    else:
        async for event in await client.responses.create(model="m", input=ASK, stream=True):
            yield event.delta if event.type == "response.output_text.delta" else ""


async def anthropic(dialect: str, url: str) -> AsyncIterator[str]:
    client = import_module("anthropic").AsyncAnthropic(base_url=url.removesuffix("/v1"), api_key=KEY)
    async for event in await client.messages.create(model="m", messages=ASK, max_tokens=100, stream=True):
        yield getattr(event.delta, "text", "") if event.type == "content_block_delta" else ""


async def google(dialect: str, url: str) -> AsyncIterator[str]:
    options = {"base_url": url.removesuffix("/v1"), "api_version": "v1"}
    client = import_module("google.genai").Client(api_key=KEY, http_options=options)
    async for chunk in await client.aio.models.generate_content_stream(model="m", contents="Play."):
        yield chunk.text or ""


async def litellm(dialect: str, url: str) -> AsyncIterator[str]:
    model = {"openai-chat": "openai/m", "anthropic": "anthropic/m", "gemini": "gemini/m"}[dialect]
    base = {"openai-chat": url, "anthropic": f"{url}/messages", "gemini": f"{url}/models/m"}[dialect]
    ask = import_module("litellm").acompletion
    async for chunk in await ask(model=model, messages=ASK, api_base=base, api_key=KEY, stream=True):
        yield chunk.choices[0].delta.content or ""


async def any_llm(dialect: str, url: str) -> AsyncIterator[str]:
    provider = {"openai-chat": "openai", "anthropic": "anthropic", "gemini": "gemini"}[dialect]
    base = url if dialect == "openai-chat" else url.removesuffix("/v1")
    ask = import_module("any_llm").acompletion
    async for chunk in await ask("m", ASK, provider=provider, api_base=base, api_key=KEY, stream=True):
        yield (chunk.choices[0].delta.content or "") if chunk.choices else ""


async def aisuite(dialect: str, url: str) -> AsyncIterator[str]:
    provider = {"openai-chat": "openai", "anthropic": "anthropic"}[dialect]
    base = url if dialect == "openai-chat" else url.removesuffix("/v1")
    client = import_module("aisuite").Client({provider: {"api_key": KEY, "base_url": base}})
    stream = await client.chat.completions.acreate(model=f"{provider}:m", messages=ASK, stream=True)
    async for chunk in stream:
        yield (chunk.choices[0].delta.content or "") if chunk.choices else ""


PYDANTIC_MODELS = {
    "openai-chat": ("openai", "OpenAIChatModel", "OpenAIProvider"),
    "openai-responses": ("openai", "OpenAIResponsesModel", "OpenAIProvider"),
    "anthropic": ("anthropic", "AnthropicModel", "AnthropicProvider"),
    "gemini": ("google", "GoogleModel", "GoogleProvider"),
}


async def pydantic_ai(dialect: str, url: str) -> AsyncIterator[str]:
    module, model, provider = PYDANTIC_MODELS[dialect]
    base = url if module == "openai" else url.removesuffix("/v1")
    client = getattr(import_module(f"pydantic_ai.providers.{module}"), provider)(api_key=KEY, base_url=base)
    asked = getattr(import_module(f"pydantic_ai.models.{module}"), model)("m", provider=client)
    prompt = import_module("pydantic_ai").ModelRequest.user_text_prompt("Play.")
    async with import_module("pydantic_ai.direct").model_request_stream(asked, [prompt]) as stream:
        async for event in stream:
            if event.event_kind == "part_start":
                yield getattr(event.part, "content", "")
            elif event.event_kind == "part_delta":
                yield getattr(event.delta, "content_delta", "")


PROBES: dict[str, Callable[[str, str], AsyncIterator[str]]] = {
    "openai": openai,
    "anthropic": anthropic,
    "google-genai": google,
    "litellm": litellm,
    "any-llm": any_llm,
    "aisuite": aisuite,
    "pydantic-ai": pydantic_ai,
}


async def probe(library: str, dialect: str, url: str) -> dict[str, Any]:
    """Return the number of characters that came, and the error that was raised, if any."""
    received, error, began = 0, "", time.monotonic()
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            async for piece in PROBES[library](dialect, url):
                received += len(piece)
    except TimeoutError:
        error = f"none within {WAIT_SECONDS} s"
    except Exception as raised:
        error = type(raised).__name__
    return {"received": received, "error": error, "seconds": round(time.monotonic() - began, 1)}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(probe(*sys.argv[1:4]))))

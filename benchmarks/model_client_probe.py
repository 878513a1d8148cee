"""Stream one answer through a library, in that library's own environment; printed as JSON. See `model_clients`.

python benchmarks/model_client_probe.py LIBRARY DIALECT URL

It imports nothing of this project. The answer is asked for as the library's documentation has it, with its defaults.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

KEY = "sk-canary"
ASK = [{"role": "user", "content": "Play."}]
WAIT_SECONDS = 60


async def openai(dialect: str, url: str) -> AsyncIterator[str]:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=url, api_key=KEY)
    if dialect == "openai-chat":
        async for chunk in await client.chat.completions.create(model="m", messages=ASK, stream=True):
            yield (chunk.choices[0].delta.content or "") if chunk.choices else ""
    else:
        async for event in await client.responses.create(model="m", input=ASK, stream=True):
            yield event.delta if event.type == "response.output_text.delta" else ""


async def anthropic(dialect: str, url: str) -> AsyncIterator[str]:
    from anthropic import AsyncAnthropic

    client = AsyncAnthropic(base_url=url.removesuffix("/v1"), api_key=KEY)
    async for event in await client.messages.create(model="m", messages=ASK, max_tokens=100, stream=True):
        yield getattr(event.delta, "text", "") if event.type == "content_block_delta" else ""


async def google(dialect: str, url: str) -> AsyncIterator[str]:
    from google import genai

    options = {"base_url": url.removesuffix("/v1"), "api_version": "v1"}
    client = genai.Client(api_key=KEY, http_options=options)
    async for chunk in await client.aio.models.generate_content_stream(model="m", contents="Play."):
        yield chunk.text or ""


async def litellm(dialect: str, url: str) -> AsyncIterator[str]:
    import litellm as library

    model = {"openai-chat": "openai/m", "anthropic": "anthropic/m", "gemini": "gemini/m"}[dialect]
    base = {"openai-chat": url, "anthropic": f"{url}/messages", "gemini": f"{url}/models/m"}[dialect]
    async for chunk in await library.acompletion(model=model, messages=ASK, api_base=base, api_key=KEY, stream=True):
        yield chunk.choices[0].delta.content or ""


async def any_llm(dialect: str, url: str) -> AsyncIterator[str]:
    from any_llm import acompletion

    provider = {"openai-chat": "openai", "anthropic": "anthropic", "gemini": "gemini"}[dialect]
    base = url if dialect == "openai-chat" else url.removesuffix("/v1")
    stream = await acompletion("m", ASK, provider=provider, api_base=base, api_key=KEY, stream=True)
    async for chunk in stream:
        yield (chunk.choices[0].delta.content or "") if chunk.choices else ""


async def pydantic_ai(dialect: str, url: str) -> AsyncIterator[str]:
    from pydantic_ai import ModelRequest
    from pydantic_ai.direct import model_request_stream

    async with model_request_stream(_pydantic_model(dialect, url), [ModelRequest.user_text_prompt("Play.")]) as stream:
        async for event in stream:
            part = getattr(event, "part", None) or getattr(event, "delta", None)
            yield getattr(part, "content", None) or getattr(part, "content_delta", None) or ""


def _pydantic_model(dialect: str, url: str) -> Any:
    if dialect == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel("m", provider=AnthropicProvider(api_key=KEY, base_url=url.removesuffix("/v1")))
    if dialect == "gemini":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel("m", provider=GoogleProvider(api_key=KEY, base_url=url.removesuffix("/v1")))
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel if dialect == "openai-chat" else OpenAIResponsesModel
    return model("m", provider=OpenAIProvider(base_url=url, api_key=KEY))


PROBES = {
    "openai": openai,
    "anthropic": anthropic,
    "google-genai": google,
    "litellm": litellm,
    "any-llm": any_llm,
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

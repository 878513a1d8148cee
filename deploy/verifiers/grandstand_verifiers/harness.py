"""A harness without a program: each segment of a conversation is one chat request of this process."""

from __future__ import annotations

import httpx2
import verifiers.v1 as vf
from verifiers.v1.clients import ModelContext
from verifiers.v1.configs.harness import HarnessConfig
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.runtimes import ProgramResult, Runtime

SCHEMA = "schema"
"""The key in `Trace.info` of the schema of the answer that is awaited."""


class SeatHarnessConfig(HarnessConfig):
    """Whether a request has the JSON schema of the answer, for endpoints that enforce it."""

    structured: bool = False


class SeatHarness(vf.Harness[SeatHarnessConfig]):
    """The harness of every agent. It has no tools and runs no code."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: ModelContext,
        trace: vf.Trace,
        runtime: Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> ProgramResult:
        """Request one reply to the conversation so far."""
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages += [message_to_wire(message) for message in prompt or []]
        body = {"model": ctx.model, "messages": messages}
        if self.config.structured and SCHEMA in trace.info:
            schema = {"name": "answer", "strict": True, "schema": trace.info[SCHEMA]}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        async with httpx2.AsyncClient(timeout=None) as client:
            answer = await client.post(
                f"{endpoint.rstrip('/')}/chat/completions",
                headers={"Authorization": f"Bearer {secret}"},
                json=body,
            )
        if answer.is_success:
            return ProgramResult(exit_code=0, stdout="", stderr="")
        return ProgramResult(exit_code=1, stdout="", stderr=f"status {answer.status_code}: {answer.text[:500]}")

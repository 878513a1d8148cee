"""A harness without a program: each segment of a conversation is one chat request of this process."""

from __future__ import annotations

import httpx2
import verifiers.v1 as vf
from verifiers.v1.clients import ModelContext
from verifiers.v1.configs.harness import HarnessConfig
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.runtimes import ProgramResult, Runtime


class SeatHarnessConfig(HarnessConfig):
    """No settings of its own."""


class SeatHarness(vf.Harness[SeatHarnessConfig]):
    """The harness of every seat. It has no tools and runs no code."""

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
        async with httpx2.AsyncClient(timeout=None) as client:
            answer = await client.post(
                f"{endpoint.rstrip('/')}/chat/completions",
                headers={"Authorization": f"Bearer {secret}"},
                json={"model": ctx.model, "messages": messages},
            )
        if answer.is_success:
            return ProgramResult(exit_code=0, stdout="", stderr="")
        return ProgramResult(exit_code=1, stdout="", stderr=f"status {answer.status_code}: {answer.text[:500]}")

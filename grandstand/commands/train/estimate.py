"""`grandstand train estimate`: the memory and the time of a training step by arithmetic, before anything is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid

from grandstand.terminal.console import refuse
from grandstand.trainer.config.files import ConfigError, load, presets
from grandstand.trainer.estimate import Machine, UnknownShape, Work, memory, seconds, shape_of

NOT_BYTES = "sampler's cache, tokens"
NOT_SECONDS = ("tokens learned from", "operations a token")


def estimate(
    config: Annotated[str, typer.Option(help=f"A file of settings, or a preset: {', '.join(presets())}.")],
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, section.key=value.")] = None,
    gpus: Annotated[int, typer.Option(min=1, help="GPUs, with one process of the learner each.")] = 1,
    shape: Annotated[Path | None, typer.Option(help="The model's config.json, if it is not a preset's model.")] = None,
    gigabytes: Annotated[float, typer.Option("--memory", min=1, help="Memory of a GPU in GB.")] = Machine.memory / 1e9,
    peak: Annotated[float, typer.Option(min=1, help="Its peak in 10^12 operations a second.")] = Machine.peak / 1e12,
    bandwidth: Annotated[
        float, typer.Option(min=0.01, help="Its memory's bandwidth in TB a second.")
    ] = Machine.bandwidth / 1e12,
    utilization: Annotated[
        float, typer.Option(min=0.01, max=1, help="Assumed share of the peak.")
    ] = Machine.utilization,
    decisions: Annotated[int, typer.Option(min=1, help="Assumed decisions of a seat in one fork.")] = Work.decisions,
    prompt: Annotated[int, typer.Option(min=1, help="Assumed tokens of a prompt.")] = Work.prompt,
    completion: Annotated[int, typer.Option(min=1, help="Assumed tokens of a reply.")] = Work.completion,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Estimate the memory and the time of a training step by arithmetic. Nothing is measured.

    The defaults are an H200's. Parameters and activations are exact; the rest follows from the assumptions.
    """
    try:
        settings = load(config, set_ or [])
        model = shape_of(settings, shape)
    except (ConfigError, UnknownShape, OSError) as error:
        refuse("train estimate", str(error), 2, error)
    machine = Machine(gpus, gigabytes * 1e9, peak * 1e12, bandwidth * 1e12, utilization)
    result: dict[str, dict[str, float]] = {
        "parameters": {"model": model.parameters, "adapter": model.adapter_parameters(settings.policy)},
        "memory": memory(settings, model, machine),
        "step": seconds(settings, model, machine, Work(decisions, prompt, completion)),
    }
    if as_json:
        typer.echo(json.dumps({"result": result}))
        return
    _print(result, machine, f"{settings.policy.model} on {gpus} GPU{'s' if gpus > 1 else ''}")


def _print(result: dict[str, dict[str, float]], machine: Machine, title: str) -> None:
    console = Console()
    console.print(f"{title}, by arithmetic; not measured on a GPU", highlight=False, soft_wrap=True)
    grid = Grid(show_header=False)
    grid.add_column()
    grid.add_column(justify="right")
    for name, count in result["parameters"].items():
        grid.add_row(f"parameters of the {name}", f"{count / 1e6:,.1f} M")
    grid.add_section()
    used = 0.0
    for name, amount in result["memory"].items():
        is_bytes = name != NOT_BYTES
        used += amount if is_bytes else 0
        if amount:
            grid.add_row(name, f"{amount / 1e9:,.2f} GB" if is_bytes else f"{amount:,.0f}")
    fits = "" if used <= machine.memory else ", which does not fit"
    grid.add_row(f"together on the first GPU, of {machine.memory / 1e9:.0f} GB{fits}", f"{used / 1e9:,.2f} GB")
    grid.add_section()
    for name, amount in result["step"].items():
        grid.add_row(name, f"{amount:,.3g}" if name in NOT_SECONDS else f"{amount:,.2f} s")
    console.print(grid)

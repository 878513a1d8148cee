"""Build the command and environment of a vLLM server from its options and its installation."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from grandstand.trainer.model.sampler import SamplerError

TRAINER = Path(__file__).parents[1]
PLUGIN = (
    "__init__.py",
    "model/__init__.py",
    "model/trie.py",
    "vllm/__init__.py",
    "vllm/wire.py",
    "vllm/processors.py",
    "vllm/v1.py",
    "vllm/v2.py",
)
"""The modules on the path of the engine's process; the rest of this project might shadow packages of its environment.
"""
BASE = "base"
"""Name under which the model without an adapter is served."""
PROBE_SECONDS = 120.0
HOST = "127.0.0.1"
"""The address of the server: the run that starts it is its only client. It takes a free port at each start."""

Processor = Literal["v1", "v2"]


@dataclass(frozen=True)
class VllmOptions:
    """Options of a server. `folder` is its own: log, copies of the adapters, the modules that the engine loads."""

    python: str
    """Interpreter of an environment with vLLM."""
    model: str
    """Folder, or name on the Hugging Face Hub."""
    folder: Path
    name: str = "policy"
    dtype: str = "auto"
    max_loras: int = 4
    """Versions in one batch. A step is played by one version; steps that are played ahead add a few."""
    max_cpu_loras: int = 16
    """Versions kept in memory; with more live ones, files are read again and again."""
    max_lora_rank: int = 16
    gpu_memory: float = 0.5
    """Share of the GPU's memory."""
    cpu_cache: int = 1
    """GiB for keys and values, where there is no GPU: enough for the small models that a CPU runs."""
    processor: Literal["auto", "v1", "v2", "none"] = "auto"
    """The logits processor that masks; `none` leaves it to `allowed_token_ids`, one request for each token."""
    extra: tuple[str, ...] = ()
    """Further arguments of vLLM's server."""
    env: Mapping[str, str] = field(default_factory=dict)
    start_seconds: float = 900.0
    """Longest time to start, in which a large model is read from disk and compiled."""
    deaths: int = 5
    """Failures in a row after which it is given up."""


@dataclass(frozen=True)
class VllmInstallation:
    """The capabilities of an installation of vLLM."""

    version: str
    processors: tuple[Processor, ...]
    """The kinds of logits processor that it knows."""
    cuda: bool

    def processor(self, wanted: str) -> Processor | None:
        """Return the kind to load; None if there is none. On a GPU, Model Runner V2 comes first, as in vLLM itself."""
        if wanted in self.processors or wanted == "none":
            return next((kind for kind in self.processors if kind == wanted), None)
        if wanted != "auto":
            raise SamplerError(f"sampler.vllm: vLLM {self.version} knows no logits processors of kind {wanted}")
        order: tuple[Processor, ...] = ("v2", "v1") if self.cuda else ("v1",)
        return next((kind for kind in order if kind in self.processors), None)


_PROBE = """
import importlib.util, json, os
from importlib.metadata import packages_distributions, version
spec = importlib.util.find_spec("vllm")
if spec is None:
    raise SystemExit("there is no vLLM")
root = spec.submodule_search_locations[0]
kinds = {"v1": "v1/sample/logits_processor/interface.py", "v2": "v1/worker/gpu/sample/logits_processor/interface.py"}
found = [kind for kind, path in kinds.items() if os.path.isfile(os.path.join(root, path))]
import torch
print(json.dumps([version(packages_distributions()["vllm"][0]), found, torch.cuda.is_available()]))
"""
"""The program looks for files, because importing vLLM takes longer than everything else."""


def probe(python: str) -> VllmInstallation:
    """Return the capabilities of the interpreter's vLLM. Raises SamplerError if it has none."""
    try:
        process = subprocess.run([python, "-I", "-c", _PROBE], capture_output=True, text=True, timeout=PROBE_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SamplerError(f"sampler.vllm.python: {python} cannot be run: {error}") from None
    if process.returncode:
        why = process.stderr.strip().rpartition("\n")[2]
        raise SamplerError(f"sampler.vllm.python: {python}: {why}; scripts/setup/vllm makes an environment with vLLM")
    version, processors, cuda = json.loads(process.stdout)
    return VllmInstallation(version, tuple(processors), cuda)


def lay_out(folder: Path) -> None:
    """Copy our modules that the engine loads to `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    package = folder / "grandstand"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for module in PLUGIN:
        (package / "trainer" / module).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TRAINER / module, package / "trainer" / module)


def command(options: VllmOptions, engine: VllmInstallation, port: int) -> list[str]:
    """Return the command.

    It is not `vllm serve`, which needs a distribution named `vllm` and does not start in the CPU build.
    """
    arguments = [options.python, "-m", "vllm.entrypoints.openai.api_server", "--model", options.model]
    arguments += ["--served-model-name", BASE, "--host", HOST, "--port", str(port), "--dtype", options.dtype]
    arguments += ["--generation-config", "vllm"]  # or the model's own top-k, top-p and penalties would apply
    arguments += ["--logprobs-mode", "processed_logprobs", "--max-logprobs", "-1"]
    arguments += ["--enable-lora", "--max-lora-rank", str(options.max_lora_rank), "--max-loras", str(options.max_loras)]
    arguments += ["--max-cpu-loras", str(max(options.max_cpu_loras, options.max_loras))]
    if engine.cuda:
        arguments += ["--gpu-memory-utilization", str(options.gpu_memory)]
    else:  # a seeded request whose prompt is read in parts ends the CPU's engine
        arguments += ["--no-enable-chunked-prefill"]
    if kind := engine.processor(options.processor):
        arguments += ["--logits-processors", f"grandstand.trainer.vllm.{kind}:{kind.upper()}Processor"]
    return arguments + list(options.extra)


def environment(options: VllmOptions, engine: VllmInstallation, plugin: Path, key: str) -> dict[str, str]:
    """Return the environment; `plugin` is the folder that `lay_out` filled, `key` the key that requests must carry."""
    variables = {
        **os.environ,
        "PYTHONPATH": str(plugin),
        "PYTHONUNBUFFERED": "1",
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True",
        "VLLM_API_KEY": key,
        "VLLM_NO_USAGE_STATS": "1",
    }
    if kind := engine.processor(options.processor):
        variables["VLLM_USE_V2_MODEL_RUNNER"] = str(int(kind == "v2"))
    if not engine.cuda:
        variables |= {"VLLM_TARGET_DEVICE": "cpu", "VLLM_CPU_KVCACHE_SPACE": str(options.cpu_cache)}
    if Path(options.model).is_dir():
        variables["HF_HUB_OFFLINE"] = "1"
    return variables | dict(options.env)

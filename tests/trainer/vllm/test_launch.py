"""A server is started with what keeps its log-probabilities ours, and with what its installation can do."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from grandstand.trainer.model.sampler import SamplerError
from grandstand.trainer.vllm.launch import VllmInstallation, VllmOptions, command, environment, lay_out, probe

CPU = VllmInstallation("0.32.0", ("v1", "v2"), cuda=False)
GPU = VllmInstallation("0.32.0", ("v1", "v2"), cuda=True)


def options(tmp_path: Path, **more: object) -> VllmOptions:
    return VllmOptions("/env/bin/python", str(tmp_path), tmp_path / "run", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("engine", "wanted", "kind"),
    [
        (CPU, "auto", "v1"),
        (GPU, "auto", "v2"),
        (VllmInstallation("0.26.0", ("v1",), cuda=True), "auto", "v1"),
        (VllmInstallation("9.0.0", ("v2",), cuda=False), "auto", None),
        (VllmInstallation("9.0.0", (), cuda=True), "auto", None),
        (GPU, "v1", "v1"),
        (GPU, "none", None),
    ],
)
def test_the_processor_is_one_that_the_engine_knows(engine: VllmInstallation, wanted: str, kind: str | None) -> None:
    assert engine.processor(wanted) == kind


def test_a_processor_that_the_engine_lacks_is_refused() -> None:
    with pytest.raises(SamplerError, match=r"sampler\.vllm: vLLM 0\.26\.0 knows no logits processors of kind v2"):
        VllmInstallation("0.26.0", ("v1",), cuda=True).processor("v2")


def test_the_command_leaves_nothing_to_the_models_defaults(tmp_path: Path) -> None:
    asked = command(options(tmp_path, max_loras=8, max_cpu_loras=4), CPU, 1234)
    pairs = dict(pairwise(asked))
    assert pairs["--logprobs-mode"] == "processed_logprobs"
    assert pairs["--generation-config"] == "vllm"
    assert pairs["--logits-processors"] == "grandstand.trainer.vllm.v1:V1Processor"
    assert pairs["--max-cpu-loras"] == "8"
    assert "--no-enable-chunked-prefill" in asked
    on_gpu = command(options(tmp_path, processor="none"), GPU, 1234)
    assert "--gpu-memory-utilization" in on_gpu
    assert not {"--logits-processors", "--no-enable-chunked-prefill"} & set(on_gpu)


def test_the_environment_names_the_runner(tmp_path: Path) -> None:
    for engine, runner in ((CPU, "0"), (GPU, "1")):
        result = environment(options(tmp_path, env={"MINE": "1"}), engine, tmp_path, "key")
        assert (result["VLLM_USE_V2_MODEL_RUNNER"], result["MINE"], result["HF_HUB_OFFLINE"]) == (runner, "1", "1")
        assert ("VLLM_TARGET_DEVICE" in result) is not engine.cuda


def test_an_interpreter_without_vllm_is_named(tmp_path: Path) -> None:
    with pytest.raises(SamplerError, match=r"sampler\.vllm\.python: .*there is no vLLM; scripts/setup/vllm"):
        probe(sys.executable)
    with pytest.raises(SamplerError, match=r"sampler\.vllm\.python: .* cannot be run"):
        probe(str(tmp_path / "nowhere"))


def test_the_engine_sees_few_modules_and_nothing_heavy(tmp_path: Path) -> None:
    lay_out(tmp_path)
    code = (
        "import sys, grandstand.trainer.vllm.wire; from pathlib import Path\n"
        "assert Path(grandstand.__file__).parents[1] == Path(sys.path[0]), grandstand.__file__\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    result = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[0] = {str(tmp_path)!r}\n{code}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert result.stdout.strip() == "['__main__', 'grandstand']"

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for hpu that others wrote, unchanged, where they are installed (scripts/setup-python.sh
--clients): losses, and tokens, are those of PyTorch's CPU. And hl-smi, in the layout that they
parse."""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
import torch

HERE = pathlib.Path(__file__).parent
PLUGIN = HERE.parent / "clients"


# --- hl-smi --------------------------------------------------------------------------------------


@pytest.fixture
def hl_smi(tmp_path, monkeypatch):
    """Runs it as from its wheel."""
    version = re.search(r'version = "(.*)"', (PLUGIN / "pyproject.toml").read_text())[1]
    info = tmp_path / "habana_torch_plugin-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: habana-torch-plugin\nVersion: {version}\n")
    programs = HERE.parents[1] / "build/release/bin"
    path = os.pathsep.join([str(programs), os.path.dirname(sys.executable), os.environ["PATH"]])

    def run(*options, code=0):
        done = subprocess.run(
            [sys.executable, "-m", "gaudi_hl_smi", *options], capture_output=True, text=True,
            env={**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join([str(tmp_path),
                                                                            str(PLUGIN)])})
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr
    run.version = version
    return run


def test_hl_smi_is_what_clients_parse(hl_smi, monkeypatch):
    monkeypatch.setenv("HABANA_VISIBLE_MODULES", "0,1,2,3,4,5,6,7")
    x = torch.ones(1 << 20, device="hpu")
    card, used = torch.hpu.current_device(), torch.hpu.memory_allocated()
    card = torch.hpu.get_device_properties(card).module_id
    rows = hl_smi().splitlines()
    assert {len(row) for row in rows} == {79}
    # optimum-habana: after the colon of the third line.
    assert rows[2].replace(" ", "").split(":")[1][:-1].split("-")[0] == hl_smi.version
    assert re.fullmatch(r"\|\s+%d  HL-225 +N/A \| 0000:0%d:00\.0     N/A \|\s+0  \|" % (card, card),
                        rows[7 + 3 * card])
    mib = -(-used // 2**20)
    assert re.fullmatch(r"\|.*\|\s+%dMiB / 98304MiB\|\s+\d+%%           N/A \|" % mib,
                        rows[8 + 3 * card])
    assert any(f"{os.getpid()}   C" in row for row in rows)
    # lightning-habana
    assert re.search(r"hl-([\d\.]+)", hl_smi("-v"))[1] == hl_smi.version
    assert re.search(r"fw-([\d\.]+)", hl_smi("-v"))
    table = hl_smi("-Q", "index,module_id,bus_id,memory.used,temperature.aip", "-f", "csv")
    assert table.splitlines()[0] == "index, module_id, bus_id, memory.used [MiB], temperature.aip"
    assert f"{card}, {card}, 0000:0{card}:00.0, {mib} MiB, N/A" in table.splitlines()
    bare = hl_smi("-Q", "memory.total", "-f", "csv,noheader,nounits")
    assert bare.splitlines() == ["98304"] * 8
    assert hl_smi("-L").count("Module ID") == 8
    assert hl_smi("-L", "-i", "0000:03:00.0").count("Device Id") == 1
    del x


@pytest.mark.parametrize("options, message", [
    (("-Q", "colour"), "error: hl-smi -Q has no value 'colour'; it has timestamp, name, "),
    (("-Q", "index", "-f", "xml"), "error: -f is 'xml'; expected csv, with noheader and nounits if "
                                   "wanted (csv,noheader)"),
    (("-i", "0000:ff:00.0"), "error: no card has the Bus-Id '0000:ff:00.0'; they have 0000:0"),
    (("-Q", "memory.usd", "-f", "csv"), "error: hl-smi -Q has no value 'memory.usd'; did you mean 'memory.used'?")])
def test_hl_smi_refuses(hl_smi, options, message):
    assert hl_smi(*options, code=1).startswith(message)


def test_hl_smi_of_an_unknown_device(hl_smi, monkeypatch):
    monkeypatch.setenv("GAUDI_DEVICE", "Gaudi3")
    monkeypatch.setenv("HABANA_VISIBLE_MODULES", "0,1,2,3,4,5,6,7")
    assert hl_smi(code=1) == "error: unknown device 'Gaudi3' (GAUDI_DEVICE), expected one of " \
        "gaudi, gaudi1, gaudi2, gaudi3\n"


# --- what else they import -----------------------------------------------------------------------


def test_what_is_imported_and_not_there_says_so(monkeypatch):
    from habana_frameworks.mediapipe import fn
    from habana_frameworks.mediapipe.media_types import dtype
    from habana_frameworks.mediapipe.mediapipe import MediaPipe

    class Pipe(MediaPipe):
        pass

    for use in (lambda: fn.ReadImageDatasetFromDir, lambda: dtype.UINT32, Pipe):
        with pytest.raises(NotImplementedError, match="does not emulate the media pipe: .*; load "
                           "data with torch.utils.data.DataLoader"):
            use()
    if not importlib.util.find_spec("torchvision"):
        monkeypatch.syspath_prepend(PLUGIN / "stand-ins")
        from torchvision.models import resnet50
        with pytest.raises(NotImplementedError, match="there is no torchvision.models.resnet50: a "
                           "stand-in"):
            resnet50()
        for name in [each for each in sys.modules if each.startswith("torchvision")]:
            del sys.modules[name]
    monkeypatch.syspath_prepend(PLUGIN)
    import habana_dataloader
    assert [each.tolist() for each in habana_dataloader.HabanaDataLoader(
        torch.arange(4), batch_size=2)] == [[0, 1], [2, 3]]
    with pytest.raises(NotImplementedError, match="gaudi-mlir has no ImageFolderWithManifest"):
        habana_dataloader.habana_dataset.ImageFolderWithManifest()


def test_activities_of_profiles_are_a_type_of_their_own():
    from torch.profiler import ProfilerActivity, supported_activities
    native = torch._C._profiler.ProfilerActivity
    assert not isinstance(ProfilerActivity.HPU, native) and ProfilerActivity.HPU == native.HPU
    assert {ProfilerActivity.CPU, ProfilerActivity.HPU} <= supported_activities()
    x = torch.ones(3, device="hpu")
    for given in ([ProfilerActivity.CPU, ProfilerActivity.HPU], [native.CPU, native.HPU]):
        with torch.profiler.profile(activities=given) as profile:
            (x + 1).cpu()
        assert profile.activities == {native.CPU, native.HPU}
        assert any(each.device_time > 0 for each in profile.key_averages())


# --- the clients ---------------------------------------------------------------------------------


def needs(*packages: str):
    return [pytest.mark.slow, pytest.mark.skipif(
        any(importlib.util.find_spec(each) is None for each in packages),
        reason=f"not installed: {' or '.join(packages)}")]


def run(script: str, *args, lazy: bool = True, **variables) -> list[dict]:
    """What the script prints, in a process of its own."""
    programs = os.path.dirname(sys.executable)  # of pip, and hl-smi
    done = subprocess.run(
        [sys.executable, HERE / "clients" / script, *map(str, args)], capture_output=True,
        text=True, env={**os.environ, "PT_HPU_LAZY_MODE": str(int(lazy)), "HF_HUB_OFFLINE": "1",
                        **variables,
                        "PATH": os.pathsep.join([programs, os.environ["PATH"]])})
    assert done.returncode == 0, done.stderr[-4000:]
    return [json.loads(line.removeprefix("RESULT ")) for line in done.stdout.splitlines()
            if line.startswith("RESULT ")]


def check_losses(result: dict, tolerance: float = 2e-4) -> None:
    """Trainers print four digits."""
    torch.testing.assert_close(result["losses"], result["cpu"]["losses"], rtol=0, atol=tolerance)
    torch.testing.assert_close(result["loss"], result["cpu"]["loss"], rtol=0, atol=tolerance)


class TestOptimum:
    pytestmark = needs("optimum.habana") if importlib.util.find_spec("optimum") else \
        needs("optimum")

    @pytest.mark.parametrize("mode", ["lazy", "compile", "eager"])
    def test_training(self, mode, tmp_path):
        kinds = ["bert", "gpt2", "vit", "bert:bf16"]
        results = run("optimum_training.py", mode, tmp_path, *kinds, lazy=mode == "lazy")
        assert [each["kind"] for each in results] == kinds
        for each in results:
            check_losses(each, 5e-3 if "bf16" in each["kind"] else 2e-4)
            # Without the first two steps, which compile.
            assert each["metrics"]["train_samples_per_second"] > \
                80 / each["metrics"]["train_runtime"]
            assert each["log"]["total_memory_available (GB)"] == 96
            assert each["log"]["max_memory_allocated (GB)"] >= each["log"]["memory_allocated (GB)"]

    @pytest.mark.parametrize("mode, kinds", [
        ("lazy", ["qwen2", "falcon", "phi", "gpt_neox", "bloom", "gptj", "opt", "t5", "distilbert",
                  "roberta", "whisper"]),
        ("compile", ["qwen2", "falcon", "distilbert"])])
    def test_training_of_architectures(self, mode, kinds, tmp_path):
        for each in run("optimum_training.py", mode, tmp_path, *kinds, lazy=mode == "lazy"):
            check_losses(each, 5e-4)

    def test_pipelines(self, tmp_path):
        results = {each["kind"]: each for each in run("optimum_pipelines.py", tmp_path)}
        assert set(results) == {"diffusion", "diffusion by graphs", "sentences"}
        for each in results.values():
            assert each["device"].startswith("hpu")
            torch.testing.assert_close(torch.tensor(each["numbers"]), torch.tensor(each["cpu"]),
                                       rtol=0, atol=1e-5)

    def test_generation(self):
        kinds = ["llama", "llama:eager", "llama:flash", "llama:flash,causal,recompute,reuse",
                 "llama:reuse,trim", "llama:bucket", "llama:bucket,reuse", "gpt2", "mistral",
                 "mistral:flash,reuse", "mixtral", "mixtral:flash,reuse", "t5", "qwen2", "falcon",
                 "phi", "gpt_neox", "bloom", "gptj"]
        results = run("optimum_generation.py", *kinds)
        assert [each["kind"] for each in results] == kinds
        for each in results:
            assert each["tokens"] == each["cpu"], each["kind"]


class TestLightning:
    pytestmark = needs("lightning", "lightning_habana")

    @pytest.mark.parametrize("lazy", [True, False])
    def test_training(self, lazy, tmp_path):
        results = {each.pop("scenario"): each
                   for each in run("lightning_training.py", tmp_path, lazy=lazy)}
        for name in ("float32", "bf16-mixed", "graphs", "checkpoint"):
            torch.testing.assert_close(results[name]["losses"], results[name]["cpu"], rtol=0,
                                       atol=2e-2 if "bf16" in name else 1e-5)
        assert results["bf16-mixed"]["types"] == ["torch.bfloat16"]
        found = results["float32"]
        assert found["predicted"] == found["cpu_predicted"]
        assert found["tested"] == pytest.approx(found["cpu_tested"], abs=1e-5)
        assert results["profiler"]["kinds"] == ["hpu_call", "hpu_op", "kernel"]

    @pytest.mark.parametrize("lazy", [True, False])
    def test_options(self, lazy, tmp_path):
        found = {each["scenario"]: each["found"]
                 for each in run("lightning_options.py", tmp_path, lazy=lazy)}
        assert found["accelerator"] == ["GAUDI2", 8, lazy, "SingleHPUStrategy", "SingleHPUStrategy"]
        assert found["statistics"] and found["seeds"] and found["checkpoint"] == 2
        assert found["precisions"] == {"32-true": "torch.float32", "bf16-mixed": "torch.bfloat16",
                                       "16-mixed": "torch.float16", "64": "ValueError"}
        assert found["deepspeed"] == "MisconfigurationException"
        assert found["parallel"] == [[1.0, 2.0], {"a": 1}, "hccl"]
        assert found["fabric"] == ["hpu", True]
        assert found["clipped"] == pytest.approx(found["clipped on the CPU"], abs=1e-6)


class TestTransformers:
    pytestmark = needs("transformers", "accelerate")

    @pytest.mark.parametrize("lazy", [True, False])
    def test_training(self, lazy, tmp_path):
        results = run("transformers_training.py", tmp_path, "bert", "gpt2", lazy=lazy)
        assert len(results) == 4
        for each in results:
            check_losses(each)


class TestDeepSpeed:
    pytestmark = needs("deepspeed")

    @pytest.mark.parametrize("lazy", [True, False])
    def test_stages(self, lazy, tmp_path):
        scenarios = ["0:f32", "1:bf16", "2:bf16", "3:f32", "3:bf16"]
        results = run("deepspeed_training.py", tmp_path / "hpu", *scenarios, lazy=lazy,
                      DS_ACCELERATOR="hpu")
        of_cpu = run("deepspeed_training.py", tmp_path / "cpu", *scenarios, DS_ACCELERATOR="cpu",
                     TORCH_DEVICE_BACKEND_AUTOLOAD="0")
        for each, cpu in zip(results, of_cpu):
            assert each["device"].startswith("hpu") and cpu["device"] == "cpu"
            torch.testing.assert_close(each["losses"], cpu["losses"], rtol=0,
                                       atol=2e-2 if "bf16" in each["scenario"] else 1e-4)


class TestNeuralCompressor:
    pytestmark = needs("neural_compressor", "optimum")

    def test_a_tiny_llama_in_eight_bits(self, tmp_path):
        cases = ["maxabs_hw", "maxabs_hw:use_qdq=true", "maxabs_pow2:scale_format=const",
                 "ACT_MAXABS_HW_WEIGHTS_PCS_MAXABS_POW2",
                 "MAXABS_PCS_POW2:dynamic_quantization=true"]
        results = run("neural_compressor_fp8.py", tmp_path, 500, *cases)
        assert [each["case"] for each in results] == cases
        for each in results:
            assert each["layers"] == 19  # 7 products of weights and 2 of attention by layer, the head
            assert each["agreement"] >= 0.98, each
            # Against float64 with the same weights and scales.
            assert each["error"] < 1.3 * each["noise"], each

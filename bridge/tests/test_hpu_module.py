# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.hpu, and the modules of Intel's package that one card needs."""
import subprocess
import sys

import habana_frameworks.torch as ht
import habana_frameworks.torch.core as htcore
import pytest
import torch
from habana_frameworks.torch import _checks
from habana_frameworks.torch.hpu.metrics import metric_global
from habana_frameworks.torch.internal import bridge_config
from habana_frameworks.torch.utils.experimental import _get_device_type, synDeviceType


def test_streams():
    stream = torch.hpu.Stream()
    assert isinstance(stream, torch.Stream) and stream.device_index == 0 and stream.id() > 0
    assert torch.hpu.current_stream() == torch.hpu.default_stream() != stream
    x = torch.ones(64, 64, device="hpu")
    with torch.hpu.stream(stream):
        assert torch.hpu.current_stream() == stream == torch.accelerator.current_stream()
        stream.wait_stream(torch.hpu.default_stream())
        y = x @ x
        x.record_stream(stream)
    with torch.hpu.stream(None):
        assert torch.hpu.current_stream() == torch.hpu.default_stream()
    torch.hpu.current_stream().wait_stream(stream)
    assert (y + 1)[0, 0].item() == 65 and stream.query()
    same = torch.hpu.Stream(stream_id=stream.stream_id, device_index=0,
                            device_type=stream.device_type)
    assert same == stream and len({same, stream}) == 1
    assert torch.hpu.get_stream_info(stream)[0] == stream.id()
    with torch.hpu.stream(torch.hpu.Stream("hpu:1")):
        assert torch.hpu.current_device() == 1
    assert torch.hpu.current_device() == 0


def test_memory_of_another_stream_stays_until_it_is_done():
    """Without record_stream the block could be given to the next tensor of the first stream."""
    stream = torch.hpu.Stream()
    x = torch.full((512, 512), 2.0, device="hpu")
    stream.wait_stream(torch.hpu.current_stream())
    with torch.hpu.stream(stream):
        y = x @ x
        x.record_stream(stream)
    del x
    z = torch.zeros(512, 512, device="hpu")
    torch.hpu.synchronize()
    assert y[0, 0].item() == 2048 and z.sum().item() == 0


def test_elapsed_time_is_that_of_the_card():
    def measure(size):
        x = torch.ones(size, size, device="hpu")
        x @ x  # compiles
        begin, end = torch.hpu.Event(), torch.hpu.Event(enable_timing=True)
        begin.record()
        x @ x
        end.record()
        end.synchronize()
        assert end.query()
        return begin.elapsed_time(end)
    # 2 * 4096^3 operations at the some 432 TFLOPS of bf16, in f32 at a fourth of them at most.
    assert 0 < measure(64) < measure(4096) < 20
    assert measure(4096) > 2 * 4096 ** 3 / 432e12 * 1e3
    generic = torch.Event("hpu", enable_timing=True)
    generic.record()
    ours = torch.hpu.Event()
    ours.record()
    ours.synchronize()
    assert ours.elapsed_time(generic) <= 0
    with pytest.raises(TypeError, match="expected an event"):
        ours.elapsed_time(1)
    with pytest.raises(NotImplementedError, match="shared between processes"):
        torch.hpu.Event(interprocess=True)


def test_memory():
    before = torch.hpu.memory_allocated()
    x = torch.empty(1 << 20, device="hpu")
    assert 4 << 20 <= torch.hpu.memory_allocated() - before < 5 << 20
    peak = torch.hpu.max_memory_allocated()
    del x
    assert torch.hpu.memory_allocated() == before and torch.hpu.max_memory_allocated() == peak
    torch.hpu.reset_peak_memory_stats()
    assert torch.hpu.max_memory_allocated() < peak
    free, whole = torch.hpu.mem_get_info()
    assert whole == torch.hpu.memory_reserved() == torch.hpu.get_device_properties().total_memory
    assert free == whole - torch.hpu.memory_allocated()
    assert "InUse" in torch.hpu.memory_summary()
    assert set(torch.hpu.memory_stats(7).values()) == {0}  # a card that nobody has opened
    assert not ht._C.is_open(7)
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(1 << 40, device="hpu")


def test_random():
    torch.manual_seed(5)
    first = torch.rand(3, device="hpu")
    state = torch.hpu.get_rng_state()
    second = torch.rand(3, device="hpu")
    torch.hpu.set_rng_state(state)
    assert torch.equal(torch.rand(3, device="hpu"), second)
    torch.manual_seed(5)
    assert torch.equal(torch.rand(3, device="hpu"), first) and not torch.equal(first, second)
    assert torch.hpu.initial_seed() == 5
    generator = torch.Generator(device="hpu").manual_seed(7)
    drawn = torch.rand(3, device="hpu", generator=generator)
    generator.manual_seed(7)
    assert torch.equal(torch.rand(3, device="hpu", generator=generator), drawn)
    states = torch.hpu.get_rng_state_all()
    torch.hpu.seed_all()
    torch.hpu.set_rng_state_all(states)
    assert torch.equal(torch.hpu.get_rng_state(1), states[1])
    with torch.random.fork_rng(devices=[0], device_type="hpu"):
        torch.rand(1, device="hpu")
    assert torch.equal(torch.hpu.get_rng_state(), states[0])
    with pytest.raises(RuntimeError, match="is a CPU tensor of 16 bytes"):
        torch.hpu.set_rng_state(torch.zeros(3, dtype=torch.uint8))


def test_properties():
    assert torch.hpu.is_available() and torch.hpu.get_device_name() == "GAUDI2"
    assert torch.hpu.get_device_capability() == (2, 0)
    assert _get_device_type() == synDeviceType.synDeviceGaudi2
    assert not torch.hpu.can_device_access_peer(0, 1)
    assert 0 <= torch.hpu.utilization() <= 100 and 0 <= torch.hpu.memory_usage() <= 100


def test_switches():
    assert torch.hpu.recompute_sdp_enabled()
    with torch.hpu.sdp_kernel(enable_recompute=False):
        assert not torch.hpu.recompute_sdp_enabled()
    assert torch.hpu.recompute_sdp_enabled()
    torch.hpu.setDeterministic(True)
    assert torch.hpu.getDeterministic() and torch.are_deterministic_algorithms_enabled()
    torch.hpu.setDeterministic(False)
    torch.hpu.set_autocast_hpu_dtype(torch.float16)
    assert torch.get_autocast_dtype("hpu") == torch.hpu.get_autocast_hpu_dtype() == torch.float16
    torch.hpu.set_autocast_hpu_dtype(torch.bfloat16)
    assert not torch.hpu.is_autocast_hpu_enabled()
    torch.hpu.enable_dynamic_shape()
    assert bridge_config.get_pt_hpu_enable_refine_dynamic_shapes()
    torch.hpu.disable_dynamic_shape()
    assert not torch.hpu.get_dynamic_shape_status()
    with pytest.raises(NotImplementedError, match="waits for the card"):
        torch.hpu.set_sync_debug_mode("warn")


def test_variables(monkeypatch):
    monkeypatch.delenv("PT_ENABLE_INT64_SUPPORT", raising=False)
    with bridge_config.env_setting("PT_ENABLE_INT64_SUPPORT", True):
        assert bridge_config.get_pt_enable_int64_support() is True
    assert bridge_config.get_pt_enable_int64_support() is False
    for use in (lambda: bridge_config.get_pt_no_such(), lambda: bridge_config.env_setting(
            "PT_NO_SUCH", 1).__enter__()):
        with pytest.raises(NotImplementedError, match="does not know the variable PT_NO_SUCH"):
            use()
    with pytest.raises(NotImplementedError, match="PT_HPU_LAZYMODE; did you mean 'PT_HPU_LAZY_MODE'"):
        bridge_config.set_pt_hpu_lazymode(1)
    monkeypatch.setenv("PT_HPU_STOCHASTIC_ROUNDING_MODE", "x")
    with pytest.raises(ValueError, match="PT_HPU_STOCHASTIC_ROUNDING_MODE is 'x'; expected a whole"):
        bridge_config.get_pt_hpu_stochastic_rounding_mode()


def test_what_is_misspelt():
    for use in (lambda: torch.hpu.memory_alocated(), lambda: htcore.markstep()):
        with pytest.raises(AttributeError, match="; did you mean '(memory_allocated|mark_step)'"):
            use()


def test_mark_step_counts_and_runs_closures():
    called = []
    htcore.step_closure.add_step_closure(called.append, (1,))
    htcore.step_closure.add_step_closure(lambda: htcore.add_step_closure(called.append, (2,)))
    htcore.mark_step()
    assert called == [1]
    htcore.mark_step(sync=True)
    assert called == [1, 2]
    with pytest.raises(TypeError, match="a step closure is a function"):
        htcore.add_step_closure(3)


def test_names_that_are_missing_say_so():
    with pytest.raises(NotImplementedError, match="does not emulate torch.hpu.enable_quantization"):
        torch.hpu.enable_quantization
    with pytest.raises(AttributeError, match="docs/hpu.md lists what there is"):
        torch.hpu.no_such_name
    with pytest.raises(ModuleNotFoundError, match="does not emulate the module .*media_pyt_bridge"):
        import habana_frameworks.torch.media_pyt_bridge  # noqa: F401
    assert not hasattr(torch.hpu, "no_such_name")
    with pytest.raises(NotImplementedError, match="the module .*core.quantize_pt2e .*; torchao"):
        from habana_frameworks.torch.core import quantize_pt2e  # noqa: F401
    with pytest.raises(NotImplementedError, match="does not emulate .*weight_sharing.wrapped_to of "
                       "Intel's package; enable_weight_sharing needs"):
        htcore.weight_sharing.wrapped_to


def test_ops_that_are_missing_say_so():
    with pytest.raises(NotImplementedError, match="does not emulate the op torch.ops.hpu.batched_nms"
                       ".*; torchvision.ops.batched_nms takes boxes of the CPU"):
        torch.ops.hpu.batched_nms
    with pytest.raises(AttributeError, match="has no op torch.ops.hpu.rms_nrm; similar: rms_norm"):
        torch.ops.hpu.rms_nrm
    with pytest.raises(AttributeError, match=r"; dir\(torch.ops.hpu\) lists"):
        torch.ops.hpu.zzzz
    assert not hasattr(torch.ops.hpu, "zzzz") and not hasattr(torch.ops.hpu, "__wrapped__")
    assert not hasattr(torch.ops.hpu, "quad_tree")
    torch.library.define("hpu::quad_tree", "(Tensor x) -> Tensor")
    torch.library.impl("hpu::quad_tree", "default", lambda x: x + 1)
    assert torch.ops.hpu.quad_tree(torch.ones(1)).item() == 2
    assert {"rms_norm", "sdpa_bwd"} <= set(dir(torch.ops.hpu))


def test_names_for_builds_of_extensions():
    import os

    from habana_frameworks.torch import _C
    from habana_frameworks.torch.utils import lib_utils, library_loader
    assert os.path.samefile(lib_utils.get_lib_dir(), os.path.dirname(_C.__file__))
    with pytest.raises(FileNotFoundError, match="has no library none.so"):
        library_loader._get_modules_directory(["none.so"])
    with pytest.raises(NotImplementedError, match="no headers .*; docs/custom-ops.md"):
        lib_utils.get_include_dir()


def test_optimizers_of_torch_can_be_replaced(monkeypatch):
    import habana_frameworks.torch as ht
    from habana_frameworks.torch.hpex.optimizers import MarkstepAdam, MarkstepAdamW
    for name in ("Adam", "AdamW"):
        monkeypatch.setattr(torch.optim, name, getattr(torch.optim, name))
    ht.overwrite_torch_optimizers()
    assert (torch.optim.Adam, torch.optim.AdamW) == (MarkstepAdam, MarkstepAdamW)


def test_emulation_of_distributed_says_what_there_is(monkeypatch):
    from habana_frameworks.torch.utils.experimental import distributed_emulation
    distributed_emulation.distributed_emulation_apply_if_enabled()
    monkeypatch.setenv("PT_HPU_EMULATE_DISTRIBUTED", "1")
    with pytest.raises(NotImplementedError, match="start one rank"):
        distributed_emulation.distributed_emulation_apply_if_enabled()


def test_convolutions_take_batch_norms():
    from habana_frameworks.torch.internal import fuse_conv_bn
    torch.manual_seed(0)
    conv, shared = torch.nn.Conv2d(3, 4, 3), torch.nn.Conv2d(4, 4, 1)

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = torch.nn.Sequential(conv, torch.nn.BatchNorm2d(4), torch.nn.ReLU())
            self.shared, self.norm = shared, torch.nn.BatchNorm2d(4)

        def forward(self, x):
            return self.norm(self.shared(self.shared(self.inner(x))))  # the norm stays

    model = Network()
    for each in (model.inner[1], model.norm):
        each.running_mean.normal_()
        each.running_var.uniform_(0.5, 2)
    with pytest.raises(ValueError, match=r"call model.eval\(\) first"):
        fuse_conv_bn.fuse(model)
    model.eval()
    x = torch.randn(2, 3, 6, 6)
    fused = fuse_conv_bn.fuse(model).to("hpu")
    assert fuse_conv_bn.check_for_model_device(fused)
    assert [type(each) for each in fused.modules()].count(torch.nn.BatchNorm2d) == 1
    torch.testing.assert_close(fused(x.to("hpu")).cpu(), model(x), rtol=1e-5, atol=1e-5)


def test_logs():
    from habana_frameworks.torch import _C
    from habana_frameworks.torch.utils import _debug_C
    from habana_frameworks.torch.utils.debug.logger import Logger, enable_logging
    before = _debug_C.get_pt_logging_levels()
    enable_logging("LOG_LEVEL_PT_PYTHON", "critical")
    assert _debug_C.get_pt_logging_levels() == {**before, "PT_PYTHON": 5}
    enable_logging("LOG_LEVEL_ALL_PT", "error")
    assert set(_debug_C.get_pt_logging_levels().values()) == {4}
    assert _C.log_level("PT_TOWL") == 6  # follows its own variable
    for name, level in before.items():
        enable_logging(f"LOG_LEVEL_{name}", "off" if level == 6 else "critical")
    assert _debug_C.get_pt_logging_levels() == before
    enable_logging("LOG_LEVEL_PT_PYTHON", "off")
    with pytest.raises(ValueError, match="no level of a log"):
        enable_logging("LOG_LEVEL_PT_PYTHON", "loud")
    with pytest.raises(ValueError, match="the log has no module PT_NONE"):
        enable_logging("LOG_LEVEL_PT_NONE", "info")
    logger = Logger("COMPILE")
    logger.set_store_data(True)
    logger.info("a", 1)
    assert logger.data == ["[PT_COMPILE] a 1"]


def test_compiled_graphs_are_counted():
    from habana_frameworks.torch.dynamo.compile_backend.passes import logger
    from habana_frameworks.torch.utils.debug.dynamo_utils import FxGraphAnalyzer
    logger.set_store_data(True)
    with FxGraphAnalyzer(reset_dynamo=True) as analyzer:
        compiled = torch.compile(lambda x: (x + 1) * x, backend="hpu_backend")
        assert compiled(torch.ones(2, device="hpu")).tolist() == [2, 2]
    (graph,) = analyzer.get_ops_summary()
    assert graph["torch.ops.aten.add.Tensor"].graph_count == 1
    assert graph["torch.ops.aten.mul.Tensor"].eager_count == 0
    assert analyzer.get_partition_num() == 1
    assert "aten::add(" in logger.data[0]
    logger.set_store_data(False)


def log_of(function, *tensors) -> str:
    """What the log has of the graphs that a function becomes."""
    from habana_frameworks.torch.dynamo.compile_backend.passes import logger
    torch._dynamo.reset()
    logger.set_store_data(True)
    torch.compile(function, backend="hpu_backend")(*tensors)
    text = "\n".join(logger.data)
    logger.set_store_data(False)
    return text


def test_graphs_are_counted_as_they_were_given():
    from habana_frameworks.torch.utils.debug.dynamo_utils import FxGraphAnalyzer

    def draw(x):
        return x.detach() + torch.randint(5, (2,), device="hpu")

    with FxGraphAnalyzer() as analyzer:
        text = log_of(draw, torch.ones(2, device="hpu"))
    (graph,) = analyzer.get_ops_summary()
    # Not what it is drawn with.
    assert {op: each.graph_count for op, each in graph.items()} == {
        "torch.ops.aten.randint.low": 1, "torch.ops.aten.add.Tensor": 1}
    assert "# of aten::randint()" in text and "# of hpu::habana_randint()" in text
    assert "# of aten::add()" not in text


def test_new_zeros_are_full():
    x = torch.ones(2, dtype=torch.int32, device="hpu")
    text = log_of(lambda x: x + x.new_zeros(3, 1) * x.new_ones(2), x)
    assert text.count("= aten::full(") == 2 and "= aten::new_" not in text
    made = torch.compile(lambda x: (x.new_zeros(3), x.new_ones(2, dtype=torch.float16)),
                         backend="hpu_backend")(x)
    assert [each.tolist() for each in made] == [[0, 0, 0], [1, 1]]
    assert [each.dtype for each in made] == [torch.int32, torch.float16]


def test_a_split_is_slices():
    text = log_of(lambda x: [2 * each for each in x.split([3, 1, 2])], torch.ones(6, device="hpu"))
    assert text.count("aten::slice(") == 3 and "as_strided" not in text
    torch._dynamo.reset()
    split = torch.compile(lambda x: [2 * each for each in x.split(4)], backend="hpu_backend",
                          dynamic=True)
    with torch._dynamo.config.patch(error_on_recompile=True):  # the number of parts is the same
        for length in (6, 7, 8):
            made = split(torch.ones(length, device="hpu"))
            assert [len(each) for each in made] == [4, length - 4]
    for size in (2, 4, 9):
        x = torch.arange(6.0)
        made = torch.compile(lambda x: [2 * each for each in x.split(size)],
                             backend="hpu_backend")(x.to("hpu"))
        assert [each.tolist() for each in made] == [(2 * each).tolist() for each in x.split(size)]


def test_hints_are_in_the_log():
    from torch._higher_order_ops.hints_wrap import hints_wrapper

    def hinted(x, y):
        def inner(x):
            return x.sin()

        def outer(x, y):
            x = torch.nn.functional.linear(x, y)
            return hints_wrapper(inner, (x,), {}, hints={"name": "inner"}).cos()
        made = hints_wrapper(outer, (x, y), {}, hints={"name": "outer", "preserve_order": True})
        return made.relu()

    text = log_of(hinted, torch.ones(2, 3, device="hpu"), torch.ones(4, 3, device="hpu"))
    generated, annotated = text.split("####Annotated JIT IR graph")
    assert "hints" not in generated and "aten::linear(" in generated
    assert '::linear[hints="name:outer;preserve_order:True;exec_order:1;"](' in annotated
    assert '::sin[hints="name:inner;preserve_order:True;exec_order:2;"](' in annotated
    assert '::cos[hints="name:outer;preserve_order:True;exec_order:3;"](' in annotated
    assert "aten::relu(" in annotated
    assert "Annotated" not in log_of(lambda x: x + 1, torch.ones(2, device="hpu"))


def test_device_interface():
    from torch._dynamo.device_interface import get_interface_for_device
    interface = get_interface_for_device("hpu")
    assert interface is get_interface_for_device("hpu:1")
    assert interface.is_available() and interface.device_count() == torch.hpu.device_count()
    assert interface.current_stream() == torch.hpu.current_stream()
    assert interface.get_compute_capability() == 2 and interface.is_bf16_supported()
    before = interface.exchange_device(1)
    assert (before, interface.current_device(), interface.maybe_exchange_device(-1)) == (0, 1, 1)
    interface.set_device(0)


def test_options_are_variables(monkeypatch):
    from habana_frameworks.torch.dynamo.compile_backend import config
    # Set first: what monkeypatch has not seen set, it would leave as this test has it.
    monkeypatch.setenv("PT_HPU_USE_EAGER_FALLBACK", "1")
    monkeypatch.delenv("PT_HPU_USE_EAGER_FALLBACK")
    assert config.configuration_flags["use_eager_fallback"] is config.use_eager_fallback is True
    config.configuration_flags["use_eager_fallback"] = False
    assert config.use_eager_fallback is False
    with pytest.raises(AttributeError, match="hpu_backend has no option 'speed'"):
        config.speed


def test_import_refuses():
    with pytest.raises(ImportError, match="is built for PyTorch 2.13.0, and this is 2.12.1"):
        _checks._check_version("2.13.0+cpu", "2.12.1")
    _checks._check_version("2.13.0+cpu", "2.13.0+cu130")
    with pytest.raises(ImportError, match="it is not built"):
        _checks._check_version(None, "2.13.0")
    with pytest.raises(ImportError, match="uninstall one of them"):
        _checks._check_alone("/somewhere", False)
    with pytest.raises(ImportError, match="another library of this process has registered"):
        _checks._check_alone(None, True)


def test_import_refuses_beside_the_real_package(tmp_path):
    folder = tmp_path / "habana_torch_plugin-1.24.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: habana-torch-plugin\nVersion: 1.24.0\n")
    (folder / "RECORD").write_text("habana_frameworks/torch/lib/libhabana_pytorch_plugin.so,,\n")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(tmp_path)!r}); import torch"],
        capture_output=True, text=True)
    assert done.returncode == 1 and "habana-torch-plugin is installed" in done.stderr


def test_import_of_torch_is_all(run_python):
    code, output, errors = run_python('import torch; print(torch.ones(1).to("hpu"), '
                                      '"torch._dynamo" in __import__("sys").modules)')
    assert (code, output) == (0, "tensor([1.], device='hpu:0') False\n"), errors
    assert run_python("import torch; print(hasattr(torch, 'hpu'))",
                      TORCH_DEVICE_BACKEND_AUTOLOAD="0")[1] == "False\n"


def test_the_environment_says_the_mode(run_python):
    program = """
from habana_frameworks.torch import _C
from habana_frameworks.torch.utils.internal import is_lazy
print(_C.lazy_mode(), is_lazy())
"""
    for variable, printed in (("0", "0 False"), ("1", "1 True"), ("2", "2 True")):
        code, output, errors = run_python(program, PT_HPU_LAZY_MODE=variable)
        assert (code, output) == (0, printed + "\n"), errors


def test_collectives():
    import torch.distributed as dist
    from habana_frameworks.torch.distributed.hccl import initialize_distributed_hpu
    assert initialize_distributed_hpu(1, 0, 0) == (1, 0, 0)
    dist.init_process_group("hccl", store=dist.HashStore(), rank=0, world_size=1)
    try:
        x = torch.arange(4.0, device="hpu")
        dist.all_reduce(x)
        gathered = [torch.zeros(4, device="hpu")]
        dist.all_gather(gathered, x)
        one = torch.zeros(4, device="hpu")
        dist.reduce_scatter_tensor(one, x)
        dist.broadcast(x, 0)
        for call, message in (
                (lambda: dist.broadcast(x, 3), "broadcast names rank 3, .* name rank 0"),
                (lambda: dist.all_gather([x, x], x), "allgather .* is to fill"),
                (lambda: dist.send(x, 1), "nobody to send to or to receive from; leave the call out")):
            with pytest.raises((ValueError, RuntimeError), match=message):
                call()
        dist.barrier()
        assert x.tolist() == gathered[0].tolist() == one.tolist() == [0, 1, 2, 3]
        work = dist.all_reduce(x, async_op=True)
        assert work.wait() and work.get_future().value()[0].tolist() == [0, 1, 2, 3]
        layer = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 2).to("hpu"))
        layer(x[None]).sum().backward()
        assert layer.module.weight.grad.tolist() == [[0, 1, 2, 3]] * 2
    finally:
        dist.destroy_process_group()


def test_two_ranks_need_two_cards(run_python):
    _, _, errors = run_python('''
import torch, torch.distributed as dist, habana_frameworks.torch.distributed.hccl
dist.init_process_group("hccl", store=dist.HashStore(), rank=0, world_size=2)
''')
    assert "a group of 2 ranks needs 2 cards that talk to each other" in errors


def test_ranks_that_do_not_come_are_not_awaited(run_python):
    _, _, errors = run_python('''
import os
os.environ.update(RANK="0", WORLD_SIZE="2", MASTER_ADDR="localhost", MASTER_PORT="0")
import torch, torch.distributed as dist, habana_frameworks.torch.distributed.hccl
dist.init_process_group("hccl")
''')
    assert "a group of 2 ranks needs 2 cards that talk to each other" in errors


def test_metrics():
    assert metric_global("cpu_fallback").name() == "cpu_fallback"


def test_options_of_torch_compile(monkeypatch):
    from habana_frameworks.torch.dynamo.compile_backend import config
    monkeypatch.delenv("PT_HPU_USE_EAGER_FALLBACK", raising=False)
    x = torch.ones(2, device="hpu")
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: x + 1, backend="hpu_backend",
                             options={"use_eager_fallback": False})
    assert compiled(x).tolist() == [2, 2] and config.use_eager_fallback is True
    torch._dynamo.reset()
    with pytest.raises(Exception, match="unknown option 'speed'; it takes use_compiled_recipes"):
        torch.compile(lambda x: x + 2, backend="hpu_backend", options={"speed": 1})(x)


def test_both_backends_are_registered(run_python):
    code, output, errors = run_python('''
import gaudi_mlir.torch, habana_frameworks.torch, torch
backends = torch._dynamo.list_backends()
print("gaudi" in backends, "hpu_backend" in backends)
''')
    assert (code, output) == (0, "True True\n"), errors


@pytest.mark.parametrize("op", [torch.add, torch.sub, torch.rsub])
@pytest.mark.parametrize("dtype", [torch.int32, torch.float32])
def test_factors_of_changing_numbers(op, dtype):
    """PyTorch's pass that makes tensors of floats would lose alpha."""
    torch._dynamo.reset()

    def function(x, number, alpha):
        return op(x, number, alpha=alpha)
    compiled = torch.compile(function, backend="hpu_backend", dynamic=True)
    x = torch.arange(3, dtype=dtype)
    for number, alpha in ((13.0, 5), (2.5, 0), (1.5, 1)):
        result = compiled(x.to("hpu"), number, alpha).cpu()
        torch.testing.assert_close(result, function(x, number, alpha))


@pytest.mark.parametrize("name", ["convert_from_int4", "convert_from_uint4"])
@pytest.mark.parametrize("is_compiled", [False, True])
def test_numbers_of_four_bits(name, is_compiled):
    torch._dynamo.reset()
    op = getattr(torch.ops.hpu, name)
    function = torch.compile(op, backend="hpu_backend") if is_compiled else op
    numbers = torch.arange(-8, 8) if name == "convert_from_int4" else torch.arange(16)
    packed = torch.tensor([[-0x12345678 & 0xFFFFFFFF, 0x76543210]]).to(torch.int32)
    expected = torch.tensor([[int(packed[0, word]) >> 4 * place & 15 for word in range(2)
                              for place in range(8)]])
    if name == "convert_from_int4":
        expected = torch.where(expected > 7, expected - 16, expected)
    assert set(expected.flatten().tolist()) <= set(numbers.tolist())
    scale, zero = torch.rand(1, 16), torch.rand(1, 16)
    device = packed.hpu(), scale.hpu()
    torch.testing.assert_close(function(*device, None, torch.float32).cpu(), expected * scale)
    torch.testing.assert_close(function(*device, zero.hpu(), torch.float32).cpu(),
                               (expected - zero) * scale)
    assert function(*device, packed.hpu(), torch.float32).count_nonzero().item() == 0
    # Groups of two rows have a scale each.
    rows = torch.cat([packed, packed, packed, packed])
    groups = torch.cat([scale, 2 * scale])
    made = function(rows.hpu(), groups.hpu(), None, torch.float32).cpu()
    torch.testing.assert_close(made, torch.cat([expected * scale] * 2 + [2 * expected * scale] * 2))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float8_e4m3fn, torch.int32])
def test_kv_reorder(dtype):
    cache = torch.randint(0, 16, (2, 4, 3, 8, 2)).to(dtype)
    start, end = torch.tensor([1, 0]), torch.tensor([5, 2])
    beams = torch.tensor([[3, 3, 0, 1], [0, 2, 1, 1]])
    expected = cache.float().clone()
    for batch in range(2):
        rows = slice(start[batch], end[batch])
        expected[batch, :, :, rows] = expected[batch, beams[batch], :, rows]
    packed = (beams * torch.tensor([64, 16, 4, 1])).sum(1).to(torch.uint8)
    device = cache.hpu()
    torch.ops.hpu.kv_reorder_(device, start.int().hpu(), end.int().hpu(), packed.hpu())
    assert torch.equal(device.cpu().float(), expected)


@pytest.mark.parametrize("uses_lamb", [True, False])
def test_second_part_of_lamb(uses_lamb):
    weights, steps = [torch.rand(3), torch.rand(2, 2)], [torch.rand(3), torch.rand(2, 2)]
    norms = [torch.tensor([2.0]), torch.tensor([0.0])], [torch.tensor([3.0]), torch.tensor([1.0])]
    device = [each.hpu() for each in weights]
    torch.ops.hpu.optimizer_lamb_phase2(
        device, [each.hpu() for each in norms[0]], [each.hpu() for each in norms[1]],
        [each.hpu() for each in steps], torch.tensor(-0.1).hpu(), 0.0, uses_lamb)
    for weight, step, made, ratio in zip(weights, steps, device, [1.5 if uses_lamb else 1.0, 1.0]):
        torch.testing.assert_close(made.cpu(), weight - 0.1 * step * ratio)


def test_sum_of_eight_bits():
    x = torch.randn(4, 5).to(torch.float8_e5m2)
    made = torch.ops.hpu.sum_fp8(x.hpu(), [1], True, torch.float32)
    torch.testing.assert_close(made.cpu(), x.float().sum(1, keepdim=True))

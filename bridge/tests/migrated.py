# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's CUDA on hpu. It changes PyTorch for the whole process, so that test_migration.py runs
it in one of its own."""
import copy
import os
import pickle
import threading
import types
import warnings

import habana_frameworks.torch.gpu_migration as migration
import numpy as np
import pytest
import torch
from habana_frameworks.torch import _C
from habana_frameworks.torch._cuda_names import rules
from torch import nn

warnings.simplefilter("ignore")


def on_card(*tensors) -> bool:
    return all(each.device == torch.device("hpu:0") for each in tensors)


@pytest.fixture(params=["eager", "lazy"])
def mode(request):
    _C.set_lazy_mode(int(request.param == "lazy"))
    yield
    _C.cut_all("the end of the test")
    _C.set_lazy_mode(0)


@pytest.mark.parametrize("device", ["cuda", "cuda:0", torch.device("cuda"), 0])
def test_every_factory_makes_tensors_of_the_card(device, mode):
    named = {"device": device}
    assert on_card(
        torch.zeros(2, **named), torch.ones(2, **named), torch.empty(2, **named),
        torch.full((2,), 3., **named), torch.rand(2, **named), torch.randn(2, **named),
        torch.randint(3, (2,), **named), torch.randperm(3, **named), torch.arange(3, **named),
        torch.linspace(0, 1, 3, **named), torch.logspace(0, 1, 3, **named),
        torch.eye(2, **named), torch.tensor([1, 2], **named), torch.as_tensor([1.], **named),
        torch.asarray([1.], **named), torch.empty_strided((2, 2), (1, 2), **named),
        torch.tril_indices(3, 3, **named), torch.hann_window(4, **named),
        torch.normal(0., 1., (2,), **named), torch.zeros_like(torch.ones(2), **named),
        torch.ones(2).new_zeros(3, **named), torch.ones(2).new_tensor([1.], **named),
        torch.scalar_tensor(1., **named), nn.Linear(2, 2, **named).weight)
    torch.testing.assert_close(torch.arange(3, **named).cpu(), torch.arange(3))
    torch.testing.assert_close(torch.eye(2, **named).cpu(), torch.eye(2))


def test_moves(mode):
    x, layer = torch.randn(2), nn.Linear(2, 2)
    moved = [x.cuda(), x.cuda(0), x.cuda("cuda:0"), x.cuda(torch.device("cuda")), x.to("cuda"),
             x.to("cuda:0", torch.float16), x.to(device="cuda", dtype=torch.bfloat16), x.to(0),
             x.to("cuda", non_blocking=True), x.to(torch.ones(1).cuda())]
    assert on_card(*moved) and moved[5].dtype is torch.float16
    torch.testing.assert_close(moved[0].cpu(), x)
    assert moved[0].to("cuda:0") is moved[0] and moved[0].cuda() is moved[0]
    assert on_card(layer.cuda().weight, layer.to("cuda").weight, layer.to(device="cuda:0").weight,
                   layer.to("cuda", torch.bfloat16).weight, copy.deepcopy(layer).to_empty(
                       device="cuda").weight)
    assert layer.weight.is_cuda and not layer.cpu().weight.is_cuda
    assert x.pin_memory("cuda").is_pinned()
    packed = nn.utils.rnn.pack_padded_sequence(torch.randn(2, 3, 1), torch.tensor([3, 2]), True)
    assert on_card(packed.cuda().data, packed.to("cuda").data)


def test_names_of_devices():
    device, x = torch.device("cuda", 0), torch.ones(2).cuda()
    assert isinstance(device, torch.device) and device == x.device
    assert device.type == "cuda" and device.type == "hpu" and device.type != "cpu"
    assert "cuda" in str(device) and str(device).startswith("cuda") and f"{device}" == "hpu:0"
    assert {"cuda": 1, "cpu": 2}[device.type] == 1 and device.type in {"cuda"}
    assert getattr(torch, device.type) is torch.cuda and torch.device(device.type).index is None
    assert x.is_cuda and not torch.ones(2).is_cuda and x.get_device() == 0
    assert pickle.loads(pickle.dumps((device, device.type))) == (device, "hpu")
    assert hash(device) == hash(x.device) and device in {x.device}
    assert torch.device("cpu").type == "cpu" and torch.device("cpu").type != "cuda"
    assert "device='hpu:0'" in repr(x)
    with torch.device("cuda"):
        assert on_card(torch.zeros(1))
    with pytest.raises(IndexError, match="hpu:7 is no card"):
        torch.zeros(1, device="cuda:7")


def test_types_of_tensors(mode):
    Float = torch.cuda.FloatTensor
    made = [Float(2, 3).fill_(1.), Float([1., 2.]), Float(np.ones(2)), torch.ones(2).type(Float),
            torch.ones(2).type("torch.cuda.LongTensor"), torch.cuda.LongTensor(np.arange(3))]
    assert on_card(*made) and made[0].shape == (2, 3) and made[5].dtype is torch.int64
    assert isinstance(made[0], Float) and not isinstance(made[5], Float)
    assert made[0].type() == "torch.cuda.FloatTensor" and "cuda" in made[0].type()
    assert torch.ones(2).type() == "torch.FloatTensor"
    assert made[0].type(torch.FloatTensor).device.type == "cpu"
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
    try:
        assert on_card(torch.zeros(2))
    finally:
        torch.set_default_device(None)


def test_questions_to_torch_cuda():
    cuda = torch.cuda
    assert cuda.is_available() and cuda.device_count() == torch.hpu.device_count() == 1
    assert cuda.get_device_name(0) == torch.hpu.get_device_name() and cuda.current_device() == 0
    cuda.set_device("cuda:0")
    properties = cuda.get_device_properties("cuda")
    assert (properties.major, properties.minor) == cuda.get_device_capability() == (8, 0)
    assert properties.total_memory > 2**30 and properties.multi_processor_count == 24
    before = cuda.memory_allocated()
    x = torch.zeros(2**20, device="cuda")
    x.fill_(1)
    assert cuda.memory_allocated() - before >= 2**22 and cuda.max_memory_allocated() >= before
    stats = cuda.memory_stats()
    assert stats["allocated_bytes.all.current"] == stats["InUse"] == cuda.memory_allocated()
    assert cuda.memory_stats_as_nested_dict()["reserved_bytes"]["all"]["peak"] == \
        cuda.memory_reserved()
    free, total = cuda.mem_get_info()
    assert 0 < free < total and cuda.cudart().cudaMemGetInfo(0)[1] == total
    cuda.synchronize(), cuda.empty_cache(), cuda.reset_peak_memory_stats()
    assert "process" in cuda.list_gpu_processes() and cuda.memory_summary(abbreviated=True)
    assert cuda.is_bf16_supported() and cuda.is_initialized() and not cuda.is_tf32_supported()
    assert torch.backends.cuda.is_built() and len(cuda.default_generators) == 1


def test_streams_and_events(mode):
    stream, begin, end = torch.cuda.Stream(), *(torch.cuda.Event(enable_timing=True)
                                                for _ in range(2))
    begin.record()
    with torch.cuda.stream(stream):
        y = torch.full((64, 64), 2., device="cuda") @ torch.ones(64, 64, device="cuda")
    torch.cuda.current_stream().wait_stream(stream)
    y.record_stream(stream)
    end.record()
    end.synchronize()
    assert begin.elapsed_time(end) > 0 and y[0, 0].item() == 128
    assert isinstance(stream, torch.cuda.Stream) and stream.cuda_stream == stream.stream_id
    assert isinstance(torch.cuda.current_stream(), torch.cuda.Stream)
    with torch.cuda.device(0), torch.cuda.device("cuda:0"), torch.cuda.device_of(y):
        assert torch.cuda.current_device() == 0


def test_random_numbers():
    torch.manual_seed(3)
    first = torch.randn(3, device="cuda")
    torch.cuda.manual_seed(3)
    torch.testing.assert_close(first.cpu(), torch.randn(3, device="cuda").cpu())
    state = torch.cuda.get_rng_state()
    drawn = torch.randn(3, device="cuda")
    torch.cuda.set_rng_state(state)
    torch.testing.assert_close(drawn.cpu(), torch.randn(3, device="cuda").cpu())
    generator = torch.Generator("cuda").manual_seed(1)
    assert on_card(torch.randn(2, device="cuda", generator=generator))
    assert torch.Generator(device="cuda:0").device == torch.device("cuda:0")
    with torch.random.fork_rng(devices=[0]):
        torch.randn(2, device="cuda")


def test_mixed_precision(mode):
    layer, x = nn.Linear(4, 4).cuda(), torch.randn(2, 4).cuda()
    with torch.cuda.amp.autocast():
        assert layer(x).dtype is torch.bfloat16 and torch.is_autocast_enabled()
        with torch.autocast("cuda", enabled=False):
            assert layer(x).dtype is torch.float32
    with torch.autocast(device_type="cuda", dtype=torch.float16):
        assert layer(x).dtype is torch.float16
        assert torch.get_autocast_gpu_dtype() is torch.float16
    assert not torch.is_autocast_enabled()
    with torch.amp.autocast(x.device.type):
        assert layer(x).dtype is torch.bfloat16

    class Double(torch.autograd.Function):
        @staticmethod
        @torch.cuda.amp.custom_fwd(cast_inputs=torch.float32)
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @torch.amp.custom_bwd(device_type="cuda")
        def backward(ctx, grad):
            return grad * 2

    with torch.cuda.amp.autocast():
        y = Double.apply(x.half().requires_grad_())
    assert y.dtype is torch.float32
    y.sum().backward()


@pytest.mark.parametrize("make", [lambda: torch.cuda.amp.GradScaler(growth_interval=2),
                                  lambda: torch.amp.GradScaler("cuda", growth_interval=2)])
def test_loss_scaling(make, mode):
    """A step that is not finite is left out, and halves the scale; two good ones double it."""
    weights = [nn.Parameter(torch.ones(3).cuda()), nn.Parameter(torch.ones(2, 2).cuda())]
    optimizer, scaler = torch.optim.SGD(weights, 0.5), make()
    scales, values = [], []
    for factor in (1., float("inf"), 1., 1.):
        optimizer.zero_grad()
        loss = sum((factor * each).sum() for each in weights)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        scales.append(scaler.get_scale())
        values.append(weights[0][0].item())
    assert scales == [65536., 32768., 32768., 65536.] and values == [0.5, 0.5, 0., -0.5]


@pytest.mark.parametrize("kind,options", [
    (torch.optim.Adam, {"amsgrad": True}), (torch.optim.AdamW, {"amsgrad": True}),
    (torch.optim.SGD, {"momentum": 0.9}), (torch.optim.Adagrad, {})])
def test_fused_optimizers(kind, options, mode):
    """As on the CPU, with no op that runs there."""
    from habana_frameworks.torch.hpu.metrics import metric_localcontext
    results = []
    for device in ("cpu", "cuda"):
        generator = torch.Generator().manual_seed(0)
        weights = [nn.Parameter(torch.randn(5, generator=generator).to(device)),
                   nn.Parameter(torch.randn(2, 3, generator=generator).to(device))]
        optimizer = kind(weights, lr=0.1, weight_decay=0.1, fused=True, **options)
        with metric_localcontext("cpu_fallback") as fallback:
            for step in range(3):
                optimizer.zero_grad()
                sum((each * each).sum() for each in weights).backward()
                optimizer.param_groups[0]["lr"] = 0.1 / (step + 1)
                optimizer.step()
        results.append([each.detach().cpu() for each in weights])
    torch.testing.assert_close(results[1], results[0])
    assert dict(fallback.stats())["TotalNumber"] == 0


def test_a_fused_optimizer_scales_by_itself(mode):
    """It gets the scale and whether a gradient is not finite, and leaves such a step out."""
    results = []
    for device in ("cpu", "cuda"):
        weight = nn.Parameter(torch.linspace(-1, 1, 6).to(device))
        optimizer = torch.optim.AdamW([weight], lr=0.1, fused=True)
        scaler = torch.amp.GradScaler(device, init_scale=1024., growth_interval=2)
        for factor in (1., 2., float("inf"), 3.):
            optimizer.zero_grad()
            scaler.scale((factor * weight).square().sum()).backward()
            scaler.step(optimizer)
            scaler.update()
        state = optimizer.state[weight]
        results.append([weight.detach().cpu(), state["step"].item(), scaler.get_scale()])
    torch.testing.assert_close(results[1], results[0])
    assert results[1][1] == 3


def test_files(tmp_path):
    path, layer = tmp_path / "a.pt", nn.Linear(2, 2).cuda()
    torch.save(layer.state_dict(), path)
    for where, device in (("cuda", "hpu"), ("cuda:0", "hpu"), (torch.device("cuda"), "hpu"),
                          ("cpu", "cpu"), (None, "hpu"), ({"cuda:0": "cpu"}, "cpu"),
                          (lambda storage, _: storage.cuda(), "hpu")):
        loaded = torch.load(path, map_location=where)["weight"]
        assert loaded.device.type == device
        torch.testing.assert_close(loaded.cpu(), layer.weight.detach().cpu())


def test_a_file_of_a_gpu(tmp_path, monkeypatch):
    """Its storages say cuda:1, where this process has one card."""
    path = tmp_path / "a.pt"
    monkeypatch.setattr(torch.serialization, "location_tag", lambda storage: "cuda:1")
    torch.save(torch.arange(3.), path)
    loaded = torch.load(path)
    assert on_card(loaded) and loaded.tolist() == [0, 1, 2]


def test_one_rank_of_nccl():
    import torch.distributed as dist
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="0", RANK="0", WORLD_SIZE="1")
    dist.init_process_group("nccl", init_method="env://", device_id=torch.device("cuda:0"))
    try:
        assert dist.get_backend() == "nccl" and dist.is_nccl_available()
        x = torch.full((2,), 3.).cuda()
        dist.all_reduce(x)
        dist.barrier()
        assert x.tolist() == [3, 3]
        torch.manual_seed(0)
        plain = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
        model = nn.SyncBatchNorm.convert_sync_batchnorm(copy.deepcopy(plain)).cuda()
        model = nn.parallel.DistributedDataParallel(model, device_ids=[0], output_device=0)
        x = torch.randn(8, 3)
        model(x.cuda()).square().sum().backward()
        plain(x).square().sum().backward()
        for mine, other in zip(model.parameters(), plain.parameters()):
            torch.testing.assert_close(mine.grad.cpu(), other.grad, rtol=1e-4, atol=1e-5)
    finally:
        dist.destroy_process_group()


def test_data_parallel_is_one_card():
    model = nn.DataParallel(nn.Linear(2, 2), device_ids=[0, 1]).cuda()
    assert on_card(model(torch.ones(3, 2)), model(torch.ones(3, 2).cuda()))
    assert model.state_dict().keys() == {"module.weight", "module.bias"}


def test_pinned_batches():
    data = torch.utils.data.TensorDataset(torch.arange(8.))
    for batch, in torch.utils.data.DataLoader(data, batch_size=4, pin_memory=True):
        assert batch.is_pinned() and on_card(batch.cuda(non_blocking=True))


@pytest.mark.parametrize("default", [None, "cuda"])
def test_compiled_functions(default):
    torch.set_default_device(default)
    torch.compiler.reset()
    @torch.compile(mode="reduce-overhead", fullgraph=True)
    def function(x):
        y = torch.zeros(3, device="cuda:0") + torch.arange(3).cuda()
        if x.is_cuda and torch.cuda.is_available():
            y = y + torch.ones(3, device=x.device)
        with torch.autocast("cuda", enabled=False):
            return (x.to("cuda:0") + y).to(torch.device("cuda"))
    try:
        assert function(torch.zeros(3).cuda()).tolist() == [1, 2, 3]
    finally:
        torch.set_default_device(None)


def test_profiles_and_flags():
    layer, x = nn.Linear(4, 4).cuda(), torch.ones(2, 4).cuda()
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        layer(x)
        torch.cuda.synchronize()
    assert "addmm" in profiler.key_averages().table(sort_by="cuda_time_total")
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = True
    assert torch.backends.cudnn.benchmark and torch.backends.cudnn.enabled
    torch.cuda.nvtx.range_push("forward")
    torch.cuda.nvtx.range_pop()
    with torch.cuda.nvtx.range("backward"):
        torch.cuda.profiler.start()
    names = {each.name for each in migration.missing()}
    assert {"torch.cuda.nvtx.range_push", "torch.cuda.nvtx.range", "torch.backends.cudnn",
            "torch.backends.cuda", "torch.cuda.profiler.start"} <= names


def test_graphs():
    layer, x = nn.Linear(4, 4).cuda(), torch.ones(2, 4).cuda()
    layer(x)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph, pool=torch.cuda.graph_pool_handle()):
        y = layer(x)
    x.fill_(2)
    graph.replay()
    torch.testing.assert_close(y.cpu(), layer(x).detach().cpu())


def test_each_name_of_torch_cuda_has_a_rule():
    """What a script may call is there, is ignored, or raises: nothing asks for CUDA's libraries."""
    kept = {"ComplexDoubleStorage", "ComplexFloatStorage", "CudaError", "DeferredCudaCallError",
            "cudaStatus", "default_generators", "has_half", "has_magma"}
    cuda = torch.cuda
    for module in (cuda, cuda.memory, cuda.nvtx, cuda.tunable, cuda.random, cuda.profiler):
        for name in module.__all__:
            full = f"{module.__name__}.{name}"
            is_module = isinstance(getattr(module, name), types.ModuleType)
            assert is_module or name in kept or \
                {full, f"torch.cuda.{name}"} & rules.RULES.keys(), full
    for name, rule in rules.RULES.items():
        if rule.kind == rules.MISSING:
            found = torch
            for each in name.split(".")[1:]:
                found = getattr(found, each)
            with pytest.raises(NotImplementedError, match=f"{name} has no counterpart on hpu"):
                found()


def test_what_is_missing_says_so():
    with pytest.raises(NotImplementedError, match="caching_allocator_alloc has no counterpart"):
        torch.cuda.caching_allocator_alloc(8)
    with pytest.raises(NotImplementedError, match="cudaMalloc has no counterpart"):
        torch.cuda.cudart().cudaMalloc(8)


def test_calls_are_noted_once_with_their_line():
    def lines():
        return [each.line for each in migration.uses() if each.file == __file__ and
                each.name in ("Tensor.cuda", "torch.cuda.synchronize")]
    before, here = len(lines()), lines.__code__.co_firstlineno
    for _ in range(3):
        torch.ones(1).cuda()
        torch.cuda.synchronize()
    assert lines()[before:] == [here + 5, here + 6]


def test_threads():
    results = []
    thread = threading.Thread(
        target=lambda: results.append(torch.ones(2, device="cuda").cuda().sum().item()))
    thread.start()
    thread.join()
    assert results == [2.0]


def test_apex_is_pytorch_and_hpex(mode):
    from apex import amp
    from apex.normalization import FusedLayerNorm
    from apex.optimizers import FusedAdam, FusedLAMB, FusedSGD
    from apex.parallel import DistributedDataParallel, convert_syncbn_model

    def trained(make, norm, device):
        torch.manual_seed(2)
        model = nn.Sequential(nn.Linear(4, 8), norm(8), nn.Linear(8, 2)).to(device)
        optimizer = make(model.parameters())
        if device == "cuda":
            model, optimizer = amp.initialize(model, optimizer, opt_level="O0")
            model = DistributedDataParallel(convert_syncbn_model(model))
        x = torch.linspace(-1, 1, 12).view(3, 4).to(device)
        for _ in range(3):
            optimizer.zero_grad()
            loss = model(x).square().mean()
            with amp.scale_loss(loss, optimizer) as scaled:
                scaled.backward()
            optimizer.step()
        return loss.item()

    for ours, plain in (
            (lambda p: FusedAdam(p, lr=0.1), lambda p: torch.optim.AdamW(p, 0.1, weight_decay=0.)),
            (lambda p: FusedAdam(p, lr=0.1, adam_w_mode=False, weight_decay=0.1),
             lambda p: torch.optim.Adam(p, 0.1, weight_decay=0.1)),
            (lambda p: FusedSGD(p, lr=0.1, momentum=0.9),
             lambda p: torch.optim.SGD(p, 0.1, momentum=0.9))):
        assert trained(ours, FusedLayerNorm, "cuda") == pytest.approx(
            trained(plain, nn.LayerNorm, "cpu"), rel=1e-4)
    assert type(FusedLAMB([nn.Parameter(torch.ones(2, device="cuda"))])).__name__ == "FusedLamb"
    model = amp.initialize(nn.Linear(4, 2).cuda())
    assert model(torch.ones(3, 4, device="cuda")).dtype is torch.bfloat16
    with pytest.raises(NotImplementedError, match="bias_correction=False"):
        FusedAdam([torch.ones(2)], bias_correction=False)
    with pytest.raises(NotImplementedError, match="adagrad_w_mode=True"):
        __import__("apex.optimizers").optimizers.FusedAdagrad([torch.ones(2)], adagrad_w_mode=True)
    with pytest.raises(ValueError, match="levels O0 to O3, not 'O9'"):
        amp.initialize(model, opt_level="O9")
    with pytest.raises(ModuleNotFoundError, match="apex.contrib has no counterpart on hpu; there"):
        import apex.contrib  # noqa: F401
    with pytest.raises(NotImplementedError, match="apex.optimizers.FusedNovoGrad has no counter"):
        from apex.optimizers import FusedNovoGrad  # noqa: F401
    assert any(each.name == "apex.optimizers.FusedAdam" for each in migration.uses())


def test_pynvml_tells_of_the_card():
    import pynvml
    pynvml.nvmlInit()
    handle = pynvml.nvmlDeviceGetHandleByIndex(0)
    x = torch.ones(1 << 20, device="cuda")
    memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
    assert memory.used >= 4 << 20 and memory.used + memory.free == memory.total
    assert 0 <= pynvml.nvmlDeviceGetUtilizationRates(handle).gpu <= 100
    assert pynvml.nvmlDeviceGetName(handle).startswith("GAUDI")
    with pytest.raises(NotImplementedError, match="pynvml.nvmlDeviceGetFanSpeed has no counterpart"):
        pynvml.nvmlDeviceGetFanSpeed(handle)
    pynvml.nvmlShutdown()
    del x

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lazy mode: what waits, what cuts a graph, and that nothing but time differs from PyTorch's CPU."""
import copy
import random
import threading

import habana_frameworks.torch.core as htcore
import pytest
import torch
import torch.nn.functional as F
from habana_frameworks.torch import _C, _views
from torch import nn
from torch.fx import Graph

pytestmark = pytest.mark.usefixtures("lazily")


def _reasons(cuts) -> list[str]:
    return [reason for reason, *_ in cuts]


def test_a_graph_waits_for_mark_step(lazily):
    x = torch.arange(6.0).to("hpu")
    before = _C.lazy_counts()["steps"]
    y = x * 2 + 1
    assert _C.lazy_counts()["steps"] == before + 2
    assert _C.lazy_counts()["waiting"] == 1
    htcore.mark_step()
    assert _C.lazy_counts()["waiting"] == 0
    assert y.tolist() == [1, 3, 5, 7, 9, 11]
    (reason, file, line, graph, steps, programs, is_hit), = lazily()
    assert (reason, steps, programs, is_hit) == ("mark_step", 2, 1, False)
    assert file == __file__ and line > 0


def test_intermediate_results_have_no_memory(lazily):
    x = torch.ones(1 << 18, device="hpu")
    htcore.mark_step()
    torch.hpu.reset_peak_memory_stats()
    before = torch.hpu.memory_allocated()
    y = x
    for _ in range(10):
        y = y * 2
    htcore.mark_step()
    torch.hpu.synchronize()
    # The result, and a workspace: of ten results each would have 1 MiB.
    assert torch.hpu.memory_allocated() - before < 2 << 20
    assert torch.hpu.max_memory_allocated() - before < 4 << 20
    assert y[0].item() == 1024


@pytest.mark.parametrize("read, reason", [
    (lambda x: x.sum().item(), "the host reads a number"),
    (lambda x: x.cpu(), "a copy to the host"),
    (lambda x: bool((x > 0).any()), "the host reads a number"),
    (lambda x: torch.hpu.synchronize(), "the card is waited for"),
    (lambda x: torch.hpu.Event().record(), "an event is recorded"),
])
def test_what_cuts(lazily, read, reason):
    x = torch.ones(4, device="hpu") + 1
    lazily()
    read(x)
    assert _reasons(lazily())[0] == reason


def test_a_copy_from_the_host_cuts_only_what_uses_its_target(lazily):
    a, b = torch.zeros(3, device="hpu"), torch.zeros(3, device="hpu")
    htcore.mark_step()
    lazily()
    c = a + 1
    b.copy_(torch.ones(3))
    fresh = torch.ones(3).to("hpu")
    assert _reasons(lazily()) == []
    a.copy_(torch.full((3,), 7.0))
    assert _reasons(lazily()) == ["a copy from the host to a tensor of the graph"]
    assert c.tolist() == [1, 1, 1] and (a + b + fresh).tolist() == [9, 9, 9]


def test_equal_graphs_are_compiled_once(lazily):
    weight = torch.ones(4, 4, device="hpu")
    htcore.mark_step()
    lazily()
    for step in range(5):
        weight.add_(torch.ones(4, 4).to("hpu") @ weight, alpha=0.1)
        htcore.mark_step()
    assert [hit for *_, hit in lazily()][1:] == [True] * 4
    expected = torch.ones(4, 4)
    for step in range(5):
        expected.add_(torch.ones(4, 4) @ expected, alpha=0.1)
    torch.testing.assert_close(weight.cpu(), expected)


def test_floats_that_change_take_no_recipe(lazily):
    x = torch.ones(4, device="hpu")
    htcore.mark_step()
    lazily()
    for step in range(6):
        y = x * (0.5 + step)
        htcore.mark_step()
        assert y[0].item() == 0.5 + step
    marks = [cut for cut in lazily() if cut[0] == "mark_step"]
    assert [hit for *_, hit in marks] == [False, False, True, True, True, True]


def test_copies_of_what_the_same_graph_replaces():
    a = torch.tensor([1.0, 2.0], device="hpu")
    b = torch.tensor([5.0, 6.0], device="hpu")
    htcore.mark_step()
    c = a.clone()
    a.copy_(b)
    b.copy_(c)
    a.add_(1)
    d = b.clone()
    htcore.mark_step()
    assert a.tolist() == [6, 7] and b.tolist() == [1, 2]
    assert c.tolist() == [1, 2] and d.tolist() == [1, 2]


def test_seeds_count_from_where_they_are_set():
    torch.hpu.manual_seed(5)
    a = torch.rand(8, device="hpu")
    torch.hpu.manual_seed(5)
    b = torch.rand(8, device="hpu")
    c = torch.rand(8, device="hpu")
    assert torch.equal(a.cpu(), b.cpu()) and not torch.equal(b.cpu(), c.cpu())
    torch.hpu.manual_seed(5)
    assert torch.equal(torch.rand(8, device="hpu").cpu(), a.cpu())
    state = torch.hpu.get_rng_state()
    first = torch.nn.functional.dropout(torch.ones(64, device="hpu"))
    torch.hpu.set_rng_state(state)
    assert torch.equal(torch.nn.functional.dropout(torch.ones(64, device="hpu")).cpu(),
                       first.cpu())
    drawn = [torch.rand(3, device="hpu").tolist() for _ in range(3)]
    assert drawn[0] != drawn[1] != drawn[2]


def test_a_graph_that_fails_leaves_no_values(monkeypatch):
    from habana_frameworks.torch import _lazy
    x = torch.ones(5, device="hpu")
    htcore.mark_step()
    y = x + 3

    def fails(*_):
        raise RuntimeError("no room")
    monkeypatch.setattr(_lazy, "compile", fails)
    with pytest.raises(RuntimeError, match="no room"):
        htcore.mark_step()
    with pytest.raises(RuntimeError, match="has no value, since the graph that computes it"):
        y.cpu()
    assert x.tolist() == [1] * 5


def test_a_graph_that_fails_takes_what_it_writes_along(monkeypatch):
    from habana_frameworks.torch import _lazy
    weight = torch.ones(5, device="hpu")
    htcore.mark_step()
    weight.add_(1)

    def fails(*_):
        raise RuntimeError("no room")
    monkeypatch.setattr(_lazy, "compile", fails)
    with pytest.raises(RuntimeError, match="no room"):
        htcore.mark_step()
    with pytest.raises(RuntimeError, match="has failed: .*no room"):
        weight.cpu()  # its older value would be wrong


def test_a_read_while_its_graph_is_compiled(monkeypatch):
    from habana_frameworks.torch import _lazy
    x = torch.ones(5, device="hpu") + 2
    compile_graph = _lazy.compile

    def reads(*args):
        with pytest.raises(RuntimeError, match="is being computed by a graph"):
            x.cpu()
        return compile_graph(*args)
    monkeypatch.setattr(_lazy, "compile", reads)
    assert x.tolist() == [3] * 5


def test_graphs_of_autograd_end_with_the_step():
    a = torch.ones(3, device="hpu", requires_grad=True)
    a.grad = torch.zeros(3, device="hpu")
    for step in range(3):
        y = a * 3
        gradient = torch.ones(3, device="hpu")
        htcore.mark_step()
        y.backward(gradient)
        htcore.mark_step()
        assert _C.lazy_counts()["waiting"] == 0
    assert a.grad.tolist() == [9] * 3


@pytest.mark.parametrize("compute", [
    lambda x: x.view(torch.float32) + x,
    lambda x: torch.where(x.view(torch.bool)[:4], x, x + 1),
    lambda x: x.view(torch.float32) * 2,
])
def test_a_storage_seen_as_two_types(compute):
    x = torch.arange(4, dtype=torch.int32) + 10**9
    on_card = x.to("hpu")
    htcore.mark_step()
    torch.testing.assert_close(compute(on_card).cpu(), compute(x), rtol=0, atol=0)


def test_views_of_a_part_of_a_storage_of_bytes():
    x = torch.arange(1, 8, dtype=torch.uint8)
    on_card = x.to("hpu")
    htcore.mark_step()
    for each in (x, on_card):
        view = each[:6].view(torch.int16)
        view.copy_(view.flip(0).clone())
    htcore.mark_step()
    assert torch.equal((on_card + 0).cpu(), x)


def test_more_than_the_card_is_refused_at_once(lazily):
    with pytest.raises(torch.OutOfMemoryError, match=r"a tensor of \d+xf32 needs 4096.0 GiB, and hpu:0 .* has "
                       r".* GiB; ask for a smaller one"):
        torch.empty(2 ** 40, device="hpu")


def test_tensors_of_the_host_are_refused():
    a = torch.ones(2, 2, device="hpu")
    with pytest.raises(RuntimeError, match="to be on the same device"):
        a * torch.ones(2, 2).t()
    with pytest.raises(RuntimeError, match=r'on the same device.* of aten::add.*\.to\("hpu:0"\)'):
        a + torch.ones(2, 2)
    assert (a * torch.tensor(3.0)).sum().item() == 12


@pytest.mark.parametrize("draw", [
    lambda: torch.poisson(torch.full((64,), 5.0, device="hpu")),
    lambda: torch.multinomial(torch.ones(8, device="hpu"), 4),
    lambda: torch.bernoulli(torch.full((64,), 0.5, device="hpu")),
    lambda: torch.normal(torch.zeros(64, device="hpu"), torch.ones(64, device="hpu")),
])
def test_random_numbers_are_those_of_the_card(draw):
    before = torch.get_rng_state()
    torch.hpu.manual_seed(4)
    first = draw().cpu()
    torch.hpu.manual_seed(4)
    assert torch.equal(draw().cpu(), first)
    assert torch.equal(torch.get_rng_state(), before)


def test_what_pytorch_refuses_is_refused_at_the_op():
    x = torch.ones(3, dtype=torch.complex64, device="hpu")
    y = x * 2
    with pytest.raises(RuntimeError):
        x > 0
    assert y.real.tolist() == [2] * 3


@pytest.mark.slow
def test_storages_of_python_end_in_threads():
    end = threading.Event()

    def run():
        x = torch.ones(8, device="hpu")
        while not end.is_set():
            y = x + 1
            y.untyped_storage()
            del y
            htcore.mark_step()
    threads = [threading.Thread(target=run) for _ in range(2)]
    for each in threads:
        each.start()
    for _ in range(20000):
        _C.take_cuts()
    end.set()
    for each in threads:
        each.join(60)
        assert not each.is_alive()


def test_closures_after_one_that_raises_run_at_the_next_step():
    called = []

    def fails():
        raise ValueError("closure")
    htcore.add_step_closure(fails)
    htcore.add_step_closure(called.append, (1,))
    with pytest.raises(ValueError, match="closure"):
        htcore.mark_step()
    htcore.mark_step()
    assert called == [1]


def test_an_op_of_the_cpu_reads_what_waits(lazily):
    x = torch.diag(torch.tensor([1.0, 2.0])).to("hpu") + 0
    values = torch.linalg.eigvals(x)
    assert sorted(values.real.tolist()) == [1, 2]


def test_modes_two_cuts_after_each_op(lazily):
    _C.set_lazy_mode(2)
    x = torch.ones(3, device="hpu")
    lazily()
    y = (x + 1) * 2
    assert _reasons(lazily()) == ["the limit of ops"] * 2 and y.tolist() == [4, 4, 4]


def test_mode_three_cuts_at_random(lazily):
    _C.set_lazy_mode(3)
    x = torch.ones(3, device="hpu")
    lazily()
    for _ in range(200):
        x = x + 1
    cuts = [each for each in lazily() if each[0] == "PT_HPU_LAZY_MODE=3"]
    assert 3 <= len(cuts) <= 40 and x.tolist() == [201] * 3


@pytest.mark.parametrize("mode", ["2", pytest.param("3", marks=pytest.mark.slow)])
def test_modes_of_the_environment(run_python, mode):
    code, output, errors = run_python("""
import torch, habana_frameworks.torch.core as htcore
x = torch.ones(3, device="hpu")
for _ in range(20):
    x = x + 1
htcore.mark_step()
print(x.tolist())
""", PT_HPU_LAZY_MODE=mode)
    assert (code, output) == (0, "[21.0, 21.0, 21.0]\n"), errors


def test_hits_are_those_of_a_recipe_cache(run_python):
    code, output, errors = run_python('''
import torch
import habana_frameworks.torch.core as htcore
from habana_frameworks.torch.hpu.metrics import metric_global
x, before = torch.ones(3, device="hpu"), None
for step in range(6):
    x = torch.tanh(x * 2)
    htcore.mark_step()
    if step == 1:
        before = dict(metric_global("recipe_cache").stats())["TotalHit"]
print(dict(metric_global("recipe_cache").stats())["TotalHit"] - before)
''', PT_HPU_LAZY_MODE="1", PT_HPU_ENABLE_CACHE_METRICS="1")
    assert (code, output) == (0, "4\n"), errors


def test_iter_mark_step_ends_a_step(lazily):
    x = torch.ones(3, device="hpu") + 1
    htcore.iter_mark_step()
    assert _reasons(lazily()) == ["mark_step"] and x.tolist() == [2, 2, 2]


def test_limit_of_ops(run_python):
    code, output, errors = run_python('''
import torch
from habana_frameworks.torch import _C
x = torch.ones(3, device="hpu")
_C.cut("begin"); _C.take_cuts()
for _ in range(8):
    x = x + 1
print([cut[4] for cut in _C.take_cuts()], x.tolist())
''', PT_HPU_LAZY_MODE="1", PT_HPU_MAX_COMPOUND_OP_SIZE="4")
    assert (code, output) == (0, "[4, 4] [9.0, 9.0, 9.0]\n"), errors


@pytest.mark.slow
def test_compiled_graphs_are_bounded(run_python):
    code, output, errors = run_python('''
import torch
import habana_frameworks.torch.core as htcore
from habana_frameworks.torch import _C
kept = []
for size in range(1, 13):
    x = torch.ones(size, device="hpu") + 1
    htcore.mark_step()
    kept.append(_C.lazy_counts()["kept"])
    assert x.sum().item() == 2 * size
print(max(kept) <= 6, kept[-1] > 2)
''', PT_HPU_LAZY_MODE="1", HABANA_PGM_LRU_MAX="6")
    assert (code, output) == (0, "True True\n"), errors


def test_graph_of_a_compiled_function():
    def function(x):
        return torch.relu(x) * 3
    x = torch.tensor([-1.0, 2.0], device="hpu") * 2
    y = torch.compile(function, backend="hpu_backend")(x) + 1
    assert y.tolist() == [1, 13]


# --- views of memory --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_views_are_what_strides_say(seed):
    rng = random.Random(seed)
    memory = torch.arange(float(rng.choice([24, 36, 48, 35, 7])))
    count = memory.numel()
    sizes, strides = [], []
    for _ in range(rng.randrange(4)):
        sizes.append(rng.choice([1, 2, 3, 4]))
        strides.append(rng.choice([0, 1, 1, 2, 3, 4, 6, 12]))
    while (reach := 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))) > count:
        sizes.pop(), strides.pop()
    offset = rng.randrange(count - reach + 1)
    view = _views.View(count, tuple(sizes), tuple(strides), offset)
    expected = memory.as_strided(sizes, strides, offset)
    graph = Graph()
    node = graph.placeholder("memory")
    node.meta = {"val": memory}
    assert torch.equal(view.read(graph, node).meta["val"], expected)
    kept = [size if stride else 1 for size, stride in zip(sizes, strides)]
    once = memory.as_strided(kept, strides, offset)
    if once.unique().numel() < once.numel():
        return  # elements of two places: no op writes to them
    value = graph.placeholder("value")
    value.meta = {"val": (-1 - torch.rand(kept)).expand(sizes)}
    written = memory.clone()
    written.as_strided(kept, strides, offset).copy_(value.meta["val"].as_strided(
        kept, [stride if size > 1 else 0 for size, stride in zip(kept, value.meta["val"].stride())]))
    assert torch.equal(view.write(graph, node, value).meta["val"], written)


# --- random programs --------------------------------------------------------------------------


class _Program:
    """Views, writes, casts, reads and cuts at random places; the same for each device."""

    def __init__(self, seed: int, device: str) -> None:
        self.rng, self.device = random.Random(seed), device
        self.generator = torch.Generator().manual_seed(seed)
        self.is_integer = self.rng.random() < 0.6
        self.tensors = [self.new() for _ in range(3)]
        self.read: list = []

    def new(self):
        sizes = [self.rng.choice([1, 2, 3, 4]) for _ in range(self.rng.randrange(1, 4))]
        values = torch.randint(-8, 8, sizes, generator=self.generator)
        return (values.int() if self.is_integer else values.float() / 4).to(self.device)

    def write(self, function) -> None:
        try:
            function()
        except RuntimeError as error:  # of elements that share memory, on both devices
            assert "single memory location" in str(error)
            self.read.append(-1e9)

    def run(self, steps: int):
        for _ in range(steps):
            self.step()
            if len(self.tensors) > 6:
                self.tensors.pop(self.rng.randrange(len(self.tensors)))
        return self.read, [each.cpu() for each in self.tensors]

    def step(self) -> None:
        rng = self.rng
        kind, number, share = rng.randrange(16), rng.randrange(8), rng.random()
        x, y = rng.choice(self.tensors), rng.choice(self.tensors)
        if x.dim() == 0:
            self.tensors.append(x.reshape(1))
            return
        dim = rng.randrange(x.dim())
        keep = self.tensors.append
        if kind == 0:
            keep(x.transpose(dim, x.dim() - 1))
        elif kind == 1:
            begin = number % x.size(dim)
            keep(x.narrow(dim, begin, max(1, (x.size(dim) - begin) // (1 + number % 2))))
        elif kind == 2:
            keep(x.select(dim, number % x.size(dim)))
        elif kind == 3:
            keep(x[..., ::2])
        elif kind == 4:
            self.write(lambda: x.add_(number))
        elif kind == 5:
            self.write(lambda: x.mul_(2 if self.is_integer else 0.5))
        elif kind == 6:
            x.fill_(number)
        elif kind == 7:
            self.pair(x, y, share)
        elif kind == 8:
            keep((x * 2).to(torch.int64).to(x.dtype))
        elif kind == 9:
            keep(x.reshape(-1))
        elif kind == 10:
            keep(x.unsqueeze(dim).expand(*x.shape[:dim], 2, *x.shape[dim:]))
        elif kind == 11:
            self.read.append(x.sum().item())
        elif kind == 12 and self.device == "hpu":
            htcore.mark_step()
        elif kind == 13:
            keep(torch.where(x > 0, x, -x))
        elif kind == 14:
            keep(x.view(-1, 1) if x.is_contiguous() else x.contiguous())
        elif kind == 15:
            keep(x.clone())
            x.zero_()

    def pair(self, x, y, share: float) -> None:
        try:
            sizes = torch.broadcast_shapes(x.shape, y.shape)
        except RuntimeError:
            return
        if x.untyped_storage()._cdata == y.untyped_storage()._cdata:
            y = y.clone()
        if sizes == x.shape:
            self.write(lambda: x.add_(y) if share < 0.5 else x.copy_(y))
        else:
            self.tensors.append(x + y if share < 0.5 else x * y)


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed):
    steps = 6 + seed
    read, values = _Program(seed, "hpu").run(steps)
    expected_read, expected = _Program(seed, "cpu").run(steps)
    torch.testing.assert_close(read, expected_read)
    for value, right in zip(values, expected, strict=True):
        torch.testing.assert_close(value, right, rtol=0 if not right.is_floating_point() else 1e-5,
                                   atol=0 if not right.is_floating_point() else 1e-6)


# --- scripts ----------------------------------------------------------------------------------


def _train(model, device, steps: int, mark: bool, seed: int = 0):
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    generator = torch.Generator().manual_seed(seed)
    losses = []
    for _ in range(steps):
        x = torch.randn(8, 6, generator=generator)
        target = x[:, :3].contiguous()
        optimizer.zero_grad()
        loss = F.mse_loss(model(x.to(device)), target.to(device))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        if mark:
            htcore.mark_step()
    return [loss.item() for loss in losses]


def _model(seed: int) -> nn.Module:
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3))


def test_one_graph_a_step(lazily):
    model = _model(0)
    expected = _train(copy.deepcopy(model), "cpu", 10, mark=False)
    model = model.to("hpu")
    lazily()
    losses = _train(model, "hpu", 10, mark=True)
    torch.testing.assert_close(losses, expected, rtol=1e-4, atol=1e-5)
    cuts = [cut for cut in lazily() if cut[4]]
    assert _reasons(cuts)[:10] == ["mark_step"] * 10
    assert sum(not hit for *_, hit in cuts) <= 2


def test_two_models_in_two_threads(lazily):
    results = {}
    models = {seed: _model(seed) for seed in (1, 2)}  # threads draw from one generator

    def run(seed: int) -> None:
        results[seed] = _train(models[seed].to("hpu"), "hpu", 8, mark=True, seed=seed)

    expected = {seed: _train(_model(seed), "cpu", 8, mark=False, seed=seed) for seed in (1, 2)}
    threads = [threading.Thread(target=run, args=(seed,)) for seed in expected]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for seed, losses in expected.items():
        torch.testing.assert_close(results[seed], losses, rtol=1e-4, atol=1e-5)


def test_weights_that_are_one_stay_one(lazily):
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.head = nn.Embedding(11, 6), nn.Linear(6, 11, bias=False)
            self.head.weight = self.words.weight

        def forward(self, x):
            return self.head(torch.tanh(self.words(x)))

    def train(device):
        torch.manual_seed(0)
        model = Tied().to(device)
        assert model.head.weight is model.words.weight and len(list(model.parameters())) == 1
        optimizer = torch.optim.SGD(model.parameters(), 0.5)
        x = torch.arange(10).to(device)
        losses = []
        for _ in range(10):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), x + 1)
            loss.backward()
            optimizer.step()
            htcore.mark_step()
            losses.append(loss.item())
        return losses
    torch.testing.assert_close(train("hpu"), train("cpu"), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("options", [{}, {"momentum": 0.9, "nesterov": True},
                                     {"momentum": 0.8, "dampening": 0.1, "weight_decay": 0.01}])
def test_fused_sgd(options):
    from habana_frameworks.torch.hpex.optimizers import FusedSGD
    torch.manual_seed(0)
    plain = nn.Linear(5, 3)
    model = copy.deepcopy(plain).to("hpu")
    steps = [(plain, torch.optim.SGD(plain.parameters(), lr=0.1, **options), "cpu"),
             (model, FusedSGD(model.parameters(), lr=0.1, **options), "hpu")]
    for _ in range(6):
        x = torch.randn(4, 5)
        for network, optimizer, device in steps:
            optimizer.zero_grad()
            network(x.to(device)).square().sum().backward()
            optimizer.step()
            htcore.mark_step()
    torch.testing.assert_close(model.weight.cpu(), plain.weight, rtol=1e-4, atol=1e-6)
    with pytest.raises(ValueError, match="Nesterov"):
        FusedSGD(model.parameters(), lr=0.1, nesterov=True)


def test_control_flow_of_the_host():
    """A walk whose length the values decide."""
    def walk(device):
        state, steps = torch.tensor([0.5, -0.25]).to(device), 0
        while state.abs().sum().item() < 20:
            state = state * 1.5 + (0.1 if state[0] > 0 else -0.1)
            steps += 1
        return state.cpu(), steps
    (state, steps), (expected, wanted) = walk("hpu"), walk("cpu")
    assert steps == wanted
    torch.testing.assert_close(state, expected, rtol=1e-5, atol=1e-5)


def test_variational_autoencoder_draws_and_learns():
    torch.manual_seed(0)
    encoder, decoder = nn.Linear(8, 6).to("hpu"), nn.Linear(3, 8).to("hpu")
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], 0.02)
    x = torch.randn(64, 8).mul(0.3).to("hpu")
    losses, codes = [], []
    for _ in range(40):
        middle, spread = encoder(x).chunk(2, 1)
        code = middle + torch.randn_like(middle) * torch.exp(0.5 * spread)
        loss = F.mse_loss(decoder(code), x) + 1e-3 * -0.5 * torch.mean(
            1 + spread - middle.pow(2) - spread.exp())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        htcore.mark_step()
        losses.append(loss.item())
        codes.append(code.detach().cpu())
    assert sum(losses[-5:]) < 0.8 * sum(losses[:5])
    assert not torch.equal(codes[0], codes[1])

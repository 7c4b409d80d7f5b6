# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What graphs may contain, and what the backend says of them."""
import copy
import os
import subprocess
import sys
import warnings

import numpy
import pytest
import torch

import gaudi_mlir
import gaudi_mlir.torch
from gaudi_mlir.metrics import metric_localcontext
from gaudi_mlir.torch import fallback
from gaudi_mlir.torch.sidebyside import excess
from torch.utils._pytree import tree_leaves


def agree(function, *inputs, **options):
    """Compares all outputs with those without the backend, which draws the same numbers."""
    compiled = torch.compile(function, backend="gaudi", options={"random": "host"}, **options)
    torch.manual_seed(1)
    expected = tree_leaves(function(*copy.deepcopy(inputs)))
    torch.manual_seed(1)
    actual = tree_leaves(compiled(*copy.deepcopy(inputs)))
    assert len(actual) == len(expected)
    for mine, other in zip(actual, expected):
        if isinstance(other, torch.Tensor):
            assert mine.stride() == other.stride()
            assert excess(mine, other) <= 1
        else:
            assert mine == other


FUNCTIONS = {
    "none, input and number as outputs": (lambda x: (x + 1, None, x, 3), (torch.randn(3),)),
    "views as outputs": (lambda x: (x.view(6, 4), x.t(), (x + 1).t(), x[1]), (torch.randn(4, 6),)),
    "no elements": (lambda x: (x.relu(), torch.cat([x, torch.ones(2, 4)])), (torch.randn(0, 4),)),
    "rank 0": (lambda x, y: x * y + 1, (torch.tensor(2.0), torch.tensor(3.0))),
    "integers": (lambda x, y: (x // y, x % y, x & y, x > y),
                 (torch.tensor([9, 40, 3]), torch.tensor([2, 7, 3]))),
    "booleans": (lambda x, m: torch.where(m, x, -x) * m,
                 (torch.randn(5), torch.tensor([True, False, True, True, False]))),
    "strides": (lambda x: (x * 2).sum(0), (torch.randn(8, 8)[::2, 1::3],)),
    "bf16": (lambda x: torch.nn.functional.gelu(x @ x.t()), (torch.randn(4, 8).bfloat16(),)),
    "f16": (lambda x: x.softmax(-1), (torch.randn(4, 8).half(),)),
    "random numbers": (lambda x: (x + torch.rand_like(x), torch.randperm(6),
                                  torch.nn.functional.dropout(x.t(), 0.3)), (torch.randn(3, 4),)),
    "literals": (lambda x: (x + torch.tensor([1.0, 2.0, 3.0]), torch.tensor([True, False])),
                 (torch.randn(3),)),
    "numbers without an overload": (lambda x: (torch.logit(x), torch.special.logit(x, 0.1)),
                                    (torch.rand(4) * 0.8 + 0.1,)),
    "numbers beside narrow floats": (lambda x: (x * 0.1, x / 0.3, 0.3 - x),
                                     (torch.tensor([2.546875, -1.0]).bfloat16(),)),
    "comparison of constants": (lambda x: torch.where(torch.ones(3) == 1, x, 0), (torch.randn(3),)),
    "padding by less than nothing": (
        lambda x: torch.nn.functional.pad(x, (1, -1, -1, 0)), (torch.randn(3, 4),)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values(name):
    function, inputs = FUNCTIONS[name]
    agree(function, *inputs)
    assert not gaudi_mlir.torch.fallback_stats()


def test_updates_of_inputs_and_buffers():
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", torch.zeros(4))

        def forward(self, x):
            self.total.add_(x.sum(0))
            x.mul_(2)
            return self.total * x
    expected, actual = Counter(), Counter()
    compiled = torch.compile(actual, backend="gaudi")
    for _ in range(3):
        x = torch.randn(2, 4)
        y = x.clone()
        assert excess(compiled(x), expected(y)) <= 1
        assert excess(x, y) <= 1
        assert excess(actual.total, expected.total) <= 1


def test_parameters_may_change_and_move():
    model = torch.nn.Linear(32, 32)
    compiled = torch.compile(model, backend="gaudi")
    x = torch.randn(4, 32)
    with torch.no_grad():
        for change in (lambda: None, lambda: model.weight.mul_(3),
                       lambda: setattr(model.weight, "data", torch.randn(32, 32))):
            change()
            assert excess(compiled(x), model(x)) <= 1


def test_ops_on_the_cpu(caplog, capfd):
    agree(lambda x: torch.linalg.eigvalsh(x.exp()) + 1, torch.rand(3, 3))
    agree(lambda x: (x.to(torch.complex128) * 2j).abs().float(), torch.randn(3, 8))
    assert gaudi_mlir.torch.fallback_stats()["aten::_linalg_eigh"] == 1
    assert "1\taten::_linalg_eigh" in gaudi_mlir.torch.fallback_table()
    text = [record.getMessage() for record in caplog.records]
    assert sum("Fallback required. Node: _linalg_eigh" in each for each in text) == 1
    assert "complex numbers" in gaudi_mlir.torch.explain().fallback_reasons["aten::mul"]


def test_lines_follow_the_table_of_ops_on_the_cpu(monkeypatch):
    monkeypatch.setattr(fallback, "_unsaid", {})
    fallback.reset()

    def run(count):
        for number in range(count):
            fallback.note_silently(f"test::op{number}", "it is large", "/a/model.py", number)
            fallback.executed({(f"test::op{number}", ""): 1})

    run(13)
    assert len(fallback.stats()) == 13
    first, *others, last = fallback.lines()
    assert first == "test::op0 at model.py:0 ran on the CPU: it is large" and len(others) == 9
    assert last == "... and 3 more; gaudi_mlir.torch.explain().fallback_reasons has all"
    fallback.reset()
    assert not fallback.table() and not fallback.lines()
    run(1)
    assert fallback.lines() == [first]
    fallback.reset()


@pytest.mark.parametrize("variable, value, message", [
    ("PT_HPU_USE_EAGER_FALLBACK", "0", "aten::_linalg_eigh .* cannot be compiled"),
    ("PT_HPU_PLACE_ON_CPU", "none", "aten::_linalg_eigh is not yet supported on HPU"),
    ("PT_HPU_PLACE_ON_CPU", "aten::sin", "aten::_linalg_eigh is not yet supported on HPU"),
])
def test_forbidden_fallback(monkeypatch, variable, value, message):
    monkeypatch.setenv(variable, value)
    with pytest.raises(Exception, match=message):
        torch.compile(torch.linalg.eigvalsh, backend="gaudi")(torch.rand(3, 3))


def test_frozen_parameters(monkeypatch):
    monkeypatch.setenv("PT_HPU_COMPILE_GRAPH_FREEZE", "1")
    model = torch.nn.Linear(32, 8)
    compiled = torch.compile(model, backend="gaudi")
    x = torch.randn(4, 32)
    with torch.no_grad():
        assert excess(compiled(x), model(x)) <= 1
        graph, = gaudi_mlir.torch.explain().graphs
        assert len(graph.variants[0].segments[0].recipe.entries[0].inputs) == 1
        model.weight.mul_(2)
        assert excess(compiled(x), model(x)) <= 1
    assert len(graph.variants) == 2


def test_recipes_on_disk(monkeypatch, tmp_path):
    monkeypatch.setenv("PT_HPU_RECIPE_CACHE_CONFIG", f"{tmp_path},false,1")
    for cached in (False, True):
        gaudi_mlir.torch.reset()
        agree(lambda x: x.exp() * 2, torch.randn(3))
        segment, = gaudi_mlir.torch.explain().graphs[0].segments
        assert segment.from_cache == cached
        assert segment.cache == ("hit on disk" if cached else "miss: nothing like it is cached")
    assert len(list(tmp_path.glob("*.recipe"))) == len(list(tmp_path.glob("*.metadata"))) == 1


SECOND_PROCESS = """
import sys, time, torch, gaudi_mlir.torch
from gaudi_mlir.torch import cache, segment
seconds = []
compile_segment = segment.compile_segment
def timed(*arguments):
    begin = time.perf_counter()
    compiled = compile_segment(*arguments)
    seconds.append(time.perf_counter() - begin)
    return compiled
segment.compile_segment = timed
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.LayerNorm(8))
compiled = torch.compile(model, backend="gaudi")
with torch.no_grad():
    x = torch.randn(int(sys.argv[1]), 8)
    assert torch.allclose(compiled(x), model(x), atol=1e-4)
report = gaudi_mlir.torch.explain()
print(report.graphs[0].segments[0].cache)
print("recipe cache: " in str(report))
print(max(seconds))
"""


def test_recipes_of_another_process(tmp_path):
    def run(size, config=str(tmp_path)):
        lines = subprocess.run(
            [sys.executable, "-c", SECOND_PROCESS, str(size)], check=True, capture_output=True,
            text=True, env={**os.environ, "PT_HPU_RECIPE_CACHE_CONFIG": config}).stdout.splitlines()
        assert lines[1] == str("nothing like it" not in lines[0])
        return lines[0], float(lines[2])
    assert run(3)[0] == "miss: nothing like it is cached"
    found, seconds = run(3)
    assert found == "hit on disk"
    assert seconds < 0.5  # benchmarks/python/front_door.py measures it
    missed = run(5)[0]
    assert "signature is " in missed and "vtensor<[5,8],f32>" in missed and "ops" not in missed
    for recipe in tmp_path.glob("*.recipe"):
        recipe.write_bytes(recipe.read_bytes()[:-1])
    assert "miss (" in run(3)[0]
    assert run(3)[0] == "hit on disk"
    assert run(3, f"{tmp_path},true")[0] == "miss: nothing like it is cached"


def test_side_by_side(monkeypatch, caplog):
    monkeypatch.setenv("PT_SBS", "1")
    with caplog.at_level("INFO", logger="gaudi_mlir.torch"):
        agree(lambda x: x.exp(), torch.randn(3))
    assert any("PT_SBS" in each.getMessage() for each in caplog.records)


def test_dynamic_sizes_and_report():
    compiled = torch.compile(lambda x: (x.softmax(-1), x.shape[0] * 2), backend="gaudi",
                             dynamic=True)
    for size in (3, 5, 3):
        x = torch.randn(size, 4)
        values, number = compiled(x)
        assert number == 2 * size
        assert excess(values, x.softmax(-1)) <= 1
    report = gaudi_mlir.torch.explain()
    assert len(report.graphs[0].variants) == 2
    assert report.graphs[0].variants[0].segments[0].launches == 2
    assert report.graphs[0].variants[0].segments[0].predicted_us > 0
    assert "buckets" in str(report)


def test_reasons_of_breaks_and_recompiles():
    def function(x, factor):
        x = x * factor
        torch._dynamo.graph_break()
        return x.sum()
    compiled = torch.compile(function, backend="gaudi", dynamic=False)
    for x, factor in ((torch.randn(3), 2), (torch.randn(4), 2), (torch.randn(4), 3),
                      (torch.randn(4, 2), 3), (torch.randn(4, 2).bfloat16(), 3)):
        compiled(x, factor)
    report = gaudi_mlir.torch.explain()
    assert __file__ in report.graph_breaks[0].location
    text = str(report)
    for each in ("size mismatch", "rank mismatch", "dtype mismatch", "factor == 2",
                 "constants of the recipe"):
        assert each in text


def test_what_has_no_effect_is_said(caplog):
    gaudi_mlir.torch.reset()
    assert "nothing was compiled" in str(gaudi_mlir.torch.explain())
    assert "nothing was compiled" in caplog.text
    x = torch.eye(3)
    assert torch.equal(torch.compile(lambda x: x @ x, backend="gaudi", mode="max-autotune")(x), x)
    assert "mode='max-autotune' is of PyTorch's own compiler" in caplog.text

    def inside(x):
        with torch.autocast("hpu", dtype=torch.bfloat16):
            return x @ x
    for function in (inside, torch.autocast("hpu")(lambda x: torch.compile(
            lambda x: x @ x + 1, backend="gaudi")(x))):
        gaudi_mlir.torch.reset()
        caplog.clear()
        torch.compile(function, backend="gaudi")(x) if function is inside else function(x)
        assert "write torch.autocast('cpu', dtype=torch.bfloat16)" in caplog.text
    assert "nothing was compiled" not in str(gaudi_mlir.torch.explain())


def stepped(optimizer, **options):
    """Whether a compiled step gives what the optimizer gives; the report."""
    parameters = [torch.nn.Parameter(torch.ones(3, 4)) for _ in range(2)]
    for each, wrap in zip(parameters, (lambda step: step,
                                       lambda step: torch.compile(step, backend="gaudi"))):
        each.grad = torch.arange(12.0).reshape(3, 4) / 7
        step = wrap(optimizer([each], **options).step)
        step()
        step()
    assert excess(parameters[1].detach(), parameters[0].detach()) <= 1
    return gaudi_mlir.torch.explain()


def test_fused_optimizers_are_for_the_cpu():
    report = stepped(torch.optim.AdamW, fused=True)
    assert not report.graphs
    hints = [each.hint for each in report.graph_breaks if "fused optimizer" in each.reason]
    assert len(hints) == 1 and hints[0].startswith("give the optimizer fused=False")
    gaudi_mlir.torch.reset()
    assert len(stepped(torch.optim.AdamW, fused=False).graphs) == 1


def test_adafactor_reads_numbers():
    report = stepped(torch.optim.Adafactor)
    assert not report.graphs
    assert any("capture_scalar_outputs = True" in each.hint for each in report.graph_breaks)
    gaudi_mlir.torch.reset()
    with torch._dynamo.config.patch(capture_scalar_outputs=True):
        report = stepped(torch.optim.Adafactor)
    assert report.graphs and not report.fallback_reasons


def ctc(log_probs, targets, inputs, lengths):
    return torch.nn.functional.ctc_loss(log_probs, targets, inputs, lengths) * 2


CTC = torch.tensor([[1, 2], [3, 3]]), torch.tensor([6, 5]), torch.tensor([2, 1])


def test_ctc_loss():
    leaves = [torch.randn(6, 2, 5).log_softmax(-1)]
    leaves.append(leaves[0].clone())
    losses = []
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        for leaf, function in zip(leaves, (ctc, torch.compile(ctc, backend="gaudi"))):
            losses.append(function(leaf.requires_grad_(), *CTC))
            losses[-1].backward()
    assert excess(losses[1].detach(), losses[0].detach()) <= 1
    assert excess(leaves[1].grad, leaves[0].grad) <= 1
    report = gaudi_mlir.torch.explain()
    assert [len(each.segments) for each in report.graphs] == [1, 1]
    assert not report.fallback_reasons and not report.graph_breaks


@pytest.mark.parametrize("is_list", [False, True])
def test_ctc_loss_that_breaks_the_graph(is_list):
    targets, *lengths = CTC
    if is_list:
        lengths = [each.tolist() for each in lengths]
    numbers = torch.randn(6, 2, 5).log_softmax(-1)
    got = torch.compile(ctc, backend="gaudi")(numbers, targets, *lengths)
    assert excess(got, ctc(numbers, targets, *lengths)) <= 1
    breaks = [each for each in gaudi_mlir.torch.explain().graph_breaks if "_ctc_loss" in each.reason]
    assert breaks and "capture_dynamic_output_shape_ops" in breaks[0].hint


def test_recompiles_after_many_graphs():
    for size in range(70):  # more than PyTorch remembers
        torch._dynamo.reset()
        torch.compile(lambda x: x + 1, backend="eager")(torch.randn(size + 1))
    gaudi_mlir.torch.reset()
    compiled = torch.compile(lambda x: x + 1, backend="gaudi", dynamic=False)
    for size in (3, 4):
        compiled(torch.randn(size))
    assert len(gaudi_mlir.torch.explain().recompiles) == 1


def test_another_device():
    with pytest.raises(Exception, match="on the device 'meta'"):
        torch.compile(lambda x: x + 1, backend="gaudi")(torch.randn(3, device="meta"))


def test_unknown_option():
    with pytest.raises(Exception, match="unknown option 'devise'; did you mean 'device'"):
        torch.compile(lambda x: x + 1, backend="gaudi", options={"devise": 1})(torch.randn(3))


def test_missing_package():
    code = "import sys; sys.modules['torch'] = None; import gaudi_mlir.torch"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install torch==" in done.stderr.splitlines()[-1]


def test_recipes_in_compiled_functions():
    recipe = gaudi_mlir.compile("""func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = math.exp %x : tensor<3xf32>
  return %y : tensor<3xf32>
}""")

    def function(x):
        return torch.from_numpy(recipe.run([(x + 1).numpy()])[0]) * 2

    x = torch.linspace(-1, 1, 3)
    torch.testing.assert_close(torch.compile(function, backend="gaudi")(x), (x + 1).exp() * 2)


def test_in_a_process_of_its_own():
    code = ("import sys, torch, gaudi_mlir.torch\n"
            "assert 'torch._dynamo' not in sys.modules\n"
            "compiled = torch.compile(lambda x: torch.linalg.eigvalsh(x.exp()) + 1, backend='gaudi')\n"
            "x = torch.ones(3, 3)\n"
            "assert torch.allclose(compiled(x), torch.linalg.eigvalsh(x.exp()) + 1)\n"
            "gaudi_mlir.torch.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))\n"
            "assert not [name for name in sys.modules if name.startswith('torch_mlir')]\n"
            "print(gaudi_mlir.torch.explain())")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'aten._linalg_eigh' is not among the ops" in done.stdout


def test_export(tmp_path):
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(64, 8)

        def forward(self, left, right):
            return self.layer(left) * right
    model, inputs = Model().eval(), (torch.randn(4, 64), torch.randn(4, 8))
    exported = gaudi_mlir.torch.export(model, inputs, path=tmp_path / "model.mlir")
    assert exported.inputs == ["left", "right"]
    assert (tmp_path / "model.safetensors").stat().st_size >= 4 * 64 * 8
    result, = exported.recipe().run({"right": inputs[1], "left": inputs[0]})
    assert excess(torch.as_tensor(result), model(*inputs).detach()) <= 1
    batch = torch.export.Dim("batch", min=2, max=8)
    exported = gaudi_mlir.torch.export(model, inputs, dynamic_shapes=({0: batch}, {0: batch}))
    recipe = exported.recipe()
    for size in (2, 5, 8):
        inputs = torch.randn(size, 64), torch.randn(size, 8)
        result, = recipe.run(inputs)
        assert excess(torch.as_tensor(result), model(*inputs).detach()) <= 1


def test_export_without_a_largest_size():
    batch = torch.export.Dim("batch")
    with pytest.raises(ValueError, match="has no largest size"):
        gaudi_mlir.torch.export(torch.nn.ReLU(), (torch.randn(4, 8),),
                                dynamic_shapes=({0: batch},))


class _Eigenvalues(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.eigh(x)[0]


@pytest.mark.parametrize("model, args, message", [
    (lambda x: x, (torch.ones(2),), "model is a function; expected a torch.nn.Module"),
    (torch.nn.Linear(4, 4), (torch.ones(2, 4, device="meta"),),
     r'the model is on cpu, its arguments are on meta; move both to one device, such as \.to\("cpu"\)'),
    (torch.nn.Linear(4, 4), (torch.ones(2, 5),),
     r"the model cannot be run with these arguments, at .*linear.py:\d+: .*; give args of the number"),
    (torch.nn.Linear(4, 4), (), "the model cannot be run with these arguments: missing a required "
                                "argument: 'input'; give args of the number"),
    (_Eigenvalues(), (torch.ones(3, 3),),
     r"'aten._linalg_eigh' is not among the ops .* \(_Eigenvalues at test_behaviour.py:\d+:1\); compute "
     "it outside of the model, or take torch.compile"),
])
def test_models_that_are_not_exported(model, args, message):
    with pytest.raises((ValueError, gaudi_mlir.Error), match=message):
        gaudi_mlir.torch.export(model, args)


def test_export_in_training_mode():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout())
    with pytest.warns(UserWarning, match=r"module '1' drops out, .*; call .eval\(\) first"):
        assert gaudi_mlir.torch.export(model, (torch.ones(2, 4),)).inputs == ["input", "seed", "offset"]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        gaudi_mlir.torch.export(model.eval(), (torch.ones(2, 4),))
    assert not [each for each in said if "drops out" in str(each.message)]


def test_export_of_arrays():
    x = numpy.ones((1, 2), numpy.float32)
    for args, message in ((x, "args is a NumPy array"),
                          ((x,), "argument 0 of the model is a NumPy")):
        with pytest.raises(TypeError, match=f"{message}.*torch.from_numpy"):
            gaudi_mlir.torch.export(torch.nn.Linear(2, 2), args)


def test_layers_that_share_a_graph():
    """More of them than places to be bound, so that all are copied in the end."""
    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.randn(16, 16))

        def forward(self, x):
            return torch.tanh(x @ self.weight)
    layers = [Layer() for _ in range(40)]
    for layer in layers:
        layer.compile(backend="gaudi")
    x = torch.randn(4, 16)
    with torch.no_grad():
        for count in (20, 40, 40):
            for layer in layers[:count]:
                assert excess(layer(x), layer.forward(x)) <= 1
    assert len(gaudi_mlir.torch.explain().graphs) == 1


def test_threads():
    import threading

    layers = [torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU()) for _ in range(3)]

    def function(x, layer):
        return torch.nn.functional.linear(x, layer)
    compiled = torch.compile(function, backend="gaudi")
    x = torch.randn(4, 16)
    wrong = []

    def work(layer):
        with torch.no_grad():
            for _ in range(50):
                if excess(compiled(x, layer[0].weight), function(x, layer[0].weight)) > 1:
                    wrong.append(layer)
    threads = [threading.Thread(target=work, args=(layer,)) for layer in layers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_memory_is_freed():
    import gc
    import weakref

    from gaudi_mlir.torch import launch
    made = weakref.WeakSet()
    bind = launch.Launch._bind

    def noted(self, *arguments):
        made.add(self)
        return bind(self, *arguments)
    launch.Launch._bind = noted
    try:
        model = torch.nn.Linear(16, 16)
        torch.compile(model, backend="gaudi")(torch.randn(4, 16)).sum().backward()
    finally:
        launch.Launch._bind = bind
    assert len(made) == 2
    del model
    torch._dynamo.reset()
    gc.collect()
    assert not made


@pytest.mark.parametrize("name", ["inv", "cholesky", "solve"])
def test_linear_algebra_that_fails_raises(name, monkeypatch):
    """A check of numbers that the device gives is no fallback."""
    monkeypatch.setenv("PT_HPU_USE_EAGER_FALLBACK", "0")
    function = getattr(torch.linalg, name)
    others = (torch.ones(2),) if name == "solve" else ()
    compiled = torch.compile(function, backend="gaudi", dynamic=False)
    torch.testing.assert_close(compiled(torch.eye(2) * 4, *others),
                               function(torch.eye(2) * 4, *others))
    for given in (torch.zeros(2, 2), torch.zeros(2, 2, requires_grad=True)):
        with pytest.raises(torch.linalg.LinAlgError) as expected:
            function(given, *others)
        with pytest.raises(torch.linalg.LinAlgError) as caught:
            compiled(given, *others)
        assert str(caught.value) == str(expected.value)


def block():
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3, bias=False), torch.nn.BatchNorm2d(4), torch.nn.ReLU(),
        torch.nn.Conv2d(4, 4, 3, padding=1, bias=False),
        torch.nn.InstanceNorm2d(4, affine=True, track_running_stats=True),
        torch.nn.AdaptiveAvgPool2d(2), torch.nn.Flatten(), torch.nn.BatchNorm1d(16))


def test_batch_norms_in_training():
    """Values, gradients and running statistics of several steps."""
    torch.manual_seed(0)
    mine = block()
    other = copy.deepcopy(mine)
    compiled = torch.compile(mine, backend="gaudi", dynamic=False)
    for step in range(3):
        x = torch.randn(6, 3, 8, 8)
        weight = torch.randn(6, 16)
        for model, function in ((mine, compiled), (other, other)):
            model.zero_grad()
            (function(x) * weight).sum().backward()
            with torch.no_grad():
                for each in model.parameters():
                    each -= 0.05 * each.grad
        for (name, each), (_, expected) in zip(mine.named_parameters(), other.named_parameters()):
            torch.testing.assert_close(each.grad, expected.grad, rtol=1e-3, atol=1e-4, msg=name)
        for each, expected in zip(mine.buffers(), other.buffers()):
            torch.testing.assert_close(each, expected, rtol=1e-5, atol=1e-5)
    mine.eval(), other.eval()
    torch.testing.assert_close(compiled(x), other(x), rtol=1e-3, atol=1e-4)
    assert not gaudi_mlir.torch.fallback_stats()


@pytest.mark.parametrize("affine", [True, False])
def test_group_norm_in_training(affine):
    """Its gradient, too, runs on the device as a whole."""
    mine = torch.nn.GroupNorm(2, 4, affine=affine)
    other = copy.deepcopy(mine)
    compiled = torch.compile(mine, backend="gaudi", dynamic=False)
    x, weight = torch.randn(3, 4, 5), torch.randn(3, 4, 5)
    grads = []
    for model, function in ((mine, compiled), (other, other)):
        given = x.clone().requires_grad_()
        (function(given) * weight).sum().backward()
        grads.append([given.grad, *(each.grad for each in model.parameters())])
    torch.testing.assert_close(*grads, rtol=1e-4, atol=1e-5)
    assert not gaudi_mlir.torch.fallback_stats()


def test_ops_on_the_cpu_are_events():
    def work(x, y):
        return torch.linalg.eigvalsh(x.exp()) + y
    with metric_localcontext("cpu_fallback") as ops:
        agree(work, torch.rand(3, 3), torch.rand(3))
        agree(work, torch.rand(3, 3), torch.rand(3))
    assert dict(ops.stats())["FallbackOps"]["aten::_linalg_eigh"] == 2


def test_a_script_without_the_device_hpu(tmp_path):
    (tmp_path / "script.py").write_text("""
import torch
compiled = torch.compile(torch.nn.Linear(8, 4), backend="gaudi")
compiled(torch.ones(2, 8)).sum().backward()
raise SystemExit(3)
""")

    def run(*options):
        # The device is not installed, whatever the machine has.
        code = "import runpy, sys; sys.modules['habana_frameworks'] = None; " \
            "runpy.run_module('gaudi_mlir.explain', run_name='__main__', alter_sys=True)"
        return subprocess.run([sys.executable, "-c", code, *options, "script.py"], cwd=tmp_path,
                              capture_output=True, text=True, check=False)

    done = run("--html", "page.html")
    assert done.returncode == 3, done.stderr
    assert "graphs: 2\n" in done.stderr and "a step: " in done.stderr and ": fits" in done.stderr
    assert "<html" in (tmp_path / "page.html").read_text()
    refused = run("--json", "report.json")
    assert refused.returncode == 2 and "--json needs the device hpu" in refused.stderr
    (tmp_path / "script.py").write_text("print(1)")
    done = run("--html", "page.html")
    assert done.returncode == 1 and "nothing was compiled" in done.stderr

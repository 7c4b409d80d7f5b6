# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong only in some orders of calls, places in memory, or threads."""
import gc
import os
import threading

import ml_dtypes
import numpy as np
import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import gaudi_mlir
import gaudi_mlir.torch
from gaudi_mlir import weights
from gaudi_mlir.importer import pt2
from gaudi_mlir.torch import cache, dynamic, launch, partition, report, segment
from gaudi_mlir.torch.compiler import Target
from gaudi_mlir.torch.sidebyside import excess


class Views(torch.nn.Module):
    """Buffers of one memory, type and shape."""

    def __init__(self):
        super().__init__()
        values = torch.randn(40, 40)
        self.register_buffer("rows", values)
        self.register_buffer("columns", values.t())

    def forward(self, x):
        return x @ self.rows, x @ self.columns


@pytest.mark.parametrize("convert", ["export", "import", "freeze"])
def test_buffers_that_share_memory(convert, monkeypatch):
    model, x = Views(), torch.randn(4, 40)
    if convert == "export":
        results = gaudi_mlir.torch.export(model, (x,)).recipe().run([x])
    elif convert == "import":
        results = pt2.of_program(torch.export.export(model, (x,)), {}).compile().run([x])
    else:
        monkeypatch.setenv("PT_HPU_COMPILE_GRAPH_FREEZE", "1")
        with torch.no_grad():
            results = torch.compile(model, backend="gaudi")(x)
    for actual, expected in zip(results, model(x), strict=True):
        assert excess(torch.as_tensor(actual), expected) <= 1


def test_random_numbers_that_depend_on_values():
    def function(x):
        return torch.nn.functional.rrelu(x, training=True)
    compiled = torch.compile(function, backend="gaudi", options={"random": "host"})
    x = -torch.ones(64)
    for seed in (1, 2):
        torch.manual_seed(seed)
        actual = compiled(x)
        torch.manual_seed(seed)
        assert excess(actual, function(x)) <= 1


def test_order_of_random_ops():
    def function(x):
        picked = torch.multinomial(x.softmax(-1), 3)
        return picked, torch.nn.functional.dropout(x, 0.5) * 2, torch.rand(5)
    compiled = torch.compile(function, backend="gaudi", options={"random": "host"})
    x = torch.randn(4, 16)
    torch.manual_seed(1)
    actual = compiled(x)
    torch.manual_seed(1)
    for mine, other in zip(actual, function(x), strict=True):
        assert excess(mine, other) <= 1


@pytest.mark.parametrize("view", [lambda y: y, lambda y: y.view(3, 1), lambda y: y.detach()])
def test_constants_as_results_are_new(view):
    compiled = torch.compile(lambda x: (x + 1, view(torch.tensor([1.0, 2.0, 3.0]))),
                             backend="gaudi")
    x = torch.randn(3)
    compiled(x)[1].mul_(5)
    assert compiled(x)[1].flatten().tolist() == [1, 2, 3]


def test_constants_of_all_types_in_the_key():
    def key(array):
        return tuple(cache._parts(weights.Text("text", {"name": array}), "gaudi2"))
    keys = {key(np.arange(size).astype(kind)) for size in (2, 4) for kind in (
        np.float32, np.bool_, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn)}
    assert len(keys) == 8
    ambiguous = [{"a": np.frombuffer(b"xb\x001\x00y", np.uint8)},
                 {"a": np.frombuffer(b"x", np.uint8), "b": np.frombuffer(b"y", np.uint8)}]
    first, second = (cache._parts(weights.Text("", each), "gaudi2") for each in ambiguous)
    assert first != second


def test_new_sizes_from_several_threads():
    """Without torch.compile around it, which refuses calls while another thread traces."""
    def function(x):
        return torch.softmax(x, -1) @ x.t()
    graph = make_fx(lambda x: (function(x),), tracing_mode="symbolic")(torch.randn(3, 8))
    specialiser = dynamic.Specialiser(graph, Target("gaudi2"), set(), report.new_graph("inference"))
    switches = (torch._C._get_mkldnn_enabled(), torch.backends.mha.get_fastpath_enabled())
    errors, start = [], threading.Barrier(4)

    def work(first):
        start.wait()
        try:
            for size in range(first, first + 12, 4):
                x = torch.randn(size, 8)
                assert excess(specialiser([x])[0], function(x)) <= 1
                dynamic.specialise(graph, [x])
        except Exception as error:
            errors.append(error)
    threads = [threading.Thread(target=work, args=(4 + index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert switches == (torch._C._get_mkldnn_enabled(), torch.backends.mha.get_fastpath_enabled())


def test_negative_views():
    compiled = torch.compile(lambda x, y: x + y, backend="gaudi")
    z = torch.randn(8, 2, dtype=torch.complex64)
    x = torch._neg_view(torch.randn(8))
    assert x.is_neg()
    for each in (x, z.conj().imag[:, 0]):
        assert excess(compiled(each, torch.ones(8)), each.resolve_neg() + 1) <= 1


def test_bound_negative_views():
    model = torch.nn.Module()
    model.register_buffer("values", torch._neg_view(torch.randn(64)))
    model.forward = lambda x: x * model.values
    compiled = torch.compile(model, backend="gaudi")
    x = torch.ones(64)
    assert excess(compiled(x), model.values.resolve_neg()) <= 1


def test_nobody_gets_the_memory_of_frozen_parameters(monkeypatch):
    monkeypatch.setenv("PT_HPU_COMPILE_GRAPH_FREEZE", "1")
    model = torch.nn.Linear(32, 8, bias=False)
    compiled = torch.compile(model, backend="gaudi")
    x = torch.randn(4, 32)
    with torch.no_grad():
        assert excess(compiled(x), model(x)) <= 1
        address = model.weight.data_ptr()
        model.weight.data = torch.empty(0)
        others = [torch.empty(8, 32) for _ in range(1000)]
        assert address not in {each.data_ptr() for each in others}
        model.weight.data = others[0].normal_()
        assert excess(compiled(x), model(x)) <= 1


def test_recipe_folder_that_cannot_be_made(monkeypatch, tmp_path, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PT_HPU_RECIPE_CACHE_CONFIG", f"{tmp_path}/file/folder")
    x = torch.randn(3)
    assert excess(torch.compile(torch.exp, backend="gaudi")(x), x.exp()) <= 1
    gaudi_mlir.torch.reset()
    assert "recipe cache: cannot open" in caplog.text


def test_wrong_settings_of_the_recipe_cache(monkeypatch):
    monkeypatch.setenv("PT_HPU_RECIPE_CACHE_CONFIG", "folder,maybe")
    with pytest.raises(Exception, match="PT_HPU_RECIPE_CACHE_CONFIG: expected true or false"):
        torch.compile(torch.exp, backend="gaudi")(torch.randn(3))


def test_recipes_of_another_build(monkeypatch, tmp_path):
    monkeypatch.setenv("PT_HPU_RECIPE_CACHE_CONFIG", str(tmp_path))
    recipe = gaudi_mlir.compile("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
                                "  return %x : tensor<3xf32>\n}\n")
    parts = [("source", b"text")]
    for version, others in ((None, 0), ("another build", 1)):
        core = gaudi_mlir._core.RecipeCache(version)
        found, level, why = core.lookup(parts)
        assert found is None and level == "miss"
        assert ("version is 'another build', not 'gaudi-mlir" in why) == bool(others)
        core.store(parts, recipe._core)
        core.flush()
        assert len(list(tmp_path.glob("*.recipe"))) == others + 1
    assert gaudi_mlir._core.RecipeCache(None).lookup(parts)[1] == "disk"


def test_recipes_after_a_fork(monkeypatch, tmp_path):
    monkeypatch.setenv("PT_HPU_RECIPE_CACHE_CONFIG", str(tmp_path))
    lowered = weights.Text("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
                           "  return %x : tensor<3xf32>\n}\n", {})
    assert cache.recipe_of(lowered, "gaudi2").level == "miss"
    assert cache.recipe_of(lowered, "gaudi2").level == "memory"
    cache._cache().flush()
    child = os.fork()
    if child == 0:
        os._exit(0 if cache.recipe_of(lowered, "gaudi2").level == "disk" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert cache.recipe_of(lowered, "gaudi2").level == "memory"


def test_reports_keep_no_recipes(monkeypatch):
    monkeypatch.setenv("PT_HPU_PGM_ENABLE_CACHE", "0")
    compiled = torch.compile(torch.exp, backend="gaudi")
    compiled(torch.randn(3))
    segment, = gaudi_mlir.torch.explain().graphs[0].segments
    assert segment.hash == segment.recipe.hash and "func.func" in segment.mlir
    del compiled
    torch._dynamo.reset()
    gc.collect()
    assert segment.recipe is None and segment.mlir is None
    assert segment.predicted_us > 0 and segment.launches == 1


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(report, "MAX_VARIANTS", 2)
    monkeypatch.setenv("HABANA_PGM_LRU_MAX", "3")
    monkeypatch.setattr(segment, "MAX_VERDICTS", 1)
    monkeypatch.setattr(segment, "_key", lambda node, device: (node,))
    compiled = torch.compile(lambda x: x.exp().double() + 1, backend="gaudi", dynamic=True)
    for size in (3, 4, 5, 6):
        compiled(torch.randn(size))
    graph, = gaudi_mlir.torch.explain().graphs
    assert [each.name for each in graph.variants] == ["fx_graph_000.2", "fx_graph_000.3"]
    for op in ("first", "second", "third"):
        assert segment.refusal(None, op, "gaudi2", known="why") == "why"
    assert segment._verdicts == {("third",): "why"}
    segment._verdicts.clear()
    assert cache.stats()["memory_entries"] == 4  # those in use stay
    del compiled
    torch._dynamo.reset()
    gc.collect()
    torch.compile(torch.exp, backend="gaudi")(torch.randn(3))
    assert cache.stats()["memory_entries"] <= 3


def launches_of(monkeypatch) -> list[launch.Launch]:
    made = []
    bind = launch.Launch._bind

    def noted(self, *arguments):
        made.append(self)
        return bind(self, *arguments)
    monkeypatch.setattr(launch.Launch, "_bind", noted)
    return made


def test_parameters_that_move(monkeypatch, caplog):
    made = launches_of(monkeypatch)
    model = torch.nn.Linear(32, 32)
    compiled = torch.compile(model, backend="gaudi")
    x = torch.randn(4, 32)
    with torch.no_grad():
        for step in range(launch.MAX_LOADED + 3):
            model.weight.data = torch.randn(32, 32)
            assert excess(compiled(x), model(x)) <= 1
            assert len(made[0]._loaded) == 1
    assert len(set(made)) == 1 and made[0].loads == launch.MAX_LOADED + 1
    assert "copied in each launch from now on" in caplog.text


def test_colors_of_random_ops():
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    ops = torch.ops.aten
    for op, args, expected in (
            # That is what is left when those that the device draws are rewritten.
            (ops.multinomial.default, (x, 3), "its numbers are from a generator of its own, or it "
                                              "draws too many at once"),
            (ops._scaled_dot_product_flash_attention.default, (x, x, x), None),
            (ops.relu.default, (x,), None)):
        node = graph.call_function(op, args)
        node.meta["val"] = torch.empty(3)
        assert partition.host_reason(node) == expected


class Branches(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1


def test_a_branch_on_a_value_is_not_exported():
    with pytest.raises(ValueError, match=r"branches on a value at .*test_hazards.py:\d+, which an "
                                         "exported program cannot; compute both sides and choose "
                                         "by torch.where"):
        gaudi_mlir.torch.export(Branches().eval(), (torch.ones(3),))
    loss = torch.nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2]).eval()
    with pytest.raises(ValueError, match=r"branches on a value at \S*nn/modules/adaptive.py:\d+,"):
        gaudi_mlir.torch.export(loss, (torch.ones(3, 4), torch.tensor([0, 1, 5])))

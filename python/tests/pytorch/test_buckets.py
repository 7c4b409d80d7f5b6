# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buckets of sizes in torch.compile, the step of a program, names and bounds of exported sizes."""
import re

import pytest
import torch

import gaudi_mlir
import gaudi_mlir.torch
from gaudi_mlir.importer import InputError, import_model


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(8, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return self.second(self.first(x).relu()).softmax(-1).cumsum(1)


def _run(layer, lengths, **options):
    compiled = torch.compile(layer, backend="gaudi", dynamic=True, options=options)
    with torch.no_grad():
        for length in lengths:
            x = torch.randn(2, length, 8)
            torch.testing.assert_close(compiled(x), layer(x), rtol=1e-5, atol=1e-5)
    return compiled  # keeps what reports borrow


@pytest.mark.parametrize("buckets, recipes", [(True, 3), ([6, 12], 3), ([4, 8, 16], 4)])
def test_sizes_are_padded_to_buckets(buckets, recipes):
    layer = Layer().eval()
    kept = _run(layer, range(3, 13), buckets=buckets)
    graph, = gaudi_mlir.torch.explain().graphs
    assert graph.compiled == recipes, graph.dynamic
    assert "10 combinations of sizes" in graph.dynamic
    assert kept is not None


def test_a_size_beyond_the_boundaries_is_doubled():
    kept = _run(Layer().eval(), [3, 9, 11], buckets=[4])
    graph, = gaudi_mlir.torch.explain().graphs
    assert graph.compiled == 2 and any(str(each).endswith("..18")
                                       for each in graph.variants[1].sizes.values())
    assert kept is not None


def test_training_with_buckets():
    layer, other = Layer(), Layer()
    other.load_state_dict(layer.state_dict())
    compiled = torch.compile(layer, backend="gaudi", dynamic=True, options={"buckets": [8]})
    for length in (3, 5, 8):
        x = torch.randn(2, length, 8)
        compiled(x).square().sum().backward()
        other(x).square().sum().backward()
    for mine, wanted in zip(layer.parameters(), other.parameters()):
        torch.testing.assert_close(mine.grad, wanted.grad, rtol=1e-4, atol=1e-4)
    assert [graph.compiled for graph in gaudi_mlir.torch.explain().graphs] == [2, 2]


def test_a_graph_that_draws_has_a_recipe_for_each_size():
    compiled = torch.compile(lambda x: x + torch.rand_like(x), backend="gaudi", dynamic=True,
                             options={"buckets": True})
    for length in (3, 4, 5):
        assert compiled(torch.zeros(length, 2)).shape == (length, 2)
    graph, = gaudi_mlir.torch.explain().graphs
    assert graph.compiled == 3 and "random numbers" in graph.dynamic


@pytest.mark.parametrize("given", ["x", [], [8, 4], [4, 4], [0, 4], [2.5], {"x": 1}])
def test_wrong_buckets(given):
    with pytest.raises(Exception, match=r"option 'buckets' is .*; expected True, or ascending"):
        torch.compile(Layer(), backend="gaudi", options={"buckets": given})(torch.randn(2, 3, 8))


def test_the_sum_of_a_step(tmp_path):
    layer = Layer()
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    compiled, step = torch.compile(layer, backend="gaudi"), \
        torch.compile(optimizer.step, backend="gaudi")
    for _ in range(3):
        compiled(torch.ones(2, 5, 8)).square().sum().backward()
        step()
        optimizer.zero_grad(set_to_none=False)
    report = gaudi_mlir.torch.explain()
    found = report.step
    assert found.steps == 3 and set(found.by_kind) == {"forward", "backward", "inference"}
    assert found.time_us == pytest.approx(sum(found.by_kind.values()))
    segments = [each for _, each in report.segments()]
    # The first steps of an optimizer may be other graphs: all launches count, once.
    assert found.time_us * 3 == pytest.approx(sum(
        each.predicted_us * each.launches for each in segments))
    parameters = sum(each.nbytes for each in layer.parameters())
    assert parameters < found.needed < 1 << 20 and found.fits
    assert re.search(r"a step: .* on the card \(forward .*; needs .* of 96.0 GiB: fits",
                     str(report))
    report.html(tmp_path / "step.html")
    assert "first" in (tmp_path / "step.html").read_text()


def test_nothing_compiled_has_no_page(tmp_path):
    report = gaudi_mlir.torch.explain()
    assert report.step is None
    with pytest.raises(ValueError, match="there is no graph to make a page of"):
        report.html(tmp_path / "none.html")


def _dims():
    return torch.export.Dim("batch", min=1, max=16), torch.export.Dim("length", min=2, max=64)


def test_names_and_bounds_of_exported_sizes(tmp_path):
    batch, length = _dims()
    exported = gaudi_mlir.torch.export(Layer().eval(), (torch.randn(2, 3, 8),),
                                       dynamic_shapes={"x": {0: batch, 1: length}})
    exported.save(tmp_path / "layer.mlir")
    text = (tmp_path / "layer.mlir").read_text()
    assert 'gaudi.dims = ["batch=1..16", "length=2..64", ""]' in text
    recipe = gaudi_mlir.compile(tmp_path / "layer.mlir", buckets="exponential:2")
    assert [each.name for each in recipe.entries[0].symbols] == ["batch", "length"]
    # Modules and lines are locations of the text.
    assert 'loc("first"("test_buckets.py"' in text
    modules = {each.name for each in recipe.predict().modules}
    assert {"first", "second"} <= modules
    named = [each.location for each in exported.recipe().remarks]
    assert any(each.startswith("first at test_buckets.py:") for each in named)


def test_a_size_without_a_maximum():
    with pytest.raises(ValueError, match=r"dimension 0 of input 'x' \(batch\) has no largest size; "
                                         "give its torch.export.Dim a max"):
        gaudi_mlir.torch.export(Layer().eval(), (torch.randn(2, 3, 8),),
                                dynamic_shapes={"x": {0: torch.export.Dim("batch")}})


def test_names_of_sizes_of_a_file(tmp_path):
    batch, length = _dims()
    program = torch.export.export(Layer().eval(), (torch.randn(2, 3, 8),),
                                  dynamic_shapes={"x": {0: batch, 1: length}})
    torch.export.save(program, tmp_path / "layer.pt2")
    path = tmp_path / "layer.pt2"
    assert '["x_0=1..16", "x_1=2..64", ""]' in import_model(path).text
    text = import_model(path, names={"x_0": "batch"}, sizes={"batch": (1, 8), "x_1": 4}).text
    assert '["batch=1..8", "x_1=4..4", ""]' in text
    with pytest.raises(InputError, match=r"no symbolic size 'y'; it has: x_0 \(s\d+\), x_1 .*; "
                       "--name x_0=batch calls one so"):
        import_model(path, names={"y": "batch"})
    with pytest.raises(InputError, match="no symbolic size 'batch'.*; --name x_1=batch calls one so"):
        import_model(path, names={"batch": "x_1"})
    with pytest.raises(InputError, match="two symbolic sizes would have one name"):
        import_model(path, names={"x_0": "x_1"})

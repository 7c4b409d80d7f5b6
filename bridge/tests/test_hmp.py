# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Habana mixed precision: the types in which ops run, and values against float64 on the CPU."""
import contextlib
import copy

import pytest
import torch
import torch.nn.functional as F
from habana_frameworks.torch.hpex import hmp

BF16, F32 = torch.bfloat16, torch.float32


def _slow(value):
    """A parameter of the slow tests."""
    return pytest.param(value, marks=pytest.mark.slow)


IN_MODES = pytest.mark.parametrize(
    "call", ["eager", _slow("compile"), _slow("lazy")], indirect=True)
"""Modes of which the quick tests have one."""


@pytest.fixture(autouse=True)
def _restored():
    torch.manual_seed(3)
    yield
    hmp._forget_rules()
    torch.set_autocast_enabled("hpu", False)


def _added(x, y):
    x = x.clone()
    x += y
    return x


def _added_in_place(x, y):
    return x.clone().add_(y)


# By a function of a narrow tensor a and a wide one b: types with O1's defaults, and with O2.
TYPES = {
    "a + b": (lambda a, b: a + b, BF16, F32), "b + b": (lambda a, b: b + b, BF16, F32),
    "a * b": (lambda a, b: a * b, F32, F32), "a / 5": (lambda a, b: a / 5, BF16, F32),
    "5 - b": (lambda a, b: 5 - b, BF16, F32), "cat": (lambda a, b: torch.cat([a, b]), F32, F32),
    "+=": (_added, BF16, BF16), "wide +=": (lambda a, b: _added(b, a), F32, F32),
    "add_": (_added_in_place, BF16, BF16),
    "matmul": (lambda a, b: b @ b.t(), BF16, BF16), "mm": (lambda a, b: torch.mm(b, b), BF16, BF16),
    "linear": (lambda a, b: F.linear(b, b, b[0]), BF16, BF16),
    "gelu": (lambda a, b: F.gelu(b), BF16, F32), "relu": (lambda a, b: F.relu(a), BF16, F32),
    "softmax": (lambda a, b: torch.softmax(b, -1), BF16, F32),
    "log_softmax": (lambda a, b: torch.log_softmax(a, -1), F32, F32),
    "layer_norm": (lambda a, b: F.layer_norm(b, [4], b[0], b[1]), BF16, F32),
    "maximum": (lambda a, b: torch.maximum(a, b), BF16, F32),
    "mse_loss": (lambda a, b: F.mse_loss(b, a), F32, F32),
    "view": (lambda a, b: a.reshape(16), BF16, BF16), "sum": (lambda a, b: a.sum(), BF16, F32),
    "new_zeros": (lambda a, b: a.new_zeros(2), BF16, BF16),
    "zeros_like": (lambda a, b: torch.zeros_like(a), BF16, BF16),
    "flip": (lambda a, b: a.flip(0), BF16, BF16), "index": (lambda a, b: a[:, [0]], BF16, BF16),
    "pad": (lambda a, b: F.pad(a, [1, 1]), BF16, BF16),
    "repeat": (lambda a, b: a.repeat(2, 1), BF16, BF16),
    "to": (lambda a, b: b.to(a), BF16, BF16), "type_as": (lambda a, b: a.type_as(b), F32, F32),
    "conv2d": (lambda a, b: F.conv2d(b[None, None], b[None, None, :2, :2]), F32, BF16)}


@pytest.mark.parametrize("level", ["O1", "O2"])
def test_types(level, call):
    hmp.convert(opt_level=level)
    a, b = torch.randn(4, 4).to("hpu", BF16), torch.randn(4, 4).to("hpu")
    made = call(lambda a, b: [function(a, b) for function, *_ in TYPES.values()], a, b)
    expected = {name: types[level == "O2"] for name, (_, *types) in TYPES.items()}
    assert dict(zip(TYPES, [each.dtype for each in made])) == expected
    with hmp.disable_casts():
        assert {(b @ b).dtype, F.gelu(b).dtype, (b + b).dtype} == {F32}


@IN_MODES
@pytest.mark.parametrize("level", ["O1", _slow("O2")])
def test_training_is_as_in_float64(level, call):
    network = torch.nn.Sequential(torch.nn.Conv1d(4, 8, 3), torch.nn.BatchNorm1d(8),
                                  torch.nn.GELU(), torch.nn.Linear(6, 16), torch.nn.LayerNorm(16),
                                  torch.nn.Dropout(0.0), torch.nn.Linear(16, 5))
    wide = copy.deepcopy(network).double()
    network.to("hpu")
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    hmp.convert(level)
    x, target = torch.randn(3, 4, 8), torch.tensor([1, 4, 0])

    def loss_of(network, x, target):
        made = network(x).mean(1)
        return F.nll_loss(torch.log_softmax(made, -1), target)
    loss = call(lambda x, target: loss_of(network, x, target), x.to("hpu"), target.to("hpu"))
    loss.backward()
    expected = loss_of(wide, x.double(), target)
    expected.backward()
    assert loss.dtype == F32 and loss.item() == pytest.approx(expected.item(), rel=2e-2)
    for (name, made), other in zip(network.named_parameters(), wide.parameters()):
        assert made.grad.dtype == F32
        if other.grad.norm() > 1e-6:  # a bias before a batch norm has none
            error = (made.grad.cpu() - other.grad).norm() / other.grad.norm()
            assert 0 < error < 5e-2, name
    with hmp.disable_casts():
        optimizer.step()
    statistics = network[1].running_mean
    assert statistics.dtype == F32
    torch.testing.assert_close(statistics.cpu().double(), wide[1].running_mean, rtol=2e-2,
                               atol=1e-3)


def test_lists_of_files(tmp_path, capfd):
    narrow, wide = tmp_path / "bf16.txt", tmp_path / "fp32.txt"
    narrow.write_text("mul\n\n  sigmoid \niadd\ncross_entropy\n")
    wide.write_text("matmul\nlinear\nmul\nno_such_op\n")
    with pytest.warns(UserWarning, match="no op no_such_op"):
        hmp.convert("O1", bf16_file_path=str(narrow), fp32_file_path=str(wide), isVerbose=True)
    a, b = torch.ones(4, 4, device="hpu", dtype=BF16), torch.ones(4, 4, device="hpu")
    assert (b * b).dtype == BF16  # the first list holds
    assert torch.sigmoid(b).dtype == BF16 and torch.tanh(b).dtype == F32
    assert (a @ a).dtype == F32 and F.linear(a, a).dtype == F32
    assert (a + b).dtype == F32 and _added(b, b).dtype == F32
    assert F.cross_entropy(b, torch.zeros(4, dtype=torch.int64, device="hpu")).dtype == BF16
    assert "hmp: sigmoid: Float operands are cast to BFloat16" in capfd.readouterr().err


@pytest.mark.parametrize("level", ["O1", "O2"])
def test_operators_in_place_write_to_the_tensor(level, call):
    """Views and aliases see it; the operand is cast, and the sum is in the type of the tensor."""
    hmp.convert(level)
    layer, one = torch.nn.Linear(4, 4).to("hpu"), 1 + 2**-9

    def run(x, y, half):
        row, weight = x[0], layer.weight.detach()
        row += y
        row *= y
        x[1] -= 3
        weight += 1
        half += y
        return row
    x, half = torch.full((2, 4), 512.0).to("hpu"), torch.ones(4).to("hpu", BF16)
    before = layer.weight.detach().cpu()
    row = call(run, x, torch.full((4,), one).to("hpu"), half)
    rounded = 1.0 if level == "O1" else one
    assert row.dtype == x.dtype == F32 and half.dtype == BF16
    expected = torch.tensor([(512 + rounded) * one, 509.0])
    torch.testing.assert_close(x.cpu(), expected[:, None].expand(2, 4), rtol=1e-6, atol=0)
    assert torch.equal(layer.weight.detach().cpu(), before + 1) and (half.cpu() == 2).all()


def test_what_is_compiled_has_the_rules_of_now():
    b = torch.ones(2, 2, device="hpu")
    function = torch.compile(F.gelu, backend="hpu_backend")
    with torch.autocast("hpu"):
        assert function(b).dtype == F32
    types = []
    for level in ("O1", "O2"):
        hmp.convert(level)
        types.append(function(b).dtype)
    hmp._forget_rules()
    assert [*types, function(b).dtype] == [BF16, F32, F32]


def test_what_cannot_be(tmp_path):
    with pytest.raises(ValueError, match="opt_level is 'O3'"):
        hmp.convert("O3")
    with pytest.raises(ValueError, match="cannot read '.*none.txt': No such file.*; it is a list of ops"):
        hmp.convert(fp32_file_path=tmp_path / "none.txt")
    (tmp_path / "list.txt").write_text("mm\n")
    with pytest.warns(UserWarning, match="has no lists"):
        hmp.convert("O2", str(tmp_path / "list.txt"))


def test_without_gradients_of_casts():
    """A backward pass runs in the types of the forward pass: nothing in it is cast."""
    hmp.convert("O1")
    x = torch.full((2, 2), 1 + 2**-10, device="hpu", requires_grad=True)
    with hmp.disable_casts():
        y = x * x / 3
    y.sum().backward()
    assert x.grad.dtype == F32
    torch.testing.assert_close(x.grad.cpu(), torch.full((2, 2), (1 + 2**-10) * 2 / 3), rtol=1e-6,
                               atol=0)


def test_autocast_has_its_lists_again():
    hmp.convert("O1")
    b = torch.ones(2, 2, device="hpu")
    assert F.gelu(b).dtype == BF16
    hmp._forget_rules()
    with torch.autocast("hpu"), contextlib.nullcontext():
        assert F.gelu(b).dtype == F32 and (b @ b).dtype == BF16

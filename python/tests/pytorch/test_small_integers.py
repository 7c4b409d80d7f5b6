# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes, with and without sign, give the numbers that they give without torch.compile."""
import pytest

torch = pytest.importorskip("torch")
import gaudi_mlir.torch  # noqa: E402,F401

ARITHMETIC = {
    "scalar": lambda x, y: (x * 2, x + 100, 5 - x, x * 2.5, x / 3, x % 3, x // 3, x**3),
    "tensors": lambda x, y: (x * y, x + y, x - y, -x, x.abs(), x / y, x * y.float()),
    "division": lambda x, y: (x // y, x % y, torch.div(x, 3, rounding_mode="trunc")),
    "bits": lambda x, y: (~x, x | y, x >> 1, x << 1, torch.bitwise_and(x, y)),
    "comparisons": lambda x, y: (x < 5, x >= 100, x > y, x == x, x != y),
    "limits": lambda x, y: (x.clamp(1, 50), torch.clamp(x, y), torch.maximum(x, y), x.relu()),
    "reductions": lambda x, y: (x.max(), x.min(), x.amax(1), *x.max(1), x.sum(), x.sum(1),
                                x.argmax(1), x.cumsum(1)),
    "order": lambda x, y: (x.sort(1)[0], x.topk(2, 1)[0]),
    "truth": lambda x, y: (x.any(), x.any(1), x.all(), x.all(1), x.bool(), x.any().float() * 2),
}


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.int32], ids=str)
@pytest.mark.parametrize("name", ARITHMETIC)
def test_agrees_with_eager(name, dtype):
    x = torch.tensor([[3, -128, -1, 127], [0, 7, 100, -5]]).to(dtype)
    y = torch.tensor([[7, -3, 127, 1], [100, -128, 3, 2]]).to(dtype)
    function = ARITHMETIC[name]
    for got, wanted in zip(torch.compile(function, backend="gaudi")(x, y), function(x, y)):
        torch.testing.assert_close(got, wanted)


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.int32], ids=str)
def test_ranges_agree_with_eager(dtype):
    def function(x):
        return torch.arange(9, dtype=dtype), x + torch.arange(0, 4, 1, dtype=dtype)

    x = torch.ones(4)
    for got, wanted in zip(torch.compile(function, backend="gaudi")(x), function(x)):
        torch.testing.assert_close(got, wanted)


TO_BYTES = {
    "cast": lambda x: x.to(torch.uint8),
    "type": lambda x: (x + 0.5).type(torch.uint8),
    "copy": lambda x: torch.zeros(x.shape, dtype=torch.uint8).copy_(x),
    "then": lambda x: x.to(torch.uint8).float() * 2,
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("name", TO_BYTES)
def test_floats_become_bytes(name, dtype):
    x = torch.tensor([0, 1, 1.9, 100, 127, 128, 200, 254], dtype=dtype)
    function = TO_BYTES[name]
    assert torch.equal(torch.compile(function, backend="gaudi")(x), function(x))


JOINED = {
    "cat": lambda x: torch.cat([x, torch.tensor([0.5, -1.0])]),
    "where": lambda x: torch.where(torch.tensor([True, False, True]), x, torch.tensor([0.5, 1, 2])),
    "stack": lambda x: torch.stack([x, torch.tensor([1, -2, 3])]),
    "bool": lambda x: torch.cat([x, torch.tensor([True, False])]).int() + 1,
}


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8], ids=str)
@pytest.mark.parametrize("name", JOINED)
def test_joining_with_wider_types(name, dtype):
    x = torch.tensor([127, 128, 255]).to(dtype)
    function = JOINED[name]
    torch.testing.assert_close(torch.compile(function, backend="gaudi")(x), function(x))

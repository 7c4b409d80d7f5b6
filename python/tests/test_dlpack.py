# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries."""

from __future__ import annotations

from typing import Any

import gaudi_mlir
import numpy as np
import pytest

from conftest import transpose

X = np.arange(6, dtype=np.float32).reshape(2, 3)
W = np.arange(12, dtype=np.float32).reshape(3, 4) - 5


class Array:
    """Has nothing but DLPack, as an array of a library that nobody knows."""

    def __init__(self, array: np.ndarray, reason: str | None = None) -> None:
        self.array = array
        self.dtype = array.dtype
        self.reason = reason

    def __dlpack__(self, **arguments: Any) -> Any:
        if self.reason:
            raise BufferError(self.reason)
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def test_dlpack(matmul: gaudi_mlir.Recipe) -> None:
    y = np.zeros((2, 4), np.float32)
    output = Array(y)
    assert matmul.run([Array(X), Array(W[:, ::-1])], [output])[0] is output
    np.testing.assert_array_equal(y, X @ W[:, ::-1])
    frozen = X.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(matmul.run([Array(frozen), W])[0], X @ W)


def test_dlpack_that_is_refused(matmul: gaudi_mlir.Recipe) -> None:
    with pytest.raises(gaudi_mlir.ArgumentError, match="cannot be read as 2x3xf32: it is on "
                                                       "the moon") as caught:
        matmul.run([Array(X, "it is on the moon"), W])
    assert isinstance(caught.value.__cause__, BufferError)
    with pytest.raises(gaudi_mlir.ArgumentError, match="has elements of type float64"):
        matmul.run([Array(X.astype(np.float64)), W])
    frozen = np.zeros((2, 4), np.float32)
    frozen.flags.writeable = False
    with pytest.raises(gaudi_mlir.ArgumentError, match="cannot be written"):
        matmul.run([X, W], [Array(frozen)])


def test_lists_that_change_meanwhile(matmul: gaudi_mlir.Recipe) -> None:
    class Clearing(Array):
        def __dlpack__(self, **arguments: Any) -> Any:
            inputs.clear()
            return super().__dlpack__(**arguments)

    inputs: list[Any] = [Clearing(X.copy()), W.copy()]
    np.testing.assert_array_equal(matmul.run(inputs)[0], X @ W)
    assert not inputs


def test_torch(matmul: gaudi_mlir.Recipe) -> None:
    torch = pytest.importorskip("torch")
    x, w = torch.from_numpy(X.copy()), torch.from_numpy(W.copy())
    expected = (x @ w).numpy()
    y = torch.zeros(2, 4)
    assert matmul.run([x, w], [y])[0] is y
    np.testing.assert_array_equal(y.numpy(), expected)
    strided = x.T.contiguous().T
    np.testing.assert_array_equal(matmul.run({"x": strided, "w": w})[0], expected)
    out = torch.zeros(4, 2).T
    matmul.run([x.expand(2, 3), w], [out])
    np.testing.assert_array_equal(out.numpy(), expected)
    executable = matmul.executable(bindings={"w": torch.from_numpy(gaudi_mlir.aligned(W))})
    np.testing.assert_array_equal(executable.run([x])[0], expected)


@pytest.mark.parametrize("element_type, name", [
    ("bf16", "bfloat16"), ("f16", "float16"), ("f8E4M3FN", "float8_e4m3fn"),
    ("f8E5M2", "float8_e5m2"), ("i8", "uint8"), ("i1", "bool"), ("i64", "int64"),
    ("i32", "int32"),
])
def test_torch_types(element_type: str, name: str) -> None:
    torch = pytest.importorskip("torch")
    recipe = gaudi_mlir.compile(transpose(element_type))
    x = (torch.arange(15) % 7).reshape(3, 5).to(getattr(torch, name))
    y = torch.zeros(5, 3).to(x.dtype)
    recipe.run([x], [y])
    assert torch.equal(y.to(torch.float32), x.T.to(torch.float32))


def test_torch_tensors_that_are_refused(matmul: gaudi_mlir.Recipe) -> None:
    torch = pytest.importorskip("torch")
    from torch._subclasses.fake_tensor import FakeTensorMode

    x, w = torch.zeros(2, 3), torch.zeros(3, 4)
    with FakeTensorMode():
        fake = torch.zeros(2, 3)
    refused = {
        r"type torch.float64; expected float32 .*: x.to\(torch.float32\)": x.double(),
        "cannot be read as 2x3xf32: Cannot pack tensors on meta; pass a NumPy array$":
            torch.zeros(2, 3, device="meta"),
        "FakeTensor without memory of its own": fake,
        r"is a sparse tensor; pass x.to_dense\(\)$": x.to_sparse(),
        "x.resolve_neg": torch.zeros(2, 3, dtype=torch.complex64).conj().imag,
    }
    for pattern, tensor in refused.items():
        with pytest.raises(gaudi_mlir.ArgumentError, match=f"^input 'x' .*{pattern}") as refusal:
            matmul.run([tensor, w])
        # Only what the message quotes is behind it.
        assert (refusal.value.__cause__ is None) == ("Cannot pack" not in pattern)


def test_torch_parameters(matmul: gaudi_mlir.Recipe) -> None:
    torch = pytest.importorskip("torch")
    w = torch.nn.Parameter(torch.from_numpy(W.copy()))
    np.testing.assert_array_equal(matmul.run([torch.from_numpy(X), w])[0], X @ W)


def test_jax(matmul: gaudi_mlir.Recipe) -> None:
    jax = pytest.importorskip("jax")
    x, w = jax.numpy.asarray(X), jax.numpy.asarray(W)
    np.testing.assert_array_equal(matmul.run([x, w])[0], X @ W)
    with pytest.raises(gaudi_mlir.ArgumentError, match="x.astype\\(jax.numpy.float32\\)"):
        matmul.run([x.astype("int32"), w])
    with pytest.raises(gaudi_mlir.ArgumentError, match="cannot be written"):
        matmul.run([x, w], [jax.numpy.zeros((2, 4))])
    recipe = gaudi_mlir.compile(transpose("bf16"))
    b = jax.numpy.arange(15, dtype="bfloat16").reshape(3, 5)
    np.testing.assert_array_equal(recipe.run([b])[0], np.asarray(b).T)

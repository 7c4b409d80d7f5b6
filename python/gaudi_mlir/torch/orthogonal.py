# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""QR decomposition by reflections, with the signs that LAPACK has, in ops that the device has."""
import torch

aten = torch.ops.aten
Tensor = torch.Tensor

_MOST_COLUMNS = 64  # each is ops of its own


def _times_power(a: Tensor, exponent: Tensor) -> Tensor:
    """a * 2 ^ exponent, in two steps: a power alone may be beyond f32."""
    half = exponent // 2
    return torch.ldexp(torch.ldexp(a, half), exponent - half)


def _scaled(a: Tensor) -> tuple[Tensor, Tensor]:
    """Matrices whose columns have elements up to 1, and the powers of 2 by which these were
    divided: squares neither overflow nor vanish, and reflections are the same for multiples of
    columns."""
    if not a.numel():
        return a, a.new_zeros([], dtype=torch.int32)
    exponent = torch.frexp(a.abs().amax(-2, keepdim=True)).exponent
    return _times_power(a, -exponent), exponent


def _reflected(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The upper triangle that reflections make of matrices, the vectors of these as columns (1 on
    the diagonal, 0 above) and their factors: G. Golub, C. Van Loan, "Matrix Computations", 5.2."""
    a, scale = _scaled(a)
    row = torch.arange(a.shape[-2], device=a.device)
    vectors, factors = [], []
    for number in range(min(a.shape[-2:])):
        column = a[..., number]
        first = column[..., number:number + 1]
        below = torch.where(row > number, column, 0)
        length = below.square().sum(-1, keepdim=True)
        turned = torch.where(first < 0, 1.0, -1.0) * (first.square() + length).sqrt()
        is_done = length == 0  # its row then keeps its sign
        factor = torch.where(is_done, 0, (turned - first) / turned)
        vector = torch.where(is_done, 0, below / (first - turned)) + (row == number).to(a.dtype)
        along = vector.unsqueeze(-2) @ a
        a = a - (factor * vector).unsqueeze(-1) * along
        vectors.append(vector)
        factors.append(factor)
    if not vectors:
        return a, a.new_zeros([*a.shape[:-1], 0]), a.new_zeros([*a.shape[:-2], 0])
    return _times_power(a.triu(), scale), torch.stack(vectors, -1), torch.cat(factors, -1)


def _is_refused(a: Tensor) -> bool:
    return a.dtype != torch.float32 or min(a.shape[-2:]) > _MOST_COLUMNS


def _reflections(self: Tensor):
    if _is_refused(self):
        return NotImplemented
    upper, vectors, factors = _reflected(self)
    more = self.shape[-1] - vectors.shape[-1]
    return upper + aten.constant_pad_nd(vectors.tril(-1), [0, more]), factors


def _qr(A: Tensor, mode: str = "reduced"):
    if _is_refused(A):
        return NotImplemented
    upper, vectors, factors = _reflected(A)
    rows, count = vectors.shape[-2:]
    if mode == "r":
        return A.new_zeros([0]), upper[..., :count, :]
    if mode == "complete":
        vectors = aten.constant_pad_nd(vectors, [0, rows - count])
        factors = aten.constant_pad_nd(factors, [0, rows - count])
    return aten.linalg_householder_product(vectors, factors), upper[..., :vectors.shape[-1], :]


TABLE = {aten.geqrf.default: _reflections, aten.linalg_qr.default: _qr}

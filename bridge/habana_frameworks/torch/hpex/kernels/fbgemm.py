# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Permutations of the sparse data of recommenders."""
import torch

from ... import _missing

expand_into_jagged_permute = torch.ops.hpu.expand_into_jagged_permute


def _offsets(lengths):
    return torch.nn.functional.pad(lengths.cumsum(0), (1, 0)).to(lengths.dtype)


def _permute(permute, lengths, indices, weights):
    """Segments of indices and weights in another order; segments are columns of `lengths` [T, N]
    row by row, and rows change their places."""
    permuted = lengths[permute.long()]
    size = int(permuted.sum())  # segments may be left out or come twice
    columns = lengths[0].numel()
    within = torch.arange(columns, dtype=permute.dtype, device=permute.device)
    segments = (permute.unsqueeze(-1) * columns + within).reshape(-1)
    begins, ends = _offsets(lengths.reshape(-1)), _offsets(permuted.reshape(-1))
    places = expand_into_jagged_permute(segments, begins, ends, size).long()
    return permuted, indices[places], None if weights is None else weights[places]


def permute_1D_sparse_data(permute, lengths, indices, weights=None):
    """Lengths, indices and weights, with segment permute[i] as the i-th."""
    return _permute(permute, lengths, indices, weights)


def permute_2D_sparse_data(permute, lengths, indices, weights=None):
    """The same of lengths [T, N], whose rows are permuted."""
    return _permute(permute, lengths, indices, weights)


__getattr__ = _missing.of(__name__, (
    "bounds_check_indices", "split_permute_cat", "split_embedding_codegen_lookup_function",
    "split_embedding_codegen_lookup_sgd_function_hpu",
    "split_embedding_codegen_lookup_adagrad_function_hpu"))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse data of recommenders: its permutations, and lookups in tables of embeddings.

A batch of B samples has bags of indices for each of T features: bag t * B + b of feature t and
sample b is indices[offsets[t * B + b] : offsets[t * B + b + 1]]. The tables of all features are in
one memory; feature t has rows of D_offsets[t + 1] - D_offsets[t] numbers from weights_offsets[t]
on.
"""
import dataclasses

import torch

from ... import _missing

expand_into_jagged_permute = torch.ops.hpu.expand_into_jagged_permute

SUM, MEAN, NONE = 0, 1, 2
"""Pooling modes."""

FATAL, WARNING, IGNORE = 0, 1, 2
"""What bounds_check_indices does with an index that is no row."""

_OUTPUT_TYPES = {0: torch.float32, 1: torch.float16, 5: torch.bfloat16}


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


# --- lookups -------------------------------------------------------------------------------------


def _bags(indices, offsets):
    """The bag of each index."""
    places = torch.arange(indices.numel(), device=indices.device, dtype=offsets.dtype)
    return torch.bucketize(places, offsets[1:], right=True)


def bounds_check_indices(rows_per_table, indices, offsets, bounds_check_mode, warning=None,
                         weights=None) -> None:
    """Changes indices that are no row of their table to 0, and offsets to a sequence from 0 to the
    number of indices; counts what it has changed in `warning`. FATAL raises IndexError instead.
    `weights` are as many as indices."""
    if bounds_check_mode not in (FATAL, WARNING, IGNORE):
        raise ValueError(f"bounds_check_mode is 0 (fatal), 1 (warning) or 2 (ignore), not "
                         f"{bounds_check_mode}")
    count, tables = indices.numel(), rows_per_table.numel()
    if weights is not None and weights.numel() != count:
        raise ValueError(f"{weights.numel()} weights of {count} indices")
    if (offsets.numel() - 1) % tables:
        raise ValueError(f"{offsets.numel()} offsets are not one more than a multiple of {tables} "
                         "tables")
    inside = offsets.clamp(0, count).cummax(0).values
    inside[0], inside[-1] = 0, count
    table = _bags(indices, inside) // ((offsets.numel() - 1) // tables)
    is_row = (indices >= 0) & (indices < rows_per_table.to(indices.dtype)[table])
    wrong = (~is_row).sum() + (inside != offsets).sum()
    if bounds_check_mode == FATAL:
        if int(wrong):
            raise IndexError(f"{int((~is_row).sum())} of {count} indices are no rows of their "
                             f"tables, {int((inside != offsets).sum())} of {offsets.numel()} "
                             "offsets are out of order")
        return
    if warning is not None and bounds_check_mode == WARNING:
        warning.add_(wrong.to(warning.dtype))
    indices.mul_(is_row.to(indices.dtype))
    offsets.copy_(inside)


@dataclasses.dataclass
class _Lookup:
    """Where a batch reads, for each width of rows: places in the memory [indices, width]."""
    weights_offsets: list[int]
    D_offsets: list[int]
    pooling: int
    indices: torch.Tensor
    offsets: torch.Tensor
    indice_weights: torch.Tensor | None

    def __post_init__(self) -> None:
        self.weights_offsets, self.D_offsets = (
            each.tolist() if isinstance(each, torch.Tensor) else list(each)
            for each in (self.weights_offsets, self.D_offsets))
        self.widths = [end - begin for begin, end in zip(self.D_offsets, self.D_offsets[1:])]
        self.samples = (self.offsets.numel() - 1) // max(1, len(self.widths))
        self.bags = _bags(self.indices, self.offsets)
        self.table = self.bags // max(1, self.samples)

    def check(self, weights, total_D: int) -> None:
        tables = len(self.widths)
        if self.pooling not in (SUM, MEAN, NONE):
            raise ValueError(f"pooling_mode is 0 (sum), 1 (mean) or 2 (none), not {self.pooling}")
        if not tables or len(self.weights_offsets) < tables or sum(self.widths) != total_D:
            raise ValueError(f"{len(self.D_offsets)} D_offsets with a total_D of {total_D} and "
                             f"{len(self.weights_offsets)} weights_offsets are not of tables")
        if (self.offsets.numel() - 1) % tables:
            raise ValueError(f"{self.offsets.numel()} offsets are not one more than a multiple of "
                             f"{tables} tables")
        if self.pooling == NONE and len(set(self.widths)) > 1:
            raise ValueError(f"lookups without pooling take rows of one width, not {self.widths}")
        if self.indice_weights is not None and self.pooling != SUM:
            raise ValueError("weights of indices are for sums (pooling_mode 0)")
        if weights.dim() != 1:
            raise ValueError(f"the memory of all tables has one dimension, not {weights.dim()}")

    def groups(self):
        """For each width: its tables, which indices are theirs, and their places."""
        begins = torch.tensor(self.weights_offsets[:len(self.widths)], device=self.indices.device)
        for width in dict.fromkeys(self.widths):
            tables = [each for each, one in enumerate(self.widths) if one == width]
            is_one = torch.tensor([one == width for one in self.widths],
                                  device=self.indices.device)[self.table]
            rows = torch.where(is_one, begins[self.table] + self.indices.long() * width, 0)
            columns = torch.arange(width, device=self.indices.device)
            yield tables, is_one.unsqueeze(-1), rows.unsqueeze(-1) + columns

    def shares(self, dtype) -> torch.Tensor | None:
        """What each index counts for in its bag."""
        if self.pooling == MEAN:
            lengths = (self.offsets[1:] - self.offsets[:-1]).clamp(min=1)
            return lengths.to(dtype).reciprocal()[self.bags]
        return None if self.indice_weights is None else self.indice_weights.to(dtype)

    def forward(self, weights, output_type):
        found: list = [None] * len(self.widths)
        shares = self.shares(torch.float32)
        for tables, is_one, places in self.groups():
            values = torch.where(is_one, weights[places].float(), 0.0)
            if self.pooling == NONE:
                return values.to(output_type)
            if shares is not None:
                values = values * shares.unsqueeze(-1)
            pooled = values.new_zeros(self.offsets.numel() - 1, values.shape[1])
            pooled = pooled.index_add(0, self.bags, values).unflatten(0, (-1, self.samples))
            for each in tables:
                found[each] = pooled[each]
        return torch.cat(found, 1).to(output_type)

    def backward(self, weights, grad, wants_shares: bool):
        """The gradient of the memory, and of the weights of indices."""
        memory = torch.zeros_like(weights, dtype=torch.float32)
        shares, of_shares = self.shares(torch.float32), None
        begins = self.D_offsets
        for tables, is_one, places in self.groups():
            if self.pooling == NONE:
                rows = grad.float()
            else:
                width = places.shape[1]
                parts = {each: grad[:, begins[each]:begins[each + 1]] for each in tables}
                none = grad.new_zeros(self.samples, width)
                rows = torch.cat([parts.get(each, none) for each in range(len(self.widths))])
                rows = torch.where(is_one, rows.float()[self.bags], 0.0)
            if wants_shares:
                made = (rows * weights[places].float()).sum(-1)
                of_shares = made if of_shares is None else of_shares + made
            if shares is not None:
                rows = rows * shares.unsqueeze(-1)
            memory = memory.index_add(0, places.reshape(-1), rows.reshape(-1))
        return memory, of_shares


def split_embedding_codegen_lookup_function(host_weights, weights_offsets, D_offsets, total_D,
                                            indices, offsets, pooling_mode, kernel_mode=None):
    """The pooled rows of each feature beside each other [B, total_D]; without pooling the rows
    [indices, D]. The memory gets its gradient. `kernel_mode` chooses between kernels of the real
    card that compute the same."""
    del kernel_mode
    lookup = _Lookup(weights_offsets, D_offsets, pooling_mode, indices, offsets, None)
    lookup.check(host_weights, total_D)
    return lookup.forward(host_weights, host_weights.dtype)


class _Updating(torch.autograd.Function):
    """A lookup whose backward pass steps the tables. `step(gradient)` does it."""

    @staticmethod
    def forward(ctx, weights, indice_weights, lookup, output_type, options, step):
        ctx.lookup, ctx.options, ctx.step = lookup, options, step
        ctx.weights = weights  # as it is when the backward pass comes
        return lookup.forward(weights.detach(), output_type)

    @staticmethod
    def backward(ctx, grad):
        largest, of_features = ctx.options
        if largest is not None:
            grad = grad.clamp(-largest, largest)
        weights = ctx.weights.detach()
        memory, of_shares = ctx.lookup.backward(weights, grad, ctx.needs_input_grad[1])
        if of_shares is not None and of_features is not None:
            of_shares = torch.where(of_features.bool()[ctx.lookup.table], of_shares, 0.0)
        ctx.step(weights, memory)
        return None, of_shares, None, None, None, None


def _updating(host_weights, weights_offsets, D_offsets, total_D, indices, offsets, pooling_mode,
              indice_weights, feature_requires_grad, gradient_clipping, max_gradient,
              stochastic_rounding, output_dtype, step):
    if stochastic_rounding and host_weights.dtype is not torch.float32:
        raise NotImplementedError("gaudi-mlir rounds tables of embeddings to nearest: pass "
                                  "stochastic_rounding=False, or tables of float32")
    if output_dtype not in _OUTPUT_TYPES:
        raise ValueError(f"output_dtype is one of {', '.join(map(str, _OUTPUT_TYPES))} (float32, "
                         f"float16, bfloat16), not {output_dtype}")
    lookup = _Lookup(weights_offsets, D_offsets, pooling_mode, indices, offsets,
                     None if indice_weights is None else indice_weights.detach())
    lookup.check(host_weights, total_D)
    return _Updating.apply(
        host_weights, indice_weights, lookup, _OUTPUT_TYPES[output_dtype],
        (float(max_gradient) if gradient_clipping else None, feature_requires_grad), step)


def split_embedding_codegen_lookup_sgd_function_hpu(
        host_weights, weights_placements, weights_offsets, D_offsets, total_D, max_D,
        hash_size_cumsum, total_hash_size_bits, indices, offsets, pooling_mode, indice_weights,
        feature_requires_grad, gradient_clipping, max_gradient, stochastic_rounding,
        learning_rate=0, output_dtype=0):
    """The lookup; its backward pass subtracts the gradient times the rate from the tables, if
    host_weights requires a gradient. Placements and hash sizes are of the real package's caches."""
    del weights_placements, max_D, hash_size_cumsum, total_hash_size_bits

    def step(weights, gradient):
        weights.copy_(weights.float() - learning_rate * gradient)
    return _updating(host_weights, weights_offsets, D_offsets, total_D, indices, offsets,
                     pooling_mode, indice_weights, feature_requires_grad, gradient_clipping,
                     max_gradient, stochastic_rounding, output_dtype, step)


def split_embedding_codegen_lookup_adagrad_function_hpu(
        host_weights, weights_placements, weights_offsets, D_offsets, total_D, max_D,
        hash_size_cumsum, total_hash_size_bits, indices, offsets, pooling_mode, indice_weights,
        feature_requires_grad, gradient_clipping, max_gradient, stochastic_rounding,
        momentum1_host, momentum1_placements, momentum1_offsets, eps=0, learning_rate=0,
        output_dtype=0):
    """The same with Adagrad: momentum1_host, of the size of the tables, sums squares of gradients,
    and a number's rate is divided by the root of its sum plus eps."""
    del weights_placements, max_D, hash_size_cumsum, total_hash_size_bits
    del momentum1_placements, momentum1_offsets
    if momentum1_host.numel() != host_weights.numel():
        raise ValueError(f"momentum1_host has {momentum1_host.numel()} numbers for tables of "
                         f"{host_weights.numel()}")

    def step(weights, gradient):
        sums = momentum1_host.float() + gradient * gradient
        change = torch.where(gradient == 0, 0.0, gradient / (sums.sqrt() + eps))
        weights.copy_(weights.float() - learning_rate * change)
        momentum1_host.copy_(sums)
    return _updating(host_weights, weights_offsets, D_offsets, total_D, indices, offsets,
                     pooling_mode, indice_weights, feature_requires_grad, gradient_clipping,
                     max_gradient, stochastic_rounding, output_dtype, step)


__getattr__ = _missing.of(__name__, {
    "split_permute_cat": "torch.split and torch.cat are one graph"})

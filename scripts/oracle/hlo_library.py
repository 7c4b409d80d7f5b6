# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of random bits, linear algebra, transforms and collectives."""
import functools

import numpy as np

from hlo_case import NUMBERS, UNSIGNED


def rng_bit_generator(c):
    algorithm = c.draw.choice(["THREE_FRY", "PHILOX", "DEFAULT"])
    size = 2 if algorithm == "THREE_FRY" else c.draw.choice([2, 3])
    # A counter near the end of its low word or of all words.
    state = c.draw.rng.integers(0, 2**64, size, np.uint64, endpoint=False)
    state[1:] = [c.draw.choice([int(n), 2**64 - 2, 2**32 - 1, 0]) for n in state[1:]]
    # XLA gives signed elements the type of unsigned ones.
    shape, element = c.draw.shape(), c.draw.choice(UNSIGNED)
    c.returns(c.op("rng_bit_generator", [c.given(state, "ui64")], [((size,), "ui64"), (shape, element)],
                   {"rng_algorithm": f"#stablehlo<rng_algorithm {algorithm}>"}))


def fft(c):
    x = c.input((*c.draw.shape(high=2), 8), "f32")
    shape = (*c.shape(x)[:-1], 5)
    z = c.op("fft", [x], [(shape, "complex<f32>")], {"fft_type": "#stablehlo<fft_type RFFT>", "fft_length": "array<i64: 8>"})
    c.returns([c.op("real", [z], [(shape, "f32")]), c.op("imag", [z], [(shape, "f32")])])


def cholesky(c):
    size, batch = c.draw.integer(1, 8), c.draw.shape(high=2, most=3)
    root = c.draw.values((*batch, size, size), "f32")
    x = c.given(root @ np.swapaxes(root, -1, -2) + size * np.eye(size), "f32")
    c.returns(c.op("cholesky", [x], [c.types[x]], {"lower": c.draw.choice(["true", "false"])}))


def triangular_solve(c):
    size, batch, columns = c.draw.integer(1, 8), c.draw.shape(high=2, most=3), c.draw.integer(1, 5)
    lower, left = c.draw.chance(0.5), c.draw.chance(0.5)
    # The other triangle must not be read.
    a = c.given(c.draw.values((*batch, size, size), "f32") + 5 * np.eye(size), "f32")
    b = c.input((*batch, *((size, columns) if left else (columns, size))), "f32")
    c.returns(c.op("triangular_solve", [a, b], [c.types[b]], {
        "left_side": str(left).lower(), "lower": str(lower).lower(),
        "unit_diagonal": c.draw.choice(["true", "false", "false"]),
        "transpose_a": f"#stablehlo<transpose {c.draw.choice(['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'])}>"}))


def collective(name, c):
    """Among one device."""
    x = c.input(c.draw.shape(low=1), c.draw.element(NUMBERS))
    shape, element = c.types[x]
    attributes = {"replica_groups": "dense<0> : tensor<1x1xi64>"}
    regions = []
    if name in ("all_reduce", "reduce_scatter"):
        regions = [c.combine("add", element)]
    if name == "all_gather":
        attributes["all_gather_dim"] = "0 : i64"
    if name == "reduce_scatter":
        attributes["scatter_dimension"] = "0 : i64"
    if name == "all_to_all":
        attributes.update(split_dimension="0 : i64", concat_dimension="0 : i64", split_count="1 : i64")
    if name == "collective_permute":
        pairs = c.draw.choice(["dense<0> : tensor<1x2xi64>", "dense<> : tensor<0x2xi64>"])
        attributes = {"source_target_pairs": pairs}
    c.returns(c.op(name, [x], [(shape, element)], attributes, regions))


def device_number(name, c):
    c.returns(c.op(name, [], [((), "ui32")]))


def torch_index_select(c):
    shape, element = c.draw.shape(low=2), c.draw.element(NUMBERS)
    dim = c.draw.integer(0, len(shape) - 1)
    batch = c.draw.integer(0, dim)
    index = shape[:batch] + c.draw.shape(high=2, most=4)
    index_array = c.draw.rng.integers(0, shape[dim], index)
    result = shape[:dim] + index[batch:] + shape[dim + 1:]
    c.returns(c.op("torch_index_select", [c.input(shape, element), c.given(index_array, "i32")], [(result, element)],
                   {"dim": f"{dim} : i64", "batch_dims": f"{batch} : i64"}))


GENERATORS = {
    "rng_bit_generator": rng_bit_generator, "fft": fft, "cholesky": cholesky, "triangular_solve": triangular_solve,
    "torch_index_select": torch_index_select,
    **{name: functools.partial(collective, name)
       for name in ("all_gather", "all_reduce", "all_to_all", "collective_permute", "reduce_scatter")},
    **{name: functools.partial(device_number, name) for name in ("partition_id", "replica_id")},
}

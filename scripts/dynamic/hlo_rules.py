# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Relations between the dimensions of StableHLO ops."""
import math
import re
from propagate import Conflict, reshape
from sizes import Size, add, multiply


def numbers(text):
    """The integers of 'array<i64: 1, 2>', 'dense<[1, 2]> : tensor<2xi64>', '[1, 2]' or '1 : i64'."""
    if text is None:
        return []
    dense = re.match(r"dense<(.*)> : tensor<([\dx]*)x[a-z]+\d*>$", text)
    if dense:
        listed = numbers(dense[1])
        return listed if "[" in dense[1] else listed * math.prod(map(int, dense[2].split("x")))
    return [int(n) for n in re.findall(r"(?<![\w.])-?\d+(?![\w.])", text.replace("array<i64", ""))]


def field(text, name):
    """A member of '#stablehlo.dot<...>' or of a dictionary: a list or a number."""
    match = re.search(r"\b" + name + r" = (\[[^\]]*\]|array<[^>]*>|\d+)", text)
    if not match:
        return []
    return int(match[1]) if match[1].isdigit() else numbers(match[1])


def is_size(tensor):
    return any(isinstance(d, Size) for d in tensor.dims or [])


def name_of(op):
    return op.name.split(".", 1)[1] if op.name.startswith(("stablehlo.", "mhlo.", "chlo.")) else None


def numbers_of(op, *names):
    for name in names:
        if name in op.attributes:
            return numbers(op.attributes[name])
    return None


def broadcast_in_dim(graph, op):
    operand, result = op.operands[0], op.results[0]
    for j, i in enumerate(numbers_of(op, "broadcast_dimensions")):
        n = operand.base[j]
        if n == result.base[i] and (n != 1 or isinstance(operand.dims[j], Size)):
            graph.link(operand, j, result, i)


def dot_fields(op, ranks):
    text = op.attributes.get("dot_dimension_numbers")
    if text is None:
        return [], [], [ranks[0] - 1], [0]
    return tuple(field(text, f"{side}_{kind}_dimensions") for kind in ("batching", "contracting") for side in ("lhs", "rhs"))


def dot(graph, op):
    left, right, result = op.operands[0], op.operands[1], op.results[0]
    lb, rb, lc, rc = dot_fields(op, [len(left.dims), len(right.dims)])
    for i, j in list(zip(lb, rb)) + list(zip(lc, rc)):
        graph.link(left, i, right, j)
    free_left = [i for i in range(len(left.dims)) if i not in lb + lc]
    free_right = [i for i in range(len(right.dims)) if i not in rb + rc]
    for k, i in enumerate(lb + free_left):
        graph.link(left, i, result, k)
    for k, i in enumerate(free_right):
        graph.link(right, i, result, len(lb) + len(free_left) + k)


def reduce(graph, op):
    dimensions = numbers_of(op, "dimensions")
    count = len(op.results)
    kept = [i for i in range(len(op.operands[0].dims)) if i not in dimensions]
    for operand in op.operands[:count]:
        graph.link_all(operand, op.operands[0])
    for result in op.results:
        for k, i in enumerate(kept):
            graph.link(op.operands[0], i, result, k)


def window(graph, op):
    sizes = numbers_of(op, "window_dimensions")
    strides = numbers_of(op, "window_strides") or [1] * len(sizes)
    if name_of(op) == "reduce_window":
        count = len(op.results)
        pairs = [(a, r) for a in op.operands[:count] for r in op.results]
    else:
        graph.link_all(op.operands[0], op.results[0])
        pairs = [(op.operands[0], op.operands[1])]
    for a, b in pairs:
        for i, n in enumerate(sizes):
            if n == 1 and strides[i] == 1:
                graph.link(a, i, b, i)
            elif isinstance(a.dims[i], Size) or isinstance(b.dims[i], Size):
                raise Conflict(f"a window over dimension {i}, which depends on {a.dims[i]} or {b.dims[i]}")


def sides_of(text):
    """The labels of the dimensions of input, kernel and output."""
    if not text.startswith("{"):
        return [s.split(", ") for s in re.findall(r"\[([^\]]*)\]", text)[:3]]
    sides = []
    for tensor, labels in (("input", ("batch", "feature")), ("kernel", ("output_feature", "input_feature")),
                           ("output", ("batch", "feature"))):
        spatial = field(text, f"{tensor}_spatial_dimensions")
        side = [None] * (len(spatial) + 2)
        for label in labels:
            side[field(text, f"{tensor}_{label}_dimension")] = label[0]
        for k, i in enumerate(spatial):
            side[i] = str(k)
        sides.append(side)
    return sides


def convolution(graph, op):
    sides = sides_of(op.attributes["dimension_numbers"])
    left, right, result = op.operands[0], op.operands[1], op.results[0]
    groups = lambda name: int(op.attributes.get(name, "1").split(":")[0])
    if groups("batch_group_count") == 1:
        graph.link(left, sides[0].index("b"), result, sides[2].index("b"))
    if groups("feature_group_count") == 1:
        graph.link(left, sides[0].index("f"), right, sides[1].index("i"))
    graph.link(right, sides[1].index("o"), result, sides[2].index("f"))
    for side, tensor in zip(sides, (left, right, result)):
        for i, label in enumerate(side):
            if label.isdigit() and isinstance(tensor.dims[i], Size):
                raise Conflict(f"a window over dimension {i}, which is {tensor.dims[i]}")


def concatenate(graph, op):
    axis = numbers_of(op, "dimension")[0]
    result = op.results[0]
    for operand in op.operands:
        for i in range(len(result.dims)):
            if i != axis:
                graph.link(operand, i, result, i)
    total = 0
    for operand in op.operands:
        total = add(total, operand.dims[axis])
    if isinstance(total, Size):
        graph.set(result, axis, total)
    elif isinstance(result.dims[axis], Size) and len(op.operands) == 1:
        graph.set(op.operands[0], axis, result.dims[axis])


def slice_bounds(op):
    return (numbers_of(op, "start_indices"), numbers_of(op, "limit_indices"), numbers_of(op, "strides"))


def slice_(graph, op):
    operand, result = op.operands[0], op.results[0]
    for i, (start, limit, stride) in enumerate(zip(*slice_bounds(op))):
        n = operand.base[i]
        if start == 0 and limit == n and stride == 1:
            if n != 1 or isinstance(operand.dims[i], Size):
                graph.link(operand, i, result, i)
        elif isinstance(operand.dims[i], Size):
            if stride != 1 and limit - start > stride:
                raise Conflict(f"a slice with a stride of dimension {i}, which is {operand.dims[i]}")
            # x[k:] and x[:-k]; other ends are positions.
            if stride == 1 and (limit == n or (start == 0 and n - limit < limit and n - limit <= 2)):
                graph.set(result, i, add(operand.dims[i], start + n - limit, -1))


def dynamic_slice(graph, op):
    operand, result = op.operands[0], op.results[0]
    for i, n in enumerate(numbers_of(op, "slice_sizes")):
        if n == operand.base[i]:
            graph.link(operand, i, result, i)


def dynamic_update_slice(graph, op):
    operand, update, result = op.operands[0], op.operands[1], op.results[0]
    graph.link_all(operand, result)
    for i, n in enumerate(update.base):
        if n == operand.base[i]:
            graph.link(operand, i, update, i)


def gather(graph, op):
    operand, indices, result = op.operands[0], op.operands[1], op.results[0]
    text = op.attributes["dimension_numbers"]
    offset, collapsed = field(text, "offset_dims"), field(text, "collapsed_slice_dims")
    batching = field(text, "operand_batching_dims")
    vector = field(text, "index_vector_dim") or 0
    sizes = numbers_of(op, "slice_sizes")
    inside = [i for i in range(len(operand.dims)) if i not in collapsed + batching]
    for k, i in zip(offset, inside):
        if sizes[i] == operand.base[i]:
            graph.link(operand, i, result, k)
    outside = [k for k in range(len(result.dims)) if k not in offset]
    index_dims = [i for i in range(len(indices.dims)) if i != vector]
    for k, i in zip(outside, index_dims):
        graph.link(indices, i, result, k)
    for i, j in zip(batching, field(text, "start_indices_batching_dims")):
        graph.link(operand, i, indices, j)


def scatter(graph, op):
    count = len(op.results)
    operand, indices, update = op.operands[0], op.operands[count], op.operands[count + 1]
    for other in op.operands[1:count] + op.results:
        graph.link_all(operand, other)
    for other in op.operands[count + 2:]:
        graph.link_all(update, other)
    text = op.attributes["scatter_dimension_numbers"]
    windows, inserted = field(text, "update_window_dims"), field(text, "inserted_window_dims")
    batching = field(text, "input_batching_dims")
    vector = field(text, "index_vector_dim") or 0
    inside = [i for i in range(len(operand.dims)) if i not in inserted + batching]
    for k, i in zip(windows, inside):
        if update.base[k] == operand.base[i]:
            graph.link(operand, i, update, k)
    outside = [k for k in range(len(update.dims)) if k not in windows]
    for k, i in zip(outside, [i for i in range(len(indices.dims)) if i != vector]):
        graph.link(indices, i, update, k)


def pad(graph, op):
    operand, result = op.operands[0], op.results[0]
    low, high, interior = (numbers_of(op, n) for n in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    for i in range(len(operand.dims)):
        if low[i] == high[i] == interior[i] == 0:
            graph.link(operand, i, result, i)
        elif isinstance(operand.dims[i], Size):
            total = add(multiply(operand.dims[i], 1 + interior[i]), low[i] + high[i] - interior[i])
            graph.set(result, i, total)
        elif isinstance(result.dims[i], Size):
            raise Conflict(f"a pad to dimension {i}, which is {result.dims[i]}")


def while_(graph, op):
    for k, operand in enumerate(op.operands):
        values = [op.results[k]] + [r.arguments[k] for r in op.regions]
        values.append(op.regions[1].ops[-1].operands[k])
        for other in values * 2:
            graph.link_all(operand, other)


def branches(graph, op):
    for k, result in enumerate(op.results):
        for region in op.regions:
            graph.link_all(region.ops[-1].operands[k], result)


def transpose(graph, op):
    for k, i in enumerate(numbers_of(op, "permutation")):
        graph.link(op.operands[0], i, op.results[0], k)


def pairwise(graph, op):
    for a, b in zip(op.operands, op.results):
        graph.link_all(a, b)


def sort(graph, op):
    for tensor in op.operands + op.results:
        graph.link_all(op.operands[0], tensor)


def with_scalars(graph, op):
    for tensor in op.operands + op.results:
        if tensor.base:
            graph.link_all(tensor, op.results[0])


def batch_norm(graph, op):
    graph.link_all(op.operands[0], op.results[0])
    if name_of(op) == "batch_norm_grad":
        graph.link_all(op.operands[0], op.operands[4])


def custom_call(graph, op):
    """Ops of unknown meaning keep their leading dimensions."""
    first = op.operands[0]
    for tensor in op.operands[1:] + op.results:
        if tensor.dims and len(tensor.dims) == len(first.dims):
            for i in range(len(first.dims)):
                if tensor.base[i] == first.base[i]:
                    graph.link(first, i, tensor, i)


def reads_nothing(graph, op):
    pass


RULES = {
    "broadcast_in_dim": broadcast_in_dim, "dot_general": dot, "dot": dot, "reduce": reduce,
    "reduce_window": window, "select_and_scatter": window, "convolution": convolution,
    "concatenate": concatenate, "slice": slice_, "dynamic_slice": dynamic_slice,
    "dynamic_update_slice": dynamic_update_slice, "gather": gather, "scatter": scatter, "pad": pad,
    "while": while_, "if": branches, "case": branches, "transpose": transpose,
    "optimization_barrier": pairwise, "sort": sort, "select": with_scalars, "clamp": with_scalars,
    "batch_norm_training": batch_norm, "batch_norm_grad": batch_norm, "batch_norm_inference": batch_norm,
    "custom_call": custom_call, "iota": reads_nothing, "constant": reads_nothing,
    "reshape": lambda graph, op: reshape(graph, op.operands[0], op.results[0]),
}


def relate(graph, op):
    name = name_of(op)
    if name not in RULES:
        return False
    RULES[name](graph, op)
    return True

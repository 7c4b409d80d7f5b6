# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Relations between the dimensions of linalg, tensor and TOSA ops."""
import re
from hlo_rules import numbers, numbers_of
from propagate import Conflict, carry_group, reshape
from sizes import Size, add


def aliases(text):
    return dict(re.findall(r"^(#map\d*) = (affine_map<.*>)$", text, re.M))


def maps_of(op, names):
    """Per operand the expressions of its dimensions, and the number of loops."""
    text = op.attributes.get("indexing_maps")
    if text is None:
        return None, 0
    maps = []
    for entry in re.findall(r"#map\d*(?!\w)|affine_map<(?:[^<>]|->)*>", text):
        entry = names.get(entry, entry)
        loops, results = re.match(r"affine_map<\(([^)]*)\) -> \((.*)\)>", entry).groups()
        maps.append([r.strip() for r in results.split(",") if r.strip()])
        count = len([l for l in loops.split(",") if l.strip()])
    return maps, count


def loop_of(expression, position, exprs, count):
    """The loop of a dimension. A zero is a broadcast of one element; where the
    dimension grows it is the loop that the map leaves out."""
    if re.fullmatch(r"d\d+", expression):
        return int(expression[1:])
    if expression == "0":
        unused = [k for k in range(count) if f"d{k}" not in exprs]
        return position if position in unused else (unused[0] if unused else None)
    return None


def structured(graph, op):
    maps, count = maps_of(op, graph.aliases)
    if maps is None:
        return named(graph, op)
    tensors = [(o, m) for o, m in zip(op.operands, maps) if o.dims is not None]
    loops = {}
    for tensor, exprs in tensors:
        for i, e in enumerate(exprs):
            k = loop_of(e, i, exprs, count)
            if k is not None and (e != "0" or isinstance(tensor.dims[i], Size)):
                loops.setdefault(k, []).append((tensor, i))
    for places in loops.values():
        for a, i in places:
            if isinstance(a.dims[i], Size):
                for b, j in places:
                    graph.link(a, i, b, j)
                break
    outs(graph, op)


def outs(graph, op):
    """Results have the shapes of the last operands."""
    for a, b in zip(op.operands[len(op.operands) - len(op.results):], op.results):
        graph.link_all(a, b)


IMAGE = re.compile(r"_(n[dhwc]+)(?:_|$)")


def named(graph, op):
    outs(graph, op)
    layout = IMAGE.search(op.name)
    if op.name == "linalg.fill":
        return
    if layout:
        graph.link(op.operands[0], 0, op.operands[-1], 0)
        for tensor in (op.operands[0], op.operands[-1]):
            if any(isinstance(d, Size) for d in tensor.dims[1:]):
                raise Conflict("only the batch of a window may be chosen")
    elif op.name in ("linalg.matmul", "linalg.batch_matmul"):
        a, b, c = op.operands
        k = len(a.dims) - 2
        for i in range(k):
            graph.link(a, i, b, i)
            graph.link(a, i, c, i)
        graph.link(a, k, c, k)
        graph.link(b, k + 1, c, k + 1)
        graph.link(a, k + 1, b, k)
    elif op.name == "linalg.transpose":
        for k, i in enumerate(numbers_of(op, "permutation")):
            graph.link(op.operands[0], i, op.results[0], k)
    elif op.name in ("linalg.broadcast", "linalg.reduce"):
        dropped = numbers_of(op, "dimensions")
        large, small = op.operands[0], op.results[0]
        if op.name == "linalg.broadcast":
            large, small = small, large
        kept = [i for i in range(len(large.dims)) if i not in dropped]
        for k, i in enumerate(kept):
            graph.link(small, k, large, i)
    else:
        graph.elementwise(op)


def reassociation(op):
    return [numbers(g) for g in re.findall(r"\[([\d, ]+)\]", op.attributes["reassociation"])]


def regroup(graph, op):
    small, large = op.operands[0], op.results[0]
    if op.name == "tensor.collapse_shape":
        small, large = large, small
    for k, group in enumerate(reassociation(op)):
        carry_group(graph, large, group, small, [k])
        carry_group(graph, small, [k], large, group)


def kept_dims(sizes, shape):
    """Which dimensions of a window a result of lower rank keeps."""
    kept, k = [], 0
    for i, n in enumerate(sizes):
        if k < len(shape) and n == shape[k]:
            kept.append(i)
            k += 1
    return kept


def window_slice(graph, op):
    insert = op.name == "tensor.insert_slice"
    inner = op.operands[0] if insert else op.results[0]
    outer = op.operands[1] if insert else op.operands[0]
    if insert:
        graph.link_all(outer, op.results[0])
    offsets, sizes, strides = (numbers_of(op, "static_" + n) for n in ("offsets", "sizes", "strides"))
    for k, i in enumerate(kept_dims(sizes, inner.base)):
        if offsets[i] == 0 and strides[i] == 1 and sizes[i] == outer.base[i]:
            if sizes[i] != 1 or isinstance(outer.dims[i], Size):
                graph.link(outer, i, inner, k)


def pad(graph, op):
    low, high = numbers_of(op, "static_low"), numbers_of(op, "static_high")
    for i, (l, h) in enumerate(zip(low, high)):
        shift(graph, op.operands[0], op.results[0], i, l + h)


def shift(graph, a, b, i, n):
    if n == 0:
        graph.link(a, i, b, i)
    elif isinstance(a.dims[i], Size):
        graph.set(b, i, add(a.dims[i], n))
    elif isinstance(b.dims[i], Size):
        graph.set(a, i, add(b.dims[i], n, -1))


def concat(graph, op, axis):
    total = 0
    for operand in op.operands:
        total = add(total, operand.dims[axis])
        for i in range(len(operand.dims)):
            if i != axis:
                graph.link(operand, i, op.results[0], i)
    if isinstance(total, Size):
        graph.set(op.results[0], axis, total)


def constant_shape(value):
    return numbers(re.match(r"dense<(.*)> : ", value.producer.attributes["values"])[1])


def listed(value):
    shape = constant_shape(value)
    rank = int(re.search(r"<(\d+)>", value.type())[1])
    return shape * rank if len(shape) == 1 else shape


def tosa_slice(graph, op):
    a, b = op.operands[0], op.results[0]
    for i, (start, n) in enumerate(zip(listed(op.operands[1]), listed(op.operands[2]))):
        if start == 0 and n == a.base[i]:
            graph.link(a, i, b, i)


def tosa_pad(graph, op):
    padding = listed(op.operands[1])
    for i in range(len(op.operands[0].dims)):
        shift(graph, op.operands[0], op.results[0], i, padding[2 * i] + padding[2 * i + 1])


def tosa_window(graph, op):
    graph.link(op.operands[0], 0, op.results[0], 0)
    for tensor in (op.operands[0], op.results[0]):
        if any(isinstance(d, Size) for d in tensor.dims[1:]):
            raise Conflict("only the batch of a window may be chosen")


def tosa_matmul(graph, op):
    a, b, c = op.operands[0], op.operands[1], op.results[0]
    for x, i, y, j in ((a, 0, b, 0), (a, 0, c, 0), (a, 1, c, 1), (b, 2, c, 2), (a, 2, b, 1)):
        graph.link(x, i, y, j)


def tosa_reduce(graph, op):
    axis = int(op.attributes["axis"].split(":")[0])
    a, b = op.operands[0], op.results[0]
    kept = [i for i in range(len(a.dims)) if i != axis]
    same = len(a.dims) == len(b.dims)
    for k, i in enumerate(kept):
        graph.link(a, i, b, i if same else k)


def tosa_gather(graph, op):
    values, indices, result = op.operands[0], op.operands[1], op.results[0]
    graph.link(values, 0, indices, 0)
    graph.link(indices, 0, result, 0)
    graph.link(indices, 1, result, 1)
    graph.link(values, 2, result, 2)


def tosa_tile(graph, op):
    for i, n in enumerate(listed(op.operands[1])):
        if n == 1:
            graph.link(op.operands[0], i, op.results[0], i)


def tosa_broadcast(graph, op):
    """Elementwise, with operands that are broadcast along ones."""
    result = op.results[0]
    for operand in op.operands:
        if operand.dims is None or len(operand.dims) != len(result.dims):
            continue
        for i, n in enumerate(operand.base):
            if n == result.base[i] and (n != 1 or isinstance(operand.dims[i], Size)):
                graph.link(operand, i, result, i)
            elif n == result.base[i] == 1 and isinstance(result.dims[i], Size) and not any(
                    o.dims and len(o.dims) == len(result.dims) and isinstance(o.dims[i], Size) for o in op.operands):
                graph.link(operand, i, result, i)


def transpose(graph, op):
    for k, i in enumerate(numbers_of(op, "perms")):
        graph.link(op.operands[0], i, op.results[0], k)


def nothing(graph, op):
    pass


RULES = {
    "tensor.expand_shape": regroup, "tensor.collapse_shape": regroup, "tensor.extract_slice": window_slice,
    "tensor.insert_slice": window_slice, "tensor.pad": pad, "tensor.splat": nothing, "tensor.empty": nothing,
    "tensor.extract": nothing, "tensor.dim": nothing, "tensor.from_elements": nothing, "arith.constant": nothing,
    "tensor.concat": lambda g, op: concat(g, op, int(op.attributes["dim"].split(":")[0])),
    "tosa.concat": lambda g, op: concat(g, op, int(op.attributes["axis"].split(":")[0])),
    "tosa.reshape": lambda g, op: reshape(g, op.operands[0], op.results[0]),
    "tosa.transpose": transpose, "tosa.slice": tosa_slice, "tosa.pad": tosa_pad, "tosa.conv2d": tosa_window,
    "tosa.depthwise_conv2d": tosa_window, "tosa.conv3d": tosa_window, "tosa.transpose_conv2d": tosa_window,
    "tosa.max_pool2d": tosa_window, "tosa.avg_pool2d": tosa_window, "tosa.resize": tosa_window,
    "tosa.matmul": tosa_matmul, "tosa.gather": tosa_gather, "tosa.tile": tosa_tile, "tosa.argmax": tosa_reduce,
    "tosa.const": nothing, "tosa.const_shape": nothing,
    "tosa.reverse": lambda g, op: g.link_all(op.operands[0], op.results[0]),
    "tosa.table": lambda g, op: g.link_all(op.operands[0], op.results[0]),
    "tosa.rescale": lambda g, op: g.link_all(op.operands[0], op.results[0]),
}


def relate(graph, op):
    dialect = op.name.split(".")[0]
    if op.name in RULES:
        RULES[op.name](graph, op)
    elif dialect == "linalg":
        structured(graph, op)
    elif op.name.startswith("tosa.reduce_"):
        tosa_reduce(graph, op)
    elif dialect == "tosa":
        tosa_broadcast(graph, op)
    else:
        return False
    return True

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds which dimensions of a static graph depend on the chosen ones.

Every op relates dimensions of its operands and results; a size that becomes
symbolic is carried along these relations, forward and backward, until nothing
changes.
"""
from generic_form import Op
from sizes import Size, factors, multiply, value


class Conflict(SystemExit):
    pass


class Graph:
    def __init__(self, module, sizes):
        self.module, self.sizes, self.queue = module, sizes, []
        self.functions = {}
        for function in (op for op in module.regions[0].ops if op.name == "func.func"):
            self.functions[function.attributes["sym_name"].strip('"')] = function
        self.calls = {}
        duplicate_sources(module)
        for op in module.walk():
            for operand in op.operands:
                operand.users.append(op)
            for region in op.regions:
                for argument in region.arguments:
                    argument.producer = op
            if op.name == "func.call":
                self.calls.setdefault(op.attributes["callee"].strip("@"), []).append(op)

    def set(self, tensor, dimension, size):
        old = tensor.dims[dimension]
        if old == size:
            return
        where = f"dimension {dimension} of {tensor.type()} of {tensor.producer.name}"
        if isinstance(old, Size):
            raise Conflict(f"{where} is {old} and {size}")
        if old != value(size, self.sizes):
            raise Conflict(f"{where} becomes {size}")
        tensor.dims[dimension] = size
        for op in [tensor.producer] + tensor.users:
            if op not in self.queue:
                self.queue.append(op)
            # Terminators relate to the results of their op, returns to calls.
            if op.parent and op.name.endswith(("return", "yield")) and op.parent not in self.queue:
                self.queue.append(op.parent)

    def link(self, a, i, b, j):
        x, y = a.dims[i], b.dims[j]
        if isinstance(x, Size):
            self.set(b, j, x)
        elif isinstance(y, Size):
            self.set(a, i, y)

    def link_all(self, a, b):
        if a.dims is None or b.dims is None or len(a.dims) != len(b.dims):
            return
        for i in range(len(a.dims)):
            self.link(a, i, b, i)

    def run(self, rules):
        while self.queue:
            op = self.queue.pop(0)
            try:
                self.relate(op, rules)
            except Conflict as conflict:
                raise Conflict(f"{op.name}: {conflict}")

    def relate(self, op, rules):
        if op.name == "func.func":
            for call in self.calls.get(op.attributes["sym_name"].strip('"'), []):
                self.relate(call, rules)
        elif op.name == "func.call":
            callee = self.functions[op.attributes["callee"].strip("@")].regions[0]
            for a, b in zip(op.operands, callee.arguments):
                self.link_all(a, b)
            for a, b in zip(op.results, callee.ops[-1].operands):
                self.link_all(a, b)
        elif op.name.endswith(("return", "yield")):
            pass
        else:
            for rule in rules:
                if rule(self, op):
                    return
            self.elementwise(op)

    def elementwise(self, op):
        tensors = [v for v in op.operands + op.results if v.dims is not None and v.base]
        if not op.results:
            return
        shape = op.results[0].base if op.results[0].dims is not None else None
        for tensor in tensors:
            if tensor.base == shape:
                self.link_all(tensor, op.results[0])
            elif any(isinstance(d, Size) for d in tensor.dims + op.results[0].dims):
                raise Conflict(f"no rule for operands of shapes {[t.base for t in tensors]}")


def duplicate_sources(op):
    """Gives each use of what reads no tensor an op of its own: uses may need
    different sizes that happen to be equal in the static graph."""
    uses = {}
    for inner in op.walk():
        for index, operand in enumerate(inner.operands):
            uses.setdefault(operand, []).append((inner, index))
    for region in op.regions:
        ops, region.ops = region.ops, []
        for inner in ops:
            duplicate_sources(inner)
            region.ops.append(inner)
            reads_tensor = any(o.base for o in inner.operands if o.dims is not None)
            if reads_tensor or inner.regions or len(inner.results) != 1 or not inner.results[0].dims:
                continue
            for user, index in uses.get(inner.results[0], [])[1:]:
                copy = Op(inner.name, inner.operands, [inner.results[0].type()], inner.attributes)
                copy.properties, copy.parent = set(inner.properties), inner.parent
                user.operands[index] = copy.results[0]
                region.ops.append(copy)


def reshape(graph, a, b):
    """Carries sizes between both sides of a reshape, each way."""
    for source, target in ((a, b), (b, a)):
        if any(isinstance(d, Size) for d in source.dims):
            carry(graph, source, target)


def carry(graph, source, target):
    everything = lambda tensor: list(range(len(tensor.dims)))
    carry_group(graph, source, everything(source), target, everything(target))


def carry_group(graph, source, left, target, right):
    """Carries the sizes of dimensions of `source` to those of `target`, which
    have as many elements."""
    if not any(isinstance(source.dims[i], Size) for i in left):
        return
    wide = lambda tensor, dims: [i for i in dims if tensor.base[i] != 1]
    runs = runs_of(source.base, wide(source, left), target.base, wide(target, right))
    chosen, loose = {}, []
    for number, (ours, theirs) in enumerate(runs):
        parts = share(graph, [source.dims[i] for i in ours], target, theirs, chosen)
        loose += [(number, part) for part in parts]
    ends = [max(ours) for ours, _ in runs]
    loose += [(sum(e < i for e in ends), source.dims[i]) for i in left
              if source.base[i] == 1 and isinstance(source.dims[i], Size)]
    starts = [max(theirs) for _, theirs in runs]
    ones = [(sum(e < j for e in starts), j) for j in right if target.base[j] == 1]
    # The rows of a product with one matrix come last.
    if len(target.dims) == 3 and any(u.name == "tosa.matmul" and u.operands[0] is target for u in target.users):
        ones.reverse()
    for place, part in loose:
        free = [(target.dims[j] != part, abs(gap - place), k) for k, (gap, j) in enumerate(ones) if j not in chosen]
        if free:
            chosen[ones[min(free)[2]][1]] = part
            continue
        if not runs:
            raise Conflict(f"cannot tell which dimension of {target.type()} holds {part}")
        j = runs[min(place, len(runs) - 1)][1][0]
        chosen[j] = multiply(chosen.get(j, target.base[j]), part)
    for j, size in chosen.items():
        if isinstance(size, Size):
            graph.set(target, j, size)


def runs_of(a, left, b, right):
    """Runs of dimensions above one that have equal products."""
    result, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        ours, theirs = [left[i]], [right[j]]
        x, y = a[left[i]], b[right[j]]
        while x != y:
            if x < y:
                i += 1
                x *= a[left[i]]
                ours.append(left[i])
            else:
                j += 1
                y *= b[right[j]]
                theirs.append(right[j])
        result.append((ours, theirs))
        i, j = i + 1, j + 1
    return result


def share(graph, known, target, dims, chosen):
    """Chooses sizes of `dims` of `target` whose product is that of the known
    ones. Returns the parts that are one in the static graph."""
    parts = [part for size in known for part in factors(size)[1]]
    single = [part for part in parts if value(part, graph.sizes) == 1]
    parts = [part for part in parts if value(part, graph.sizes) != 1]
    room = {j: target.base[j] for j in dims}
    sizes = {j: 1 for j in dims}
    # First parts whose size is a dimension's, then parts that divide one.
    for exact in (True, False):
        for part in list(parts):
            n = value(part, graph.sizes)
            fits = [j for j in dims if (room[j] == n if exact else room[j] % n == 0)]
            if fits:
                sizes[fits[0]] = multiply(sizes[fits[0]], part)
                room[fits[0]] //= n
                parts.remove(part)
    if parts:
        raise Conflict(f"cannot tell which dimension of {target.type()} holds {parts}")
    for j in dims:
        chosen[j] = multiply(sizes[j], room[j])
    return single

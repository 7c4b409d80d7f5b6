# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random ops on the host, where PyTorch's generator draws the numbers that models see without
torch.compile, before the device begins: the option `random="host"`, and what distributions.py does
not draw on the device."""
import torch
from torch._prims.rng_prims import run_and_save_rng_state, run_with_rng_state
from torch.fx import Graph, Node

aten = torch.ops.aten

# Draw numbers of the shape of their operand: its values do not matter.
RANDOM = {
    aten.bernoulli.p, aten.rand.default, aten.rand_like.default, aten.randn.default,
    aten.randn_like.default, aten.randint.default, aten.randint.low, aten.randint_like.default,
    aten.randint_like.low_dtype, aten.randperm.default, aten.uniform.default,
    aten.normal_functional.default, aten.exponential.default, aten.geometric.default,
    aten.cauchy.default, aten.log_normal.default, aten.random.default, aten.random.to,
    getattr(aten.random, "from"),
}

# Not to be decomposed: the parts would draw other numbers.
WHOLE = RANDOM | {aten.bernoulli.default}


def seeded(node: Node) -> bool:
    """Whether the node takes numbers from a generator."""
    if node.target is draw or isinstance(node.target, torch._ops.HigherOrderOperator):
        return True
    if not isinstance(node.target, torch._ops.OpOverload) or \
            torch.Tag.nondeterministic_seeded not in node.target.tags:
        return node.target in RANDOM
    names = [each.name for each in node.target._schema.arguments]
    given = {**dict(zip(names, node.args)), **node.kwargs}
    return "dropout_p" not in names or given.get("dropout_p", 0) != 0


def draws_numbers(node: Node) -> bool:
    """The same, but of higher-order ops only those that are known to."""
    return seeded(node) and (not isinstance(node.target, torch._ops.HigherOrderOperator) or
                             node.target in (run_and_save_rng_state, run_with_rng_state))


def draw(op, size, stride, dtype, device, /, *args, **kwargs) -> torch.Tensor:
    """A random op that is like a tensor of this size, type and device, unless `kwargs` name
    another."""
    like = torch.empty_strided(size, stride, dtype=dtype, device=device)
    if op is aten.bernoulli.p:  # nn.Dropout draws in place, which takes another order of elements
        return like.bernoulli_(*args, **kwargs)
    return op(like, *args, **kwargs)


def free_operands(graph: Graph) -> None:
    """Lets random ops wait for no other op."""
    for node in list(graph.nodes):
        if node.target not in RANDOM or not node.args or not isinstance(node.args[0], Node):
            continue
        like = node.args[0].meta["val"]
        with graph.inserting_before(node):
            drawn = graph.call_function(
                draw, (node.target, tuple(like.shape), tuple(like.stride()), like.dtype,
                       like.device, *node.args[1:]), node.kwargs)
        drawn.meta = dict(node.meta)
        node.replace_all_uses_with(drawn)
        graph.erase_node(node)

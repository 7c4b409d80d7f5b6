# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of torch.export with dynamic sizes, through the torch-mlir wheel: its importer here, its
passes in a process of their own. docs/rationale.md says what our own front end lacks for them."""
import contextlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from torch.utils._python_dispatch import _disable_current_modes

from gaudi_mlir import _text, passes, weights

from . import exactness, formulas, requirements, writer
from .errors import LoweringError

requirements.check_torch_mlir()

from torch_mlir import ir  # noqa: E402
from torch_mlir.dialects import torch as torch_dialect  # noqa: E402
from torch_mlir.extras import fx_importer  # noqa: E402
from torch_mlir.extras.fx_decomp_util import get_decomposition_table  # noqa: E402

aten = torch.ops.aten

TO_BACKEND_IR = ("builtin.module(func.func(torch-match-quantized-custom-ops), "
                 "torchdynamo-export-to-torch-backend-pipeline)")
# Linalg fixes sizes that are dynamic, StableHLO none; linalg has ops that StableHLO lacks.
PIPELINES = {
    "stablehlo": "builtin.module(torch-backend-to-stablehlo-backend-pipeline)",
    "linalg": "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)",
}


def table() -> dict[torch._ops.OpOverload, Callable]:
    """The decompositions of torch-mlir, and ours of ops that PyTorch does not decompose."""
    result = {**get_decomposition_table(), **formulas.TABLE}
    # Its decomposition views dynamic sizes, for which linalg has a cast to 1.
    result.pop(torch.ops.aten.linear.default, None)
    return result


_WITH_DIM = (aten.scatter.src, aten.scatter.value, aten.scatter_add.default,
             aten.scatter_reduce.two, aten.gather.default)


_COMPARISONS = {getattr(aten, name).Scalar for name in ("eq", "ne", "lt", "le", "gt", "ge")}

# Where the weight and the lists of a number per dimension are.
_CONVOLUTIONS = {aten.convolution.default: (1, (3, 4, 5, 7)),
                 aten.convolution_backward.default: (2, (4, 5, 6, 8))}


def _simplify(graph: torch.fx.Graph) -> None:
    """Writes nodes in the forms that torch-mlir takes. Decompositions cannot: they make such nodes
    themselves."""
    exactness.rewrite(graph)
    for node in graph.nodes:
        value = node.meta.get("val")
        if node.target in _COMPARISONS and type(node.args[1]) is int and \
                node.args[0].meta["val"].dtype.is_floating_point:
            node.update_arg(1, float(node.args[1]))  # it folds them wrongly
        elif node.target in (aten.empty_strided.default, aten.empty_permuted.default):
            node.target = aten.empty.memory_format  # torch-mlir has no strides
            node.args = node.args[:1]
            node.kwargs = {"dtype": value.dtype, "device": value.device}
        elif node.target in _CONVOLUTIONS:  # it reads past the end of shorter lists
            weight, lists = _CONVOLUTIONS[node.target]
            dims = node.args[weight].meta["val"].dim() - 2
            for place in lists:
                numbers = list(node.args[place])
                node.update_arg(place, numbers * dims if len(numbers) == 1 else numbers)
        elif node.target in _WITH_DIM and node.args[1] < 0:  # it crashes on a scatter at -1
            node.update_arg(1, node.args[1] + node.args[0].meta["val"].dim())
        elif node.target is aten.topk.default:  # it has no form without an order: sorted, then
            node.args = node.args[:4]
            node.kwargs = {name: value for name, value in node.kwargs.items() if name != "sorted"}
    _read_literals_once(graph)


def _read_literals_once(graph: torch.fx.Graph) -> None:
    """Its importer takes a literal at one place only; a weight may be read at several."""
    for node in list(graph.nodes):
        if node.op == "output" or not any(each.op == "get_attr" for each in node.all_input_nodes):
            continue

        def own(literal: torch.fx.Node) -> torch.fx.Node:
            if literal.op != "get_attr":
                return literal
            with graph.inserting_before(node):
                copy = graph.create_node("get_attr", literal.target)
            copy.meta = literal.meta
            return copy

        node.args = torch.fx.map_arg(node.args, own)
        node.kwargs = torch.fx.map_arg(node.kwargs, own)
    for node in graph.find_nodes(op="get_attr"):
        if not node.users:
            graph.erase_node(node)


class Literals(fx_importer.FxImporterHooks):
    """Makes tensors of a graph resources that share their memory."""

    def __init__(self, graph: torch.fx.Graph | None = None) -> None:
        self.arrays: dict[str, np.ndarray] = {}
        self._names: dict[tuple, str] = {}
        self._taken: set[str] = set()
        # With the tensors, so that no other gets their addresses.
        self._made: dict[tuple, tuple[torch.Tensor, ir.Attribute]] = {}
        for node in graph.find_nodes(op="get_attr") if graph else ():
            value = getattr(graph.owning_module, node.target)
            self._names.setdefault(self._key(value), node.meta.get("label", node.target))

    @staticmethod
    def _key(tensor: torch.Tensor) -> tuple:
        return tensor.data_ptr(), tensor.dtype, tuple(tensor.shape), tensor.stride()

    def resolve_literal(self, gni, literal, info):
        if not isinstance(literal, torch.Tensor) or literal.numel() < 2:
            return None
        with torch._C._DisableTorchDispatch():
            key = self._key(literal)
            if key not in self._made:
                self._made[key] = literal, self._resource(key, literal, info)
        return ir.Operation.create(
            "torch.vtensor.literal",
            results=[gni._cc.tensor_to_vtensor_type(literal)],
            attributes={"value": self._made[key][1]},
        ).result

    def _resource(self, key: tuple, literal: torch.Tensor, info) -> ir.Attribute:
        array = writer.shared_array(literal)
        spec = getattr(info, "input_spec", None)
        name = self._names.get(key) or getattr(spec, "target", None) or "literal"
        name = weights.fresh(name, self._taken)
        self.arrays[name] = array
        tensor_type = fx_importer.create_mlir_tensor_type(literal)
        if literal.is_floating_point():  # passes look at whole numbers only
            return weights.named_resource(ir, name, tensor_type)
        return weights.resource_attribute(ir, name, tensor_type, array)


class Import:
    """A graph in the torch dialect, which passes lower to the dialects of `PIPELINES`. Errors name
    the op that torch-mlir dies of. Changes the graph."""

    def __init__(self, graph: torch.fx.Graph) -> None:
        _simplify(graph)
        literals = Literals(graph)
        context = ir.Context()
        context.enable_multithreading(False)
        torch_dialect.register_dialect(context)
        context.attach_diagnostic_handler(lambda diagnostic: True)  # exceptions say it, too
        importer = fx_importer.FxImporter(context=context, hooks=literals)
        try:
            with _disable_current_modes():  # literals are real tensors, also where fakes are traced
                importer.import_stateless_graph(graph, func_name="main")
        except Exception as error:  # The importer raises what it likes.
            reason = f"torch-mlir cannot import the graph: {_text.first_line(error)}"
            raise LoweringError(reason) from error
        self._module = passes.Module(importer.module.operation, TO_BACKEND_IR, literals.arrays)
        with self._lowering(""):
            self._module.load()

    def lower(self, dialect: str, inputs: Sequence[str] = (), outputs: Sequence[str] = (),
              dims: Sequence[Sequence[str] | None] = ()) -> weights.Text:
        """The module in a dialect; names and dims are those of _functions.name_values. Raises
        LoweringError."""
        names = (list(inputs), list(outputs), list(dims)) if inputs else None
        with self._lowering(PIPELINES[dialect]):
            return self._module.text(PIPELINES[dialect], generic=dialect == "stablehlo",
                                     names=names, carry=dialect == "stablehlo")

    @contextlib.contextmanager
    def _lowering(self, pipeline: str) -> Iterator[None]:
        try:
            yield
        except passes.Refused as refused:
            raise LoweringError(f"torch-mlir: {_text.shorten(refused.diagnostics[0][0])}") from None
        except passes.Died as died:
            raise LoweringError(f"torch-mlir {died}{self._module.culprit(pipeline)}") from None

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From an FX graph with fake tensors to MLIR text, through the torch-mlir wheel: its importer here,
its passes in a process of their own."""
import contextlib
from collections.abc import Iterator

import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import _disable_current_modes

from gaudi_mlir import _text, passes, weights

from . import decompositions, opset, requirements, writer
from .errors import LoweringError
from .tracing import tracing

requirements.check_torch_mlir()

from torch_mlir import ir  # noqa: E402
from torch_mlir.dialects import torch as torch_dialect  # noqa: E402
from torch_mlir.extras import fx_importer  # noqa: E402

TO_BACKEND_IR = ("builtin.module(func.func(torch-match-quantized-custom-ops), "
                 "torchdynamo-export-to-torch-backend-pipeline)")
PIPELINES = {
    "linalg": "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)",
    "tosa": "builtin.module(torch-backend-to-tosa-backend-pipeline)",
    "stablehlo": "builtin.module(torch-backend-to-stablehlo-backend-pipeline)",
}


def decomposed(gm: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """The graph without the ops that torch-mlir converts wrongly or not at all: for our own front
    end they are left whole."""
    with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True), tracing():
        inputs = [torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
                  for value in (node.meta["val"] for node in gm.graph.find_nodes(op="placeholder"))]
        result = make_fx(gm, decomposition_table=opset.table(torch_mlir=True),
                         tracing_mode="real", pre_dispatch=False)(*inputs)
    result.graph.eliminate_dead_code()
    return result


def simplified(gm: torch.fx.GraphModule) -> torch.fx.Graph:
    """A copy of a graph in the forms that torch-mlir takes."""
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(gm.graph, {}))
    torch.fx.GraphModule(gm, graph)
    decompositions.simplify(graph)
    return graph


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
    """A graph in the torch dialect, which each route lowers once. With `blame`, errors name the op
    that torch-mlir dies of."""

    def __init__(self, graph: torch.fx.Graph, name: str = "main", blame: bool = False) -> None:
        literals = Literals(graph)
        context = ir.Context()
        context.enable_multithreading(False)
        torch_dialect.register_dialect(context)
        context.attach_diagnostic_handler(lambda diagnostic: True)  # exceptions say it, too
        importer = fx_importer.FxImporter(context=context, hooks=literals)
        try:
            with _disable_current_modes():  # literals are real tensors, also where fakes are traced
                importer.import_stateless_graph(graph, func_name=name)
        except Exception as error:  # The importer raises what it likes.
            reason = f"torch-mlir cannot import the graph: {_text.first_line(error)}"
            raise LoweringError(reason) from error
        self._module = passes.Module(importer.module.operation, TO_BACKEND_IR, literals.arrays)
        self._blame = blame
        with self._lowering(""):
            self._module.load()

    def lower(self, route: str, input_names: list[str] | None = None,
              output_names: list[str] | None = None) -> weights.Text:
        """The module in the dialects of `route`. Raises LoweringError."""
        names = (input_names, output_names or []) if input_names else None
        with self._lowering(PIPELINES[route]):
            return self._module.text(PIPELINES[route], generic=route == "stablehlo", names=names,
                                     carry=route == "stablehlo")

    @contextlib.contextmanager
    def _lowering(self, pipeline: str) -> Iterator[None]:
        try:
            yield
        except passes.Refused as refused:
            raise LoweringError(f"torch-mlir: {_text.shorten(refused.diagnostics[0][0])}") from None
        except passes.Died as died:
            where = self._module.culprit(pipeline) if self._blame else ""
            raise LoweringError(f"torch-mlir {died}{where}") from None

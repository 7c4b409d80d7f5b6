# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random calls of the ops in Operators.def, each as a graph of its own, beside PyTorch's values."""
import operator

import torch

import torch_judge
from random_case import MARKS

FLOATS = [torch.float32, torch.float32, torch.bfloat16, torch.float16]
INTEGERS = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
MOST_ELEMENTS = 1 << 20  # of a result
SCALARS = [0, 1, 2, -1, -3, 7, 100, 300, 2 ** 31, -2 ** 40, 0.0, -0.0, 0.5, -1.5, 2.0, 1e-3, 1e10, True, False,
           float("inf"), float("-inf"), float("nan")]
WORDS = {"approximate": ["none", "tanh"], "rounding_mode": [None, "floor", "trunc"], "reduce": ["sum", "prod", "amax"]}
# Whose kernels multiply what is not finite by zeros or choose a pivot among it, each in an order of its own.
FINITE = ("linalg_", "cholesky", "conv", "scaled_dot_product_attention", "upsample_", "_upsample_", "native_layer_norm",
          "native_group_norm")
# Which check too little of the shapes they are given, and crash.
UNCHECKED = ("_backward", "scaled_dot_product_attention")
OF_DIMENSIONS = ("dim", "dims", "dim0", "dim1", "start_dim", "end_dim")


def overload_of(name):
    """The op called "aten.add.Tensor" in the table."""
    space, base, *kind = name.split(".")
    return getattr(getattr(getattr(torch.ops, space), base), kind[0] if kind else "default")


class Call:
    """Arguments for a schema, drawn so that many fit. `tensors` are those among them, in order."""

    def __init__(self, rng, overload):
        self.rng, self.tensors = rng, []
        self.sizes = [rng.choice([1, 2, 3, 4, 5, 7]) for _ in range(rng.choice([0, 1, 2, 2, 3, 3, 4, 4, 5]))]
        self.name = overload._schema.name.partition("::")[2]
        self.special = rng.random() < 0.4 and not self.name.startswith(FINITE)
        kind = rng.random()
        self.dtype = rng.choice(FLOATS) if kind < 0.65 else rng.choice(INTEGERS) if kind < 0.9 else torch.bool
        self.positional, self.keywords = [], {}
        for argument in overload._schema.arguments:
            is_left_out = argument.has_default_value() and rng.random() < 0.5
            given = argument.default_value if is_left_out else self._argument(argument.name, str(argument.real_type))
            if argument.kwarg_only:
                self.keywords[argument.name] = given
            else:
                self.positional.append(given)
        if "cholesky" in self.name:
            self._make_definite()

    def _make_definite(self):
        """Factors of other matrices are not defined beyond the place that fails."""
        x = self.positional[0]
        if x.dim() > 1 and x.shape[-1] == x.shape[-2] and x.is_floating_point():
            x.copy_(x @ x.mT + torch.eye(x.shape[-1], dtype=x.dtype))

    def _tensor(self, name):
        rng, sizes, dtype = self.rng, list(self.sizes), self.dtype
        varies = not any(each in self.name for each in UNCHECKED)
        if varies and rng.random() < 0.25:
            sizes = [1 if rng.random() < 0.3 else size for size in sizes][rng.randrange(len(sizes) + 1):]
        if varies and rng.random() < 0.06 and sizes:
            sizes[rng.randrange(len(sizes))] = 0
        if varies and rng.random() < 0.2:
            dtype = rng.choice(FLOATS + INTEGERS + [torch.bool])
        if name in ("index", "indices"):
            # Gradients of pools write there unchecked, in a plane of the last dimensions.
            result = torch.randint(0, 2 if varies or max(sizes[-2:], default=1) > 1 else 1, sizes)
        elif name in ("mask", "condition") or dtype is torch.bool:
            result = torch.rand(sizes) < 0.5
        elif dtype.is_floating_point:
            result = self._floats(sizes).to(dtype)
            if name == "n":  # a degree: PyTorch takes as many steps
                result = torch.where(result.abs() > 500, float("inf"), result)
            if name == "x":  # of a polynomial: PyTorch returns what it has not set
                result = result.nan_to_num(1.0, float("inf"), float("-inf"))
        else:
            info = torch.iinfo(dtype)
            far = self.special and rng.random() < 0.5 and name != "n"
            result = torch.randint(info.min if far else max(-9, info.min), info.max if far else 10, sizes).to(dtype)
        self.tensors.append(result)
        return result

    def _floats(self, sizes):
        result = torch.randn(sizes) * 3
        if self.rng.random() < 0.25:
            result = torch.round(result * 2) / 2
        if self.special:
            hit = torch.rand(sizes) < 0.25
            result = torch.where(hit, torch.tensor(MARKS).float()[torch.randint(len(MARKS), sizes)], result)
        return result

    def _integer(self, name):
        rank = max(len(self.sizes), 1)
        if name in OF_DIMENSIONS:
            return self.rng.randrange(-rank, rank)
        if name == "dtype":
            return self.rng.choice(FLOATS + INTEGERS + [torch.bool, None])
        return self.rng.choice([0, 1, 1, 2, 2, 3, -1, -2])

    def _list(self, name):
        rng, rank = self.rng, len(self.sizes)
        if name in ("size", "shape", "repeats"):
            total = 1
            for size in self.sizes:
                total *= size
            return rng.choice([list(self.sizes), [-1], [total], self.sizes[::-1], [2] + self.sizes, [1, *self.sizes],
                               [2] * rank, [-1] * rank, []])
        if name in OF_DIMENSIONS and rank:
            dims = rng.sample(range(rank), rng.choice([rank, rank, 1, min(2, rank), 0]))
            if self.name.startswith("_fft_"):  # which check nothing
                return dims
            return [dim - rank if rng.random() < 0.3 else dim for dim in dims]
        if name == "normalized_shape":
            return self.sizes[rng.randrange(len(self.sizes)):] if self.sizes else []
        return [self._integer(name) for _ in range(rng.choice([1, 2, 2, 3, 4, rank]))]

    def _argument(self, name, kind):
        rng = self.rng
        if kind.startswith("Optional["):
            kind = kind[9:-1]
            if rng.random() < 0.4:
                return None
        if kind == "Tensor":
            return self._tensor(name)
        if kind.startswith("List["):
            inner = kind[5:-1]
            if "Tensor" not in inner:
                return self._list(name)
            return [None if inner.startswith("Optional") and rng.random() < 0.3 else
                    self._tensor("index" if name == "indices" else name) for _ in range(rng.choice([1, 2, 2, 3]))]
        if name in ("layout", "device", "pin_memory", "memory_format", "generator"):
            return None
        if kind in ("number", "Scalar") and name == "n":
            return rng.choice([-3, 0, 1, 2.5, 7, 12, float("inf"), float("nan")])
        if kind in ("number", "Scalar") and name == "x":
            return rng.choice(SCALARS[:-1])
        if kind in ("number", "Scalar"):
            return rng.choice(SCALARS)
        if kind == "float":
            return rng.choice([0.0, 0.5, 1e-5, 1.0, 2.0])
        if kind == "bool":  # of several values at one index, any may be the last
            return name == "accumulate" or rng.random() < 0.5
        if kind == "str":
            return rng.choice(WORDS.get(name, ["none"]))
        return self._integer(name)

    def graph(self, overload, result):
        """The call alone, with its tensors as inputs."""
        graph = torch.fx.Graph()

        def place(value):
            if isinstance(value, torch.Tensor):
                node = graph.placeholder(f"x{len(graph.nodes)}")
                node.meta["val"] = value
                return node
            return [place(each) for each in value] if isinstance(value, list) else value

        placed = [place(each) for each in self.positional]
        call = graph.call_function(overload, tuple(placed), {name: place(each) for name, each in self.keywords.items()})
        call.meta["val"] = result
        results = [call]
        if isinstance(result, (list, tuple)):
            results = [graph.call_function(operator.getitem, (call, at)) for at in range(len(result))]
            for node, value in zip(results, result):
                node.meta["val"] = value
        graph.output(tuple(results))
        return torch.fx.GraphModule(torch.nn.Module(), graph)

    def slack(self, results):
        """What a sum may be off because its terms cancel: results that have another shape than the operands."""
        if "polynomial" in self.name:  # PyTorch has cosines of large multiples
            return 1e-6
        shapes = [each.shape for each in self.tensors]
        if all(each.shape in shapes for each in results) and not any(len(shape) > 1 and shape[-1] == shape[-2]
                                                                     for shape in shapes):
            return 0.0
        finite = [float(each[torch.isfinite(each)].double().abs().max()) for each in self.tensors
                  if torch.isfinite(each).any()]
        narrow = any(each.dtype in (torch.bfloat16, torch.float16) for each in results)
        return (4e-3 if narrow else 1e-6) * max(finite, default=0.0)

    def exact(self, overload, results):
        """Results of the same call in f64, in the types that they have: PyTorch rounds narrow floats between steps."""
        def wide(value):
            if isinstance(value, torch.Tensor) and value.dtype.is_floating_point:
                return value.double()
            return [wide(each) for each in value] if isinstance(value, list) else value
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.double)  # of functions of integers
        try:
            exact = overload(*map(wide, self.positional), **{name: wide(each) for name, each in self.keywords.items()})
        except Exception:
            return results
        finally:
            torch.set_default_dtype(default)
        exact = list(exact) if isinstance(exact, (list, tuple)) else [exact]
        return [each.to(value.dtype) for each, value in zip(exact, results)]

    def with_first_equals(self, results):
        """The results, of whose positions PyTorch does not promise which it gives among equal elements."""
        place = torch_judge.ANY_POSITION.get(self.name)
        if place is None or place + 1 >= len(self.positional):
            return results
        *values, positions = results
        return [*values, torch_judge.first_equals(self.positional[0], self.positional[place + 1], positions)]

    def words(self):
        """The call, for a report."""
        def of(value):
            if isinstance(value, torch.Tensor):
                return f"{str(value.dtype)[6:]}{list(value.shape)}" + (f"={value.tolist()}" if value.numel() < 9 else "")
            return f"[{', '.join(map(of, value))}]" if isinstance(value, list) else str(value)
        return ", ".join([*map(of, self.positional), *(f"{name}={of(each)}" for name, each in self.keywords.items())])


def judge(rng, overload):
    """(verdict, reason) of one call; None if PyTorch does not take it."""
    call = Call(rng, overload)
    try:
        result = overload(*call.positional, **call.keywords)
        graph = call.graph(overload, result)
    except Exception:
        return None
    results = list(result) if isinstance(result, (list, tuple)) else [result]
    if not results or not all(isinstance(each, torch.Tensor) and each.numel() < MOST_ELEMENTS for each in results):
        return None
    if call.name.endswith("2d_aa") and results[0].shape[-1] == 1:
        return None  # PyTorch repeats the first row of one column
    if call.name == "as_strided_scatter":  # which element of several is the last one?
        place = torch.arange(results[0].numel()).as_strided(*call.positional[2:])
        if place.unique().numel() < place.numel():
            return None
    if any(each.dtype.is_floating_point and not torch.isfinite(each).all() for each in call.tensors) and \
            any(not each.dtype.is_floating_point and each.dtype != torch.bool for each in results):
        return None  # an infinity as an integer is anything
    compiler = torch_judge.Compiler()
    try:
        got = compiler(graph)(*call.tensors)
    except torch_judge.Refused as error:
        return "refused", str(error)
    except torch_judge.OnHost as error:
        return "on the host", str(error)
    except torch_judge.gaudi_mlir.Error as error:
        return "wrong", f"run: {error} of {call.words()}"
    if "empty" in overload._schema.name:
        words = torch_judge.same_types(got, results)
    else:
        slack = call.slack(results)
        got, results = call.with_first_equals(got), call.with_first_equals(results)
        words = torch_judge.difference(got, results, "op", slack)
        if words and torch_judge.difference(got, call.exact(overload, results), "op", slack) is None:
            words = None
    return ("wrong", f"{words} of {call.words()}") if words else ("right", "")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.autocast("hpu"): the types of results equal what a model of its lists says, over op_db."""
import collections
import functools
import json
import os
import pathlib
import subprocess
import sys

import gaudi_mlir.torch
import habana_frameworks.torch  # noqa: F401: the device
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map_only

LOWER = """addmm addbmm batch_norm baddbmm bmm conv1d conv2d conv3d conv_transpose1d conv_transpose2d
    conv_transpose3d dot dropout feature_dropout group_norm instance_norm layer_norm leaky_relu linear matmul mean mm
    mul mv softmax log_softmax scaled_dot_product_attention""".split()
FLOAT = """acos addcdiv asin atan2 bilinear binary_cross_entropy binary_cross_entropy_with_logits cdist cosh
    cosine_embedding_loss cosine_similarity cross_entropy_loss dist div divide embedding embedding_bag erfinv exp expm1
    hinge_embedding_loss huber_loss kl_div l1_loss log log10 log1p log2 logsumexp margin_ranking_loss mse_loss
    multi_margin_loss multilabel_margin_loss nll_loss pdist poisson_nll_loss pow reciprocal renorm rsqrt sinh
    smooth_l1_loss soft_margin_loss softplus tan topk triplet_margin_loss true_divide""".split()
WIDEST = "add addcmul addcdiv cat div exp mul pow sub stack".split()
FIRST_ONLY = ("layer_norm", "group_norm", "instance_norm", "batch_norm")


def rule_of(name):
    """The list that an op is in; the first one holds."""
    for rule, names in (("lower", LOWER), ("float", FLOAT), ("widest", WIDEST)):
        if name in names:
            return rule
    return None


def calls_of(op, sample):
    """Names of the ops of ATen that a call of op_db makes: those that Python calls, and those in
    these."""
    with torch.autograd.profiler.profile() as profile:
        op.op(sample.input, *sample.args, **sample.kwargs)
    outer, inner = [], []
    for event in profile.function_events:
        if event.name.startswith("aten::"):
            parent = event.cpu_parent
            while parent is not None and not parent.name.startswith("aten::"):
                parent = parent.cpu_parent
            (outer if parent is None else inner).append(event.name.removeprefix("aten::"))
    return outer, inner


def predicted(rule, name, lower, parts):
    """The parts of a call with the casts of the rule."""
    def is_cast(tensor):
        return tensor.dtype in (torch.float32, torch.bfloat16, torch.float16)

    types = [each.dtype for each in tree_leaves(parts) if isinstance(each, torch.Tensor) and is_cast(each)]
    wide = torch.float32 if len(set(types)) != 1 else types[0]
    target = {"lower": lower, "float": torch.float32, "widest": wide}[rule]

    def cast(tensor):
        return tensor.to(target) if is_cast(tensor) else tensor

    if name in FIRST_ONLY:
        value, *others = parts
        return (cast(value), *others)
    return tree_map_only(torch.Tensor, cast, parts)


def types_of(function, parts):
    value, args, kwargs = parts
    return [each.dtype for each in tree_leaves(function(value, *args, **kwargs)) if isinstance(each, torch.Tensor)]


def moved(parts, dtypes):
    """Tensors of hpu with no memory; those of floats get the types by turns."""
    count = iter(range(1000))

    def there(tensor):
        dtype = dtypes[next(count) % len(dtypes)] if tensor.dtype == torch.float32 else tensor.dtype
        return torch.empty_strided(tensor.shape, tensor.stride(), dtype=dtype, device="hpu")
    return tree_map_only(torch.Tensor, there, parts)


@functools.cache
def samples():
    """A sample of each op of op_db, with the calls of ATen that it makes."""
    found = []
    for op in op_db:
        # masked.* ask for the type that their operand has.
        if torch.float32 not in op.dtypes or op.name.startswith("masked."):
            continue
        try:
            sample = next(iter(op.sample_inputs("cpu", torch.float32)))
            tensors = [each for each in tree_leaves((sample.input, sample.args)) if isinstance(each, torch.Tensor)]
            if all(each.layout == torch.strided for each in tensors):
                found.append((op, sample, *calls_of(op, sample)))
        except Exception:  # the suite's own
            continue
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("lower, mixed", [(torch.bfloat16, True), (torch.float16, False)])
def test_types_over_op_db(lower, mixed):
    outcomes = collections.Counter()
    wrong = []
    for op, sample, outer, inner in samples():
        listed = [name for name in outer + inner if rule_of(name)]
        if listed and (len(outer) > 1 or not rule_of(outer[0])):
            outcomes["composed"] += 1  # of ops that are cast one by one
            continue
        given = sample.input, sample.args, {name: value for name, value in sample.kwargs.items() if name != "device"}
        with FakeTensorMode(allow_non_fake_inputs=True, allow_fallback_kernels=False):
            parts = moved(given, [torch.float32, lower] if mixed else [torch.float32])
            rule = rule_of(outer[0]) if listed else None
            try:
                wanted = types_of(op.op, predicted(rule, outer[0], lower, parts) if rule else parts)
                if rule == "lower" and outer[0] in FIRST_ONLY:
                    wanted[0] = lower  # the operands that stay do not widen it
            except Exception:
                outcomes["not of such types"] += 1
                continue
            try:
                with torch.autocast("hpu", dtype=lower):
                    got = types_of(op.op, parts)
            except Exception as error:
                got = str(error)
        outcomes[rule or "unlisted"] += 1
        if got != wanted:
            wrong.append(f"{op.name} {op.variant_test_name} ({rule}): {got} instead of {wanted}")
    assert not wrong, "\n".join(wrong)
    assert outcomes["lower"] >= 20 and outcomes["float"] >= 30 and outcomes["widest"] >= 4, outcomes
    assert outcomes["unlisted"] >= 200, outcomes


def types_with(environment, tmp_path):
    """The types of add, mm, matmul of float tensors in a process with such variables."""
    code = "import habana_frameworks.torch, torch\na = torch.ones(2, 2, device='hpu')\n" \
        "with torch.autocast('hpu'): print(torch.add(a, a).dtype, torch.mm(a, a).dtype, torch.matmul(a, a).dtype)"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True,
                          text=True, check=True)
    return done.stdout.split(), done.stderr


def test_lists_of_files(tmp_path):
    lower, wide = tmp_path / "lower.txt", tmp_path / "float.txt"
    lower.write_text("add\n\n mm \n")
    wide.write_text("matmul\n")
    types, _ = types_with({"PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST": str(lower),
                           "PT_HPU_AUTOCAST_FP32_OPS_LIST": str(wide)}, tmp_path)
    assert types == ["torch.bfloat16", "torch.bfloat16", "torch.float32"]


def test_names_of_lists_that_no_op_has(tmp_path):
    wide = tmp_path / "float.txt"
    wide.write_text("matmul\nnn.LayerNorm\n")
    _, words = types_with({"PT_HPU_AUTOCAST_FP32_OPS_LIST": str(wide)}, tmp_path)
    assert f"PT_HPU_AUTOCAST_FP32_OPS_LIST: line 2 of {wide} is 'nn.LayerNorm', and PyTorch has no such op; " \
        "did you mean" in words


@pytest.mark.slow
def test_a_list_that_cannot_be_read(tmp_path):
    done = subprocess.run([sys.executable, "-c", "import habana_frameworks.torch, torch\ntorch.ones(2, device='hpu')"],
                          env={**os.environ, "PT_HPU_AUTOCAST_FP32_OPS_LIST": "none.txt"},
                          capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert f"PT_HPU_AUTOCAST_FP32_OPS_LIST is 'none.txt', which cannot be read in {tmp_path}: No such file" \
        in done.stderr.splitlines()[-1]


def test_norms_have_the_type_of_their_input():
    x = torch.randn(2, 3, 8).to("hpu")
    norms = [torch.nn.LayerNorm(8), torch.nn.GroupNorm(3, 3), torch.nn.BatchNorm1d(3).eval(), torch.nn.InstanceNorm1d(3)]
    with torch.autocast("hpu"):
        assert [norm.to("hpu")(x).dtype for norm in norms] == [torch.bfloat16] * 4


def test_gradients_have_the_types_of_their_leaves():
    a = torch.randn(3, 4).to("hpu").requires_grad_()
    with torch.autocast("hpu", dtype=torch.bfloat16):
        loss = torch.nn.functional.mse_loss(a @ a.t(), torch.zeros(3, 3, device="hpu"))
    assert loss.dtype == torch.float32
    loss.backward()
    assert a.grad.dtype == torch.float32
    with torch.autocast("hpu", enabled=False):
        assert (a @ a.t()).dtype == torch.float32


def test_nothing_is_kept_of_a_cast():
    a = torch.ones(2, 2, device="hpu", requires_grad=True)
    with torch.autocast("hpu"):
        before = torch.mm(a, a)
        with torch.no_grad():
            a.fill_(3)
        assert torch.equal(torch.mm(a, a).cpu(), torch.full((2, 2), 18.0).bfloat16())
    assert torch.equal(before.cpu(), torch.full((2, 2), 2.0).bfloat16())


# --- the pass gaudi-autocast ---------------------------------------------------------------------

PROGRAMS = pathlib.Path(__file__).parents[2] / "build/release/bin"


class Block(torch.nn.Module):
    """A layer of an encoder."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out = torch.nn.Linear(16, 48), torch.nn.Linear(16, 16)
        self.norm, self.up = torch.nn.LayerNorm(16), torch.nn.Linear(16, 32)
        self.down = torch.nn.Linear(32, 16)

    def forward(self, x):
        q, k, v = self.qkv(x).unflatten(-1, (3, 4, 4)).permute(2, 0, 3, 1, 4)
        shares = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) * 0.5, -1)
        x = x + self.out(torch.matmul(shares, v).transpose(1, 2).flatten(2))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Formula(torch.nn.Module):
    """Ops of all lists, and of none."""

    def forward(self, x, y):
        z = torch.exp(torch.mm(x, y)) / 2
        z = torch.sigmoid(z + torch.mm(y, x)) - torch.tanh(x)
        z = torch.cat([z, torch.relu(torch.mm(x, x))]) * 3
        return torch.log_softmax(torch.sqrt(torch.abs(z) + 1), -1).mean(), torch.pow(z, 2).sum(-1)


def networks():
    nn = torch.nn
    x = torch.rand(2, 8, 16)
    return {
        "encoder": (Block(), x),
        "formula": (Formula(), torch.rand(8, 8), torch.rand(8, 8)),
        "classifier": (nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.LayerNorm(32), nn.Linear(32, 4), nn.Softmax(-1)),
                       x),
        "images": (nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.LeakyReLU(), nn.MaxPool2d(2),
                                 nn.GroupNorm(2, 8), nn.SiLU(), nn.Flatten(), nn.Linear(72, 4), nn.LogSoftmax(-1)),
                   torch.rand(2, 3, 8, 8)),
        "words": (nn.Sequential(nn.Embedding(32, 16), nn.Linear(16, 16), nn.Tanh(), nn.LayerNorm(16), nn.Softplus(),
                                nn.Linear(16, 8), nn.ELU()), torch.randint(0, 32, (2, 8)))}


class Recorder(torch.overrides.TorchFunctionMode):
    """Types of results on hpu, by function and in order."""

    def __init__(self):
        self.types = collections.defaultdict(list)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        if isinstance(made, torch.Tensor) and made.device.type == "hpu":
            self.types[function.__name__].append(made.dtype)
        return made


@pytest.mark.slow
@pytest.mark.parametrize("name", networks())
def test_types_are_those_of_the_pass(name, tmp_path):
    """Op by op, and in order, for ops that both know by one name."""
    torch.manual_seed(0)
    network, *given = networks()[name]
    network.eval()
    text = tmp_path / "network.mlir"
    text.write_text(gaudi_mlir.torch.export(network, tuple(given)).mlir)
    done = subprocess.run([PROGRAMS / "gaudi-run", text, "--lift-elided", "--autocast=bf16", "--report=json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    of_pass = collections.defaultdict(list)
    for op in json.loads(done.stdout)["ops"]:
        of_pass[op["name"]].append({"bf16": torch.bfloat16, "f32": torch.float32}[op["type"]])
    with torch.no_grad(), torch.autocast("hpu"), Recorder() as recorder:
        network.to("hpu")(*(each.to("hpu") for each in given))
    shared = [each for each in of_pass if len(of_pass[each]) == len(recorder.types.get(each, ()))]
    assert {each: of_pass[each] for each in shared} == {each: recorder.types[each] for each in shared}
    counted = sum(map(len, of_pass.values()))  # among them views, and parts of functions
    assert sum(len(of_pass[each]) for each in shared) >= max(4, 0.3 * counted), (of_pass, recorder.types)


class Functions(torch.nn.Module):
    """Functions of a product, each an op of the model, with the name that the pass gives it."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)
        self.norm = torch.nn.LayerNorm(8)
        self.scale = torch.nn.Parameter(torch.tensor(1.5))
        self.ones = torch.nn.Parameter(torch.ones(8))
        self.one = torch.nn.Parameter(torch.ones(1))
        self.register_buffer("target", torch.rand(4, 8))
        self.register_buffer("classes", torch.randint(0, 8, (4,)))
        self.register_buffer("table", torch.ones(3, 8, 8))

    def functions(self):
        f = torch.nn.functional
        return {
            "mse_loss": lambda y: f.mse_loss(y, self.target), "l1_loss": lambda y: f.l1_loss(y, self.target),
            "huber_loss": lambda y: f.huber_loss(y, self.target),
            "smooth_l1_loss": lambda y: f.smooth_l1_loss(y, self.target),
            "binary_cross_entropy_with_logits": lambda y: f.binary_cross_entropy_with_logits(y, self.target),
            "cross_entropy_loss": lambda y: f.cross_entropy(y, self.classes),
            "kl_div": lambda y: f.kl_div(y, self.target, reduction="batchmean"),
            "triplet_margin_loss": lambda y: f.triplet_margin_loss(y, self.target, y),
            "cosine_similarity": lambda y: f.cosine_similarity(y, self.target),
            "cdist": lambda y: torch.cdist(y, self.target), "bilinear": lambda y: f.bilinear(y, y, self.table),
            "log_sigmoid_forward": f.logsigmoid, "linalg_vector_norm": torch.linalg.vector_norm,
            "softmax": lambda y: y.softmax(-1, dtype=torch.float32), "log_softmax": lambda y: y.log_softmax(-1),
            "layer_norm": self.norm, "add": lambda y: y + self.scale, "sub": lambda y: y - self.ones,
            "maximum": lambda y: torch.maximum(y, self.scale), "minimum": lambda y: torch.minimum(y, self.one),
            "rsub": lambda y: 1 - y, "div": lambda y: y / 2, "gelu": f.gelu, "sum": lambda y: y.sum(),
            "mean": lambda y: y.mean(), "add_": lambda y: y.clone().add_(self.target),
            "mul_": lambda y: y.exp().mul_(y), "cat": lambda y: torch.cat([y, self.target]),
            "where": lambda y: torch.where(y > 0, y, self.scale)}

    def forward(self, x):
        y = self.linear(x)
        return tuple(function(y) for function in self.functions().values())


def test_the_pass_agrees():
    """gaudi-autocast gives each op of an exported model the type that it has here."""
    torch.manual_seed(0)
    model, x = Functions().eval(), torch.randn(4, 8)
    found = gaudi_mlir.torch.export(model, (x,)).compare_precision("bf16", inputs=[x])
    types = {op["name"]: op["type"] for op in found["ops"]}
    with torch.no_grad(), torch.autocast("hpu", dtype=torch.bfloat16):
        results = model.to("hpu")(x.to("hpu"))
    names = {torch.bfloat16: "bf16", torch.float32: "f32"}
    expected = {name: names[result.dtype] for name, result in zip(model.functions(), results)}
    assert {name: types.get(name) for name in expected} == expected

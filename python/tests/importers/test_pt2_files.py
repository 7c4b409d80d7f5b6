# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
""".pt2 files: those that attack are refused in one line before anything of them runs, those of
torch.export.save are read."""

from __future__ import annotations

import argparse
from collections.abc import Callable
import io
import json
import os
import pathlib
import pickle
import warnings
import zipfile

import numpy as np
import pytest

import gaudi_mlir

torch = pytest.importorskip("torch")
pytest.importorskip("torch_mlir.ir")

from gaudi_mlir.importer import __main__ as command  # noqa: E402
from gaudi_mlir.importer import expressions, import_model  # noqa: E402
from gaudi_mlir.importer.errors import InputError  # noqa: E402

Change = Callable[[str, bytes], "bytes | None"]


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(300, 4)
        self.register_buffer("scale", torch.arange(4.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) * self.scale


class Payload:
    """Makes a file where it is unpickled."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple:
        return os.mkdir, (str(self.path),)


@pytest.fixture
def saved(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "honest.pt2"
    batch = torch.export.Dim("batch", min=2, max=16)
    program = torch.export.export(Model().eval(), (torch.ones(2, 300),),
                                  dynamic_shapes=({0: batch},))
    torch.export.save(program, path)
    return path


def rewritten(saved: pathlib.Path, change: Change,
              compression: int = zipfile.ZIP_STORED) -> pathlib.Path:
    path = saved.with_name("changed.pt2")
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path, "w", compression) as new:
        for name in old.namelist():
            data = change(name.partition("/")[2], old.read(name))
            if data is not None:
                new.writestr(name, data)
    return path


def refused(path: pathlib.Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """The one line that the command ends with."""
    code = command.main([str(path), "-o", str(path.with_suffix(".mlir")), *options])
    error = capsys.readouterr().err
    assert code in (2, 3) and error.count("\n") == 1, error
    assert error.startswith("gaudi-import: error: ") and str(path) in error
    assert not path.with_suffix(".mlir").exists()
    return error


def of_program(change: Callable[[dict], None]) -> Change:
    def apply(name: str, data: bytes) -> bytes:
        if name != "models/model.json":
            return data
        program = json.loads(data)
        change(program)
        return json.dumps(program).encode()
    return apply


def of_weights(change: Callable[[dict], None]) -> Change:
    def apply(name: str, data: bytes) -> bytes:
        if not name.endswith("weights_config.json"):
            return data
        table = json.loads(data)
        for payload in table["config"].values():
            change(payload)
        return json.dumps(table).encode()
    return apply


def torch_saved(value: object) -> bytes:
    file = io.BytesIO()
    torch.save(value, file)
    return file.getvalue()


def test_pickles_are_never_read(saved: pathlib.Path, tmp_path: pathlib.Path,
                                capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "made"
    plain, zipped = pickle.dumps(Payload(made)), torch_saved(Payload(made))
    honest = import_model(str(saved)).text
    for evil in (plain, zipped):
        # Sample inputs are not needed.
        path = rewritten(saved, lambda name, data: evil if "sample_inputs" in name else data)
        assert import_model(str(path)).text == honest
        path = rewritten(saved, lambda name, data: of_weights(
            lambda payload: payload.update(use_pickle=True))(
                name, evil if name.endswith("weight_0") else data))
        assert "data/weights/weight_0' is a pickle" in refused(path, capsys)
        for folder in ("weights", "constants"):
            path = rewritten(saved, lambda name, data: data)
            with zipfile.ZipFile(path, "a") as archive:
                archive.writestr(f"honest/data/{folder}/model.pt", evil)
            assert f"member 'data/{folder}/model.pt' is a pickle" in refused(path, capsys)
        for kind in ("custom_obj_0", "opaque_obj_0"):
            def constants(name: str, data: bytes) -> bytes:
                if name.endswith("constants_config.json"):
                    return json.dumps({"config": {"c": {
                        "path_name": kind, "is_param": False, "use_pickle": True,
                        "tensor_meta": None}}}).encode()
                return data
            path = rewritten(saved, constants)
            with zipfile.ZipFile(path, "a") as archive:
                archive.writestr(f"honest/data/constants/{kind}", evil)
            assert f"{kind}' is an object of a class" in refused(path, capsys)
    assert not made.exists()


def test_old_format(tmp_path: pathlib.Path, saved: pathlib.Path,
                    capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(saved) as archive:
        program = archive.read("honest/models/model.json")
    model = torch.export.load(saved)
    made = tmp_path / "made"
    for weights, message in ((torch_saved(dict(model.state_dict)), ""),
                             (torch_saved(Payload(made)), "serialized_state_dict.pt' is a pickle"),
                             (pickle.dumps(Payload(made)), "serialized_state_dict.pt' is a pickle")):
        path = tmp_path / "old.pt2"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("version", "8.20")
            archive.writestr("serialized_exported_program.json", program)
            archive.writestr("serialized_state_dict.pt", weights)
            archive.writestr("serialized_constants.pt", torch_saved({}))
            archive.writestr("serialized_example_inputs.pt", pickle.dumps(Payload(made)))
        if message:
            assert message in refused(path, capsys)
        else:
            assert "gaudi.name" in import_model(str(path)).text
    assert not made.exists()


@pytest.mark.parametrize("text", [
    "__import__('os').mkdir('made')", "Symbol('s0').__class__", "Symbol('s0', commutative=False)",
    "s0.subs(1, 2)", "exec", "9**9**9**9", "((9**16)**16)**16", "Pow(Integer(2), Integer(99999))",
    "LShift(1, 10**9)", "(" * 90 + "s0" + ")" * 90 + "+", "-" * 3000 + "s0",
    "Max(" + ",".join(["s0"] * 99) + ")", "[1]", "lambda: 1", "'a'", "1 if s0 else 2", "s0 and s1",
    "Float('1', precision=10000000)", "Symbol('s9999999999')", "u99999999999", "x", "f(s0)",
    "Integer(99999999999999999999999)",
])
def test_expressions_that_are_not_of_sizes(text: str, saved: pathlib.Path,
                                           monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(saved.parent)
    with pytest.raises(expressions.Wrong):
        expressions.check(text)

    def change(program: dict) -> None:
        for value in program["graph_module"]["graph"]["tensor_values"].values():
            for size in value["sizes"]:
                if "as_expr" in size:
                    size["as_expr"]["expr_str"] = text
    error = refused(rewritten(saved, of_program(change)), capsys)
    assert "models/model.json' at .graph_module.graph.tensor_values" in error
    assert not pathlib.Path("made").exists()


@pytest.mark.parametrize("text", [
    "s0", "2*s0 + 1", "s0//2", "(s0 - 1) % 8", "Max(1, s0)", "u0 >= 0", "Eq(s0, 4)", "s0**2",
    "Symbol('s77', positive=True, integer=True)", "Mul(Integer(2), Symbol('u0', integer=True))",
    "Add(Integer(-1), FloorDiv(Symbol('s1', positive=True, integer=True), Integer(2)))",
    "Pow(Symbol('s0', positive=True, integer=True), Integer(2))", "Float('0.5', precision=53)",
    "Rational(1, 3)", "TruncToInt(IntTrueDiv(s0, 3))", "~(s0 < 4) | (s1 > 2)",
])
def test_expressions_of_sizes(text: str) -> None:
    expressions.check(text)


@pytest.mark.parametrize("target", [
    "torch.os.mkdir", "torch.serialization.load", "_operator.methodcaller", "math.factorial",
    "torch.ops.load_library", "torch.ops.aten.from_file.default", "torch.ops.mine.evil.default",
    "torch.ops.aten.add.__class__", "torch.ops.higher_order.call_torchbind", "#evil:x", "eval",
])
def test_ops_that_are_none(target: str, saved: pathlib.Path,
                           capsys: pytest.CaptureFixture[str]) -> None:
    def change(program: dict) -> None:
        program["graph_module"]["graph"]["nodes"][0]["target"] = target
    error = refused(rewritten(saved, of_program(change)), capsys)
    assert f"nodes[0]: the op '{target}' is none of PyTorch's that are read" in error


def _enum(program: dict) -> None:
    """A tree whose reader imports the module that it names."""
    for key in ("in_spec", "out_spec"):
        program["graph_module"]["module_call_graph"][0]["signature"][key] = json.dumps([
            1, {"type": "builtins.dict", "children_spec": [], "context": json.dumps(
                [{"__enum__": True, "fqn": "evil_module:x", "name": "y"}])}])


def _metadata(program: dict) -> None:
    program["guards_code"] = ["__import__('os').mkdir('made')"]
    for node in program["graph_module"]["graph"]["nodes"]:
        node["metadata"] = {"source_fn_stack": "a,torch.os.mkdir", "custom": "[" * 9, "from_node": "x"}


@pytest.mark.parametrize("change", [_enum, _metadata])
def test_what_is_left_out(change: Callable[[dict], None], saved: pathlib.Path,
                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(saved.parent)
    monkeypatch.syspath_prepend(saved.parent)
    (saved.parent / "evil_module.py").write_text("import os; os.mkdir('made')")
    path = rewritten(saved, of_program(change))
    assert import_model(str(path)).text == import_model(str(saved)).text
    assert not (saved.parent / "made").exists()


def _set(*path: object, value: object) -> Callable[[dict], None]:
    def change(program: dict) -> None:
        place: object = program
        for key in path[:-1]:
            place = place[key]  # type: ignore[index]
        place[path[-1]] = value  # type: ignore[index]
    return change


GRAPH = ("graph_module", "graph")


@pytest.mark.parametrize("change, message", [
    (_set(*GRAPH, "nodes", value={}), ".graph_module.graph.nodes: a dict, expected a list"),
    (_set(*GRAPH, "nodes", 0, "target", value=[]), ".target: a list, expected a str"),
    (_set(*GRAPH, "inputs", 0, value={"as_evil": 1}), "no Argument: as_evil"),
    (_set(*GRAPH, "inputs", 0, value={"as_int": 1 << 70}), "a number of more than 64 bits"),
    (_set(*GRAPH, "tensor_values", "x", "dtype", value=77), "77 is no ScalarType"),
    (_set(*GRAPH, "tensor_values", "x", "device", value={"type": "cuda", "index": 0}),
     "on the device 'cuda'; export the model on the CPU"),
    (_set("graph_module", "signature", value=None), "a NoneType, expected a dict"),
    (_set("range_constraints", value={"u99999999": {"min_val": 0, "max_val": 1}}),
     "'u99999999' is not the name of a symbolic size"),
    (_set("verifiers", value=["EDGE"]), "is a program of the dialect 'EDGE'"),
    (lambda program: program.pop("graph_module"), "a ExportedProgram without 'graph_module'"),
    (_set("schema_version", value={"major": 99, "minor": 1}), "does not match our current schema"),
])
def test_programs_that_do_not_fit(change: Callable[[dict], None], message: str, saved: pathlib.Path,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    assert message in refused(rewritten(saved, of_program(change)), capsys)


@pytest.mark.parametrize("change, message", [
    (lambda payload: payload.update(path_name="../../etc/passwd"), "which is outside its folder"),
    (lambda payload: payload.update(path_name="weight_77"), "has no member 'data/weights/weight_77'"),
    (lambda payload: payload.update(tensor_meta=None), "does not say the type of 'linear.weight'"),
    (lambda payload: payload["tensor_meta"].update(sizes=[{"as_int": -1}]), "has a negative size"),
    (lambda payload: payload["tensor_meta"].update(
        sizes=[{"as_int": 1 << 40}], strides=[{"as_int": 0}]), "--max-unpacked=MIB"),
    (lambda payload: payload["tensor_meta"].update(
        sizes=[{"as_int": 999}, {"as_int": 999}], strides=[{"as_int": 999}, {"as_int": 1}]),
     "bytes, which are not those of 'linear.weight' (torch.float32, [999, 999])"),
])
def test_weights_that_do_not_fit(change: Callable[[dict], None], message: str, saved: pathlib.Path,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    assert message in refused(rewritten(saved, of_weights(change)), capsys)


def test_archives(saved: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    zeros = rewritten(saved, lambda name, data: bytes(96 << 20) if name.endswith("weight_0")
                      else data, zipfile.ZIP_DEFLATED)
    assert zeros.stat().st_size < 1 << 20
    assert "weight_0' brings the model to more than" in refused(zeros, capsys)
    assert "gaudi.name" in import_model(str(zeros), max_unpacked=1 << 30).text
    deep = rewritten(saved, lambda name, data: b"[" * 100000 if name == "models/model.json" else data)
    assert "models/model.json': it is nested too deeply" in refused(deep, capsys)
    broken = rewritten(saved, lambda name, data: b"{" if name == "models/model.json" else data)
    assert "it is not JSON" in refused(broken, capsys)
    big = rewritten(saved, lambda name, data: b"big" if name == "byteorder" else data)
    if "honest/byteorder" in zipfile.ZipFile(saved).namelist():
        assert "big-endian" in refused(big, capsys)
    version = rewritten(saved, lambda name, data: b"7" if name == "archive_version" else data)
    assert "is of version b'7' of the format" in refused(version, capsys)
    for name, message in (("honest/../x", "leaves the archive"), ("/x", "leaves the archive"),
                          ("honest/a\\b", "leaves the archive"), ("other/x", "not in one folder"),
                          ("honest/archive_version", "is there twice"),
                          ("honest/models/second.json", "")):
        path = rewritten(saved, lambda name, data: data)
        with zipfile.ZipFile(path, "a") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a name that is there twice
            archive.writestr(name, b"{}")
        if message:
            assert message in refused(path, capsys)
        else:
            assert "gaudi.name" in import_model(str(path)).text
    content = bytearray(saved.read_bytes())
    with zipfile.ZipFile(saved) as archive:
        info = archive.getinfo("honest/data/weights/weight_0")
    content[info.header_offset + 400] ^= 1
    path = saved.with_name("flipped.pt2")
    path.write_bytes(content)
    assert "weight_0' is damaged" in refused(path, capsys)


def test_modules_and_lines_of_nodes(saved: pathlib.Path) -> None:
    def change(stack: str) -> Change:
        def apply(program: dict) -> None:
            for node in program["graph_module"]["graph"]["nodes"]:
                node["metadata"] = {"nn_module_stack": stack, "stack_trace": '  File "/a/été.py", line 7, in f',
                                    "torch_fn": "os;system", "custom": "[", "from_node": "["}
        return of_program(apply)

    assert any(place.startswith("linear at test_pt2_files.py:")
               for place in import_model(str(saved)).places)
    for stack, name in (('L__self__,,a.B;x,größe "\\\t.c,a.C', 'größe "\\\t.c'),
                        ("x,getitem(L__self__.layers, 0),a.C", "getitem(L__self__.layers, 0)"),
                        ("no commas", ""), ("a,b,c,d", ""), (",(,,", "")):
        text = import_model(str(rewritten(saved, change(stack))))
        place = " at ".join(filter(None, [name, "été.py:7:1"]))
        assert place in text.places, text.places
        text.save(saved.with_name("named.mlir"))
        recipe = gaudi_mlir.compile(saved.with_name("named.mlir"))
        assert "été.py:7:1" in recipe.text


def test_only_compiled_code(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.pt2"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("two/archive_version", b"0")
        archive.writestr("two/models/a.json", b"{}")
        archive.writestr("two/models/b.json", b"{}")
        archive.writestr("two/data/aotinductor/a/code.so", b"\x7fELF")
    assert "has 2 programs: a, b; save the one to import" in refused(path, capsys)


@pytest.mark.parametrize("constant", [True, 3, 1.5, None, "a"])
def test_constant_inputs(constant: object, tmp_path: pathlib.Path) -> None:
    class Chosen(torch.nn.Module):
        def forward(self, x: torch.Tensor, flag: object, y: torch.Tensor) -> torch.Tensor:
            return x + y * 2 if flag else x - y

    x, y = torch.arange(6.0).reshape(2, 3), torch.full((2, 3), 0.5)
    torch.export.save(torch.export.export(Chosen(), (x, constant, y)), tmp_path / "c.pt2")
    recipe = import_model(str(tmp_path / "c.pt2")).compile()
    assert [info.name for info in recipe.entry().inputs] == ["x", "y"]
    np.testing.assert_allclose(recipe.run([x, y])[0], Chosen()(x, constant, y))


def test_tensors_of_all_kinds(tmp_path: pathlib.Path) -> None:
    """Tied and strided weights, bfloat16, integers, booleans, empty and constant tensors."""
    class Kinds(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = torch.nn.Linear(32, 32)
            self.second = torch.nn.Linear(32, 32)
            self.second.weight = self.first.weight
            self.register_buffer("turned", torch.randn(32, 32).t())
            self.register_buffer("short", torch.randn(32).bfloat16())
            self.register_buffer("mask", torch.arange(32) % 3 == 0)
            self.register_buffer("index", torch.arange(31, -1, -1), persistent=False)
            self.register_buffer("empty", torch.zeros(0, 3))
            self.constant = torch.linspace(0, 1, 32)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = self.second(self.first(x) @ self.turned) + self.short.float() + self.constant
            return torch.where(self.mask, y, -y).index_select(1, self.index)

    model, x = Kinds().eval(), torch.randn(4, 32)
    torch.export.save(torch.export.export(model, (x,)), tmp_path / "kinds.pt2")
    [result] = import_model(str(tmp_path / "kinds.pt2")).compile().run([x])
    np.testing.assert_allclose(result, model(x).detach(), rtol=1e-2, atol=1e-2)


def test_sizes_beyond_those_of_the_export(tmp_path: pathlib.Path) -> None:
    batch = torch.export.Dim("batch", min=2, max=16)
    torch.export.save(torch.export.export(torch.nn.Linear(8, 4), (torch.ones(3, 8),),
                                          dynamic_shapes=({0: batch},)), tmp_path / "m.pt2")
    for size in ((2, 16), 1):  # a least size of 2 is that of torch, which takes 0 and 1 for constants
        import_model(str(tmp_path / "m.pt2"), sizes={"input_0": size})
    for size, text, dim in ((32, "32", "min=1, max=32"), ((2, 64), "2..64", "min=1, max=64")):
        with pytest.raises(InputError) as caught:
            import_model(str(tmp_path / "m.pt2"), sizes={"input_0": size})
        assert str(caught.value) == (
            f"--size=input_0={text}: the program was exported for sizes from 1 to 16; choose one of these, "
            f"or export it again with torch.export.Dim(..., {dim})")


WHOLE = r"is a whole model \(torch.nn.modules.linear.Linear, ...\).*weights_only=False"
ONLY_WEIGHTS = r"has weights that torch.save wrote, and no model; .*model.load_state_dict\(torch.load"


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize("content, said", [
    (lambda model: model, WHOLE), (lambda model: model.state_dict(), ONLY_WEIGHTS),
    (lambda model: {"model": model.state_dict(), "args": argparse.Namespace(lr=1)}, ONLY_WEIGHTS),
    (lambda model: (argparse.Namespace(lr=1), model.state_dict()), ONLY_WEIGHTS),
    (lambda model: model.weight, ONLY_WEIGHTS)])
def test_files_of_torch_save(tmp_path: pathlib.Path, content: Callable, said: str, protocol: int) -> None:
    torch.save(content(torch.nn.Linear(8, 4)), tmp_path / "m.pt", pickle_protocol=protocol)
    with pytest.raises(InputError, match=said):
        import_model(str(tmp_path / "m.pt"))

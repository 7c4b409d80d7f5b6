# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of `run` that are refused, and what the error says."""

from __future__ import annotations

import datetime
import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import traceback
import weakref
from typing import Any, Callable

import gaudi_mlir
import ml_dtypes
import numpy as np
import pytest

from conftest import transpose

X = np.zeros((2, 3), np.float32)
W = np.zeros((3, 4), np.float32)


def message_of(recipe: gaudi_mlir.Recipe, inputs: Any, outputs: Any = None) -> str:
    with pytest.raises(gaudi_mlir.ArgumentError) as caught:
        recipe.run(inputs, outputs)
    return caught.value.message


def test_other_types(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, [X.astype(np.float64), W]) == (
        "input 'x' has elements of type float64; expected float32 (2x3xf32); values are not "
        "converted silently: x.astype(numpy.float32)")
    for dtype in (np.float16, np.int32, np.bool_, np.complex64, object, "S4", "M8[s]", ">f4",
                  ml_dtypes.bfloat16, ml_dtypes.int4, [("a", "f4")]):
        message = message_of(matmul, [np.zeros((2, 3), dtype), W])
        assert message.startswith("input 'x' has elements of type"), dtype
        assert message.endswith("x.astype(numpy.float32)"), dtype


def test_names_of_narrow_types() -> None:
    recipe = gaudi_mlir.compile(transpose("bf16"))
    assert message_of(recipe, [np.zeros((3, 5), np.uint16)]).endswith(
        "expected bfloat16 (3x5xbf16); values are not converted silently: "
        "x.astype(ml_dtypes.bfloat16)")
    recipe = gaudi_mlir.compile(transpose("i1"))
    assert message_of(recipe, [np.zeros((3, 5), np.uint8)]).endswith("x.astype(numpy.bool_)")
    recipe = gaudi_mlir.compile(transpose("i64"))
    assert message_of(recipe, [np.zeros((3, 5), np.int32)]).endswith("x.astype(numpy.int64)")


@pytest.mark.parametrize("shape", [(3, 2), (2, 4), (6,), (1, 2, 3), (), (2, 0)])
def test_other_shapes(matmul: gaudi_mlir.Recipe, shape: tuple[int, ...]) -> None:
    message = message_of(matmul, [np.zeros(shape, np.float32), W])
    assert '"x"' in message and "2x3" in message
    message = message_of(matmul, [X, W], [np.zeros((7, *shape), np.float32)])
    assert '"y"' in message and "2x4" in message


@pytest.mark.parametrize("value, kind", [
    (1.5, "a float"), ([[1.0]], "a list"), (True, "a bool"), ("text", "a str"),
    (b"bytes", "a bytes"), (object(), "an object"), ({}, "a dict"), (range(3), "a range"),
])
def test_values_that_are_not_arrays(matmul: gaudi_mlir.Recipe, value: Any, kind: str) -> None:
    assert message_of(matmul, [value, W]) == (
        f"input 'x' is {kind}, which is not an array; expected 2x3xf32: a NumPy array or an "
        "object with __dlpack__, such as numpy.asarray(value, dtype=numpy.float32)")


def test_arrays_that_cannot_be_used(matmul: gaudi_mlir.Recipe) -> None:
    masked = np.ma.masked_array(X, mask=X == 0)
    assert "x.filled(value)" in message_of(matmul, [masked, W])
    odd = np.zeros(25, np.uint8)[1:].view(np.float32).reshape(2, 3)
    assert "not aligned to their size; pass a copy: x.copy()" in message_of(matmul, [odd, W])
    records = np.zeros((2, 3), [("tag", "u1"), ("value", "f4")])["value"]
    assert "not aligned" in message_of(matmul, [records, W])


def test_outputs_of_other_types(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, [X, W], [np.zeros((2, 4))]) == (
        "output 'y' has elements of type float64; expected float32 (2x4xf32); pass an array of "
        "that type, or None for a new one")


def test_outputs_that_cannot_be_written(matmul: gaudi_mlir.Recipe) -> None:
    y = np.zeros((2, 4), np.float32)
    y.flags.writeable = False
    assert "output 'y' is a numpy.ndarray that cannot be written" in message_of(matmul, [X, W], [y])
    assert "cannot be written" in message_of(matmul, [X, W], [np.float32(1)])
    assert "output 'y' has elements of type float64" in message_of(matmul, [X, W],
                                                                   [np.zeros((2, 4))])
    assert "output 'y' is a list" in message_of(matmul, [X, W], [[0.0]])


def test_missing_and_unknown(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, {"x": X}) == (
        "no value for input 'w' of entry 'main'; pass an array of 3x4xf32")
    assert "no value for input 'x'" in message_of(matmul, [None, W])
    assert message_of(matmul, {"x": X, "w": W, "b": X, 1: X}) == (
        "entry 'main' has no input 'b', '1'; its inputs: 'x', 'w'")
    assert message_of(matmul, {"xx": X, "w": W}) == (  # not that 'x' is missing
        "entry 'main' has no input 'xx' (did you mean 'x'?); its inputs: 'x', 'w'")
    assert message_of(matmul, [X, W], {"z": X}) == (
        "entry 'main' has no output 'z'; its outputs: 'y'")
    assert message_of(matmul, [X]) == (
        "1 input given, but entry 'main' expects 2: 'x', 'w'; pass one array for each")
    assert message_of(matmul, [X, W], [X, X]) == (
        "2 outputs given, but entry 'main' expects 1: 'y'; pass one array for each")


def test_an_array_in_place_of_a_list(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, X) == (
        "inputs must be a list or tuple of arrays, or a dict of arrays by name, but it is a "
        "numpy.ndarray; for one array pass [input], and for more all in one list: run([x, w])")
    assert "for one array pass [output]" in message_of(matmul, [X, W], W)
    assert message_of(matmul, 3).endswith("but it is an int")
    assert message_of(matmul, None).endswith("but it is None")
    assert "but it is a generator" in message_of(matmul, (value for value in (X, W)))


@pytest.mark.parametrize("options, message", [
    ({"threads": -1}, "threads=-1; expected a number from 0 to 2^32 - 1"),
    ({"threads": 1 << 70}, f"threads={1 << 70}; expected a number from 0 to 2^32 - 1"),
    ({"max_launches": "two"}, "max_launches='two' is a str; expected a number from 0 to 2^32 - 1"),
    ({"device_memory": 1.5}, "device_memory is 1.5; expected bytes, as a number that is not negative "
                             "or as text (\"64GiB\")"),
    ({"max_iterations": -1}, "max_iterations=-1; expected a number from 0 to 2^64 - 1"),
    ({"max_kernel_weight": []}, "max_kernel_weight=[] is a list; expected a number from 0 to "
                                "2^64 - 1"),
])
def test_options_of_executables(matmul: gaudi_mlir.Recipe, options: dict[str, Any],
                                message: str) -> None:
    with pytest.raises(gaudi_mlir.ArgumentError) as caught:
        matmul.executable(**options)
    assert caught.value.message == message


@pytest.mark.parametrize("options, message", [
    ({"device": 5}, "device=5; expected text (a str)"),
    ({"buckets": b"linear:4"}, "buckets=b'linear:4' is a bytes; expected text (a str)"),
    ({"threads": -2}, "threads=-2; expected a number from 0 to 2^32 - 1"),
    ({"memory_budget": "1GB"}, "memory_budget is '1GB'; expected bytes, as a number that is not "
                               "negative or as text (\"64GiB\")"),
    ({"memory_budget": 1 << 64}, f"memory_budget is {1 << 64}; expected bytes, as a number that is "
                                 "not negative or as text (\"64GiB\")"),
    ({"entry": 5}, "entry=5; expected names, as text (\"a,b\") or a list of texts"),
    ({"shape": [(1, 4)]}, "shape=[(1, 4)] is a list; expected {INPUT: {SIZE: (MIN, MAX)}}, or text "
                          "(\"x:batch=1..64\")"),
    ({"shape": {"x": {"batch": (1,)}}}, "shape={'x': {'batch': (1,)}} is a dict; expected {INPUT: "
                                        "{SIZE: (MIN, MAX)}}, or text (\"x:batch=1..64\")"),
    ({"resources": [1]}, "gaudi_mlir.compile: resources=[1] is a list; expected a dict or None"),
    ({"on_remark": 5}, "gaudi_mlir.compile: on_remark=5; expected a function or None"),
    ({"verify_fusion": "yes"}, "verify_fusion='yes' is a str; expected True or False"),
    ({"max_expanded_ops": -1}, "max_expanded_ops=-1; expected a number from 0 to 2^64 - 1"),
])
def test_options_of_compilations(options: dict[str, Any], message: str) -> None:
    with pytest.raises(gaudi_mlir.ArgumentError) as caught:
        gaudi_mlir.compile(transpose("f32"), **options)
    assert caught.value.message == message


def test_calls_that_do_not_fit(matmul: gaudi_mlir.Recipe, dynamic: gaudi_mlir.Recipe,
                               tmp_path: pathlib.Path) -> None:
    """What Python, or the extension module, says only by its own types."""
    calls: list[tuple[Callable[[], object], type[Exception], str]] = [
        (lambda: gaudi_mlir.compile(), TypeError, "gaudi_mlir.compile: missing a required argument: "
         "'module'; call it as gaudi_mlir.compile(module, device=..., "),
        (lambda: gaudi_mlir.compile("", "gaudi2"), TypeError, "gaudi_mlir.compile: too many "
         "positional arguments; call it as gaudi_mlir.compile(module, device=..., "),
        (lambda: matmul.run(), TypeError, "Recipe.run: missing a required argument: 'inputs'; call "
         "it as Recipe.run(inputs, outputs=..., entry=...)"),
        (lambda: matmul.save(None), gaudi_mlir.ArgumentError,
         "Recipe.save: path=None; expected text (a str) or a path"),
        (lambda: gaudi_mlir.Recipe.from_bytes("text"), gaudi_mlir.ArgumentError,
         "Recipe.from_bytes: data='text' is a str; expected bytes"),
        (lambda: matmul.executable(bindings=[X]), gaudi_mlir.ArgumentError,
         "Recipe.executable: bindings=[array([[0., 0., 0.],"),
        (lambda: gaudi_mlir.find_max_batch("module {}", batch_input=3), gaudi_mlir.ArgumentError,
         "gaudi_mlir.find_max_batch: batch_input=3; expected text (a str) or None"),
        (lambda: gaudi_mlir.empty_aligned("x"), gaudi_mlir.ArgumentError,
         "gaudi_mlir.arrays.empty_aligned: shape='x' is a str; expected a list or a whole number"),
        (lambda: dynamic.predict(sizes={"batch": "3"}), gaudi_mlir.ArgumentError,
         "size 'batch' of entry 'main' is '3'; expected a whole number from 0 up"),
        (lambda: dynamic.predict(sizes=3), gaudi_mlir.ArgumentError,
         "sizes=3 is an int; expected a dict of a size for each symbol of entry 'main': 'batch'"),
        (lambda: dynamic.run([np.zeros((17, 4), np.float32)]), gaudi_mlir.ArgumentError,
         'input "x" has 17 elements in dimension 0: batch 17 exceeds the largest bucket 16; compile '
         "the model with other bounds: shape={'x': {'batch': (1, 17)}}"),
        (lambda: dynamic.replay("trace.csv"), gaudi_mlir.ArgumentError,
         "the trace is the str 'trace.csv', which is CSV text, not a path"),
        (lambda: matmul.executable(cache_dir=__file__), gaudi_mlir.FileError,
         f"cache_dir: the folder '{__file__}' cannot be made: it is a file; name one in"),
    ]
    for call, kind, message in calls:
        with pytest.raises(kind) as caught:
            call()
        assert str(caught.value).startswith(message), caught.value
        assert "incompatible" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "model.mlir").write_text("module {}")
    for load in gaudi_mlir.compile, gaudi_mlir.Recipe.load, gaudi_mlir.replay.load:
        for path, reason in ((tmp_path, "Is a directory; name a file in it"),
                             (tmp_path / "modl.mlir", "did you mean 'model.mlir'?"),
                             (tmp_path / "none" / "x", f"there is no folder '{tmp_path}/none'"),
                             (tmp_path / "zzz", "give the path of a file that exists")):
            with pytest.raises(gaudi_mlir.FileError) as caught:
                load(path)
            assert str(caught.value).startswith(f"cannot read '{path}': "), caught.value
            assert str(caught.value).endswith(reason), caught.value


def test_names_that_are_misspelt() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'complie' \(did you mean 'compile'"):
        gaudi_mlir.complie
    with pytest.raises(AttributeError, match=r"has no attribute 'load'; write gaudi_mlir.Recipe.load"):
        gaudi_mlir.load
    assert not hasattr(gaudi_mlir, "__nothing__")


def in_process(**variables: str) -> str:
    """What an import says to the standard error output."""
    return subprocess.run([sys.executable, "-c", "import gaudi_mlir"], text=True,
                          env={**os.environ, **variables}, stderr=subprocess.PIPE).stderr


def test_variables_without_effect(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").touch()
    assert in_process(GAUDI_CACHE_DIR=str(tmp_path / "new" / "folder"), GAUDI_JOBS="2") == ""
    assert "gaudi-mlir reads no variable GAUDI_CACHEDIR; did you mean GAUDI_CACHE_DIR?" in \
        in_process(GAUDI_CACHEDIR="x")
    assert f"GAUDI_CACHE_DIR is '{tmp_path}/file/x', and '{tmp_path}/file' is no folder: compiled " \
        "kernels are not kept; name a folder of your own" in \
        in_process(GAUDI_CACHE_DIR=str(tmp_path / "file" / "x"))


def test_source_without_extension_module(tmp_path: pathlib.Path) -> None:
    package = tmp_path / "gaudi_mlir"
    package.mkdir()
    for file in pathlib.Path(gaudi_mlir.__file__).parent.glob("*.py"):
        (package / file.name).symlink_to(file)
    done = subprocess.run([sys.executable, "-c", "import gaudi_mlir"], text=True,
                          env={**os.environ, "PYTHONPATH": str(tmp_path)}, stderr=subprocess.PIPE)
    assert "ImportError: gaudi_mlir cannot load its extension module from " \
        f"{package}: it is the source, or was built for another Python; run" in done.stderr
    assert "scripts/setup-python.sh" in done.stderr


def test_arrays_in_another_order(matmul: gaudi_mlir.Recipe) -> None:
    assert message_of(matmul, [W, X]).endswith(
        "these arrays are in another order than the inputs, 'x', 'w'; pass them by name: "
        "{'x': ..., 'w': ...}")
    assert message_of(matmul, [X.T, W]).endswith("'x' is transposed: pass x.T")
    assert message_of(matmul, {"x": X.T, "w": W}).endswith("'x' is transposed: pass x.T")


def test_other_calls(matmul: gaudi_mlir.Recipe, tmp_path: pathlib.Path) -> None:
    for call, said in (
            (lambda: matmul(X, W), r"a recipe is no function; call its run: recipe.run\(\[x, w\]\)"),
            (lambda: matmul.run(x=X), r"arrays by name go in a dict: run\({'x': ...}\)"),
            (lambda: matmul.predict(device="gaudi3"), "a recipe is of one device: gaudi_mlir.compile"),
            (lambda: gaudi_mlir.Recipe("a.recipe"), r"gaudi_mlir.Recipe.load\('a.recipe'\) reads a file"),
            (lambda: gaudi_mlir.compile("", target="gaudi3"), "did you mean 'device'?"),
            (lambda: gaudi_mlir.compile("module {}", shape={"x": (1, 64)}),
             r"write shape={'x': {'batch': \(1, 64\)}}; if it is a size, {INPUT: {'x': \(1, 64\)}}"),
            (lambda: gaudi_mlir.device.open("gaudi2", capacity=1), "^capacity=1: "),
            (lambda: matmul.remarks.where(kind="miss"), "kind='miss'; expected 'missed'")):
        with pytest.raises((TypeError, gaudi_mlir.ArgumentError), match=said):
            call()
    model = tmp_path / "model.mlir"
    model.write_text("module {}")
    with pytest.raises(gaudi_mlir.FileError, match="is no recipe, so that it is not replaced; .*model.recipe'"):
        matmul.save(model)
    assert model.read_text() == "module {}"


def test_buckets_as_a_list() -> None:
    text = """func.func @main(%x: tensor<?x4xf32> {gaudi.name = "x"}) -> tensor<?x4xf32> {
  %y = math.exp %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}"""
    made = [gaudi_mlir.compile(text, shape={"x": {"batch": (1, 16)}}, buckets=each)
            for each in ([4, 16], "explicit:4,16")]
    assert made[0] == made[1]
    with pytest.raises(gaudi_mlir.ArgumentError, match="a list of sizes"):
        gaudi_mlir.compile(text, buckets=["4"])


def test_names_that_are_imported() -> None:
    with pytest.raises(ImportError, match=r"has no attribute 'load'; write gaudi_mlir.Recipe.load"):
        from gaudi_mlir import load  # noqa: F401
    assert not hasattr(gaudi_mlir, "load")


def files_of(error: BaseException) -> set[str]:
    return {pathlib.Path(each.filename).name for each in traceback.extract_tb(error.__traceback__)}


def test_tracebacks_end_at_the_caller(matmul: gaudi_mlir.Recipe) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: gaudi_mlir.compile("module {"), lambda: gaudi_mlir.compile("", devise="gaudi2"),
        lambda: matmul.run([X]), lambda: matmul(X), lambda: gaudi_mlir.Recipe.load("none.recipe"),
        lambda: gaudi_mlir.compil, lambda: gaudi_mlir.device.open("gaudi9")]
    for call in calls:
        with pytest.raises((gaudi_mlir.Error, AttributeError)) as caught:
            call()
        assert files_of(caught.value) == {"test_arguments.py"}


def test_tracebacks_of_mistakes_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the package's own."""
    monkeypatch.setattr(gaudi_mlir.compiler, "_source", lambda *_: {}[0])
    with pytest.raises(KeyError) as caught:
        gaudi_mlir.compile("module {}")
    assert "compiler.py" in files_of(caught.value)


@pytest.mark.parametrize("words, raised, is_said", [
    ("list(map(x.pop, x))", RuntimeError, False), ("_core or list(map(x.pop, x))", RuntimeError, True),
    ("_core or repr(nested)", RecursionError, False),
    ("_core or zone.utcoffset(None)", NotImplementedError, False)])
def test_tracebacks_of_calls(words: str, raised: type[Exception], is_said: bool) -> None:
    """Those of Python's own functions stay; the extension module's end at the caller."""
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    names: dict[str, Any] = {"_core": None, "x": {1: 1}, "nested": nested,
                             "zone": datetime.tzinfo()}
    file = os.path.join(os.path.dirname(gaudi_mlir.__file__), "mistaken.py")
    exec(compile(f"def mistaken():\n  return {words}", file, "exec"), names)
    with pytest.raises(raised) as caught:
        gaudi_mlir._calls.plain(names["mistaken"])()
    assert type(caught.value) is raised
    assert ("mistaken.py" in files_of(caught.value)) == (not is_said)


def test_public_functions_are_functions() -> None:
    assert pickle.loads(pickle.dumps(gaudi_mlir.compile)) is gaudi_mlir.compile
    assert inspect.signature(gaudi_mlir.Recipe.run).parameters.keys() == {
        "self", "inputs", "outputs", "entry"}
    assert "compile at 0x" in repr(gaudi_mlir.compile)
    assert weakref.ref(gaudi_mlir.compile)() is gaudi_mlir.compile


def test_methods_are_methods(matmul: gaudi_mlir.Recipe) -> None:
    assert inspect.ismethod(matmul.run) and matmul.run.__self__ is matmul
    assert weakref.WeakMethod(matmul.run)() == matmul.run

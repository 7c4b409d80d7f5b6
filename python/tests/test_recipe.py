# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes: files, bytes, descriptions, predictions."""

from __future__ import annotations

import pathlib
import pickle

import gaudi_mlir
import numpy as np
import pytest


def test_file(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    path = tmp_path / "matmul.recipe"
    matmul.save(path)
    loaded = gaudi_mlir.Recipe.load(path)
    assert loaded == matmul and hash(loaded) == hash(matmul)
    assert loaded != gaudi_mlir.compile("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                                        "  return %x : tensor<2xf32>\n}")
    assert loaded.to_bytes() == path.read_bytes()
    assert not loaded.remarks
    assert gaudi_mlir.Recipe.load(str(path)).hash == matmul.hash
    assert gaudi_mlir.Recipe.from_bytes(memoryview(path.read_bytes())) == matmul
    copy = pickle.loads(pickle.dumps(matmul))
    assert copy == matmul and copy.remarks == matmul.remarks


def test_files_that_cannot_be_used(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    with pytest.raises(gaudi_mlir.FileError, match="absent.recipe") as caught:
        gaudi_mlir.Recipe.load(tmp_path / "absent.recipe")
    assert isinstance(caught.value, OSError)
    with pytest.raises(gaudi_mlir.FileError):
        matmul.save(tmp_path / "no" / "folder.recipe")
    damaged = bytearray(matmul.to_bytes())
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(gaudi_mlir.RecipeError):
        gaudi_mlir.Recipe.from_bytes(damaged)
    with pytest.raises(gaudi_mlir.RecipeError):
        gaudi_mlir.Recipe.from_bytes(b"")
    with pytest.raises(TypeError):
        gaudi_mlir.Recipe.from_bytes("text")


def test_description(matmul: gaudi_mlir.Recipe) -> None:
    [entry] = matmul.entries
    assert entry == matmul.entry("main") == matmul.entry(0) == matmul.entry()
    x, w = entry.inputs
    assert (x.name, x.element_type, x.shape, x.dtype) == ("x", "f32", (2, 3), np.float32)
    assert (w.type, w.is_static, w.state) == ("3x4xf32", True, None)
    assert repr(entry) == "main(x: 2x3xf32, w: 3x4xf32) -> (y: 2x4xf32)"
    assert matmul.memory.persistent >= (6 + 12 + 8) * 4
    assert matmul.memory.total == sum((matmul.memory.persistent, matmul.memory.constants,
                                       matmul.memory.workspace))
    assert "mme.gemm" in matmul.text
    assert "gaudi2" in repr(matmul) and repr(entry) in repr(matmul)
    described = matmul.describe()
    assert described.entries == matmul.entries and described.bytes == len(matmul.to_bytes())
    shown = repr(described).splitlines()
    assert shown[0].startswith(f"recipe {matmul.hash} for gaudi2, ")
    assert "entry 'main'" in shown
    assert ["output", "y", "2x4xf32"] in [line.split() for line in shown]


def test_description_of_states_and_sizes(stateful: gaudi_mlir.Recipe,
                                         dynamic: gaudi_mlir.Recipe) -> None:
    [state] = stateful.states
    assert state.shape == (4,)
    assert stateful.entry().inputs[0].state == 0 and stateful.entry().inputs[1].state is None
    assert "1 state" in repr(stateful.describe()).splitlines()
    [x] = dynamic.entry().inputs
    assert x.shape == (-1, 4) and not x.is_static and x.type == "?x4xf32"
    assert "batch" in x.symbolic_shape
    assert "  sizes batch=1..16" in repr(dynamic.describe()).splitlines()


def test_unknown_entry(two_entries: gaudi_mlir.Recipe) -> None:
    assert two_entries.entry("second").name == "second"
    with pytest.raises(gaudi_mlir.ArgumentError, match="2 entries; choose one with entry=: "
                                                       "'first', 'second'"):
        two_entries.entry()
    for wrong in ("third", 2, -1):
        with pytest.raises(gaudi_mlir.ArgumentError, match="no entry"):
            two_entries.entry(wrong)


def test_prediction(matmul: gaudi_mlir.Recipe) -> None:
    prediction = matmul.predict()
    assert prediction.device == "gaudi2" and prediction.entry == "main"
    assert 0 < prediction.launch_us < prediction.time_us < 1000
    mme = prediction.engines["MME"]
    assert mme.commands == 1 and 0 < mme.share < 1 and mme.busy_us > 0
    assert prediction.flops == 2 * 2 * 3 * 4
    assert prediction.memory["fits"] is True
    assert prediction.json["commands"][0]["name"] == "mme.gemm"
    shown = repr(prediction)
    assert shown.startswith("predicted for gaudi2, entry 'main': ") and "MME" in shown
    for advice in prediction.advice:
        assert advice.gain_us > 0 and advice.title and advice.text


def test_prediction_of_sizes(dynamic: gaudi_mlir.Recipe) -> None:
    small, large = dynamic.predict(sizes={"batch": 2}), dynamic.predict(sizes={"batch": 16})
    assert 0 < small.time_us <= large.time_us
    assert dynamic.predict().time_us == large.time_us
    with pytest.raises(gaudi_mlir.ArgumentError, match="symbols of entry 'main' are: 'batch'"):
        dynamic.predict(sizes={"length": 2})
    with pytest.raises(gaudi_mlir.ArgumentError):
        dynamic.predict(sizes={"batch": 1000})


def test_misuse_of_recipes(matmul: gaudi_mlir.Recipe, tmp_path: pathlib.Path) -> None:
    with pytest.raises(gaudi_mlir.ArgumentError, match="all sizes of entry 'main' are static; "
                                                       "leave sizes= out"):
        matmul.predict(sizes={"batch": 2})
    with pytest.raises(gaudi_mlir.ArgumentError, match="type gaudi_mlir.recipe.Recipe: it is "
                                                       "compiled already; pass the model"):
        gaudi_mlir.batch_sweep(matmul)
    (tmp_path / "model.mlir").write_text("module {}")
    with pytest.raises(gaudi_mlir.RecipeError, match=r"looks like text; .* compile\(\) of gaudi_mlir"):
        gaudi_mlir.Recipe.load(tmp_path / "model.mlir")


def test_times_and_bytes_have_three_digits() -> None:
    from gaudi_mlir._text import bytes_text, time_text

    texts = {0.0123: "12.3 ns", 1.0: "1.00 us", 12.98: "13.0 us", 999.4: "999 us",
             999.9: "1.00 ms", 1234567: "1.23 s", 0: "0 ns"}
    assert {value: time_text(value) for value in texts} == texts
    texts = {0: "0 B", 896: "896 B", 1024: "1.00 KiB", 1047552: "1023 KiB", 1048400: "1.00 MiB",
             103079215104: "96.0 GiB"}
    assert {value: bytes_text(value) for value in texts} == texts


def test_package() -> None:
    from importlib import metadata

    import tomllib

    project = tomllib.loads((pathlib.Path(__file__).parents[1] / "pyproject.toml").read_text())
    assert project["project"]["version"] == gaudi_mlir.__version__
    assert metadata  # importable without being installed
    assert {"torch", "jax", "onnx"} <= set(dir(gaudi_mlir))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        gaudi_mlir.nonsense
    for name in gaudi_mlir.__all__:
        assert getattr(gaudi_mlir, name) is not None


def test_errors_tell_place_and_details() -> None:
    from gaudi_mlir.errors import _CLASSES, _from_code

    for code, kind in _CLASSES.items():
        assert type(_from_code(code, "m", "", "")) is kind
    assert type(_from_code(99, "m", "", "")) is gaudi_mlir.InternalError
    error = gaudi_mlir.CompileError("cannot compile", "m.mlir:1:2", "m.mlir:1:2: error: f64\n")
    assert str(error) == "m.mlir:1:2: cannot compile\nm.mlir:1:2: error: f64"
    assert str(gaudi_mlir.Error("why")) == "why"
    assert str(gaudi_mlir.Error("why", "", "a.mlir:1:1: error: why\n")) == "a.mlir:1:1: error: why"
    for error in (error, gaudi_mlir.FileError("m", "l", "d")):
        copy = pickle.loads(pickle.dumps(error))
        assert (copy.message, copy.location, copy.details) == error.args


def test_hash_is_made_when_it_is_asked_for(matmul: gaudi_mlir.Recipe) -> None:
    class Core:
        asked: list[str] = []

        def __getattr__(self, name: str) -> object:
            self.asked.append(name)
            return getattr(matmul._core, name)

    recipe = gaudi_mlir.Recipe(Core())
    assert "hash" not in Core.asked and "entries" in Core.asked
    assert recipe.hash == matmul.hash and "hash" in Core.asked


def test_plan_of_memory(matmul: gaudi_mlir.Recipe, dynamic: gaudi_mlir.Recipe) -> None:
    plan = matmul.plan_memory()
    assert plan["device"] == "gaudi2" and plan["memory"]["fits"]
    assert plan["memory"]["needed"] == matmul.memory.total
    assert not matmul.plan_memory("main", device_memory=16)["memory"]["fits"]
    symbol = dynamic.entry().symbols[0]
    assert dynamic.plan_memory()["memory"]["buckets"]
    assert "peak" in dynamic.plan_memory(sizes={symbol.name: symbol.max})["memory"]
    with pytest.raises(gaudi_mlir.ArgumentError):
        dynamic.plan_memory(sizes={"other": 1})
    [first, *_] = matmul.memory_text("main", device_memory=16).splitlines()
    assert first.startswith("planned for gaudi2: ") and "does not fit by" in first
    assert "to drop first" not in dynamic.memory_text() and "shared by all" in dynamic.memory_text()


def test_traces(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe,
                dynamic: gaudi_mlir.Recipe) -> None:
    [compiled] = matmul.replay("x\n2x3xf32\n5x3xf32\n")["compiles"]
    assert (compiled["line"], compiled["cause"]) == (3, "dimension")
    symbol = dynamic.entry().symbols[0]
    path = tmp_path / "trace.csv"
    path.write_text(f"{symbol.name},count\n{symbol.max},3\n{symbol.max + 1},2\n")
    report = dynamic.replay(path, strict_shapes=True)
    assert (report["launches"], report["misses"]) == (5, 2)
    with pytest.raises(gaudi_mlir.ArgumentError, match="line 2"):
        dynamic.replay(f"{symbol.name}\nmany\n")


def test_recompiles_and_batches(matmul: gaudi_mlir.Recipe) -> None:
    text = "func.func @main(%x: tensor<{0}xf32>) -> tensor<{0}xf32> {{\n" \
        "  %y = tosa.exp %x : (tensor<{0}xf32>) -> tensor<{0}xf32>\n" \
        "  return %y : tensor<{0}xf32>\n}}"
    eight, nine = text.format(8), text.format(9)
    assert not gaudi_mlir.explain_recompile(eight, eight)["recompile"]
    answer = gaudi_mlir.explain_recompile(gaudi_mlir.compile(eight), nine)
    assert answer["recompile"] and "9, was 8" in answer["reason"] and answer["avoided_by"]
    batch = gaudi_mlir.find_max_batch(eight, device_memory=8192)["batch"]
    assert batch["size"] == 8 and batch["largest"] == 1024
    with pytest.raises(gaudi_mlir.CompileError):
        gaudi_mlir.find_max_batch("func.func @main(")
    with pytest.raises(TypeError, match="'fast' is no option of gaudi_mlir.compile; it takes"):
        gaudi_mlir.explain_recompile(eight, nine, fast=True)


def test_batch_sweep(tmp_path: pathlib.Path) -> None:
    text = ("func.func @main(%x: tensor<?x4xf32> {gaudi.name = \"x\", "
            "gaudi.dims = [\"batch=1..64\", \"\"]}) -> tensor<?x4xf32> {\n"
            "  %0 = tosa.exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>\n"
            "  return %0 : tensor<?x4xf32>\n}")
    sweep = gaudi_mlir.batch_sweep(text, device_memory="1KiB", page=tmp_path / "page.html")
    assert sweep.limit == 1024 and sweep.fastest == sweep.largest == sweep.points[-1].batch
    assert [each.batch for each in sweep.points][:3] == [1, 2, 4]
    assert all(each.needed <= 1024 for each in sweep.points)
    point = sweep.points[1]
    assert point.time_per_sample_us == point.time_us / 2
    assert f"largest batch that fits: {sweep.largest}" in repr(sweep)
    assert "<svg" in (tmp_path / "page.html").read_text()
    assert gaudi_mlir.find_max_batch(text, device_memory=1024)["batch"]["largest"] == sweep.largest
    none = gaudi_mlir.batch_sweep(text, device_memory=16)
    assert none.largest is None and none.points == () and "no batch fits: 1 needs" in repr(none)
    with pytest.raises(gaudi_mlir.CompileError, match="'main' has no input 'y'"):
        gaudi_mlir.batch_sweep(text, batch_input="y")
    for wrong in (-1, "much", None):
        with pytest.raises(gaudi_mlir.ArgumentError, match="device_memory is .*; expected bytes"):
            gaudi_mlir.batch_sweep(text, device_memory=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'bucket' is no option .*; did you mean 'buckets'?"):
        gaudi_mlir.batch_sweep(text, bucket="linear:2")
    with pytest.raises(gaudi_mlir.FileError, match="/nowhere/page.html"):
        gaudi_mlir.batch_sweep(text, page="/nowhere/page.html")


def test_places_pages_and_traces(tmp_path: pathlib.Path) -> None:
    recipe = gaudi_mlir.compile("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                                "  %0 = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>\n"
                                "  return %0 : tensor<4xf32>\n}")
    assert [each.name for each in recipe.predict().modules] == [""]
    named = recipe.with_places(["", "Net.act at net.py:7:1"])
    [cost] = named.predict().modules
    assert (cost.name, cost.commands) == ("Net.act", 1) and cost.time_us > 0
    assert np.array_equal(named.run([np.zeros(4, np.float32)])[0], np.ones(4, np.float32))
    named.html(tmp_path / "page.html", title="exp", script={"steps": 3})
    page = (tmp_path / "page.html").read_text()
    assert "Net.act at net.py:7:1" in page and '"title":"exp"' in page and '"steps":3' in page
    named.trace(tmp_path / "trace.json")
    assert "Net.act at net.py:7:1" in (tmp_path / "trace.json").read_text()
    with pytest.raises(gaudi_mlir.FileError):
        named.html(tmp_path / "no" / "page.html")

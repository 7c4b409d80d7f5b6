# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running: inputs and outputs in all forms, states, sizes, bindings, threads, statistics."""

from __future__ import annotations

import gc
import os
import pathlib
import signal
import sys
import threading
import weakref
from typing import Callable

import gaudi_mlir
import ml_dtypes
import numpy as np
import pytest

from conftest import transpose

X = np.arange(6, dtype=np.float32).reshape(2, 3)
W = np.arange(12, dtype=np.float32).reshape(3, 4) - 5


def test_sequences_and_names(matmul: gaudi_mlir.Recipe) -> None:
    for inputs in ([X, W], (X, W), {"w": W, "x": X}):
        [y] = matmul.run(inputs)
        assert y.dtype == np.float32
        np.testing.assert_array_equal(y, X @ W)


def test_given_outputs(matmul: gaudi_mlir.Recipe) -> None:
    y = np.zeros((2, 4), np.float32)
    assert matmul.run([X, W], [y])[0] is y
    np.testing.assert_array_equal(y, X @ W)
    y = np.zeros((4, 2), np.float32).T
    assert matmul.run([X, W], {"y": y})[0] is y
    np.testing.assert_array_equal(y, X @ W)
    [new] = matmul.run([X, W], [None])
    np.testing.assert_array_equal(new, X @ W)
    [new] = matmul.run([X, W], {})
    np.testing.assert_array_equal(new, X @ W)


@pytest.mark.parametrize("element_type, dtype", [
    ("f32", np.float32), ("bf16", ml_dtypes.bfloat16), ("f16", np.float16),
    ("f8E4M3FN", ml_dtypes.float8_e4m3fn), ("f8E5M2", ml_dtypes.float8_e5m2), ("i8", np.int8),
    ("ui8", np.uint8), ("i16", np.int16), ("ui16", np.uint16), ("i32", np.int32),
    ("ui32", np.uint32), ("i64", np.int64), ("i1", np.bool_),
])
def test_element_types(element_type: str, dtype: type) -> None:
    recipe = gaudi_mlir.compile(transpose(element_type), device="gaudi2")
    assert recipe.entry().inputs[0].dtype == dtype
    x = (np.arange(15).reshape(3, 5) % 7).astype(dtype)
    [y] = recipe.run([x])
    assert y.dtype == dtype
    np.testing.assert_array_equal(y.view(f"u{y.itemsize}"), x.T.copy().view(f"u{y.itemsize}"))


@pytest.mark.parametrize("element_type, dtype", [
    ("i8", np.uint8), ("ui8", np.int8), ("i32", np.uint32), ("i64", np.uint64),
])
def test_integers_of_the_same_width_are_bits(element_type: str, dtype: type) -> None:
    recipe = gaudi_mlir.compile(transpose(element_type))
    x = np.array([[np.iinfo(dtype).max, 1, 2, 3, 4]] * 3, dtype)
    [y] = recipe.run([x])
    np.testing.assert_array_equal(y.view(dtype), x.T)


@pytest.mark.parametrize("x", [
    np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], X[::-1, ::-1],
    np.broadcast_to(X[:1], (2, 3)), np.lib.stride_tricks.as_strided(X, (2, 3), (0, -4 + 8)),
])
def test_strides(matmul: gaudi_mlir.Recipe, x: np.ndarray) -> None:
    [y] = matmul.run([x, W[::-1]])
    np.testing.assert_array_equal(y, x @ W[::-1])


def test_read_only_and_memory_mapped(tmp_path: pathlib.Path, matmul: gaudi_mlir.Recipe) -> None:
    x = X.copy()
    x.flags.writeable = False
    np.save(tmp_path / "w.npy", W)
    [y] = matmul.run([x, np.load(tmp_path / "w.npy", mmap_mode="r")])
    np.testing.assert_array_equal(y, X @ W)


def test_scalars_and_nothing() -> None:
    recipe = gaudi_mlir.compile(
        "func.func @main(%x: tensor<f32>, %e: tensor<0x3xf32>)\n"
        "    -> (tensor<f32>, tensor<0x3xf32>) {\n"
        "  %y = math.exp %x : tensor<f32>\n"
        "  %f = math.exp %e : tensor<0x3xf32>\n"
        "  return %y, %f : tensor<f32>, tensor<0x3xf32>\n}")
    for x in (np.float32(0), np.zeros((), np.float32)):
        y, empty = recipe.run([x, np.zeros((0, 3), np.float32)])
        assert y.shape == () and y == 1 and empty.shape == (0, 3)


def test_two_entries(two_entries: gaudi_mlir.Recipe) -> None:
    x = np.array([0, 1, 2, 3], np.float32)
    np.testing.assert_allclose(two_entries.run([x], entry="first")[0], np.exp(x), rtol=1e-6)
    np.testing.assert_allclose(two_entries.run([x], entry=1)[0], np.tanh(x), rtol=1e-6)
    for entry in (None, "third", 2, -1, 1 << 80, 1.5):
        with pytest.raises(gaudi_mlir.ArgumentError, match="'first', 'second'"):
            two_entries.run([x], entry=entry)


def test_states(stateful: gaudi_mlir.Recipe) -> None:
    executable = stateful.executable()
    g = np.ones(4, np.float32)
    [w] = executable.run([np.full(4, 10, np.float32), g])
    assert w.tolist() == [11] * 4
    [w] = executable.run([None, g])
    assert w.tolist() == [12] * 4
    [w] = executable.run({"g": g})
    assert w.tolist() == [13] * 4
    name = stateful.states[0].name
    assert executable.state(0).tolist() == executable.state(name).tolist() == [13] * 4
    executable.set_state(name, np.zeros(4, np.float32))
    assert executable.run([None, g])[0].tolist() == [1] * 4
    executable.reset_states()
    with pytest.raises(gaudi_mlir.ArgumentError, match="no state 'v'; states: "):
        executable.state("v")
    with pytest.raises(gaudi_mlir.ArgumentError, match="no state 1"):
        executable.set_state(1, g)
    with pytest.raises(gaudi_mlir.ArgumentError, match="state '.*' has elements of type float64"):
        executable.set_state(0, np.zeros(4))
    with pytest.raises(gaudi_mlir.ArgumentError):
        executable.set_state(0, np.zeros(5, np.float32))


def test_sizes(dynamic: gaudi_mlir.Recipe) -> None:
    executable = dynamic.executable()
    for batch in (1, 3, 4, 16):
        x = np.random.default_rng(batch).standard_normal((batch, 4), dtype=np.float32)
        [y] = executable.run([x])
        np.testing.assert_array_equal(y, 2 * x)
        launch = executable.stats.last_launch
        assert launch.variant is not None
        predicted = dynamic.predict(sizes={"batch": batch}).time_us
        assert launch.predicted_us == pytest.approx(predicted, rel=1e-3)
        assert f"variant {launch.variant}" in repr(launch)
        assert "predicted on the card" in repr(launch)
        out = np.zeros((batch, 4), np.float32)
        executable.run([x], [out])
        np.testing.assert_array_equal(out, 2 * x)
    for shape in ((17, 4), (3, 5), (3,)):
        with pytest.raises(gaudi_mlir.ArgumentError):
            executable.run([np.zeros(shape, np.float32)])
    with pytest.raises(gaudi_mlir.ArgumentError):
        executable.run([np.zeros((3, 4), np.float32)], [np.zeros((4, 4), np.float32)])


def test_bindings(matmul: gaudi_mlir.Recipe) -> None:
    w = gaudi_mlir.aligned(W.copy())
    assert gaudi_mlir.aligned(w) is w
    for key in (1, "w", ("main", "w"), (0, 1)):
        executable = matmul.executable(bindings={key: w})
        for inputs in ([X], [X, None], {"x": X}, {"x": X, "w": None}):
            np.testing.assert_array_equal(executable.run(inputs)[0], X @ W)
        assert executable.stats.bound_inputs == 1
    w *= 2
    np.testing.assert_array_equal(executable.run([X])[0], X @ W * 2)
    del w
    np.testing.assert_array_equal(executable.run([X])[0], X @ W * 2)
    with pytest.raises(gaudi_mlir.ArgumentError, match="'w' is bound"):
        executable.run([X, W])
    with pytest.raises(gaudi_mlir.ArgumentError, match="0 inputs given, but entry 'main' expects "
                                                       r"1 \(without those bound\) or 2: 'x', 'w'"):
        executable.run([])


def test_bindings_that_are_refused(matmul: gaudi_mlir.Recipe) -> None:
    for key in ("v", 2, -1, 1.5, (0, "v")):
        with pytest.raises(gaudi_mlir.ArgumentError, match="no such input; its inputs: 'x', 'w'"):
            matmul.executable(bindings={key: W})
    with pytest.raises(gaudi_mlir.ArgumentError, match="no entry 'other'"):
        matmul.executable(bindings={("other", "w"): W})
    with pytest.raises(gaudi_mlir.ArgumentError, match="gaudi_mlir.aligned"):
        matmul.executable(bindings={"w": np.asfortranarray(W)})
    with pytest.raises(gaudi_mlir.ArgumentError, match="binding 'w' has elements of type float64"):
        matmul.executable(bindings={"w": W.astype(np.float64)})
    memory = gaudi_mlir.empty_aligned(13)[1:].reshape(3, 4)
    with pytest.raises(gaudi_mlir.ArgumentError, match="align"):
        matmul.executable(bindings={"w": memory})
    with pytest.raises(gaudi_mlir.ArgumentError):
        matmul.executable(bindings={"w": gaudi_mlir.empty_aligned((3, 5))})
    w = gaudi_mlir.aligned(W)
    with pytest.raises(gaudi_mlir.ArgumentError, match="input 'w' of entry 'main' is bound twice"):
        matmul.executable(bindings={1: w, "w": w})


def test_aligned_arrays() -> None:
    from gaudi_mlir.arrays import ALIGNMENT

    for shape, dtype in (((3, 4), np.float32), (7, ml_dtypes.bfloat16), ((), np.int64), (0, "i1")):
        array = gaudi_mlir.empty_aligned(shape, dtype)
        assert array.ctypes.data % ALIGNMENT == 0 and array.dtype == np.dtype(dtype)
        assert array.shape == ((shape,) if isinstance(shape, int) else shape)
    copy = gaudi_mlir.aligned(np.asfortranarray(W))
    np.testing.assert_array_equal(copy, W)
    assert copy.flags.c_contiguous and copy.ctypes.data % ALIGNMENT == 0


def test_addresses(matmul: gaudi_mlir.Recipe, dynamic: gaudi_mlir.Recipe) -> None:
    executable = matmul.executable()
    y = np.zeros((2, 4), np.float32)
    executable.run_addresses([X.ctypes.data, W.ctypes.data], [y.ctypes.data])
    np.testing.assert_array_equal(y, X @ W)
    with pytest.raises(gaudi_mlir.ArgumentError, match="1 address of inputs given, but entry "
                                                       "'main' has 2 inputs"):
        executable.run_addresses([X.ctypes.data], [y.ctypes.data])
    with pytest.raises(gaudi_mlir.ArgumentError):
        executable.run_addresses([X.ctypes.data, 0], [y.ctypes.data])
    with pytest.raises(gaudi_mlir.ArgumentError, match="an address does not tell its size"):
        dynamic.executable().run_addresses([X.ctypes.data], [y.ctypes.data])


def test_statistics(matmul: gaudi_mlir.Recipe) -> None:
    executable = matmul.executable(threads=1)
    assert executable.stats.launches == 0 and executable.stats.last_launch is None
    executable.run([X, W])
    executable.run([X, W])
    stats = executable.stats
    assert stats.launches == 2 and stats.contexts == 1 and stats.peak_bytes > 0
    assert stats.last_launch.launch_us > 0 and stats.last_launch.copy_us >= 0
    assert stats.last_launch.variant is None and stats.last_launch.predicted_us is None
    assert repr(stats).startswith("2 launches, at most 1 at once\n")
    assert repr(stats).splitlines()[-1].startswith("last launch: launch ")
    assert repr(executable) == "<gaudi_mlir.Executable of 'main' for gaudi2>"
    assert executable.recipe is matmul


def test_small_device(matmul: gaudi_mlir.Recipe) -> None:
    with pytest.raises(gaudi_mlir.DeviceMemoryError, match="largest live buffers") as caught:
        matmul.executable(device_memory=64)
    assert isinstance(caught.value, MemoryError)


def test_cache_folder(tmp_path: pathlib.Path) -> None:
    recipe = gaudi_mlir.compile("func.func @main(%x: tensor<7xf32>) -> tensor<7xf32> {\n"
                                "  %y = tosa.exp %x : (tensor<7xf32>) -> tensor<7xf32>\n"
                                "  return %y : tensor<7xf32>\n}")
    x = [np.zeros(7, np.float32)]
    for source in ("kernels_compiled", "kernels_from_cache"):
        executable = recipe.executable(cache_dir=tmp_path)
        executable.run(x)
        assert getattr(executable.stats, source) == 1
        del executable
    assert list(tmp_path.rglob("*"))


def test_launch_that_fails() -> None:
    recipe = gaudi_mlir.compile(
        "func.func @main(%x: tensor<1x4x2xf32>, %i: tensor<1x3xi32>) -> tensor<1x3x2xf32> {\n"
        "  %y = tosa.gather %x, %i : (tensor<1x4x2xf32>, tensor<1x3xi32>) -> tensor<1x3x2xf32>\n"
        "  return %y : tensor<1x3x2xf32>\n}")
    x = np.arange(8, dtype=np.float32).reshape(1, 4, 2)
    [y] = recipe.run([x, np.array([[3, 0, 1]], np.int32)])
    np.testing.assert_array_equal(y[0], x[0][[3, 0, 1]])
    with pytest.raises(gaudi_mlir.LaunchError, match="4"):
        recipe.run([x, np.array([[3, 4, 1]], np.int32)])
    assert recipe.run([x, np.array([[0, 0, 1]], np.int32)])[0].shape == (1, 3, 2)


def test_what_is_kept(matmul: gaudi_mlir.Recipe) -> None:
    recipe = gaudi_mlir.Recipe.from_bytes(matmul.to_bytes())
    x, y = X.copy(), np.zeros((2, 4), np.float32)
    counts = sys.getrefcount(x), sys.getrefcount(y)
    for _ in range(10):
        recipe.run([x, W], [y])
        recipe.run({"x": x, "w": W}, {"y": y})
        with pytest.raises(gaudi_mlir.ArgumentError):
            recipe.run([x, W.astype(np.float64)], [y])
    assert (sys.getrefcount(x), sys.getrefcount(y)) == counts
    alive = weakref.ref(recipe)
    gc.disable()
    try:
        del recipe
        assert alive() is None
    finally:
        gc.enable()


def test_bound_arrays_live_as_long_as_the_executable(matmul: gaudi_mlir.Recipe) -> None:
    w = gaudi_mlir.aligned(W.copy())
    alive = weakref.ref(w)
    executable = matmul.executable(bindings={"w": w})
    del w
    assert alive() is not None
    del executable
    assert alive() is None


def test_bound_memory_that_only_the_binding_keeps(matmul: gaudi_mlir.Recipe) -> None:
    class Exported:
        def __dlpack__(self, **options: object) -> object:
            array = gaudi_mlir.aligned(W.copy())
            self.array = weakref.ref(array)
            return array.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    w = Exported()
    executable = matmul.executable(bindings={"w": w})
    assert w.array() is not None
    np.testing.assert_array_equal(executable.run([X])[0], X @ W)
    del executable
    assert w.array() is None


@pytest.mark.parametrize("max_launches", [1, 3])
def test_threads(matmul: gaudi_mlir.Recipe, max_launches: int) -> None:
    executable = matmul.executable(max_launches=max_launches, threads=1)
    wrong: list[object] = []

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(200):
            x = random.integers(-8, 8, (2, 3)).astype(np.float32)
            w = random.integers(-8, 8, (3, 4)).astype(np.float32)
            [y] = executable.run([x, w])
            if not np.array_equal(y, x @ w):
                wrong.append((x, w, y))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert executable.stats.launches == 800 and executable.stats.contexts <= max_launches


def test_threads_share_the_executable_of_a_recipe(matmul: gaudi_mlir.Recipe) -> None:
    recipe = gaudi_mlir.Recipe.from_bytes(matmul.to_bytes())
    barrier, results = threading.Barrier(4), []

    def work() -> None:
        barrier.wait()
        results.append(recipe.run([X, W])[0])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, X @ W) for result in results) and len(results) == 4
    assert recipe._executable.stats.launches == 4


def in_child(work: Callable[[], bool]) -> bool:
    """What `work` says in a process that fork() made; False if it does not end."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


def test_after_fork(matmul: gaudi_mlir.Recipe) -> None:
    executable = matmul.executable(max_launches=2)
    stop = threading.Event()

    def launch() -> None:
        while not stop.is_set():
            executable.run([X, W])

    def is_refused() -> bool:
        with pytest.raises(gaudi_mlir.UnavailableError, match="loaded before fork"):
            executable.run([X, W])
        return True

    assert np.array_equal(matmul.run([X, W])[0], X @ W)
    threads = [threading.Thread(target=launch) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            assert in_child(is_refused)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    # The recipe loads another one by itself.
    assert in_child(lambda: np.array_equal(matmul.run([X, W])[0], X @ W))
    np.testing.assert_array_equal(executable.run([X, W])[0], X @ W)

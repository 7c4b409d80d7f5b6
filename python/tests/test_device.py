# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cards: memory, streams, events, graphs, clock, errors, threads, fork."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
import weakref
from typing import Iterator

import gaudi_mlir
import ml_dtypes
import numpy as np
import pytest
from gaudi_mlir import device as cards

from conftest import transpose

X = np.arange(6, dtype=np.float32).reshape(2, 3)
W = np.arange(12, dtype=np.float32).reshape(3, 4) - 5
MIB = 1 << 20


@pytest.fixture(autouse=True)
def own_cards(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this test, whatever other processes of the user have."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("cards")))
    monkeypatch.delenv("HABANA_VISIBLE_MODULES", raising=False)


@pytest.fixture
def card(own_cards: None) -> Iterator[cards.Device]:
    with gaudi_mlir.device.open("gaudi2", capacity=64 * MIB, threads=2) as device:
        yield device


def test_launches(card: cards.Device, matmul: gaudi_mlir.Recipe) -> None:
    program = card.program(matmul)
    x, w = card.array(X, "x"), card.array(W)
    [y] = program.launch([x, w])
    assert (y.shape, y.dtype, y.nbytes, y.type) == ((2, 4), np.float32, 32, "2x4xf32")
    np.testing.assert_array_equal(y.numpy(), X @ W)
    out = card.empty((2, 4))
    assert program.launch({"w": w, "x": x}, {"y": out})[0] is out
    np.testing.assert_array_equal(out.numpy(), X @ W)
    x.fill(1)
    assert program.launch([x, w], [out]) == [out]
    np.testing.assert_array_equal(out.numpy(), np.ones_like(X) @ W)
    assert [(tensor.name, tensor.bytes, tensor.is_written) for tensor in program.tensors()] == [
        ("x", 24, False), ("w", 48, False), ("y", 32, True)]
    assert all(address.address % tensor.alignment == 0
               for address, tensor in zip((x, w, out), program.tensors()))
    assert program.time_ps() > 0


def test_element_types(card: cards.Device) -> None:
    for dtype in (np.float32, ml_dtypes.bfloat16, np.float16, ml_dtypes.float8_e4m3fn,
                  ml_dtypes.float8_e5m2, np.int8, np.uint16, np.int64, np.bool_):
        values = (np.arange(15).reshape(3, 5) % 2).astype(dtype)
        array = card.array(values)
        np.testing.assert_array_equal(array.numpy().view(np.uint8), values.view(np.uint8))
        array.fill(1)
        assert (array.numpy() == np.ones((3, 5), dtype)).all()
    recipe = gaudi_mlir.compile(transpose("i32"))
    [y] = card.program(recipe).launch([card.array(np.arange(15, dtype=np.uint32).reshape(3, 5))])
    assert y.dtype == np.int32
    assert card.array(np.float32(3)).numpy().shape == ()
    assert card.empty((0, 4)).numpy().shape == (0, 4)
    assert card.allocate(100).type == "100xu8"


def test_copies_within_the_card_and_to_host_arrays(card: cards.Device) -> None:
    first, second = card.array(X), card.empty(X.shape)
    second.copy_from(first)
    host = np.zeros_like(X)
    second.copy_to(host)
    card.synchronize()
    np.testing.assert_array_equal(host, X)
    second.copy_from(first, blocking=True)
    assert card.default_stream.query()


def test_states(card: cards.Device, stateful: gaudi_mlir.Recipe) -> None:
    program = card.program(stateful)
    g = card.array(np.ones(4, np.float32))
    for inputs in ([None, g], {"g": g}, [g]):
        assert program.launch(inputs) == []
    assert program.state(0) == program.state(stateful.states[0].name) != 0
    with pytest.raises(gaudi_mlir.ArgumentError, match="is a state or constant"):
        program.launch([g, g])
    with pytest.raises(gaudi_mlir.ArgumentError, match="no state 'none'; states: "):
        program.state("none")


def test_streams_and_events(card: cards.Device, matmul: gaudi_mlir.Recipe) -> None:
    up, compute = card.stream("up"), cards.Stream(card, "compute", priority=1)
    x, y = card.empty((2, 3), stream=up), card.empty((2, 4), stream=compute)
    w = card.array(W, stream=up)
    x.copy_from(X, up)
    begin = up.record()
    compute.wait(begin)
    card.program(matmul).launch([x, w], [y], stream=compute)
    end = compute.record(card.event())
    end.synchronize()
    assert end.query() and compute.query()
    np.testing.assert_array_equal(y.numpy(compute), X @ W)
    time = begin.elapsed_ps(end)
    assert time >= card.program(matmul).time_ps() > 0
    assert begin.elapsed_time(end) == time / 1e9
    assert end.elapsed_ps(begin) == -time
    x.record_stream(compute)
    assert repr(up) == "<gaudi_mlir.device.Stream 'up'>"
    card.advance_host(10**12)
    assert up.query()
    with pytest.raises(gaudi_mlir.ArgumentError, match="never been recorded"):
        up.wait(card.event())


def test_host_memory_lives_as_long_as_its_copy(card: cards.Device) -> None:
    class Array(np.ndarray):
        pass

    up, compute = card.stream("up"), card.stream("compute")
    x = card.empty(X.shape)
    host = X.copy().view(Array)
    watch = weakref.ref(host)
    x.copy_from(host, up)
    del host
    gc.collect()
    assert watch() is not None
    # Waiting for what waited for the copy is waiting for the copy.
    compute.wait(up.record())
    compute.record().synchronize()
    gc.collect()
    assert watch() is None


def test_functions_of_the_host(card: cards.Device) -> None:
    stream = card.stream()
    seen: list[object] = []
    for number in range(20):
        stream.call(lambda number=number: seen.append(number))
    stream.call(lambda: seen.append(threading.current_thread()))
    stream.synchronize()
    assert seen[:20] == list(range(20))

    def fails() -> None:
        raise KeyError("mine")

    stream.call(fails)
    stream.call(lambda: seen.append("after"))
    other = card.stream()
    other.synchronize()  # is not its error
    with pytest.raises(KeyError, match="mine") as raised:
        stream.synchronize()
    assert raised.traceback[-1].name == "fails"
    stream.synchronize()
    assert seen[-1] == "after"
    errors: list[Exception] = []

    def waits() -> None:
        try:
            stream.synchronize()
        except gaudi_mlir.Error as error:
            errors.append(error)

    stream.call(waits)
    card.synchronize()
    assert "would wait for itself" in str(errors[0])
    with pytest.raises(gaudi_mlir.ArgumentError, match="3 is an int, which cannot be called"):
        stream.call(3)  # type: ignore[arg-type]


def test_functions_go_when_they_have_run(card: cards.Device) -> None:
    class Function:
        def __call__(self) -> None:
            pass

    function = Function()
    watch = weakref.ref(function)
    card.default_stream.call(function)
    del function
    card.synchronize()
    gc.collect()
    assert watch() is None


def test_graphs(card: cards.Device, matmul: gaudi_mlir.Recipe) -> None:
    program = card.program(matmul)
    up, compute = card.stream("up"), card.stream("compute")
    host = X.copy()
    x, w, y = card.empty(X.shape), card.array(W), card.empty((2, 4))
    card.synchronize()
    with up.capture() as graph:
        x.copy_from(host, up)
        compute.wait(up.record())
        program.launch([x, w], [y], stream=compute)
        up.wait(compute.record())
        with pytest.raises(gaudi_mlir.ArgumentError, match="replay it after the block"):
            graph.replay()
        with pytest.raises(gaudi_mlir.ArgumentError, match="cannot be captured"):
            up.synchronize()
        with pytest.raises(gaudi_mlir.ArgumentError, match="cannot be captured"):
            up.call(print)
    assert graph.size == 2
    y.fill(0)
    card.synchronize()
    graph.replay()
    np.testing.assert_array_equal(y.numpy(up), X @ W)
    host[:] = 2 * X
    graph.replay(compute)
    np.testing.assert_array_equal(y.numpy(compute), 2 * X @ W)
    other = card.empty((2, 4))
    y.fill(0, compute)
    graph.replay(compute, {y: other})
    np.testing.assert_array_equal(other.numpy(compute), 2 * X @ W)
    assert not y.numpy(compute).any()
    # It keeps the arrays that it uses.
    del x, w, host
    gc.collect()
    graph.replay(compute)
    np.testing.assert_array_equal(y.numpy(compute), 2 * X @ W)


def test_a_capture_that_fails_is_no_graph(card: cards.Device) -> None:
    stream, x = card.stream(), card.empty((4,))
    with pytest.raises(ZeroDivisionError):
        with stream.capture() as graph:
            x.fill(1, stream)
            raise ZeroDivisionError
    with pytest.raises(gaudi_mlir.ArgumentError, match="replay it after the block"):
        graph.size
    with stream.capture() as graph:
        temporary = card.empty((4,), stream=stream)
        temporary.fill(3, stream)
        x.copy_from(temporary, stream)
        del temporary
    graph.replay(stream)
    np.testing.assert_array_equal(x.numpy(stream), np.full(4, 3, np.float32))


def test_memory_statistics(card: cards.Device) -> None:
    before = card.memory_stats()
    names = ["Limit", "InUse", "MaxInUse", "NumAllocs", "NumFrees", "ActiveAllocs", "MaxAllocSize",
             "TotalSystemAllocs", "TotalSystemFrees", "TotalActiveAllocs", "limit", "in_use",
             "persistent", "workspace", "last_workspace", "future", "max_cntgs_chunk",
             "max_in_use", "num_allocs", "num_free", "max_alloc_size", "active_allocs"]
    assert set(names) <= before.keys()
    assert before["Limit"] == before["limit"] <= card.capacity == 64 * MIB
    array = card.empty((MIB,), np.float32, "big")
    now = card.memory_stats()
    assert now["InUse"] - before["InUse"] >= 4 * MIB
    assert now["NumAllocs"] == before["NumAllocs"] + 1
    assert now["ActiveAllocs"] == before["ActiveAllocs"] + 1
    assert now["MaxAllocSize"] >= 4 * MIB
    assert now["persistent"] == now["InUse"] - now["workspace"]
    blocks = card.memory_blocks()
    assert [block.begin for block in blocks] == [
        sum(block.bytes for block in blocks[:i]) for i in range(len(blocks))]
    [big] = [block for block in blocks if block.name == "big"]
    assert (big.state, big.requested, big.shape) == ("in use", 4 * MIB, f"{MIB}xf32")
    assert big.where.startswith("test_device.py:") and not big.is_small
    assert {block.state for block in blocks} <= {"free", "pending", "in use"}
    del array
    assert not [block for block in card.memory_blocks()
                if block.name == "big" and block.state == "in use"]
    after = card.memory_stats()
    assert after["InUse"] == before["InUse"]
    assert after["NumFrees"] == before["NumFrees"] + 1
    assert after["MaxInUse"] == now["InUse"]
    card.reset_peak_memory()
    assert card.memory_stats()["MaxInUse"] == 0
    card.reset_accumulated_memory()
    assert card.memory_stats()["NumAllocs"] == 0
    assert card.memory_summary().splitlines()[1].split()[0] == "InUse:"


def test_a_full_card_says_who_has_its_memory(card: cards.Device) -> None:
    held = []
    with pytest.raises(gaudi_mlir.DeviceMemoryError) as raised:
        while True:
            held.append(card.empty((4 * MIB,), np.uint8, "activation"))
    text = str(raised.value)
    assert "out of device memory: Allocation failed for size::4194304" in text
    assert "'activation' 4194304xu8 (allocated at test_device.py:" in text
    del held[::2]
    assert card.empty((4 * MIB,), np.uint8).nbytes == 4 * MIB


def test_clock(card: cards.Device, matmul: gaudi_mlir.Recipe) -> None:
    program, x, w = card.program(matmul), card.array(X), card.array(W)
    program.launch([x, w])[0].numpy()
    clock = card.clock()
    assert list(clock.queues) == ["MME", "TPC", "DMA", "NIC", "host", "copy up", "copy down"]
    for queue in clock.queues.values():
        assert queue.busy_ps + queue.idle_ps == clock.elapsed_ps
    assert clock.queues["MME"].busy_ps > 0 and clock.queues["copy up"].busy_ps > 0
    assert clock.elapsed_ms == clock.elapsed_ps / 1e9
    assert "elapsed" in repr(clock) and "MME" in repr(clock)
    before = clock.host_ps
    card.advance_host(5_000_000)
    assert card.clock().host_ps == before + 5_000_000
    with pytest.raises(gaudi_mlir.ArgumentError, match="goes forward"):
        card.advance_host(-1)
    with pytest.raises(gaudi_mlir.ArgumentError, match="to more than 53 days"):
        card.advance_host(2**63 - 1)
    assert card.clock().host_ps == before + 5_000_000


def test_compilations_are_no_host_time() -> None:
    with gaudi_mlir.device.open(capacity=64 * MIB, host_clock="measured") as device:
        model = transpose("f32", 8, 32)
        for work in (gaudi_mlir.compile, gaudi_mlir.find_max_batch):
            before, begin = device.clock().host_ps, time.thread_time_ns()
            work(model)
            spent = time.thread_time_ns() - begin
            assert device.clock().host_ps - before < 1000 * spent / 2, work


def test_host_time_is_a_table_or_measured(matmul: gaudi_mlir.Recipe) -> None:
    def host_time(clock: str) -> int:
        with gaudi_mlir.device.open(capacity=64 * MIB, host_clock=clock) as device:
            program, x, w = device.program(matmul), device.array(X), device.array(W)
            for _ in range(3):
                program.launch([x, w])
            sum(range(1_000_000))
            device.synchronize()
            return device.clock().host_ps
    assert host_time("table") == host_time("table")
    assert host_time("measured") > 10**9  # of the sum alone


def test_events_of_the_host() -> None:
    with gaudi_mlir.device.open(capacity=64 * MIB, event_clock="host") as device:
        stream = device.default_stream
        begin = stream.record()
        stream.call(lambda: time.sleep(0.02))  # no time of the card
        end = stream.record()
        assert begin.elapsed_time(end) > 15


def test_in_place(card: cards.Device) -> None:
    text = """func.func @main(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
        %r = tosa.add %x, %y : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
        return %r : tensor<3x5xf32> }"""
    program = card.program(gaudi_mlir.compile(text))
    assert program.may_alias(0, 0) and program.may_alias("arg1", "out0")
    x, y = card.array(np.ones((3, 5), np.float32)), card.array(np.full((3, 5), 2, np.float32))
    for _ in range(3):
        assert program.launch([x, y], [x]) == [x]
    np.testing.assert_array_equal(x.numpy(), np.full((3, 5), 7, np.float32))
    with pytest.raises(gaudi_mlir.ArgumentError, match="has no input 'z'"):
        program.may_alias("z", 0)
    assert not card.program(gaudi_mlir.compile(transpose("f32"))).may_alias(0, 0)


def test_pinned_memory(card: cards.Device) -> None:
    host = card.pinned((2, 3))
    host[:] = X
    x = card.empty(X.shape)
    before = card.clock().host_ps
    x.copy_from(host)
    pinned = card.clock().host_ps - before
    x.copy_from(X)
    assert card.clock().host_ps - before - pinned > pinned  # the driver copied it, too
    out = card.pinned((2, 3), np.float32)
    x.copy_to(out, blocking=True)
    np.testing.assert_array_equal(out, X)
    assert card.pinned((0, 4), np.int8).shape == (0, 4)
    assert card.pinned(3, ml_dtypes.bfloat16).dtype == ml_dtypes.bfloat16
    with pytest.raises(gaudi_mlir.ArgumentError, match="-1"):
        card.pinned((-1,))
    # Arrays stay when the card is closed, which is free once they have gone.
    card.close()
    assert host[1, 2] == 5
    with pytest.raises(gaudi_mlir.ArgumentError, match="closed"):
        card.pinned(1)


def test_seeds(card: cards.Device) -> None:
    seed, offset = card.empty((1,), np.int64), card.empty((), np.int64)
    stream = card.default_stream

    def drawn() -> tuple[int, int]:
        return int(seed.numpy()[0]), int(offset.numpy())

    card.seed(-7)
    stream.draw_seed(seed, offset, 3)
    assert drawn() == (-7, 0)
    with stream.capture() as graph:
        stream.draw_seed(seed, offset)
    for expected in (3, 4):
        graph.replay()
        assert drawn() == (-7, expected)
    card.seed(np.uint64((1 << 64) - 9))  # as PyTorch's
    stream.draw_seed(seed, offset)
    assert drawn() == (-9, 0)
    with pytest.raises(gaudi_mlir.ArgumentError, match="not into 2xi64"):
        stream.draw_seed(card.empty((2,), np.int64), offset)


def test_graphs_may_free_between_replays(card: cards.Device, matmul: gaudi_mlir.Recipe) -> None:
    program, x, w, out = card.program(matmul), card.array(X), card.array(W), card.empty((2, 4))
    before = card.memory_stats()["InUse"]
    with card.default_stream.capture() as graph:
        y = card.allocate(4 * MIB)
        [result] = program.launch([x, w])
        out.copy_from(result)
        y.fill(0)
        del y, result
    assert card.memory_stats()["InUse"] > before + 4 * MIB
    graph.free_between_replays()
    assert card.memory_stats()["InUse"] == before
    taken = card.array(np.ones(MIB, np.float32))
    graph.replay()
    np.testing.assert_array_equal(out.numpy(), X @ W)
    assert taken.numpy().all()


def test_trace(card: cards.Device, matmul: gaudi_mlir.Recipe, tmp_path) -> None:
    program, x, w = card.program(matmul, "product"), card.array(X), card.array(W)
    file = tmp_path / "trace.json"
    with card.trace(file):
        program.launch([x, w])
        with pytest.raises(gaudi_mlir.ArgumentError, match="a trace of the device is under way"):
            with card.trace(file):
                pass
    names = {event.get("name") for event in json.loads(file.read_text())["traceEvents"]}
    assert {"product", "Launch"} <= names
    with pytest.raises(gaudi_mlir.FileError):
        with card.trace(tmp_path / "none" / "trace.json"):
            pass


def test_wrong_arguments(card: cards.Device, matmul: gaudi_mlir.Recipe,
                         two_entries: gaudi_mlir.Recipe, dynamic: gaudi_mlir.Recipe) -> None:
    program, x, w = card.program(matmul), card.array(X), card.array(W)

    def refused(pattern: str, function, *arguments, **named) -> None:
        with pytest.raises(gaudi_mlir.ArgumentError, match=pattern):
            function(*arguments, **named)

    refused("'x' has elements of type float64; expected float32",
            card.empty((2,), name="x").copy_from, np.ones(2))
    refused(r"'values' has shape \(3,\); expected 2xf32", card.empty((2,)).copy_from,
            np.ones(3, np.float32))
    refused("'values' is not dense", card.empty((2,)).copy_from, np.ones(4, np.float32)[::2])
    refused("'values' is a list, which is not an array", card.empty((2,)).copy_from, [1.0, 2.0])
    refused("is a numpy.ndarray that cannot be written", x.copy_to,
            np.broadcast_to(np.float32(0), (2, 3)))
    refused("cannot copy an array of 3x4xf32 to one of 2x3xf32: give both", x.copy_from, w)
    refused("no elements of type float64", card.empty, (2,), np.float64)
    refused("has a negative size", card.empty, (2, -1))
    for make in (card.empty, card.pinned):
        for size in (int, np.int64):
            refused("has more bytes than 64 bits can count", make, (size(1 << 32), size(1 << 30)))
    for seed in (1 << 64, -(1 << 63) - 1, 1.5):
        refused(rf"seed={seed}; expected a whole number from -2\*\*63 to 2\*\*64 - 1", card.seed, seed)
    refused("input 'x' is a numpy.ndarray; expected a DeviceArray of 2x3xf32", program.launch,
            [X, w])
    refused("input 'x' is an array of 3x4xf32; expected 2x3xf32", program.launch, [w, w])
    refused("output 'y' is an array of 2x4xbf16; expected 2x4xf32", program.launch, [x, w],
            [card.empty((2, 4), ml_dtypes.bfloat16)])
    refused("no array for input 'w'", program.launch, {"x": x})
    refused("has no input 'z'; its inputs: 'x', 'w'", program.launch, {"z": x})
    refused("1 input given, but entry 'main' expects 2", program.launch, [x])
    refused("inputs must be a list or tuple", program.launch, x)
    refused("no entry 'none'", program.launch, [x, w], entry="none")
    refused("has 2 entries; choose one", card.program(two_entries).launch, [x])
    refused("is .x4xf32, so that an address", card.program(dynamic).launch, [x])
    with pytest.raises(gaudi_mlir.RecipeError, match="is for gaudi3, the device is a gaudi2"):
        card.program(gaudi_mlir.compile(transpose("f32"), device="gaudi3"))
    refused("host_clock='mine'; expected 'table' or 'measured'", gaudi_mlir.device.open,
            host_clock="mine")
    refused("event_clock='mine'; expected 'card' or 'host'", gaudi_mlir.device.open,
            event_clock="mine")
    refused("gaudi9", gaudi_mlir.device.open, "gaudi9")
    refused("there is no card|no card 4294967295|is no card", gaudi_mlir.device.open,
            module=2**32 - 1)
    refused("capacity is 'x'; expected bytes", gaudi_mlir.device.open, capacity="x")
    with gaudi_mlir.device.open(capacity=64 * MIB) as second:
        foreign = second.array(X)
        refused("of another device", second.stream().record, card.event())
        refused("another device", card.empty, (2,), stream=second.stream())
        refused("loaded on another device", program.launch, [x, w], [card.empty((2, 4))],
                stream=second.stream())
        refused("input 'x' is in the memory of another device than the program", program.launch,
                [foreign, w])
    np.testing.assert_array_equal(program.launch([x, w])[0].numpy(), X @ W)


def test_a_closed_device(matmul: gaudi_mlir.Recipe) -> None:
    device = gaudi_mlir.device.open(capacity=64 * MIB)
    module = device.module
    program, x, event = device.program(matmul), device.array(X), device.event()
    stream = device.stream()
    with stream.capture() as graph:
        x.fill(0, stream)
    ran: list[int] = []
    device.default_stream.call(lambda: ran.append(1))
    device.close()
    device.close()
    assert ran == [1] and device.is_closed and "closed" in repr(device)
    for call in (lambda: device.empty((2,)), device.synchronize, device.memory_stats,
                 device.memory_summary, device.clock, lambda: device.kind, lambda: x.address,
                 x.numpy, lambda: program.launch([x, x]), program.tensors, event.query,
                 stream.synchronize, stream.query, graph.replay, device.event, device.stream,
                 lambda: device.program(matmul)):
        with pytest.raises(gaudi_mlir.ArgumentError, match="the device is closed, .* read its arrays "
                                                            "before, or open another"):
            call()
    del x
    with gaudi_mlir.device.open(capacity=64 * MIB) as again:
        assert again.module == module


def test_a_failing_launch_is_the_error_of_who_waits(card: cards.Device) -> None:
    program = card.program(gaudi_mlir.compile("""
func.func @main(%t: tensor<10xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%i : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %n = arith.index_cast %in : i32 to index
    %v = tensor.extract %t[%n] : tensor<10xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}"""))
    table, right = card.array(np.arange(10, dtype=np.float32)), np.arange(4, dtype=np.int32)
    [y] = program.launch([table, card.array(right)])
    np.testing.assert_array_equal(y.numpy(), right)
    wrong = card.array(np.full(4, 10, np.int32))
    for wait in (y.numpy, card.default_stream.synchronize, card.synchronize):
        program.launch([table, wrong], [y])
        with pytest.raises(gaudi_mlir.LaunchError, match="index 10 is out of bounds"):
            wait()
    program.launch([table, card.array(right)], [y])
    np.testing.assert_array_equal(y.numpy(), right)


def test_cards_of_one_process(own_cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with gaudi_mlir.device.open(module=3, capacity=64 * MIB) as third, \
            gaudi_mlir.device.open("gaudi3", capacity=64 * MIB) as first:
        assert (third.module, first.module) == (3, 0)
        assert first.kind == "gaudi3" and "gaudi3, card 0" in repr(first)
        with pytest.raises(gaudi_mlir.UnavailableError, match="busy: this process has it; close "):
            gaudi_mlir.device.open(module=3)
        program = "import gaudi_mlir.device as d; print(d.open(capacity=1 << 26).module)"
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert ran.stdout == "1\n", ran.stderr
    monkeypatch.setenv("HABANA_VISIBLE_MODULES", "5")
    with gaudi_mlir.device.open(capacity=64 * MIB) as only:
        assert only.module == 5


def test_threads(card: cards.Device, matmul: gaudi_mlir.Recipe) -> None:
    program, w = card.program(matmul), card.array(W)
    failures: list[BaseException] = []
    calls: list[int] = []

    def work(seed: int) -> None:
        try:
            stream = card.stream(f"stream of {seed}")
            for step in range(30):
                values = X * (seed + step)
                x = card.empty(X.shape, stream=stream)
                x.copy_from(values, stream)
                stream.call(lambda: calls.append(seed))
                [y] = program.launch([x, w], stream=stream)
                del x
                np.testing.assert_array_equal(y.numpy(stream), values @ W)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    assert not failures, failures[0]
    assert len(calls) == 240


def test_a_thread_that_closes_it(matmul: gaudi_mlir.Recipe) -> None:
    device = gaudi_mlir.device.open(capacity=64 * MIB)
    program, x, w = device.program(matmul), device.array(X), device.array(W)
    stop: list[str] = []

    def work() -> None:
        try:
            while True:
                program.launch([x, w])
                device.synchronize()
        except gaudi_mlir.ArgumentError as error:
            stop.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    device.close()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert len(stop) == 3 and all("closed" in each for each in stop)


def test_a_child_of_fork_has_no_device(card: cards.Device, matmul: gaudi_mlir.Recipe) -> None:
    program, x, w = card.program(matmul), card.array(X), card.array(W)
    event = card.default_stream.record()
    card.synchronize()
    child = os.fork()
    if child == 0:
        import signal
        signal.alarm(60)
        refused = 0
        calls = (lambda: program.launch([x, w]), x.numpy, card.synchronize, card.memory_stats,
                 card.memory_summary, card.clock, lambda: card.empty((2,)),
                 event.synchronize, event.query, lambda: event.elapsed_ps(event),
                 card.stream, card.event, lambda: card.advance_host(1), card.reset_peak_memory)
        for call in calls:
            try:
                call()
            except gaudi_mlir.UnavailableError as error:
                refused += "before fork() made this process" in str(error)
            except BaseException as error:  # told by the exit status
                print(repr(error), file=sys.stderr)
        del x
        own = 0
        try:
            with gaudi_mlir.device.open(capacity=64 * MIB) as mine:
                own = int((mine.program(matmul).launch([mine.array(X), mine.array(W)])[0].numpy()
                           == X @ W).all())
        except BaseException as error:
            print(repr(error), file=sys.stderr)
        os._exit(0 if refused == len(calls) and own else 100 + refused)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    np.testing.assert_array_equal(program.launch([x, w])[0].numpy(), X @ W)


def test_work_at_exit() -> None:
    program = """
import numpy as np, gaudi_mlir.device
device = gaudi_mlir.device.open(capacity=1 << 26)
x = device.array(np.ones(4, np.float32))
device.default_stream.call(lambda: print("ran", flush=True))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         timeout=120)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "ran\n", "")


def test_sleeping_devices_are_named() -> None:
    assert gaudi_mlir.device is cards
    assert "device" in dir(gaudi_mlir)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that compile ops, call compiled functions and train at the same time."""
import copy
import random
import threading
import time

import pytest
import torch
import torch.nn.functional as F
from habana_frameworks.torch import _C
from torch.fx.experimental.proxy_tensor import make_fx

from gaudi_mlir.torch.tracing import tracing


def together(*calls):
    """Calls functions in threads of their own; raises what the first of them raises."""
    errors = []

    def guarded(call):
        try:
            call()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(call,), daemon=True) for call in calls]
    for each in threads:
        each.start()
    for each in threads:
        each.join(200)
        assert not each.is_alive()
    if errors:
        raise errors[0]


def test_compiled_functions_are_called_while_an_op_is_traced():
    compiled = torch.compile(lambda x: x + 1, backend="hpu_backend")
    layer = torch.nn.Linear(2, 2)
    methods = torch.nn.Module.__call__, torch.nn.Module.__getattr__
    x = torch.ones(2, device="hpu")
    together(lambda: compiled(x))  # it is compiled for the state that new threads have
    results = []

    def traced(y):
        def call():
            assert (torch.nn.Module.__call__, torch.nn.Module.__getattr__) == methods
            results.append(compiled(x).tolist() + layer(torch.zeros(2)).tolist())
        together(call)
        return y * 2

    with tracing():
        graph = make_fx(traced)(torch.ones(2))
    assert results == [[2, 2, *layer.bias.tolist()]]
    assert graph(torch.ones(2)).tolist() == [2, 2]


@pytest.mark.parametrize("seconds", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_threads_compute_what_one_does(seconds):
    end = time.monotonic() + seconds
    done = dict.fromkeys(("eager", "compiled", "steps", "compiled steps"), 0)
    ops = [
        lambda x, y: (x * y + 1.5).relu().sum(0), lambda x, y: x @ y, lambda x, y: x.softmax(-1),
        lambda x, y: torch.cat([x, y[None]]), lambda x, y: (x > 0).nonzero(), lambda x, y: x[x > 0],
        lambda x, y: x.sort(-1)[0], lambda x, y: x * (len(y) / 7) + len(y), lambda x, y: x.unique(),
        lambda x, y: x.clone().add_(y, alpha=0.1 * len(x)),
        lambda x, y: x.double().cumsum(0).float(),
    ]

    def same(function, call, *operands):
        torch.testing.assert_close(call(*(each.to("hpu") for each in operands)).cpu(),
                                   function(*operands), rtol=1e-4, atol=1e-5)

    def eager(seed):
        draw = random.Random(seed)
        while time.monotonic() < end:
            function = draw.choice(ops)
            same(function, function, torch.randn(draw.randint(1, 40), 9), torch.randn(9))
            done["eager"] += 1

    def compiled():
        while time.monotonic() < end:
            def function(x, y):
                return torch.tanh(x) * y + x.sum(0)
            torch._dynamo.reset_code(function.__code__)
            call = torch.compile(function, backend="hpu_backend", dynamic=False)
            x = torch.randn(random.randint(1, 60), 5)
            for _ in range(20):
                same(function, call, x, torch.randn(5))
            done["compiled"] += 1

    def train(name, compile):
        while time.monotonic() < end:
            width = random.randint(3, 50)
            model = torch.nn.Sequential(torch.nn.Linear(8, width), torch.nn.GELU(),
                                        torch.nn.LayerNorm(width), torch.nn.Linear(width, 4))
            there = copy.deepcopy(model).to("hpu")
            calls = [model, compile(there)]
            optimizers = [torch.optim.AdamW(each.parameters(), 1e-2) for each in (model, there)]
            for _ in range(6):
                x, labels = torch.randn(16, 8), torch.randint(0, 4, (16,))
                losses = []
                for call, optimizer, device in zip(calls, optimizers, ("cpu", "hpu")):
                    optimizer.zero_grad()
                    loss = F.cross_entropy(call(x.to(device)), labels.to(device))
                    loss.backward()
                    optimizer.step()
                    losses.append(loss.item())
                assert losses[1] == pytest.approx(losses[0], rel=1e-2, abs=1e-2)
            done[name] += 1

    together(lambda: eager(0), lambda: eager(1), compiled, lambda: train("steps", lambda m: m),
             lambda: train("compiled steps",
                           lambda m: torch.compile(m, backend="hpu_backend", dynamic=False)))
    assert all(done.values()), done


def test_a_backward_pass_takes_the_time_of_its_caller():
    layers = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(6)]).to("hpu")
    x = torch.ones(4, 8, device="hpu")

    def host_time() -> int:
        """Of the calling thread for a backward pass, in picoseconds."""
        for _ in range(2):  # the first one meets parameters without gradients
            loss = layers(x).sum()
            before = _C.clock(-1)["host"]
            loss.backward()
            time = _C.clock(-1)["host"] - before
        return time

    time = host_time()
    with torch.autograd.set_multithreading_enabled(False):
        assert time == pytest.approx(host_time(), rel=0.01)
    assert time > 0

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HPU graphs: captures, replays, and what is made of them, against eager mode and the CPU."""
import copy
import re
import warnings

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import habana_frameworks.torch as ht
import habana_frameworks.torch.core as htcore
from habana_frameworks.torch import _C


def capture(function):
    """The graph of a call, which has not run, and what it returns."""
    graph = ht.hpu.HPUGraph()
    graph.capture_begin(dry_run=True)
    made = function()
    graph.capture_end()
    return graph, made


class TestCapture:
    def test_replay_reads_what_inputs_hold(self):
        x, y = torch.randn(3, 4).to("hpu"), torch.zeros(3, 4, device="hpu")
        graph, z = capture(lambda: torch.relu(x + y) * 2)
        for _ in range(3):
            x.copy_(torch.randn(3, 4))
            y.copy_(torch.randn(3, 4))
            graph.replay()
            assert torch.equal(z.cpu(), torch.relu(x.cpu() + y.cpu()) * 2)

    def test_work_runs_once_unless_dry(self):
        x = torch.zeros(2, device="hpu")
        graph = ht.hpu.HPUGraph()
        graph.capture_begin()
        x.add_(1)
        graph.capture_end()
        assert x.cpu().tolist() == [1, 1]
        capture(lambda: x.add_(1))
        assert x.cpu().tolist() == [1, 1]
        graph.replay(asynchronous=True)
        assert x.cpu().tolist() == [2, 2]

    def test_on_a_stream(self):
        stream, x = ht.hpu.Stream(), torch.ones(4, device="hpu")
        graph = ht.hpu.HPUGraph()
        with ht.hpu.stream(stream):
            graph.capture_begin()
            y = x + 1
            htcore.mark_step()
            z = y * 3
            graph.capture_end()
        ht.hpu.current_stream().wait_stream(stream)
        x.fill_(2)
        graph.replay()
        assert z.cpu().tolist() == [9] * 4

    def test_streams_that_wait_take_part(self):
        side, x = ht.hpu.Stream(), torch.ones(4, device="hpu")

        def work():
            here = ht.hpu.current_stream()
            y = x + 1
            side.wait_stream(here)
            with ht.hpu.stream(side):
                z = F.dropout(torch.ones(64, device="hpu"))
                w = y * 2
            here.wait_stream(side)
            return w + 1, z
        graph, (w, z) = capture(work)
        graph.replay()
        first = z.cpu()
        x.fill_(3)
        graph.replay()
        assert w.cpu().tolist() == [9] * 4
        assert not torch.equal(first, z.cpu())

    def test_memory_is_the_graphs(self):
        x = torch.ones(1000, device="hpu")
        graph, y = capture(lambda: (x + 1) * 2 + 3)
        inner = {each["address"] for each in _blocks_in_use()}
        others = [torch.zeros(1000, device="hpu") for _ in range(20)]
        graph.replay()
        assert y.cpu().tolist() == [7] * 1000
        assert all(each.cpu().sum() == 0 for each in others)
        assert {each["address"] for each in _blocks_in_use()} >= inner
        before = torch.hpu.memory_allocated()
        graph.reset()
        del y
        assert torch.hpu.memory_allocated() < before

    def test_inputs_that_are_gone_are_kept(self):
        x = torch.full((8,), 4.0, device="hpu")
        graph, y = capture(lambda: x * 2)
        del x
        others = [torch.zeros(8, device="hpu") for _ in range(20)]
        graph.replay()
        assert y.cpu().tolist() == [8] * 8 and len(others) == 20

    def test_values_of_the_host_are_those_of_the_capture(self):
        value = torch.tensor([1.0, 2.0])
        graph, y = capture(lambda: value.to("hpu") * 0 + value.to("hpu") + 1)
        value.fill_(100)
        graph.replay()
        graph.replay()
        assert y.cpu().tolist() == [2, 3]

    def test_pinned_memory_is_read_by_each_replay(self):
        value = torch.tensor([1.0, 2.0]).pin_memory()
        graph, y = capture(lambda: value.to("hpu", non_blocking=True) + 1)
        value.fill_(7)
        graph.replay()
        assert y.cpu().tolist() == [8, 8]

    def test_random_ops_draw_as_eager_mode(self):
        x = torch.ones(256, device="hpu")

        def draw():
            return F.dropout(x), torch.rand(8, device="hpu"), x.clone().normal_()
        graph, made = capture(draw)
        torch.manual_seed(3)
        graph.replay()
        first = [each.cpu() for each in made]
        graph.replay()
        drawn = [each.cpu() for each in made]
        assert not any(torch.equal(a, b) for a, b in zip(first, drawn))
        torch.manual_seed(3)
        assert all(torch.equal(a, b.cpu()) for a, b in zip(first, draw()))
        assert all(torch.equal(a, b.cpu()) for a, b in zip(drawn, draw()))

    def test_compiled_functions(self):
        @torch.compile(backend="hpu_backend")
        def f(x):
            return F.dropout(torch.sin(x) + 2, training=True)
        x = torch.randn(128).to("hpu")
        f(x)
        graph, y = capture(lambda: f(x))
        assert len(graph) >= 1
        graph.replay()
        first = y.cpu()
        graph.replay()
        second = y.cpu()
        assert not torch.equal(first, second)
        expected = 2 * (torch.sin(x.cpu()) + 2)
        kept = second != 0
        torch.testing.assert_close(second[kept], expected[kept])

    def test_compiles_in_a_capture(self):
        torch._dynamo.reset()
        f = torch.compile(lambda x: torch.cos(x) @ x.t(), backend="hpu_backend")
        x = torch.randn(3, 5).to("hpu")
        graph, y = capture(lambda: f(x))
        graph.replay()
        torch.testing.assert_close(y.cpu(), torch.cos(x.cpu()) @ x.cpu().t())

    def test_whole_training_step(self):
        torch.manual_seed(1)
        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
        card = copy.deepcopy(model).to("hpu")
        x, t = torch.randn(4, 8), torch.randn(4, 2)
        xs, ts = x.to("hpu"), t.to("hpu")
        optimizers = [torch.optim.SGD(each.parameters(), 0.1, momentum=0.9)
                      for each in (model, card)]

        def step(network, optimizer, x, t):
            optimizer.zero_grad(set_to_none=True)
            loss = F.mse_loss(network(x), t)
            loss.backward()
            optimizer.step()
            return loss
        step(card, optimizers[1], xs, ts)  # the momentum's memory
        graph, loss = capture(lambda: step(card, optimizers[1], xs, ts))
        step(model, optimizers[0], x, t)
        for _ in range(10):
            x, t = torch.randn(4, 8), torch.randn(4, 2)
            xs.copy_(x)
            ts.copy_(t)
            graph.replay()
            torch.testing.assert_close(loss.cpu(), step(model, optimizers[0], x, t).detach())


def _blocks_in_use():
    return [block for segment in torch.hpu.memory.memory_snapshot() for block in segment["blocks"]
            if block["state"] == "active_allocated"]


class TestRefused:
    @pytest.mark.parametrize("read", [
        lambda x: x.sum().item(), lambda x: x.cpu(), lambda x: bool((x > 0).all()), print,
        lambda x: x.nonzero(), lambda x: torch.equal(x, x + 1)])
    def test_reads_name_the_line(self, read):
        x = torch.ones(3, device="hpu")
        graph = ht.hpu.HPUGraph()
        with pytest.raises(RuntimeError, match=r"a read of a tensor of the card by the host .* is "
                           r"not supported during HPU Graph capturing: .*test_graphs\.py:\d+"):
            with ht.hpu.graph(graph):
                read(x)
        with ht.hpu.graph(graph):
            y = x + 1
        assert y.cpu().tolist() == [2, 2, 2]

    def test_the_cpu_names_op_and_line(self):
        x = torch.eye(3, device="hpu")
        with pytest.raises(RuntimeError, match=r"aten::_linalg_eigvals, which runs on the CPU \(.*"
                           r"\), is not supported during HPU Graph capturing: .*:\d+"):
            with ht.hpu.graph(ht.hpu.HPUGraph()):
                torch.linalg.eigvals(x)

    def test_waits(self):
        with pytest.raises(RuntimeError, match="cannot be captured"):
            with ht.hpu.graph(ht.hpu.HPUGraph()):
                torch.hpu.synchronize()

    def test_a_replay(self):
        x = torch.ones(3, device="hpu")
        graph, _ = capture(lambda: x + 1)
        with pytest.raises(RuntimeError, match="a replay is not supported during HPU Graph"):
            with ht.hpu.graph(ht.hpu.HPUGraph()):
                graph.replay()

    def test_order_of_calls(self):
        graph = ht.hpu.HPUGraph()
        with pytest.raises(RuntimeError, match="is not being captured; capture_begin"):
            graph.capture_end()
        with pytest.raises(TypeError, match="takes a torch.nn.Module, got function; a "
                                            "function goes through wrap_in_hpu_graph_func"):
            ht.hpu.wrap_in_hpu_graph(lambda x: x)
        with pytest.raises(RuntimeError, match="the graph has not been captured; capture it first"):
            graph.replay()
        graph.capture_begin()
        with pytest.raises(RuntimeError, match="this graph is being captured; capture_end"):
            graph.capture_begin()
        with pytest.raises(RuntimeError, match="a capture is under way"):
            ht.hpu.HPUGraph().capture_begin()
        with pytest.raises(RuntimeError, match="the capture of the graph has not ended"):
            graph.replay()
        with pytest.raises(RuntimeError, match="reset: the graph is being captured"):
            graph.reset()
        with pytest.raises(RuntimeError, match="ends on the stream"), \
                ht.hpu.stream(ht.hpu.Stream()):
            graph.capture_end()
        graph.capture_end()
        with pytest.raises(RuntimeError, match="has been captured; reset"):
            graph.capture_begin()
        graph.destroy()
        graph.capture_begin()
        graph.capture_end()

    def test_a_graph_that_goes_ends_its_capture(self):
        graph = ht.hpu.HPUGraph()
        graph.capture_begin()
        del graph
        assert (torch.ones(2, device="hpu") + 1).cpu().tolist() == [2, 2]


class TestInputs:
    def test_replay_v2_copies(self):
        x, y = torch.zeros(3, device="hpu"), torch.zeros(3, device="hpu")
        graph, z = capture(lambda: x - y)
        graph.replayV2([x, y], [torch.full((3,), 5.0).to("hpu"), torch.ones(3).to("hpu")])
        assert z.cpu().tolist() == [4] * 3
        with pytest.raises(ValueError, match="2 inputs for 1 tensors"):
            graph.replayV2([x, y], [x])

    def test_replay_v3_checks_sizes(self):
        x, unused = torch.zeros(3, device="hpu"), torch.zeros(2, device="hpu")
        graph, y = capture(lambda: x + 1)
        with pytest.raises(RuntimeError, match="mark_user_inputs"):
            graph.replayV3([x])
        graph.mark_user_inputs([unused, x])
        assert graph.get_user_input_match_indices() == [1]
        graph.replayV3([unused, torch.ones(3, device="hpu")])
        assert y.cpu().tolist() == [2] * 3
        with pytest.raises(RuntimeError, match="Mark User Input Sizes is not same Replay Input"):
            graph.replayV3([unused, torch.ones(4, device="hpu")])
        graph.clear_inputs()
        with pytest.raises(RuntimeError, match="mark_user_inputs"):
            graph.replayV3([unused, x])

    def test_mark_user_outputs_frees_the_rest(self):
        x = torch.randn(100_000).to("hpu")

        def work():
            y = x
            for _ in range(4):
                y = torch.cos(y @ torch.ones(100_000, 1, device="hpu")) + y
            return y
        before = torch.hpu.memory_allocated()
        graph, y = capture(work)
        graph.replay()
        expected = y.cpu()
        kept = torch.hpu.memory_allocated()
        graph.mark_user_outputs([y])
        assert before < torch.hpu.memory_allocated() < kept
        y.zero_()
        graph.replay()
        assert torch.equal(y.cpu(), expected)


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 4)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x, other=None, twice=False):
        y = self.second(self.dropout(F.relu(self.first(x))))
        htcore.mark_step()
        if twice:
            y = y * 2
        return {"y": y, "flag": 7}, (y + other["z"] if other else y)


class TestInference:
    @pytest.mark.parametrize("options", [
        {}, {"disable_tensor_cache": True}, *(pytest.param(each, marks=pytest.mark.slow) for each in
                                              ({"dry_run": True}, {"asynchronous": True},
                                               {"max_graphs": 2}))])
    def test_wrapped_module(self, options):
        torch.manual_seed(0)
        plain = Network().to("hpu").eval()
        wrapped = ht.hpu.wrap_in_hpu_graph(copy.deepcopy(plain), **options)
        for _ in range(2):
            for size in (1, 3):
                for twice in (False, True):
                    x = torch.randn(size, 4).to("hpu")
                    z = torch.randn(4, size).to("hpu").t()
                    made = wrapped(x, {"z": z}, twice=twice)
                    expected = plain(x, {"z": z}, twice=twice)
                    assert torch.equal(made[0]["y"].cpu(), expected[0]["y"].detach().cpu())
                    assert torch.equal(made[1].cpu(), expected[1].detach().cpu())
                    assert made[0]["flag"] == 7

    def test_kinds_of_calls_have_graphs(self):
        calls = []

        def f(x, n, where=None):
            calls.append(n)
            return x * n
        wrapped = ht.hpu.wrap_in_hpu_graph_func(f)
        x = torch.ones(3, device="hpu")
        for each in (x, x + 1):
            assert wrapped(each, 2).cpu().tolist() == (each.cpu() * 2).tolist()
        assert calls == [2]
        wrapped(x, 3)
        wrapped(torch.ones(4, device="hpu"), 3)
        wrapped(x.to(torch.int32), 3)
        wrapped(x[:], 3)
        with torch.autocast("hpu", dtype=torch.bfloat16):
            wrapped(x, 3)
        assert calls == [2] + [3] * 5
        wrapped(x, 3, bypass_hpu_graphs=True)
        assert len(calls) == 7
        wrapped.clear_cache()
        wrapped(x, 3)
        assert len(calls) == 8

    @pytest.mark.parametrize("dry_run", [False, True])
    def test_a_call_that_reads_is_not_captured(self, dry_run):
        def f(x, y):
            y += 1
            return x * y if (x > 0).all() else x - y

        wrapped = ht.hpu.wrap_in_hpu_graph_func(f, dry_run=dry_run, max_graphs=1)
        y = torch.zeros(3, device="hpu")
        found = []
        with pytest.warns(UserWarning, match=r"runs op by op: a read .*test_graphs\.py:\d+") as said:
            for sign in (1, 1, -1):
                found.append(wrapped(torch.full((3,), 2.0 * sign, device="hpu"), y).tolist())
        assert found == [[2] * 3, [4] * 3, [-5] * 3]
        assert len(said) == 1

    def test_values_of_the_host_are_part_of_the_kind(self):
        wrapped = ht.hpu.wrap_in_hpu_graph_func(lambda x, n: x + n.to("hpu"))
        for value in (1.0, 2.0, 1.0):
            assert wrapped(torch.zeros(2, device="hpu"), torch.tensor(value)).cpu().tolist() == \
                [value] * 2

    @pytest.mark.parametrize("dry_run", [False, True])
    def test_written_inputs_are_the_callers(self, dry_run):
        def f(cache, x):
            cache.add_(x)
            return cache * 2
        wrapped = ht.hpu.wrap_in_hpu_graph_func(f, dry_run=dry_run)
        cache, total = torch.zeros(3, device="hpu"), 0
        for value in (1.0, 2.0, 3.0):
            made = wrapped(cache, torch.full((3,), value, device="hpu"))
            total += value
            assert cache.cpu().tolist() == [total] * 3 and made.cpu().tolist() == [2 * total] * 3

    def test_tensors_that_are_not_copied(self):
        wrapped = ht.hpu.wrap_in_hpu_graph_func(lambda x, cache: cache.add_(x))
        cache = torch.zeros(3, device="hpu")
        for _ in range(3):
            made = wrapped(torch.ones(3, device="hpu"), cache, cache_tensors_list=[cache])
        assert made.data_ptr() == cache.data_ptr() and cache.cpu().tolist() == [3] * 3

    def test_warm_up_does_not_replay(self):
        state = torch.zeros(1, device="hpu")
        wrapped = ht.hpu.wrap_in_hpu_graph_func(lambda x: state.add_(x), dry_run=True)
        x = torch.ones(1, device="hpu")
        wrapped(x, warmup_mode=True)
        wrapped(x, warmup_mode=True)
        assert state.cpu().item() == 0
        assert wrapped(x).cpu().item() == 1

    def test_inference_mode(self):
        plain = Network().to("hpu").eval()
        wrapped = ht.hpu.wrap_in_hpu_graph(copy.deepcopy(plain))
        for mode in (torch.inference_mode, torch.no_grad):
            with mode():
                x = torch.randn(2, 4).to("hpu")
                assert torch.equal(wrapped(x)[1].cpu(), plain(x)[1].cpu())

    def test_clear_inputs_frees_memory(self):
        wrapped = ht.hpu.wrap_in_hpu_graph(nn.ReLU(), disable_tensor_cache=True)
        x = torch.randn(1 << 20).to("hpu")
        y = wrapped(x).cpu()
        before = torch.hpu.memory_allocated()
        wrapped.clear_inputs()
        assert torch.hpu.memory_allocated() <= before - (4 << 20)
        assert torch.equal(wrapped(x).cpu(), y)

    def test_random_ops(self):
        wrapped = ht.hpu.wrap_in_hpu_graph(Network().to("hpu"))  # with dropout
        x = torch.randn(16, 4).to("hpu")
        assert not torch.equal(wrapped(x)[1].cpu(), wrapped(x)[1].cpu())


class TestTraining:
    @pytest.mark.parametrize("options", [{}, {"dry_run": True}, {"warmups": 2},
                                         {"disable_tensor_cache": True}])
    @pytest.mark.parametrize("accumulate", [1, 3])
    def test_graphed_callable_trains_as_eager_mode(self, options, accumulate):
        torch.manual_seed(2)
        plain = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2)).to("hpu")
        graphed = copy.deepcopy(plain)
        optimizers = [torch.optim.SGD(each.parameters(), 0.1) for each in (plain, graphed)]
        sample = torch.randn(3, 4).to("hpu").requires_grad_()
        ht.hpu.make_graphed_callables(graphed, (sample,), **options)
        for step in range(4):
            for _ in range(accumulate):
                x, t = torch.randn(3, 4).to("hpu"), torch.randn(3, 2).to("hpu")
                inputs = [x.clone().requires_grad_(step % 2 == 0) for _ in range(2)]
                losses = [F.mse_loss(each(given), t)
                          for each, given in zip((plain, graphed), inputs)]
                for each in losses:
                    each.backward()
                assert torch.equal(*(each.detach().cpu() for each in losses))
            for each in optimizers:
                each.step()
                each.zero_grad(set_to_none=step % 2 == 0)
        assert all(torch.equal(a.cpu(), b.cpu())
                   for a, b in zip(plain.parameters(), graphed.parameters()))

    def test_gradients_of_inputs(self):
        x = torch.randn(5).to("hpu").requires_grad_()
        f = ht.hpu.make_graphed_callables(lambda a, b: (torch.sin(a) * b, a + 1), (x, x.detach()))
        for _ in range(2):
            a = torch.randn(5).to("hpu").requires_grad_()
            b = torch.randn(5).to("hpu")
            one, two = f(a, b)
            (one.sum() + 3 * two.sum()).backward()
            torch.testing.assert_close(a.grad.cpu(), (torch.cos(a) * b + 3).detach().cpu())

    def test_other_mode_is_not_replayed(self):
        model = Network().to("hpu")
        model.dropout.p = 0.999
        calls = []
        model.second.forward = lambda x, run=model.second.forward: calls.append(0) or run(x)

        class First(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = model

            def forward(self, x):
                return self.inner(x)[1]
        graphed = ht.hpu.make_graphed_callables(First(), (torch.randn(2, 4).to("hpu"),))
        assert calls == [0]
        graphed(torch.randn(2, 4).to("hpu"))
        assert calls == [0]
        graphed.eval()
        graphed(torch.randn(2, 4).to("hpu"))
        assert calls == [0, 0]

    def test_autocast_casts_weights_in_each_replay(self):
        plain = nn.Linear(4, 4).to("hpu")
        graphed = ht.hpu.ModuleCacher()(copy.deepcopy(plain))
        with torch.autocast("hpu", dtype=torch.bfloat16):
            x = torch.randn(2, 4).to("hpu")
            graphed.eval()(x)  # which keeps the cast weight
            graphed.train()
            for _ in range(3):
                for each in (plain, graphed):
                    y = each(x)
                    y.sum().backward()
                    with torch.no_grad():
                        each.weight.sub_(each.weight.grad)
                        each.weight.grad = None
            torch.clear_autocast_cache()
            assert torch.is_autocast_cache_enabled()
            assert torch.equal(graphed(x).detach().cpu(), plain(x).detach().cpu())

    def test_several_callables(self):
        first, second = nn.Linear(4, 4).to("hpu"), nn.Linear(4, 2).to("hpu")
        plain = copy.deepcopy(first), copy.deepcopy(second)
        x = torch.randn(2, 4).to("hpu")
        first, second = ht.hpu.make_graphed_callables(
            (first, second), ((x,), (x.clone().requires_grad_(),)))
        with pytest.raises(RuntimeError, match="argument 0 requires a gradient, and its sample"):
            first(x.clone().requires_grad_())
        a, b = second(F.relu(first(x))), plain[1](F.relu(plain[0](x)))
        a.sum().backward()
        b.sum().backward()
        assert torch.equal(a.detach().cpu(), b.detach().cpu())
        assert torch.equal(first.weight.grad.cpu(), plain[0].weight.grad.cpu())

    def test_what_is_refused(self):
        x = torch.randn(2, 4).to("hpu")
        hooked = nn.Linear(4, 4).to("hpu")
        hooked.register_forward_hook(lambda *_: None)
        with pytest.raises(RuntimeError, match="must have no hooks"):
            ht.hpu.make_graphed_callables(hooked, (x,))
        buffered = nn.Linear(4, 4).to("hpu")
        buffered.register_buffer("b", torch.ones(1, device="hpu", requires_grad=True))
        with pytest.raises(RuntimeError, match="buffers of a module must not require"):
            ht.hpu.make_graphed_callables(buffered, (x,))
        with pytest.raises(TypeError, match="arguments must be tensors"):
            ht.hpu.make_graphed_callables(nn.Linear(4, 4).to("hpu"), (x, 3))
        unused = x.clone().requires_grad_()
        with pytest.raises(RuntimeError, match="to not have been used"):
            ht.hpu.make_graphed_callables(lambda a, b: a * 2, (unused, unused))
        f = ht.hpu.make_graphed_callables(lambda a, b: a * 2, (unused, unused),
                                          allow_unused_input=True)
        f(unused, x.clone().requires_grad_()).sum().backward()
        assert unused.grad.cpu().eq(2).all()
        with pytest.raises(ValueError, match=re.escape("argument 1 has the sizes [3, 4], and its "
                                                       "sample had [2, 4]: a graph is captured")):
            f(unused, torch.randn(3, 4).to("hpu"))
        with pytest.raises(TypeError, match="argument 1 is a float; the graph takes tensors"):
            f(unused, 1.5)
        with pytest.raises(TypeError, match="takes 2 tensors, as its samples were, and got 1"):
            f(unused)


class TestModuleCacher:
    @pytest.mark.slow
    @pytest.mark.parametrize("options", [{}, {"dry_run": True, "disable_tensor_cache": True},
                                         {"have_grad_accumulation": True, "use_lfu": True}])
    def test_trains_as_eager_mode(self, options):
        torch.manual_seed(0)
        plain = Network().to("hpu")
        plain.dropout.p = 0.0
        model = ht.hpu.ModuleCacher(max_graphs=3)(copy.deepcopy(plain), **options)
        optimizers = [torch.optim.SGD(each.parameters(), 0.1) for each in (plain, model)]
        for step in range(10):
            model.set_iteration_count(step % 2)
            x, z = torch.randn(1 + step % 3, 4).to("hpu"), torch.randn(1, 4).to("hpu")
            losses = [each(x, {"z": z}, twice=step % 2 == 1)[1].square().mean()
                      for each in (plain, model)]
            for each in losses:
                each.backward()
            # Graphs of lazy mode fuse other ops than those that were captured.
            near = 1e-5 if _C.lazy_mode() else 0
            torch.testing.assert_close(*losses, rtol=near, atol=near)
            for each in optimizers:
                if step % 2:
                    each.step()
                    each.zero_grad()
        counts = model.cache_counts
        assert counts["captures"] >= 3 and counts["replays"] + counts["plain"] + \
            counts["captures"] == 10

    def test_outputs_without_gradients(self):
        class Mixed(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(4, 4)

            def forward(self, x, z):
                x = torch.relu_(self.linear(x))
                with torch.no_grad():
                    z = z + x
                return {"a": x, "b": z, "same": x, "flag": 2}
        plain = Mixed().to("hpu")
        model = ht.hpu.ModuleCacher()(copy.deepcopy(plain), inplace=False)
        for _ in range(3):
            x = torch.randn(2, 4).to("hpu")
            made, expected = model(x, z=x), plain(x, z=x)
            for each in (made, expected):
                (each["a"] + each["b"] + each["same"]).sum().backward()
            assert made["flag"] == 2 and not made["b"].requires_grad
            assert torch.equal(made["b"].cpu(), expected["b"].cpu())
        assert torch.equal(model.linear.weight.grad.cpu(), plain.linear.weight.grad.cpu())

    def test_not_trained_is_not_captured(self):
        model = ht.hpu.ModuleCacher()(Network().to("hpu"))
        x = torch.randn(2, 4).to("hpu")
        with torch.no_grad():
            model(x)
        model.eval()
        model(x)
        assert model.cache_counts["calls"] == 0

    def test_verbose_counts(self, capsys):
        model = ht.hpu.ModuleCacher()(nn.Linear(4, 4).to("hpu"), verbose=True, log_frequency=2)
        for _ in range(4):
            model(torch.randn(2, 4).to("hpu"))
        assert len(re.findall("ModuleCacher: .*'captures': 1", capsys.readouterr().out)) == 2


def test_tensor_packer():
    x, y, z = (torch.randn(2) for _ in range(3))
    packer = ht.hpu.TensorPacker()
    tensors, metadata = packer.pack(({"x": x, "y": y}, z, 5))
    assert str(metadata) == "({'x': #0, 'y': #1}, #2, 5)"
    assert packer.unpack(tensors, metadata) == ({"x": x, "y": y}, z, 5)


def test_wrapped_modules_that_train_or_are_on_the_cpu():
    with pytest.warns(UserWarning, match="results without gradients.*ModuleCacher") as found:
        ht.hpu.wrap_in_hpu_graph(torch.nn.Linear(4, 2).to("hpu"))(torch.ones(1, 4).to("hpu"))
    assert found[0].filename == __file__
    with pytest.warns(UserWarning, match="runs on the CPU, without a graph"):
        ht.hpu.wrap_in_hpu_graph(torch.nn.Linear(4, 2).eval())(torch.ones(1, 4))
    card = torch.ones(2, device="hpu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ht.hpu.wrap_in_hpu_graph_func(lambda: card + 1)()
        ht.hpu.wrap_in_hpu_graph_func(lambda x: card + x)(torch.tensor(1.0))
        class Mean(torch.nn.BatchNorm1d):  # of buffers alone
            def forward(self):
                return self.running_mean + 1
        assert ht.hpu.wrap_in_hpu_graph(Mean(2, affine=False).to("hpu").eval())().tolist() == [1, 1]
    with pytest.raises(TypeError, match="max_graphs is a Linear; .*ModuleCacher\\(max_graphs=10\\)"):
        ht.hpu.ModuleCacher(torch.nn.Linear(4, 2))

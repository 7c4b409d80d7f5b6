# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands that share memory, are in the wrong place, or change under a cached launch."""
import pytest
import torch
from habana_frameworks.torch import _C


def same(compute):
    """What the CPU gives, the card gives."""
    for expected, result in zip(compute("cpu"), compute("hpu"), strict=True):
        assert result.dtype == expected.dtype
        assert torch.equal(result.cpu(), expected)


def test_freed_pinned_memory_is_not_used_again_before_its_copy():
    for value in range(20):
        host = torch.full((1 << 16,), float(value)).pin_memory()
        tensor = host.to("hpu", non_blocking=True)
        del host
        torch.full((1 << 16,), -1.0).pin_memory()
        assert bool((tensor.cpu() == value).all()), value


@pytest.mark.slow
def test_pinned_memory_goes_back_to_the_card_that_made_it(run_python):
    code, _, errors = run_python("""
import torch
import habana_frameworks.torch
host = torch.ones(1 << 20).pin_memory()
address = host.data_ptr()
torch.hpu.set_device(1)
del host
torch.hpu.set_device(0)
assert not habana_frameworks.torch._C.is_open(1)
assert torch.empty(1 << 20, pin_memory=True).data_ptr() == address
""")
    assert code == 0, errors


@pytest.mark.parametrize("lists", [
    lambda x: ([x, x], [x, x]),
    lambda x: ([x[:3], x[1:]], [x[:3], x[1:]]),
    lambda x: ([x[:2], x[2:]], [x[2:], x[:2]]),
    lambda x: ([x[:2], x[2:]], [x[:2], x[2:]]),
])
def test_lists_that_share_memory_are_written_one_after_the_other(lists):
    def compute(device):
        x = torch.arange(4, device=device)
        targets, others = lists(x)
        torch._foreach_add_(targets, others)
        torch._foreach_add_(targets, 1)
        return [x]
    same(compute)


def test_results_have_the_default_type_of_the_call():
    def compute(device):
        x = torch.arange(4, device=device)
        results = []
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float32):
            torch.set_default_dtype(dtype)
            results += [x / 2, x.float().add(x), x * 0.5]
        return results
    try:
        same(compute)
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.float64])
def test_numbers_that_a_type_cannot_hold_are_infinite(dtype):
    def compute(device):
        x = torch.ones(3, dtype=dtype, device=device)
        return [(x * number).isinf() for number in (1.5, 2.5, 1e39, -1e39)] + \
            [x < number for number in (1.5, 2.5, 1e39, -1e39)] + \
            [(x.float() * torch.tensor(1e300, dtype=torch.float64))]
    for expected, result in zip(compute("cpu"), compute("hpu"), strict=True):
        if dtype != torch.float64 or expected.dtype != torch.bool:  # a double is stored as a float
            assert torch.equal(result.cpu(), expected)


def test_unsigned_numbers_wrap():
    same(lambda device: [torch.arange(3, device=device) + 2**63,
                         torch.arange(3, device=device) * (2**64 - 1),
                         torch.ones(3, device=device) * 2**63])


def test_types_that_an_operand_cannot_have_are_refused():
    x = torch.arange(3, device="hpu")
    for number in (1.5, 2.5, 3.5):
        with pytest.raises(RuntimeError, match="can't be cast"):
            x.mul_(number)
    assert x.tolist() == [0, 1, 2]


def test_refused_operands_are_traced_once():
    x = torch.ones(2, 3, device="hpu")
    for _ in range(3):
        before = _C.eager_counts()[1]
        with pytest.raises(RuntimeError, match="cannot be multiplied"):
            torch.mm(x, x)
    assert _C.eager_counts()[1] == before


@pytest.mark.slow
def test_ops_are_traced_as_if_nothing_had_imported_the_package(run_python):
    code, _, errors = run_python("""
import torch
from torch.utils._python_dispatch import TorchDispatchMode
class Refuses(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        raise AssertionError(function)
with Refuses(), torch.inference_mode():
    import habana_frameworks.torch
assert (torch.ones(3, device="hpu") * 2.5).tolist() == [2.5, 2.5, 2.5]
assert torch.arange(7, device="hpu").unique().tolist() == list(range(7))
""", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    assert code == 0, errors


def test_generators_of_the_host_are_refused():
    generator = torch.Generator()
    before = generator.get_state()
    with pytest.raises(RuntimeError, match="Expected a 'hpu' device type for generator but found"):
        torch.rand(3, device="hpu", generator=generator)
    assert torch.equal(generator.get_state(), before)


def test_tensors_of_the_host_are_no_targets():
    there = torch.ones((), device="hpu")
    for write in (lambda host: host.add_(there), lambda host: host[None].mul_(there),
                  lambda host: torch._foreach_add_([host], [there])):
        with pytest.raises(RuntimeError, match="cannot write to a tensor on cpu"):
            write(torch.zeros(()))


def test_results_of_the_card_are_written_to_it():
    there, host = torch.ones(3, device="hpu"), torch.zeros(3)
    for write in (lambda: torch.add(there, there, out=host),
                  lambda: torch.sum(there, 0, out=host[0]),
                  lambda: torch.add(host, host, out=there),
                  lambda: torch.mm(there[None], there[:, None], out=torch.zeros(1, 1)),
                  lambda: torch.add(there, 1, out=torch.zeros(3, device="hpu:1"))):
        with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
            write()
    assert host.tolist() == [0, 0, 0] and there.tolist() == [1, 1, 1]
    assert torch.add(there, torch.tensor(2.0), out=torch.zeros(3, device="hpu")).tolist() == [3] * 3
    assert torch.arange(3, out=torch.zeros(3, device="hpu")).tolist() == [0, 1, 2]


def test_copies_onto_themselves_are_refused():
    x = torch.arange(9, device="hpu").reshape(3, 3)
    for target, source in ((x[:1].expand(3, 3), torch.ones(3, 3)), (x[1:], x[:-1]), (x, x.t())):
        with pytest.raises(RuntimeError, match="unsupported operation"):
            target.copy_(source)
    same(lambda device: [torch.ones(1, 2, device=device).expand(3, 2).zero_(),
                         torch.ones(1, 2, device=device).expand(3, 2).fill_(3)])


def test_doubles_are_not_seen_as_other_types():
    x = torch.arange(4, dtype=torch.float64, device="hpu")
    for dtype in (torch.int64, torch.float32, torch.uint8):
        with pytest.raises(RuntimeError, match="hpu stores Double as Float"):
            x.view(dtype)
    with pytest.raises(RuntimeError, match="hpu stores"):
        torch.arange(4, device="hpu").view(torch.float64)
    assert x.view(torch.complex128).tolist() == [1j, 2 + 3j]
    same(lambda device: [torch.arange(4.0, device=device).view(torch.int32)])


@pytest.mark.parametrize("compute", [
    lambda a, b: (a + 1, b * 2),
    lambda a, b: ((a * 2).cpu() + 1, a.sum().cpu() + 1, b.sum()),
    lambda a, b: (torch.arange(4), b[0] * 3, b.view(2, 2).t() + 1, a * b[0].to(a.device)),
    lambda a, b: (b.to(a.device) + a, torch.where(a > 1, a, 0), b.chunk(2)[1] * 2),
])
@pytest.mark.parametrize("other", ["cpu", "hpu:1"])
def test_graphs_compute_where_tensors_are(compute, other):
    a, b = torch.arange(4, device="hpu:0"), torch.arange(4, device=other) + 9
    results = torch.compile(compute, backend="hpu_backend")(a, b)
    for expected, result in zip(compute(a, b), results, strict=True):
        assert result.device == expected.device
        assert torch.equal(result.cpu(), expected.cpu())


def test_graphs_draw_by_the_generator_of_their_card():
    before = [torch.hpu.get_rng_state(index) for index in range(2)]
    torch.compile(torch.rand_like, backend="hpu_backend")(torch.zeros(3, device="hpu:1"))
    changed = [not torch.equal(torch.hpu.get_rng_state(index), state)
               for index, state in enumerate(before)]
    assert changed == [False, True]


def test_dynamo_does_not_trace_what_decides_ops():
    compiled = torch.compile(lambda x: (x + 1).nonzero(), backend="hpu_backend")  # which breaks
    torch._dynamo.utils.counters.clear()
    assert compiled(torch.ones(7, 3, device="hpu")).shape == (21, 2)
    assert torch._dynamo.utils.counters["frames"]["total"] <= 2  # before and after the break


def test_lists_that_share_memory_are_refused_where_each_must_be_written_once():
    x, g = torch.ones(4, device="hpu"), torch.ones(4, device="hpu")
    one = torch.ones((), device="hpu")
    with pytest.raises(RuntimeError, match="shares memory with another operand; give each tensor "
                                           "once"):
        torch._amp_foreach_non_finite_check_and_unscale_([g, g], torch.zeros((), device="hpu"), one)
    torch._foreach_mul_([x, x], 2)  # in turn, as on the CPU
    assert x.tolist() == [4] * 4


@pytest.mark.parametrize("is_lazy", [False, True])
def test_what_neither_the_card_nor_the_cpu_has_says_why(is_lazy, request):
    if is_lazy:
        request.getfixturevalue("lazily")
    q = torch.ones(2, 4, 8, device="hpu", dtype=torch.int32)
    with pytest.raises(NotImplementedError, match="does not run on the card with such operands, "
                                                  "and PyTorch's CPU does not have it: "):
        torch.ops.gaudi.sdpa(q, q, q, None, None, None, None, 1.0, False, False, -1e9, 0.0, False,
                              0)[0].cpu()

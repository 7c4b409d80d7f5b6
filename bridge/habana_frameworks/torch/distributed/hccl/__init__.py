# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend "hccl" of torch.distributed: one rank. Collectives between cards are not emulated."""
import functools
import inspect
import os

import torch
import torch.distributed as dist

_NAMES = (("world_size", "WORLD_SIZE", "OMPI_COMM_WORLD_SIZE"),
          ("rank", "RANK", "OMPI_COMM_WORLD_RANK"),
          ("local_rank", "LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"))


def initialize_distributed_hpu(world_size=None, rank=None, local_rank=None) -> tuple[int, int, int]:
    """World size, rank and local rank: as given, or of the environment, or 1, 0, 0; the environment
    has them afterwards, as torch.distributed reads it."""
    given = {"world_size": world_size, "rank": rank, "local_rank": local_rank}
    values = []
    for name, variable, other in _NAMES:
        value = given[name]
        if value is None:
            value = os.environ.get(variable) or os.environ.get(other) or int(name == "world_size")
        if not str(value).isdecimal():
            raise ValueError(f"{name} is {value!r}"
                             + (f" ({variable})" if given[name] is None else "")
                             + "; expected a whole number")
        values.append(int(value))
        os.environ[variable] = str(value)
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "12345")
    os.environ["ID"] = os.environ["RANK"]
    modules = os.environ.get("HABANA_VISIBLE_MODULES")
    cards = modules.split(",") if modules else [str(each) for each in range(values[2] + 1)]
    if values[2] >= len(cards):
        raise ValueError(f"local_rank is {values[2]}, and HABANA_VISIBLE_MODULES={modules} lists "
                         f"{len(cards)} cards; list one for each rank, or unset it")
    os.environ["HLS_MODULE_ID"] = cards[values[2]]
    return tuple(values)


def _check_size(size: int) -> None:
    if size != 1:
        raise NotImplementedError(f"hccl: a group of {size} ranks needs {size} cards that talk to "
                                  "each other, which gaudi-mlir does not emulate; start one process, "
                                  "with WORLD_SIZE=1")


def _group(store, rank: int, size: int, timeout):
    _check_size(size)
    return FakeProcessGroup._create_internal(rank, size)


def _flat(value) -> list[torch.Tensor]:
    return [tensor for each in value for tensor in _flat(each)] \
        if isinstance(value, (list, tuple)) else [value]


def _of_one_rank(op):
    """A collective of a group of one: what it gives is what it is given."""
    names = [each.name for each in op._schema.arguments]
    pairs = [(names.index(each),
              names.index(each.replace("output", "input").replace("lists", "list")))
             for each in names if each.startswith("output") and "split" not in each]

    root = names.index("root_rank") if "root_rank" in names else None
    call = op._schema.name.removeprefix("c10d::").rstrip("_")

    def run(*args):
        if root is not None and args[root] != 0:
            raise ValueError(f"hccl: {call} names rank {args[root]}, and the group has one rank: name "
                             "rank 0")
        for given, taken in pairs:
            outputs, sources = _flat(args[given]), _flat(args[taken])
            if [each.numel() for each in outputs] != [each.numel() for each in sources]:
                sizes = [", ".join(str(list(each.shape)) for each in tensors)
                         for tensors in (outputs, sources)]
                raise ValueError(f"hccl: {call} in a group of one rank gives tensors of the sizes that "
                                 f"it takes, {sizes[1]}, and is to fill {sizes[0]}: give it such")
            for output, source in zip(outputs, sources):
                output.copy_(source.view_as(output))
        done = torch.futures.Future()
        done.set_result([each for each in _flat(args[0]) if each is not None])  # DDP takes it
        work = _create_work_from_future(done).boxed()
        return (args[0], work) if len(op._schema.returns) == 2 else work
    return run


def _nobody_else(*_):
    raise RuntimeError("hccl: the group has one rank, which has nobody to send to or to receive from; "
                       "leave the call out if dist.get_world_size() is 1")


_COLLECTIVES = ("_allgather_base_", "_reduce_scatter_base_", "allgather_", "allgather_coalesced_",
                "allgather_into_tensor_coalesced_", "allreduce_", "allreduce_coalesced_",
                "alltoall_", "alltoall_base_", "barrier", "broadcast_", "gather_", "reduce_",
                "reduce_scatter_", "reduce_scatter_tensor_coalesced_", "scatter_")

if dist.is_available() and "HCCL" not in dist.Backend._plugins:
    from torch._C._distributed_c10d import FakeProcessGroup, _create_work_from_future
    _library = torch.library.Library("c10d", "IMPL")
    for _name in ("send", "recv_", "recv_any_source_"):
        _library.impl(_name, _nobody_else, "HPU")
    for _name in _COLLECTIVES:
        _library.impl(_name, _of_one_rank(getattr(torch.ops.c10d, _name).default), "HPU")
    dist.Backend.register_backend("hccl", _group, devices=["hpu"])
    _init = dist.init_process_group

    @functools.wraps(_init)
    def _init_process_group(backend=None, *args, **options):
        """Refuses more ranks before it waits for them."""
        given = inspect.signature(_init).bind(backend, *args, **options).arguments
        size = given.get("world_size", -1)
        if size < 0:
            size = os.environ.get("WORLD_SIZE", "1")
        if "hccl" in str(backend).lower() and given.get("init_method") in (None, "env://") and str(size).isdecimal():
            _check_size(int(size))
        return _init(backend, *args, **options)

    dist.init_process_group = dist.distributed_c10d.init_process_group = _init_process_group

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend "hccl" of torch.distributed: one rank. Collectives between cards are not emulated."""
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
        values.append(int(value))
        os.environ[variable] = str(value)
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "12345")
    os.environ["ID"] = os.environ["RANK"]
    modules = os.environ.get("HABANA_VISIBLE_MODULES")
    os.environ["HLS_MODULE_ID"] = modules.split(",")[values[2]] if modules else str(values[2])
    return tuple(values)


def _group(store, rank: int, size: int, timeout):
    if size != 1:
        raise NotImplementedError(f"hccl: a group of {size} ranks needs {size} cards that talk to "
                                  "each other, which gaudi-mlir does not emulate; it has groups "
                                  "of one rank")
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

    def run(*args):
        for given, taken in pairs:
            for output, source in zip(_flat(args[given]), _flat(args[taken])):
                output.copy_(source.view_as(output))
        done = torch.futures.Future()
        done.set_result([each for each in _flat(args[0]) if each is not None])  # DDP takes it
        work = _create_work_from_future(done).boxed()
        return (args[0], work) if len(op._schema.returns) == 2 else work
    return run


# Not send and receive: there is nobody else.
_COLLECTIVES = ("_allgather_base_", "_reduce_scatter_base_", "allgather_", "allgather_coalesced_",
                "allgather_into_tensor_coalesced_", "allreduce_", "allreduce_coalesced_",
                "alltoall_", "alltoall_base_", "barrier", "broadcast_", "gather_", "reduce_",
                "reduce_scatter_", "reduce_scatter_tensor_coalesced_", "scatter_")

if dist.is_available() and "HCCL" not in dist.Backend._plugins:
    from torch._C._distributed_c10d import FakeProcessGroup, _create_work_from_future
    _library = torch.library.Library("c10d", "IMPL")
    for _name in _COLLECTIVES:
        _library.impl(_name, _of_one_rank(getattr(torch.ops.c10d, _name).default), "HPU")
    dist.Backend.register_backend("hccl", _group, devices=["hpu"])

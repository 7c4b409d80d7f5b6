# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One peer in a process of its own: python -m harness.worker PEER DTYPE THREADS NETWORK SIZES FILE.

NETWORK is a name of the catalogue, or the path of StableHLO text (jax).

Commands come as lines on standard input, answers go as lines of JSON:
  check FILE    run once, write the outputs to FILE (npz)  -> {"ok": true}
  time N        run N times, after one run to warm up -> {"ms": [...], "cpu_ms": [...]}
  create N      create the session N times -> {"ms": [...]} (onnxruntime)
"""
import io
import json
import os
import sys
import time

import numpy as np

from networks import catalogue
from networks.numbers import TORCH


class Torch:
    def __init__(self, network, threads, path):
        import torch
        torch.set_num_threads(threads)
        self.torch = torch
        kind = getattr(torch, TORCH[network.dtype])
        self.feeds = [torch.from_numpy(array).to(kind) if array.dtype == np.float32 else torch.from_numpy(array)
                      for array in network.inputs().values()]
        with torch.inference_mode():
            self.model = network.eager(torch)

    def run(self):
        with self.torch.inference_mode():
            return self.model(*self.feeds)

    def outputs(self):
        return [value.float().numpy() for value in self.run()]


class Inductor(Torch):
    """torch.compile with freezing, by which weights are packed for the CPU when it compiles."""

    def __init__(self, network, threads, path):
        super().__init__(network, threads, path)
        from torch._inductor import config
        torch, eager = self.torch, self.model
        config.freezing, config.cpp.threads = True, threads

        class Whole(torch.nn.Module):
            def forward(self, *given):
                return eager(*given)

        with torch.inference_mode(False), torch.no_grad():
            # Export turns the weights that the function has at hand into those of a module, and
            # only those are frozen.
            self.feeds = [feed.clone() for feed in self.feeds]
            module = torch.export.export(Whole(), tuple(self.feeds)).module()
            for name, value in list(vars(module).items()):
                if isinstance(value, torch.Tensor):
                    delattr(module, name)
                    module.register_buffer(name, value)
            self.model = torch.compile(module)
            self.model(*self.feeds)

    def run(self):
        with self.torch.no_grad():
            return self.model(*self.feeds)


def save_graph(network, path):
    """The network as an ONNX file, once; a quantized one has written its own."""
    if not os.path.exists(path):
        from networks.onnxgraph import Graph
        graph = Graph()
        network.onnx(graph)
        graph.save(path + ".tmp")
        os.replace(path + ".tmp", path)


class OnnxRuntime:
    def __init__(self, network, threads, path):
        import onnxruntime
        save_graph(network, path)
        self.runtime, self.path = onnxruntime, path
        self.settings = onnxruntime.SessionOptions()
        self.settings.intra_op_num_threads = threads
        self.settings.inter_op_num_threads = 1
        if os.environ.get("HARNESS_CPU_TIME"):
            # Waiting is no work.
            self.settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = self.create()
        self.names = [value.name for value in self.session.get_outputs()]
        # Bound once: no feed is copied in a run.
        self.binding = self.session.io_binding()
        self.feeds = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array)
                      for name, array in network.inputs().items()}
        for name, value in self.feeds.items():
            self.binding.bind_ortvalue_input(name, value)
        for value in self.session.get_outputs():
            self.binding.bind_ortvalue_output(value.name, onnxruntime.OrtValue.ortvalue_from_shape_and_type(
                value.shape, np.float32))

    def create(self):
        return self.runtime.InferenceSession(self.path, self.settings, providers=["CPUExecutionProvider"])

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def outputs(self):
        self.run()
        return self.binding.copy_outputs_to_cpu()


class OpenVino:
    """The ONNX file in OpenVINO: one stream with as many pinned threads, for the latency of a
    launch. Raises RuntimeError if the plugin computes in another type than asked."""

    def __init__(self, network, threads, path):
        import openvino
        save_graph(network, path)
        kind = {"f32": openvino.Type.f32, "bf16": openvino.Type.bf16}[network.dtype]
        core = openvino.Core()
        compiled = core.compile_model(path, "CPU", {
            "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": threads,
            "ENABLE_CPU_PINNING": True, "INFERENCE_PRECISION_HINT": kind})
        chosen = compiled.get_property("INFERENCE_PRECISION_HINT")
        if chosen != kind:
            raise RuntimeError("OpenVINO computes in %s, not in %s" % (chosen.get_type_name(),
                                                                       kind.get_type_name()))
        self.request = compiled.create_infer_request()
        # Bound once, as for ONNX Runtime; inputs keep their memory.
        self.feeds = {name: openvino.Tensor(array, shared_memory=True)
                      for name, array in network.inputs().items()}
        for name, tensor in self.feeds.items():
            self.request.set_tensor(name, tensor)
        self.count = len(compiled.outputs)

    def run(self):
        self.request.infer()

    def outputs(self):
        self.run()
        return [self.request.get_output_tensor(i).data.copy() for i in range(self.count)]


class Iree:
    """StableHLO with the weights in it, compiled for this CPU; a task group is a thread."""

    FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
             "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3", "--iree-opt-data-tiling",
             # A row of scores is on the stack of a kernel, more than the 32 KiB that it checks for.
             "--iree-llvmcpu-stack-allocation-limit=1048576"]

    def __init__(self, network, threads, path):
        import iree.compiler
        import iree.runtime
        from networks.stablehlo import StablehloModule
        path = os.path.splitext(path)[0] + ".iree"
        if not os.path.exists(path + ".vmfb"):
            network.module(StablehloModule).save(path + ".mlir")
            iree.compiler.compile_file(path + ".mlir", output_file=path + ".tmp", extra_args=self.FLAGS,
                                       input_type="stablehlo")
            os.remove(path + ".mlir")
            os.replace(path + ".tmp", path + ".vmfb")
        iree.runtime.flags.parse_flags("--task_topology_group_count=%d" % threads)
        settings = iree.runtime.Config("local-task")
        modules = iree.runtime.load_vm_modules(
            iree.runtime.create_hal_module(settings.vm_instance, settings.device),
            iree.runtime.VmModule.mmap(settings.vm_instance, path + ".vmfb"), config=settings)
        self.main = modules[-1].main
        self.feeds = [iree.runtime.asdevicearray(settings.device, array)
                      for array in network.inputs().values()]

    def run(self):
        results = self.main(*self.feeds)
        return results if isinstance(results, (list, tuple)) else [results]

    def outputs(self):
        return [result.to_host() for result in self.run()]


class Jax:
    """StableHLO text on XLA's CPU backend, weights as arguments."""

    def __init__(self, network, threads, path):
        os.environ["XLA_FLAGS"] = ""  # what a user gets; the oracle has flags of its own
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
        import jax
        from hlo_case import DTYPES
        from jax_judge import Program
        if network is None:
            from seeded import seeded
            with open(path) as stream:
                self.program = Program(stream.read())
            feeds = [seeded(*kind, k, 1) for k, kind in enumerate(self.program.arguments)]
        else:
            from networks.stablehlo import StablehloModule
            module = network.module(StablehloModule)
            weights = dict(module.blobs)
            module.weights_to_arguments()
            text = io.StringIO()
            module.write(text)
            self.program = Program(text.getvalue())
            given, feeds = network.inputs(), []
            for value, (shape, element) in zip(module.inputs, self.program.arguments):
                name = value.name[1:]
                feeds.append(np.frombuffer(weights[name], DTYPES[element]).reshape(shape) if name in weights
                             else given[name].astype(DTYPES[element]))
        self.buffers = [jax.device_put(feed) for feed in feeds]

    def run(self):
        results = self.program.execute(self.buffers)
        for result in results:
            result.block_until_ready()
        return results

    def outputs(self):
        return [np.asarray(value).astype(np.float32) for value in self.run()]


class TorchAdamW:
    """torch.optim.AdamW on the seeded gradients and parameters of gaudi-run."""

    def __init__(self, network, threads, path, **form):
        import torch
        from seeded import seeded
        torch.set_num_threads(threads)
        self.torch, self.network = torch, network
        count = len(network.shapes)
        self.weights = []
        for i, shape in enumerate(network.shapes):
            weight = torch.from_numpy(seeded(shape, "f32", count + i, 1)).requires_grad_(True)
            weight.grad = torch.from_numpy(seeded(shape, "f32", i, 1))
            self.weights.append(weight)
        self.optimizer = torch.optim.AdamW(self.weights, lr=network.lr, betas=network.betas, eps=network.eps,
                                           weight_decay=network.decay, **form)

    def run(self):
        if self.network.clip:
            self.torch.nn.utils.clip_grad_norm_(self.weights, self.network.limit, foreach=True)
        self.optimizer.step()

    def outputs(self):
        self.run()
        return [weight.detach().numpy().copy() for weight in self.weights[:4]]


PEERS = {"jax": Jax, "torch": Torch, "onnxruntime": OnnxRuntime, "openvino": OpenVino,
         "inductor": Inductor, "iree": Iree,
         "torch-fused": lambda *given: TorchAdamW(*given, fused=True),
         "torch-foreach": lambda *given: TorchAdamW(*given, foreach=True)}


def timed(function, count):
    """Milliseconds of each call: of wall time, and of CPU time of all threads."""
    wall, cpu = [], []
    for _ in range(count):
        computed, start = time.process_time(), time.perf_counter()
        function()
        wall.append((time.perf_counter() - start) * 1e3)
        cpu.append((time.process_time() - computed) * 1e3)
    return {"ms": wall, "cpu_ms": cpu}


def main():
    peer, dtype, threads, name, sizes, path = sys.argv[1:]
    network = None if name.endswith(".mlir") else catalogue.network(name, dtype, **json.loads(sizes))
    model = PEERS[peer](network, int(threads), path)
    print(json.dumps({"ok": True}), flush=True)
    warmups = 1
    for line in sys.stdin:
        command, argument = line.split()
        if command == "check":
            np.savez(argument, *model.outputs())
            answer = {"ok": True}
        elif command == "time":
            timed(model.run, warmups)
            answer = timed(model.run, int(argument))
            # What takes a second needs no warming up again.
            warmups = 0 if min(answer["ms"]) > 1000 else 1
        elif command == "create":
            answer = timed(model.create, int(argument))
        else:
            raise SystemExit("worker: error: unknown command '%s'" % command)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

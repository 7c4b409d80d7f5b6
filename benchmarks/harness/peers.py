# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Talks to the peers, each a process that waits between its turns."""
import importlib.util
import json
import os
import subprocess
import sys

from . import tools

TITLES = {"torch": "PyTorch", "inductor": "Inductor", "onnxruntime": "ONNX Runtime",
          "openvino": "OpenVINO", "iree": "IREE", "jax": "JAX"}
# Optimizers of PyTorch, by how they go over the parameters.
OPTIMIZERS = {"torch-fused": "PyTorch fused", "torch-foreach": "PyTorch foreach"}
MODULES = {"torch": ("torch",), "inductor": ("torch",), "onnxruntime": ("onnxruntime", "onnx"),
           "openvino": ("openvino", "onnx"), "iree": ("iree.compiler", "iree.runtime"), "jax": ("jax",),
           **dict.fromkeys(OPTIMIZERS, ("torch",))}


def is_present(peer):
    def found(module):
        try:
            return importlib.util.find_spec(module) is not None
        except ModuleNotFoundError:  # the package that it is part of
            return False
    return all(found(module) for module in MODULES[peer])


def title(peer, dtype):
    return "%s %s" % ({**TITLES, **OPTIMIZERS}[peer], dtype)


def version(peer):
    if not is_present(peer):
        return "absent"
    from importlib import metadata
    return metadata.version({"iree": "iree-base-compiler"}.get(peer, MODULES[peer][0]))


class Peer:
    """Raises RuntimeError with the worker's last words if it fails."""

    def __init__(self, peer, network, dtype, threads):
        self.name, self.threads = title(peer, dtype), threads
        self.log = os.path.join(tools.CACHE, "worker-%s-%s.log" % (peer, dtype))
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads),
                           PYTHONPATH=os.pathsep.join([tools.HERE, tools.ORACLE]))
        if tools.Network.cpu_time:
            # Threads that wait for each other must not compute meanwhile.
            environment.update(HARNESS_CPU_TIME="1", OMP_WAIT_POLICY="passive", KMP_BLOCKTIME="0")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "harness.worker", peer, dtype, str(threads), network.name,
                 json.dumps(network.sizes), network.peer_file],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            with open(self.log) as log:
                words = log.read().strip().splitlines() or ["it said nothing"]
            raise RuntimeError("%s stopped: %s" % (self.name, words[-1]))
        return json.loads(line)

    def ask(self, command, argument):
        self.process.stdin.write("%s %s\n" % (command, argument))
        self.process.stdin.flush()
        return self.answer()

    def time(self, count):
        answer = self.ask("time", count)
        if tools.Network.cpu_time:
            return [each / self.threads for each in answer["cpu_ms"]]
        return answer["ms"]

    def create(self, count):
        return self.ask("create", count)["ms"]

    def outputs(self):
        import numpy as np
        path = os.path.join(tools.CACHE, "peer-outputs.npz")
        self.ask("check", path)
        with np.load(path) as arrays:
            return [arrays["arr_%d" % i] for i in range(len(arrays.files))]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def start(peer, network, dtype, threads):
    """A peer, or None if it is absent or cannot run this network."""
    if not is_present(peer):
        return None
    try:
        return Peer(peer, network, dtype, threads)
    except RuntimeError as problem:
        print("warning: %s" % problem, file=sys.stderr)
        return None

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ONNX Runtime's arena takes for a network: python -m harness.arena NETWORK.

Prints the bytes by which the arena of the CPU grew in runs as a line of JSON.
Weights are not in it. The arena extends by what is asked for, not by powers of
two. It says so in its log only.
"""
import json
import os
import re
import sys
import tempfile

from networks import catalogue


def grown(name):
    import onnxruntime
    from networks.onnxgraph import Graph
    network = catalogue.network(name, "f32")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        path = os.path.join(folder, "network.onnx")
        graph = Graph()
        network.onnx(graph)
        graph.save(path)
        onnxruntime.set_default_logger_severity(1)
        settings = onnxruntime.SessionOptions()
        settings.add_session_config_entry("session.use_env_allocators", "1")
        settings.add_session_config_entry("session.use_device_allocator_for_initializers", "1")
        memory = onnxruntime.OrtMemoryInfo("Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0,
                                           onnxruntime.OrtMemType.DEFAULT)
        as_requested = onnxruntime.capi._pybind_state.OrtArenaCfg(0, 1, -1, -1)
        onnxruntime.create_and_register_allocator(memory, as_requested)
        session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
        # From here on the arena holds what runs need. The log goes to the file
        # descriptor, not through Python.
        sys.stderr.flush()
        saved = os.dup(2)
        os.dup2(log.fileno(), 2)
        try:
            session.run(None, network.inputs())
        finally:
            os.dup2(saved, 2)
        log.seek(0)
        text = log.read().decode(errors="replace")
    return sum(int(size) for size in re.findall(r"Extended allocation by (\d+) bytes", text))


if __name__ == "__main__":
    print(json.dumps({"network": sys.argv[1], "arena": grown(sys.argv[1])}))

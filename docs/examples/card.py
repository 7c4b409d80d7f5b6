# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Double-buffered inference on a card: copies on one stream, launches on another, as one graph."""
import sys

import gaudi_mlir
import numpy

MODEL = """
func.func @layer(%x: tensor<128x512xf32> {gaudi.name = "x"},
                 %w: tensor<512x512xf32> {gaudi.name = "w"}) -> tensor<128x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %y = linalg.matmul ins(%x, %w : tensor<128x512xf32>, tensor<512x512xf32>)
                     outs(%init : tensor<128x512xf32>) -> tensor<128x512xf32>
  %z = math.tanh %y : tensor<128x512xf32>
  return %z : tensor<128x512xf32>
}
"""


def capture(device, program, w, batches, results, up, compute):
    """A graph that copies batch after batch to one buffer while the other one is worked on."""
    buffers = [device.empty(batches[0].shape, name=f"buffer {i}", stream=up) for i in range(2)]
    used = [None, None]  # when the launch that reads the buffer has ended
    with up.capture() as graph:
        for step, (batch, result) in enumerate(zip(batches, results)):
            if used[step % 2]:
                up.wait(used[step % 2])
            buffers[step % 2].copy_from(batch, up)
            compute.wait(up.record())
            program.launch([buffers[step % 2], w], [result], stream=compute)
            used[step % 2] = compute.record()
        for event in used:
            up.wait(event)
    return graph


def replay(graph, stream):
    """Milliseconds of the card."""
    begin = stream.record()
    graph.replay(stream)
    end = stream.record()
    end.synchronize()
    return begin.elapsed_time(end)


def main(trace):
    recipe = gaudi_mlir.compile(MODEL, device="gaudi2")
    random = numpy.random.default_rng(0)
    weights = random.standard_normal((512, 512), numpy.float32) / 16
    batches = list(random.standard_normal((8, 128, 512), numpy.float32))
    with gaudi_mlir.device.open("gaudi2", capacity=1 << 30) as device:
        program = device.program(recipe)
        w = device.array(weights, "w")
        results = [device.empty((128, 512), name="result") for _ in batches]
        up, compute = device.stream("copies up"), device.stream("launches")
        serial = capture(device, program, w, batches, results, compute, compute)
        overlapped = capture(device, program, w, batches, results, up, compute)
        device.synchronize()
        before = replay(serial, compute)
        for result in results:
            result.fill(0)
        device.synchronize()
        with device.trace(trace):
            after = replay(overlapped, up)
        for batch, result in zip(batches, results):
            [expected] = recipe.run([batch, weights])
            if not numpy.array_equal(result.numpy(), expected):
                sys.exit("a result differs from that of a plain run")
        print(f"{len(batches)} batches, {overlapped.size} pieces of work; same bits as plain runs")
        print(f"one stream:  {1000 * before:.1f} us")
        print(f"two streams: {1000 * after:.1f} us, {before / after:.2f} times as fast")
        print(device.memory_summary(), end="")
        print(device.clock())


main(sys.argv[1] if len(sys.argv) > 1 else "card.json")

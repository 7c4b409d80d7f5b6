// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Double-buffered inference on a card: copies on one stream, launches on
 * another, as one graph. Usage: card [TRACE.json] */
#include "gaudi-c/Compiler.h"
#include "gaudi-c/Device.h"
#include "gaudi-c/Executable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { batches = 8, rows = 128, columns = 512 };
static const uint64_t batchBytes = rows * columns * sizeof(float);
static const uint64_t weightBytes = columns * columns * sizeof(float);

static const char model[] =
    "func.func @layer(%x: tensor<128x512xf32>, %w: tensor<512x512xf32>)\n"
    "    -> tensor<128x512xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %empty = tensor.empty() : tensor<128x512xf32>\n"
    "  %init = linalg.fill ins(%zero : f32)\n"
    "      outs(%empty : tensor<128x512xf32>) -> tensor<128x512xf32>\n"
    "  %y = linalg.matmul\n"
    "      ins(%x, %w : tensor<128x512xf32>, tensor<512x512xf32>)\n"
    "      outs(%init : tensor<128x512xf32>) -> tensor<128x512xf32>\n"
    "  %z = math.tanh %y : tensor<128x512xf32>\n"
    "  return %z : tensor<128x512xf32>\n"
    "}\n";

static void check(GaudiError *error) {
  if (!error)
    return;
  const GaudiStringRef message = gaudiErrorMessage(error);
  fprintf(stderr, "error: %.*s\n", (int)message.length, message.data);
  exit(1);
}

typedef struct Setup {
  GaudiDevice *device;
  GaudiProgram *program;
  const float *input; /* all batches */
  GaudiDeviceAddress w, results[batches];
} Setup;

/* Copies batch after batch to one buffer while the other one is worked on. */
static GaudiGraph *capture(const Setup *of, GaudiStream *up,
                           GaudiStream *compute) {
  const GaudiMemoryOwner owner = {"buffer", "128x512xf32", "card.c"};
  GaudiDeviceAddress buffers[2];
  GaudiEvent *filled[2], *used[2];
  GaudiGraph *graph;
  for (int i = 0; i < 2; ++i) {
    check(gaudiDeviceAllocate(of->device, up, batchBytes, &owner, &buffers[i]));
    check(gaudiEventCreate(of->device, &filled[i]));
    check(gaudiEventCreate(of->device, &used[i]));
  }
  check(gaudiStreamBeginCapture(up));
  for (int step = 0; step < batches; ++step) {
    const int i = step % 2;
    if (step >= 2)
      check(gaudiStreamWait(up, used[i]));
    check(gaudiStreamCopyIn(up, buffers[i], of->input + step * rows * columns,
                            batchBytes, 0));
    check(gaudiStreamRecord(up, filled[i]));
    check(gaudiStreamWait(compute, filled[i]));
    const GaudiDeviceAddress addresses[] = {buffers[i], of->w,
                                            of->results[step]};
    check(gaudiStreamLaunch(compute, of->program, 0, addresses, 3));
    check(gaudiStreamRecord(compute, used[i]));
  }
  for (int i = 0; i < 2; ++i)
    check(gaudiStreamWait(up, used[i]));
  check(gaudiStreamEndCapture(up, &graph));
  for (int i = 0; i < 2; ++i) {
    gaudiEventDestroy(filled[i]);
    gaudiEventDestroy(used[i]);
  }
  return graph;
}

/* Microseconds of the card. */
static double replay(const Setup *of, GaudiGraph *graph, GaudiStream *stream) {
  GaudiEvent *begin, *end;
  int64_t elapsed;
  check(gaudiEventCreate(of->device, &begin));
  check(gaudiEventCreate(of->device, &end));
  check(gaudiStreamRecord(stream, begin));
  check(gaudiGraphReplay(graph, stream, NULL, 0));
  check(gaudiStreamRecord(stream, end));
  check(gaudiEventSynchronize(end));
  check(gaudiEventElapsed(begin, end, &elapsed));
  gaudiEventDestroy(begin);
  gaudiEventDestroy(end);
  return (double)elapsed / 1e6;
}

/* Whether all results have the bits of plain runs. */
static int isRight(const Setup *of, GaudiStream *stream,
                   const GaudiRecipe *recipe, const float *weights) {
  const int64_t shape[] = {rows, columns}, square[] = {columns, columns};
  GaudiExecutable *executable;
  float *expected = malloc(batchBytes), *result = malloc(batchBytes);
  int same = expected && result;
  check(gaudiExecutableLoad(recipe, NULL, &executable));
  for (int step = 0; step < batches && same; ++step) {
    float *batch = (float *)of->input + step * rows * columns;
    const GaudiBuffer inputs[] = {
        {batch, GaudiF32, 2, shape, NULL},
        {(float *)weights, GaudiF32, 2, square, NULL}};
    const GaudiBuffer output = {expected, GaudiF32, 2, shape, NULL};
    check(gaudiExecutableRun(executable, 0, inputs, 2, &output, 1, NULL));
    check(gaudiStreamCopyOut(stream, result, of->results[step], batchBytes, 1));
    same = memcmp(result, expected, batchBytes) == 0;
  }
  gaudiExecutableDestroy(executable);
  free(expected);
  free(result);
  return same;
}

int main(int argc, char **argv) {
  const char *trace = argc > 1 ? argv[1] : "card.json";
  float *input = malloc(batches * batchBytes), *weights = malloc(weightBytes);
  if (!input || !weights)
    return 1;
  uint32_t state = 1;
  for (int i = 0; i < batches * rows * columns; ++i)
    input[i] = (float)((state = state * 1664525u + 1013904223u) >> 16) / 65536;
  for (int i = 0; i < columns * columns; ++i)
    weights[i] =
        (float)((state = state * 1664525u + 1013904223u) >> 16) / 16777216;

  GaudiRecipe *recipe;
  Setup setup = {NULL, NULL, input, 0, {0}};
  GaudiStream *up, *compute;
  GaudiDeviceOptions options;
  gaudiDeviceOptionsInit(&options);
  options.capacity = 1 << 30;
  check(gaudiCompile("layer.mlir", model, strlen(model), NULL, &recipe));
  check(gaudiDeviceOpen(&options, &setup.device));
  check(gaudiProgramLoad(setup.device, recipe, NULL, &setup.program));
  check(gaudiStreamCreate(setup.device, "copies up", 0, &up));
  check(gaudiStreamCreate(setup.device, "launches", 0, &compute));
  const GaudiMemoryOwner owner = {"w", "512x512xf32", "card.c"};
  check(gaudiDeviceAllocate(setup.device, up, weightBytes, &owner, &setup.w));
  check(gaudiStreamCopyIn(up, setup.w, weights, weightBytes, 0));
  for (int step = 0; step < batches; ++step)
    check(gaudiDeviceAllocate(setup.device, compute, batchBytes, NULL,
                              &setup.results[step]));

  GaudiGraph *serial = capture(&setup, compute, compute);
  GaudiGraph *overlapped = capture(&setup, up, compute);
  check(gaudiDeviceSynchronize(setup.device));
  const double before = replay(&setup, serial, compute);
  for (int step = 0; step < batches; ++step)
    check(gaudiStreamFill(up, setup.results[step], batchBytes, 0, 4));
  check(gaudiDeviceSynchronize(setup.device));
  check(gaudiDeviceBeginTrace(setup.device));
  const double after = replay(&setup, overlapped, up);
  check(gaudiDeviceWriteTrace(setup.device, trace));
  if (!isRight(&setup, compute, recipe, weights)) {
    fprintf(stderr, "a result differs from that of a plain run\n");
    return 1;
  }
  printf("%d batches, %zu pieces of work; same bits as plain runs\n", batches,
         gaudiGraphSize(overlapped));
  printf("one stream:  %.1f us\n", before);
  printf("two streams: %.1f us, %.2f times as fast\n", after, before / after);
  char *summary;
  check(gaudiDeviceMemorySummary(setup.device, &summary));
  fputs(summary, stdout);
  gaudiTextDestroy(summary);

  gaudiGraphDestroy(serial);
  gaudiGraphDestroy(overlapped);
  gaudiStreamDestroy(up);
  gaudiStreamDestroy(compute);
  gaudiProgramDestroy(setup.program);
  gaudiDeviceDestroy(setup.device);
  gaudiRecipeDestroy(recipe);
  free(input);
  free(weights);
  return before > 1.2 * after ? 0 : 1;
}

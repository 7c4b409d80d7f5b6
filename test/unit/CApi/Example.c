// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Compiles a model in memory and runs it: the example of docs/c-api.md. */
#include "gaudi-c/Compiler.h"
#include "gaudi-c/Executable.h"

#include <stdio.h>
#include <string.h>

static const char model[] =
    "func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>)\n"
    "    -> tensor<2x2xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<2x2xf32>\n"
    "  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>)\n"
    "      -> tensor<2x2xf32>\n"
    "  %m = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x2xf32>)\n"
    "      outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>\n"
    "  return %m : tensor<2x2xf32>\n"
    "}\n";

/* Prints an error and frees it; true if there was one. */
static int failed(GaudiError *error) {
  GaudiStringRef message, details;
  if (!error)
    return 0;
  message = gaudiErrorMessage(error);
  details = gaudiErrorDetails(error);
  fprintf(stderr, "%.*s%.*s\n", (int)details.length, details.data,
          (int)message.length, message.data);
  gaudiErrorDestroy(error);
  return 1;
}

int main(void) {
  const float x[] = {1, 2, 3, 4, 5, 6};
  const float wTransposed[] = {1, 0, 1, 0, 1, 1}; /* 2x3 in memory */
  float y[4];
  const int64_t xShape[] = {2, 3}, wShape[] = {3, 2}, yShape[] = {2, 2};
  const int64_t wStrides[] = {1, 3}; /* read as 3x2 */
  GaudiBuffer inputs[2], output;
  GaudiCompileOptions options;
  GaudiRecipe *recipe;
  GaudiExecutable *executable;
  GaudiRunStats stats;
  int status = 1;

  gaudiCompileOptionsInit(&options);
  options.device = "gaudi3";
  if (failed(gaudiCompile("example.mlir", model, strlen(model), &options,
                          &recipe)))
    return 1;
  memset(inputs, 0, sizeof(inputs));
  inputs[0].data = (void *)x;
  inputs[0].type = GaudiF32;
  inputs[0].rank = 2;
  inputs[0].shape = xShape;
  inputs[1] = inputs[0];
  inputs[1].data = (void *)wTransposed;
  inputs[1].shape = wShape;
  inputs[1].strides = wStrides;
  output = inputs[0];
  output.data = y;
  output.shape = yShape;
  stats.size = sizeof(stats);
  if (!failed(gaudiExecutableLoad(recipe, NULL, &executable))) {
    if (!failed(gaudiExecutableRun(executable, 0, inputs, 2, &output, 1,
                                   &stats))) {
      printf("%g %g\n%g %g\n", y[0], y[1], y[2], y[3]);
      status = 0;
    }
    gaudiExecutableDestroy(executable);
  }
  gaudiRecipeDestroy(recipe);
  return status;
}

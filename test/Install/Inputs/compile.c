/* Compiles the model argv[1], saves the recipe as argv[2], runs it and compares
 * the output with relu(x * w + b). With argv[1] "-" it only runs argv[2]. */
#include <gaudi-c/Compiler.h>
#include <gaudi-c/Executable.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Rows = 2, Inner = 3, Columns = 4 };

/* Prints the error, if there is one, and ends the program with its code. */
static void check(GaudiError *error) {
  if (!error)
    return;
  const GaudiStringRef message = gaudiErrorMessage(error);
  const GaudiStringRef details = gaudiErrorDetails(error);
  fprintf(stderr, "error: %.*s\n%.*s", (int)message.length, message.data,
          (int)details.length, details.data);
  exit(gaudiErrorCode(error));
}

static GaudiRecipe *compile(const char *path) {
  char text[4096];
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  const size_t length = fread(text, 1, sizeof(text), file);
  fclose(file);
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.device = "gaudi3";
  GaudiRecipe *recipe = NULL;
  check(gaudiCompile(path, text, length, &options, &recipe));
  return recipe;
}

static GaudiBuffer matrix(float *data, const int64_t *shape) {
  const GaudiBuffer buffer = {data, GaudiF32, 2, shape, NULL};
  return buffer;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  GaudiRecipe *recipe = NULL;
  if (strcmp(argv[1], "-") == 0) {
    check(gaudiRecipeOpen(argv[2], &recipe));
  } else {
    recipe = compile(argv[1]);
    check(gaudiRecipeSave(recipe, argv[2]));
  }

  float x[Rows * Inner], w[Inner * Columns], b[Rows * Columns], y[Rows * Columns];
  for (int i = 0; i < Rows * Inner; ++i)
    x[i] = (float)(i - 2) / 4;
  for (int i = 0; i < Inner * Columns; ++i)
    w[i] = (float)(i % 5) / 2 - 1;
  for (int i = 0; i < Rows * Columns; ++i)
    b[i] = (float)i / 8 - 0.5f;
  const int64_t xShape[] = {Rows, Inner}, wShape[] = {Inner, Columns};
  const int64_t yShape[] = {Rows, Columns};
  const GaudiBuffer inputs[] = {matrix(x, xShape), matrix(w, wShape),
                                matrix(b, yShape)};
  const GaudiBuffer output = matrix(y, yShape);
  GaudiExecutable *executable = NULL;
  check(gaudiExecutableLoad(recipe, NULL, &executable));
  check(gaudiExecutableRun(executable, 0, inputs, 3, &output, 1, NULL));

  int wrong = 0;
  for (int i = 0; i < Rows; ++i) {
    for (int j = 0; j < Columns; ++j) {
      double sum = b[i * Columns + j];
      for (int k = 0; k < Inner; ++k)
        sum += (double)x[i * Inner + k] * w[k * Columns + j];
      const double expected = sum > 0 ? sum : 0;
      /* All numbers are small multiples of powers of two: f32 is exact. */
      if (!(fabs(y[i * Columns + j] - expected) == 0)) {
        fprintf(stderr, "y[%d, %d] is %g, expected %g\n", i, j,
                y[i * Columns + j], expected);
        wrong = 1;
      }
    }
  }
  gaudiExecutableDestroy(executable);
  gaudiRecipeDestroy(recipe);
  if (!wrong)
    printf("%s: all values are equal\n", gaudiVersionText());
  return wrong;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text as a model: the compiler gives a recipe that verifies, or an error;
// it never aborts.
#include "Gaudi/Compiler/CompilerApi.h"
#include "Gaudi/Recipe/Reader.h"

#include <cstdlib>
#include <memory>

using namespace gaudi;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const GaudiCompilerApi *api = gaudiCompilerApi(GAUDI_COMPILER_API_VERSION);
  if (!api)
    std::abort();
  GaudiSessionOptions options = {};
  options.device = "gaudi2";
  options.threads = 1;
  options.diagnostic = [](void *, const char *, size_t) {};
  std::unique_ptr<GaudiSession, void (*)(GaudiSession *)> session(
      api->create(&options), api->destroy);
  GaudiBytes recipe = {};
  if (!session || api->parse(session.get(), "model.mlir", {data, size}) != 0 ||
      api->compile(session.get(), &recipe) != 0)
    return 0;
  if (!recipe::RecipeFile::fromBuffer({recipe.data, recipe.size}))
    std::abort();
  return 0;
}

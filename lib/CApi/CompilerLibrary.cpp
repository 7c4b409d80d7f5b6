// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds and opens the compiler; reads the text of its diagnostics.
#include "Gaudi/CApi/CompilerLibrary.h"

#include "Gaudi/Runtime/Plugins.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Torch/Operators.h"

#include <dlfcn.h>
#include <mutex>

namespace gaudi::capi {

static Result<const GaudiCompilerApi *> findCompiler() {
  const char *fileName = "libGaudiCompiler.so";
  const Result<std::string> found = runtime::findPlugin(fileName);
  if (!found)
    return fail("cannot load the compiler {}: {}; a model needs it, a compiled "
                "recipe does not",
                inQuotes(fileName), found.error().message);
  const std::string &path = *found;
  // MLIR's own calls, of which there are 26,000, are bound when they happen.
  // Those of the compiler are checked here: it is linked with -z now.
  void *library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *reason = ::dlerror();
    return fail("cannot load the compiler {}: {}; a model needs it, a compiled "
                "recipe does not",
                inQuotes(path), reason ? reason : "unknown reason");
  }
  auto function = reinterpret_cast<GaudiCompilerApiFunction>(
      ::dlsym(library, GAUDI_COMPILER_API_SYMBOL));
  const GaudiCompilerApi *api =
      function ? function(GAUDI_COMPILER_API_VERSION) : nullptr;
  if (!api)
    return fail("the compiler {} does not offer version {} of its interface; "
                "install both from one build",
                inQuotes(path), GAUDI_COMPILER_API_VERSION);
  if (api->torchTable != torch::tableFingerprint())
    return fail("the compiler {} has another table of PyTorch's ops, {:016x} "
                "instead of {:016x}; install both from one build",
                inQuotes(path), api->torchTable, torch::tableFingerprint());
  return api;
}

Result<const GaudiCompilerApi *> openCompiler() {
  static std::mutex lock;
  static const GaudiCompilerApi *api = nullptr;
  const std::lock_guard<std::mutex> guard(lock);
  if (!api)
    api = GAUDI_TRY(findCompiler());
  return api;
}

/// Whether it ends in ":line:column", with a line that a text has.
static bool isPlace(std::string_view text) {
  const auto dropNumber = [&]() -> std::string_view {
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos)
      return {};
    const std::string_view number = text.substr(colon + 1);
    text = text.substr(0, colon);
    return number.find_first_not_of("0123456789") == std::string_view::npos
               ? number
               : std::string_view();
  };
  const std::string_view column = dropNumber(), line = dropNumber();
  return !column.empty() && !line.empty() && line != "0";
}

FirstError firstErrorIn(std::string_view diagnostics) {
  constexpr std::string_view mark = "error: ";
  for (size_t begin = 0, end; begin < diagnostics.size(); begin = end + 1) {
    end = std::min(diagnostics.find('\n', begin), diagnostics.size());
    const std::string_view line = diagnostics.substr(begin, end - begin);
    const size_t error = line.find(mark);
    if (error == std::string_view::npos)
      continue;
    std::string_view before = line.substr(0, error);
    if (before.size() >= 2 && before.substr(before.size() - 2) == ": ")
      before.remove_suffix(2);
    return {std::string(isPlace(before) ? before : std::string_view()),
            std::string(line.substr(error + mark.size()))};
  }
  return {};
}

} // namespace gaudi::capi

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs to .npy files and to standard output.
#include "Outputs.h"
#include "Gaudi/Analysis/Finite.h"
#include "Gaudi/Recipe/NpyTensor.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Source.h"
#include "Suffixes.h"
#include "Values.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ostream.h>

namespace gaudi::run {

Result<std::vector<std::optional<std::string>>>
matchOutputFiles(const std::vector<std::string> &texts,
                 const std::vector<recipe::Parameter> &parameters) {
  const auto specs = GAUDI_TRY(matchSpecs("--output", texts, parameters));
  std::vector<std::optional<std::string>> files(parameters.size());
  for (size_t i = 0; i < files.size(); ++i) {
    if (!specs[i])
      continue;
    if (specs[i]->file.empty())
      return fail("--output: expected a file for output {} but got a value; "
                  "write --output={}=@FILE.npy",
                  inQuotes(parameters[i].name), printable(parameters[i].name));
    files[i] = specs[i]->file;
    GAUDI_TRY(refuseOtherFormat("--output", *files[i], ".npy"));
    for (size_t j = 0; j < i; ++j)
      if (files[j] && sameFile(*files[j], *files[i]))
        return fail("--output: outputs {} and {} both go to the file {}; name "
                    "two files",
                    inQuotes(parameters[j].name), inQuotes(parameters[i].name),
                    inQuotes(*files[i]));
  }
  return files;
}

Status writeOutputs(const std::vector<recipe::HostTensor> &outputs,
                    const std::vector<std::optional<std::string>> &files) {
  std::vector<OutputFile> written;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!files[i])
      continue;
    OutputFile &file =
        written.emplace_back(GAUDI_TRY(OutputFile::create(*files[i])));
    const recipe::HostTensor &tensor = outputs[i];
    GAUDI_TRY(writeNpy(file, recipe::npyType(tensor.type.element),
                       tensor.type.shape, tensor.bytes.data(),
                       tensor.bytes.size()));
  }
  return commitAll(written);
}

Status writeFile(const std::string &path, const uint8_t *data, size_t size) {
  OutputFile file = GAUDI_TRY(OutputFile::create(path));
  GAUDI_TRY(file.write(data, size));
  return file.commit();
}

void printOutput(std::ostream &out, const recipe::HostTensor &tensor,
                 uint32_t elements) {
  const uint64_t count = tensor.type.count();
  fmt::print(out, "output {}: {} = ", inQuotes(tensor.name),
             tensor.type.text());
  if (tensor.type.shape.empty()) {
    fmt::print(out, "{}\n", elementText(tensor, 0));
    return;
  }
  const uint64_t shown = std::min<uint64_t>(count, elements);
  std::vector<std::string> texts;
  for (uint64_t i = 0; i < shown; ++i)
    texts.push_back(elementText(tensor, i));
  if (shown == count) {
    fmt::print(out, "[{}]\n", fmt::join(texts, ", "));
    return;
  }
  texts.push_back("...");
  fmt::print(out, "[{}] ({}", fmt::join(texts, ", "),
             countOf(count, "element"));
  const analysis::ValueRange range = analysis::rangeOf(tensor);
  if (range.hasNumbers())
    fmt::print(out, ", min {:g}, max {:g}", range.smallest, range.largest);
  if (range.nans)
    fmt::print(out, range.hasNumbers() ? ", {} NaN" : ", all NaN", range.nans);
  fmt::print(out, ")\n");
}

void printVerified(std::ostream &out, const std::string &path, bool isModel,
                   const recipe::RecipeFile &file) {
  using recipe::items;
  const recipe::Recipe &recipe = file.recipe();
  fmt::print(out, "{} {} valid recipe for {}: {}, {}, {}, {}\n", inQuotes(path),
             isModel ? "compiles to a" : "is a", recipe::text(recipe.target()),
             countOf(items(recipe.entries()).size(), "entry", "entries"),
             countOf(items(recipe.tensors()).size(), "tensor"),
             countOf(items(recipe.kernels()).size(), "kernel"),
             countOf(file.fileSize(), "byte"));
}

} // namespace gaudi::run

// Outputs to .npy files and to the screen.
#include "Outputs.h"
#include "Gaudi/Support/Npy.h"
#include "Gaudi/Support/Quote.h"
#include "Values.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>
#include <sstream>

namespace gaudi::run {

bool sameFile(const std::string &a, const std::string &b) {
  // Devices such as /dev/null take any number of outputs.
  std::error_code error;
  if (std::filesystem::exists(a, error) &&
      !std::filesystem::is_regular_file(a, error))
    return false;
  return a == b || std::filesystem::weakly_canonical(a, error) ==
                       std::filesystem::weakly_canonical(b, error);
}

Outcome<std::vector<std::optional<std::string>>>
matchOutputFiles(const std::vector<std::string> &texts,
                 const std::vector<Parameter> &parameters) {
  auto specs = matchSpecs("--output", texts, parameters);
  if (!specs)
    return again(specs.error());
  std::vector<std::optional<std::string>> files(parameters.size());
  for (size_t i = 0; i < files.size(); ++i) {
    if (!(*specs)[i])
      continue;
    if ((*specs)[i]->file.empty())
      return badInput("--output: expected @FILE for output " +
                      inQuotes(parameters[i].name) + " but got a value");
    files[i] = (*specs)[i]->file;
    for (size_t j = 0; j < i; ++j)
      if (files[j] && sameFile(*files[j], *files[i]))
        return badInput("--output: two outputs go to the file " +
                        inQuotes(*files[i]));
  }
  return files;
}

Done writeOutputs(const std::vector<HostTensor> &outputs,
                  const std::vector<std::optional<std::string>> &files) {
  std::vector<OutputFile> written;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!files[i])
      continue;
    auto file = OutputFile::create(*files[i]);
    if (!file)
      return badInput(file.error());
    const HostTensor &tensor = outputs[i];
    const NpyForm form = npyForm(tensor.type.element);
    if (Status status =
            writeNpy(*file, {form.kind, form.bytes}, tensor.type.shape,
                     tensor.bytes.data(), tensor.bytes.size());
        !status)
      return badInput(status.error());
    written.push_back(std::move(*file));
  }
  for (OutputFile &file : written)
    if (Status status = file.commit(); !status)
      return badInput(status.error());
  return {};
}

Done writeFile(const std::string &path, const uint8_t *data, size_t size) {
  auto file = OutputFile::create(path);
  if (!file)
    return badInput(file.error());
  Status status = file->write(data, size);
  if (status)
    status = file->commit();
  if (!status)
    return badInput(status.error());
  return {};
}

std::optional<ValueRange> rangeOf(const HostTensor &tensor) {
  const bool isFloat = recipe::isFloat(tensor.type.element);
  ValueRange range;
  bool any = false;
  for (uint64_t i = 0, count = tensor.type.count(); i < count; ++i) {
    const double value = isFloat ? tensor.floatAt(i) : double(tensor.intAt(i));
    if (std::isnan(value)) {
      ++range.notNumbers;
      continue;
    }
    range.smallest = any ? std::min(range.smallest, value) : value;
    range.largest = any ? std::max(range.largest, value) : value;
    any = true;
  }
  if (!any)
    return std::nullopt;
  return range;
}

void printOutput(std::ostream &out, const HostTensor &tensor,
                 uint32_t elements) {
  const uint64_t count = tensor.type.count();
  out << "output " << inQuotes(tensor.name) << ": " << tensor.type.text()
      << " = ";
  if (tensor.type.shape.empty()) {
    out << elementText(tensor, 0) << "\n";
    return;
  }
  out << "[";
  const uint64_t shown = std::min<uint64_t>(count, elements);
  for (uint64_t i = 0; i < shown; ++i)
    out << (i ? ", " : "") << elementText(tensor, i);
  if (shown == count) {
    out << "]\n";
    return;
  }
  out << (shown ? ", ...]" : "...]") << " (" << count << " elements";
  if (auto range = rangeOf(tensor)) {
    std::ostringstream text;
    text << ", min " << range->smallest << ", max " << range->largest;
    if (range->notNumbers)
      text << ", " << range->notNumbers << " NaN";
    out << text.str();
  } else {
    out << ", all NaN";
  }
  out << ")\n";
}

} // namespace gaudi::run

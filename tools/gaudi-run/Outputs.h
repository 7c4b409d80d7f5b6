// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes outputs to files, or prints them.
#ifndef GAUDI_RUN_OUTPUTS_H
#define GAUDI_RUN_OUTPUTS_H

#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Text.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

/// The file of each output; no value: it is printed. Errors: an unknown output,
/// one file for two outputs.
Result<std::vector<std::optional<std::string>>>
matchOutputFiles(const std::vector<std::string> &texts,
                 const std::vector<recipe::Parameter> &parameters);

/// Writes every output that has a file. Every file is written and closed before
/// the first one gets its name, so a full disk leaves none of them behind.
Status writeOutputs(const std::vector<recipe::HostTensor> &outputs,
                    const std::vector<std::optional<std::string>> &files);

/// Writes bytes to a file, whole or not at all.
Status writeFile(const std::string &path, const uint8_t *data, size_t size);

/// One line: "output 'y': 2x3xf32 = [1, 2, 3, ...] (6 elements, min 1, max 6)".
void printOutput(std::ostream &out, const recipe::HostTensor &tensor,
                 uint32_t elements);

/// One line: "'x.recipe' is a valid recipe for gaudi2: 1 entry, ..."; a model
/// "compiles to" one.
void printVerified(std::ostream &out, const std::string &path, bool isModel,
                   const recipe::RecipeFile &file);

/// The same as a JSON object: entries with their inputs and outputs, sections.
void printVerifiedJson(const std::string &path, const recipe::RecipeFile &file);

/// The recipe as a JSON object: all of its tensors and commands, and `text`.
void printDumpJson(const std::string &path, const recipe::RecipeFile &file,
                   const recipe::PrintOptions &options);

} // namespace gaudi::run

#endif // GAUDI_RUN_OUTPUTS_H

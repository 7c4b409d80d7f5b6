// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch in one file, to be run again: a zip archive of a recipe or a model,
// inputs where they were asked for, and `replay.json`, which says how they were
// launched and what came of it (docs/replay.md).
#ifndef GAUDI_ANALYSIS_REPLAYFILE_H
#define GAUDI_ANALYSIS_REPLAYFILE_H

#include "Gaudi/Analysis/ZipArchive.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::analysis {

/// An input or output of the launch.
struct ReplayTensor {
  std::string name, type;       ///< "x", "2x3xf32"
  std::string hash;             ///< of its bytes, see hashOf; empty: not known
  std::string file;             ///< .npy member with its values; empty: none
  std::optional<uint32_t> seed; ///< of --seed-inputs, which gives the values
};

/// An option of gaudi-run. Values may have paths of members in them, one after
/// the other with texts: "bf16:lower=", {file "files/ops.txt"}.
struct ReplayOption {
  struct Part {
    std::string text;
    bool isFile = false;
  };
  std::string name; ///< "autocast"
  std::vector<Part> value;
};

/// replay.json.
struct Replay {
  std::map<std::string, std::string> versions;
  std::vector<ReplayOption> options;
  std::map<std::string, std::string> environment;
  std::string file;   ///< member that is run: the model, or a recipe
  std::string recipe; ///< member with the recipe of a model; empty: none
  std::string entry;
  std::vector<ReplayTensor> inputs, outputs;
  std::vector<ReplayTensor> expected; ///< of --expect
  int64_t predictedPicoseconds = -1;  ///< of one launch; -1: unknown
  /// How it ended: an exit code of gaudi-run; -1: it did not, in `stage`.
  int code = -1;
  std::string stage;   ///< "reading the model", "compiling", "launching"
  std::string message; ///< why it failed; the model is called `file` in it
  std::string reason;  ///< why the file was written: "asked for"
};

/// Of the bytes of a tensor or file: XXH3-64, 16 hexadecimal digits.
std::string hashOf(const void *data, uint64_t size);

/// Name, type and hash of a tensor. `bytes` may hold values of several steps.
ReplayTensor describeTensor(const recipe::HostTensor &tensor);

/// Whether a hash would give the bytes away: so few values are soon tried out.
inline bool isGuessable(const recipe::HostTensor &tensor) {
  return tensor.bytes.size() < 64;
}

/// Values of a tensor as .npy, and where a member has them.
struct ReplayValues {
  std::string file, header;
};
ReplayValues valuesOf(const recipe::HostTensor &tensor, std::string file);

/// Whether a file begins as replay files do: an archive whose first member is
/// replay.json. `head`: its first 41 bytes.
bool isReplay(std::string_view head);

/// The text of replay.json, and what it says. Errors of the latter: no JSON, a
/// field that is missing, of another kind or a foreign name; another format or
/// a newer version. `path` is for them.
std::string printReplay(const Replay &replay);
Result<Replay> parseReplay(std::string_view json, const std::string &path);

/// Writes the file whole: replay.json and `members`.
Status writeReplay(const std::string &path, const Replay &replay,
                   std::vector<ZipMember> members);

/// Reads replay.json, checks that all members that it names are there, and
/// unpacks all below `folder`.
Result<Replay> unpackReplay(const std::string &path, const std::string &folder);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_REPLAYFILE_H

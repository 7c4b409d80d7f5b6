// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each command of a launch gave, kept in a file.
#ifndef GAUDI_CAPI_COMMANDTRACE_H
#define GAUDI_CAPI_COMMANDTRACE_H

#include "Gaudi/CApi/CompilerSession.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/Executable.h"
#include "Gaudi/Support/TemporaryFile.h"

#include <vector>

namespace gaudi::capi {

/// Observes one launch of an entry, whose commands must all be seen (load
/// without `pipelined`). Buffers are used again, so each result is copied as
/// soon as it is there, to a file that is deleted with this.
class CommandTrace : public runtime::LaunchObserver {
public:
  CommandTrace(const runtime::Executable &executable,
               const recipe::Recipe &recipe, size_t entry);

  void before(size_t command) override;
  void after(size_t command) override;

  /// Whether all results are in the file.
  bool isComplete() const { return file && isWritten; }
  /// Puts the commands into the request, in the order in which they ran, and
  /// the launches of a program, whose functions are entries of their own. The
  /// request must not outlive it.
  void fill(CompilerSession::Bisection &request) const;

private:
  /// Bytes of a section, from the first to the last that a tensor has.
  struct Range {
    uint32_t section;
    uint64_t begin, end;
    uint32_t command; ///< that wrote them
  };
  Range rangeOf(uint32_t tensor, uint32_t command) const;
  /// Appends the values of a tensor to the file; where they begin.
  long keep(uint32_t tensor, uint64_t size);
  bool read(long place, uint8_t *bytes, uint64_t size) const;
  void addProducers(uint32_t tensor, std::vector<uint32_t> &producers) const;

  const runtime::Executable &executable;
  const recipe::Recipe &recipe;
  const size_t entry;
  TemporaryFile file;
  bool isWritten = true;
  long end = 0;
  std::vector<CompilerSession::TracedCommand> traced;
  std::vector<CompilerSession::TracedLaunch> launched;
  std::vector<std::vector<long>> places;         ///< of the results in the file
  std::vector<std::vector<long>> variablePlaces; ///< the same of each launch
  std::vector<Range> written; ///< in the order of the commands
};

} // namespace gaudi::capi

#endif // GAUDI_CAPI_COMMANDTRACE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of the log, to which several processes write.
//
// A line is one write() to a file that is open for appending, so that lines of
// several processes neither mix nor overwrite each other. Who finds the file
// full renames it under a lock on the folder, unless another process has done
// so; nothing is ever truncated. spdlog's own rotating file belongs to one
// process.
#ifndef GAUDI_LIB_MONITORING_LOGFILE_H
#define GAUDI_LIB_MONITORING_LOGFILE_H

#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace gaudi::monitoring {

class LogFile {
public:
  /// `amount`: how many full files are kept. Opens nothing yet.
  LogFile(std::string folder, uint64_t bytes, unsigned amount)
      : folder(std::move(folder)), limit(bytes), amount(amount) {}

  /// Opens the file if it is not. Errors: the folder or the file cannot be
  /// written.
  Status append(std::string_view line);

private:
  /// "pytorch_log.txt", of a full one "pytorch_log.1.txt".
  std::string path(unsigned number) const;
  Status open();
  Status rotate();
  tl::unexpected<Error> failed(const std::string &what) const;

  std::string folder;
  uint64_t limit;
  unsigned amount;
  Descriptor file;
};

} // namespace gaudi::monitoring

#endif // GAUDI_LIB_MONITORING_LOGFILE_H

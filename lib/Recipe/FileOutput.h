// Whole files or none: writes beside the target and renames at the end.
#ifndef GAUDI_LIB_RECIPE_FILEOUTPUT_H
#define GAUDI_LIB_RECIPE_FILEOUTPUT_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::recipe {

class FileOutput {
public:
  /// `totalBytes`: what will be written in all; for messages.
  FileOutput(std::string path, uint64_t totalBytes);
  /// Removes the temporary file unless `commit` succeeded.
  ~FileOutput();
  FileOutput(const FileOutput &) = delete;
  FileOutput &operator=(const FileOutput &) = delete;

  Status open();
  Status write(const uint8_t *data, uint64_t size);
  /// Flushes, checks, and gives the file its name.
  Status commit();

private:
  Status flush();
  Status failed(const char *step, int error) const;

  std::string path;
  std::string target; // `path` with symbolic links followed
  std::string temporary;
  uint64_t totalBytes;
  std::vector<uint8_t> buffer;
  int descriptor = -1;
};

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_FILEOUTPUT_H

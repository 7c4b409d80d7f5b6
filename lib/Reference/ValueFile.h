// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of an evaluation that may not fit into memory together.
#ifndef GAUDI_LIB_REFERENCE_VALUEFILE_H
#define GAUDI_LIB_REFERENCE_VALUEFILE_H

#include "Gaudi/Reference/Tensor.h"
#include "Gaudi/Support/TemporaryFile.h"

namespace gaudi::reference {

/// Tensors in a file, as the device has them in memory.
class ValueFile {
public:
  /// Whether it is there, and all that was added is in it.
  bool isComplete() const { return file && isWritten; }
  /// Says why it is not complete.
  static LogicalResult reportIncomplete(Operation *function) {
    return function->emitError()
           << "cannot keep the values of its ops in a file of '"
           << temporaryFolder() << "'; set TMPDIR to a folder with more space";
  }

  /// Gives its number.
  size_t add(const ReferenceTensor &tensor) {
    const std::vector<char> bytes = tensor.toBytes();
    entries.push_back({tensor.getType(), end, bytes.size()});
    end += long(bytes.size());
    isWritten = isComplete() && std::fwrite(bytes.data(), 1, bytes.size(),
                                            file.get()) == bytes.size();
    return entries.size() - 1;
  }

  FailureOr<ReferenceTensor> read(size_t number) const {
    const Entry &entry = entries[number];
    std::vector<char> bytes(entry.size);
    if (std::fseek(file.get(), entry.begin, SEEK_SET) != 0 ||
        std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
      return failure();
    return ReferenceTensor::fromBytes(entry.type, bytes);
  }

private:
  struct Entry {
    RankedTensorType type;
    long begin;
    size_t size;
  };
  TemporaryFile file = openTemporaryFile();
  bool isWritten = true;
  std::vector<Entry> entries;
  long end = 0;
};

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_VALUEFILE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights outside the text: values of `dense_resource<name>` constants that
// are in memory of the caller or in a safetensors file beside the model.
#ifndef GAUDI_COMPILER_RESOURCES_H
#define GAUDI_COMPILER_RESOURCES_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gaudi {

/// Attribute of a module: the name of the safetensors file, in the folder of
/// the model, that has the values which the text leaves out.
constexpr llvm::StringLiteral resourceFileAttrName = "gaudi.resource_file";

/// The value of a resource, dense and little-endian.
struct ResourceValue {
  ArrayRef<char> bytes;
  /// Keeps `bytes` alive; null if the caller does, for as long as the context.
  std::shared_ptr<const void> owner;
  /// As safetensors files say them: "F32".
  StringRef elementType;
  ArrayRef<int64_t> shape;
};

/// What is known of the resource of a name.
using FindResource =
    llvm::function_ref<std::optional<ResourceValue>(StringRef name)>;

/// The names that the source gives its resources, in their order. A context
/// that reads a source again appends numbers to them.
using ResourceNames = std::vector<std::string>;

/// Gives resources of `module` that have no data the values that `find` knows,
/// by reference where they are aligned. `names` is filled by the first call for
/// a source and read by all others, which share the values of the first. Fails,
/// with a diagnostic at the constant, if the type of a constant is not that of
/// its value; names that `find` does not know stay without data.
LogicalResult attachResources(ModuleOp module, ResourceNames &names,
                              FindResource find);

/// Fails if a resource still has no data: "resource 'w' of type T <problem>",
/// at its first constant. `names` as attachResources left it.
LogicalResult refuseMissingResources(ModuleOp module,
                                     const ResourceNames &names,
                                     const Twine &problem);

/// A safetensors file: the length of the header in 8 bytes, the header in JSON,
/// the tensors, which stay in the file until somebody reads them.
class SafetensorsFile {
public:
  struct Tensor {
    std::string elementType; ///< "F32", "BF16", ...
    std::vector<int64_t> shape;
    uint64_t begin = 0, end = 0; ///< In bytes after the header.
  };

  SafetensorsFile() = default;
  ~SafetensorsFile();
  SafetensorsFile(const SafetensorsFile &) = delete;
  SafetensorsFile &operator=(const SafetensorsFile &) = delete;

  /// Opens a file and checks everything that its header says. Null, with a
  /// reason in `problem`, if it cannot be read or is damaged.
  static std::unique_ptr<SafetensorsFile> open(StringRef path,
                                               std::string &problem);
  /// The same for a file of `fileBytes` bytes that begins with `start`, which
  /// has the whole header.
  static std::unique_ptr<SafetensorsFile>
  parse(StringRef start, uint64_t fileBytes, std::string &problem);

  const Tensor *find(StringRef name) const;
  /// The first byte of a tensor in the file.
  uint64_t offsetOf(const Tensor &tensor) const {
    return dataBegin + tensor.begin;
  }
  /// The bytes of a tensor, aligned for every type. Null, with a reason in
  /// `problem`, if the file does not have them any more. Not a mapping: another
  /// program that truncates a mapped file ends the one that reads it.
  std::shared_ptr<const llvm::MemoryBuffer> read(const Tensor &tensor,
                                                 std::string &problem) const;
  size_t size() const { return tensors.size(); }

private:
  llvm::StringMap<Tensor> tensors;
  uint64_t dataBegin = 0;
  llvm::sys::fs::file_t file = llvm::sys::fs::kInvalidFile;
};

/// attachResources for the file that `module` names, which is in the folder of
/// the file `source`; only tensors that constants need are read. Succeeds if
/// the module names none.
LogicalResult attachResourceFile(ModuleOp module, StringRef source,
                                 ResourceNames &names);

} // namespace gaudi

#endif // GAUDI_COMPILER_RESOURCES_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the dictionaries of records on the module.
#ifndef GAUDI_LIB_TRANSFORMS_RECORDFIELDS_H
#define GAUDI_LIB_TRANSFORMS_RECORDFIELDS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include <optional>
#include <string>

namespace gaudi {

/// A dictionary that may lack fields, or have them in other types: a file may
/// hold anything, and nothing that runs depends on records.
class RecordFields {
public:
  explicit RecordFields(Attribute attribute)
      : fields(dyn_cast<DictionaryAttr>(attribute)),
        context(attribute.getContext()) {}

  int64_t number(StringRef name, int64_t otherwise = 0) const {
    auto attr = get<IntegerAttr>(name);
    return attr && attr.getType().isSignlessInteger(64) ? attr.getInt()
                                                        : otherwise;
  }
  std::string text(StringRef name) const {
    auto attr = get<StringAttr>(name);
    return attr ? attr.str() : std::string();
  }
  std::optional<Location> location(StringRef name) const {
    auto attr = get<LocationAttr>(name);
    return attr ? std::optional<Location>(attr) : std::nullopt;
  }
  Location location() const {
    return location("loc").value_or(UnknownLoc::get(context));
  }
  bool flag(StringRef name) const {
    auto attr = get<BoolAttr>(name);
    return attr && attr.getValue();
  }
  SmallVector<RecordFields, 0> list(StringRef name) const {
    SmallVector<RecordFields, 0> parts;
    if (auto attr = get<ArrayAttr>(name))
      for (Attribute part : attr)
        parts.emplace_back(part);
    return parts;
  }
  template <typename T> T get(StringRef name) const {
    return fields ? fields.getAs<T>(name) : T();
  }

private:
  DictionaryAttr fields;
  MLIRContext *context;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_RECORDFIELDS_H

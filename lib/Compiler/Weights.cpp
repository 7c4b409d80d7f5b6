// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of constants that callers of a session give in memory.
#include "Gaudi/Support/Units.h"
#include "Session.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace gaudi;

LogicalResult Session::attachWeights(ResourceNames &names) {
  if (!options.resources)
    return attachResourceFile(*source, sourceName, names);
  llvm::StringMap<ResourceValue> given;
  for (const GaudiResourceValue &value :
       ArrayRef(options.resources, options.numResources))
    given.try_emplace(
        value.name,
        ResourceValue{ArrayRef(reinterpret_cast<const char *>(value.bytes.data),
                               value.bytes.size),
                      nullptr, value.elementType,
                      ArrayRef(value.shape, value.rank)});
  auto find = [&](StringRef name) -> std::optional<ResourceValue> {
    auto it = given.find(name);
    return it == given.end() ? std::nullopt
                             : std::optional<ResourceValue>(it->second);
  };
  if (failed(attachResources(*source, names, find)) ||
      failed(attachResourceFile(*source, sourceName, names)))
    return failure();
  return refuseMissingResources(
      *source, names,
      "has no data in the model and is not among the " +
          Twine(gaudi::countOf(given.size(), "value")) +
          " that the option 'resources' gives");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of fusion as an attribute of the module.
#include "Gaudi/Transforms/FusionRecord.h"
#include "Gaudi/Support/Fusions.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gaudi;

static DictionaryAttr attributeOf(Builder &builder,
                                  const FusionRecord &record) {
  SmallVector<NamedAttribute> fields = {
      {"kind", builder.getStringAttr(record.kind)},
      {"fused", builder.getBoolAttr(record.fused)},
      {"loc", LocationAttr(record.loc)},
      {"text", builder.getStringAttr(record.text)}};
  for (auto [name, value] :
       {std::pair("members", int64_t(record.members)),
        std::pair("bytes_saved", record.bytesSaved),
        std::pair("picoseconds_saved", record.picosecondsSaved)})
    if (value)
      fields.emplace_back(name, builder.getI64IntegerAttr(value));
  return builder.getDictionaryAttr(fields);
}

void gaudi::record(ModuleOp module, ArrayRef<FusionRecord> records) {
  if (records.empty())
    return;
  Builder builder(module.getContext());
  SmallVector<Attribute> all;
  if (auto known = module->getAttrOfType<ArrayAttr>(fusionsAttrName))
    llvm::append_range(all, known);
  for (const FusionRecord &record : records) {
    assert(gaudi::findFusionKind(std::string_view(record.kind)) &&
           "a kind of Gaudi/Support/Fusions.h");
    all.push_back(attributeOf(builder, record));
  }
  module->setAttr(fusionsAttrName, builder.getArrayAttr(all));
}

/// Fields that a file lacks, or has of another type, have their default: the
/// attribute is for people, and nothing that runs depends on it.
static FusionRecord recordOf(DictionaryAttr fields) {
  auto text = [&](StringRef name) {
    auto attr = fields.getAs<StringAttr>(name);
    return attr ? attr.getValue() : StringRef();
  };
  auto number = [&](StringRef name) {
    auto attr = fields.getAs<IntegerAttr>(name);
    return attr && attr.getType().isSignlessInteger(64) ? attr.getInt() : 0;
  };
  auto loc = fields.getAs<LocationAttr>("loc");
  auto fused = fields.getAs<BoolAttr>("fused");
  return {text("kind"),
          loc ? Location(loc) : UnknownLoc::get(fields.getContext()),
          fused && fused.getValue(),
          unsigned(number("members")),
          number("bytes_saved"),
          number("picoseconds_saved"),
          text("text").str()};
}

SmallVector<FusionRecord> gaudi::fusionRecords(ModuleOp module) {
  SmallVector<FusionRecord> records;
  if (auto known = module->getAttrOfType<ArrayAttr>(fusionsAttrName))
    for (Attribute entry : known) {
      auto fields = dyn_cast<DictionaryAttr>(entry);
      if (!fields)
        continue;
      FusionRecord record = recordOf(fields);
      if (gaudi::findFusionKind(std::string_view(record.kind)))
        records.push_back(std::move(record));
    }
  return records;
}

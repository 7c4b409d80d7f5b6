// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dictionaries of records on the module.
#ifndef GAUDI_LIB_TRANSFORMS_RECORDFORM_H
#define GAUDI_LIB_TRANSFORMS_RECORDFORM_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>

namespace gaudi {

/// Writes the fields of a record to a dictionary, or reads them from one: a
/// record is described once, by the calls that name its fields. A dictionary
/// that is read may lack fields, or have them in other types: a file may hold
/// anything, and nothing that runs depends on records.
class RecordForm {
public:
  /// Writes.
  explicit RecordForm(MLIRContext *context) : builder(context) {}
  /// Reads.
  explicit RecordForm(Attribute attribute)
      : builder(attribute.getContext()), isRead(true),
        known(dyn_cast<DictionaryAttr>(attribute)) {}

  DictionaryAttr dictionary() { return builder.getDictionaryAttr(written); }

  /// What is `absent` is not written.
  template <typename T>
  void number(StringRef name, T &value,
              std::optional<int64_t> absent = std::nullopt) {
    if (isRead) {
      auto attr = get<IntegerAttr>(name);
      value =
          T(attr && attr.getType().isSignlessInteger(64) ? attr.getInt()
                                                         : absent.value_or(0));
    } else if (int64_t(value) != absent) {
      add(name, builder.getI64IntegerAttr(int64_t(value)));
    }
  }
  /// A std::string, or a StringRef to the text of the attribute.
  template <typename Text>
  void text(StringRef name, Text &value, bool isOptional = false) {
    if (isRead) {
      auto attr = get<StringAttr>(name);
      value = Text(attr ? attr.getValue() : StringRef());
    } else if (!isOptional || !value.empty()) {
      add(name, builder.getStringAttr(value));
    }
  }
  void flag(StringRef name, bool &value) {
    if (auto attr = get<BoolAttr>(name); isRead)
      value = attr && attr.getValue();
    else
      add(name, builder.getBoolAttr(value));
  }
  void location(StringRef name, std::optional<Location> &value) {
    if (auto attr = get<LocationAttr>(name); isRead && attr)
      value = Location(attr);
    else if (!isRead && value)
      add(name, LocationAttr(*value));
  }
  void location(Location &value) {
    std::optional<Location> loc = value;
    location("loc", loc);
    value = *loc;
  }
  /// An array attribute; null is not written.
  template <typename T> void attribute(StringRef name, T &value) {
    if (isRead)
      value = get<T>(name);
    else if (value)
      add(name, value);
  }

  /// Parts, which `describe` describes; it is false for one that is read and
  /// makes no sense. Those that are read begin as copies of `blank`.
  template <typename List, typename Describe>
  void list(StringRef name, List &parts, const typename List::value_type &blank,
            Describe &&describe) {
    SmallVector<Attribute> attributes;
    for (size_t i = 0; !isRead && i < parts.size(); ++i)
      attributes.push_back(dictionaryOf(parts[i], describe));
    if (!isRead)
      return add(name, builder.getArrayAttr(attributes));
    if (auto attr = get<ArrayAttr>(name))
      read(attr, parts, blank, describe);
  }

  template <typename Record, typename Describe>
  DictionaryAttr dictionaryOf(Record &record, Describe &&describe) {
    RecordForm form(builder.getContext());
    describe(form, record);
    return form.dictionary();
  }
  template <typename List, typename Describe>
  static void read(ArrayAttr attributes, List &records,
                   const typename List::value_type &blank,
                   Describe &&describe) {
    for (Attribute attribute : attributes) {
      RecordForm form(attribute);
      records.push_back(blank);
      if (!describe(form, records.back()))
        records.pop_back();
    }
  }

private:
  void add(StringRef name, Attribute value) {
    written.emplace_back(name, value);
  }
  template <typename T> T get(StringRef name) const {
    return known ? known.getAs<T>(name) : T();
  }

  Builder builder;
  const bool isRead = false;
  DictionaryAttr known;
  SmallVector<NamedAttribute> written;
};

/// Appends records to those that the module has under the name.
template <typename Record, typename Describe>
void appendRecords(ModuleOp module, StringRef name, ArrayRef<Record> records,
                   Describe &&describe) {
  if (records.empty())
    return;
  SmallVector<Attribute> all;
  if (auto known = module->getAttrOfType<ArrayAttr>(name))
    llvm::append_range(all, known);
  RecordForm form(module.getContext());
  for (Record record : records)
    all.push_back(form.dictionaryOf(record, describe));
  module->setAttr(name, ArrayAttr::get(module.getContext(), all));
}

/// Reads the records that the module has under the name, see
/// RecordForm::list.
template <typename List, typename Describe>
void readRecords(ModuleOp module, StringRef name, List &records,
                 const typename List::value_type &blank, Describe &&describe) {
  if (auto known = module->getAttrOfType<ArrayAttr>(name))
    RecordForm::read(known, records, blank, describe);
}

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_RECORDFORM_H

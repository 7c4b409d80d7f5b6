// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds the work of the verifier by the size of the file, and checks that all
// vectors can be read in place.
//
// FlatBuffers lets many references share one table, so a small file could
// describe a huge structure. Recipes never share, but for small strings and
// vectors of variants: all other parts must add up to no more than the
// metadata.
#include "../Pack.h"
#include "Context.h"

#include <algorithm>
#include <flatbuffers/minireflect.h>

namespace gaudi::recipe {
namespace {

using flatbuffers::ElementaryType;
using flatbuffers::TypeTable;

/// Takes the bytes of each part from those of the metadata. Every part is at
/// least as large as what is taken for it, so an overdrawn account proves that
/// two references share a part. The types come from the schema: a field that is
/// added there is counted.
class Account {
public:
  /// `sharesSmall`: several references may share a small string or vector
  /// (Pack.h), for which nothing is taken.
  Account(uint64_t bytes, bool sharesSmall)
      : left(bytes), sharesSmall(sharesSmall) {}
  bool overdrawn() const { return over; }
  bool misaligned() const { return misplaced; }

  /// What the fields of a table refer to. Stops when overdrawn, so the work is
  /// bounded by the metadata too.
  void visit(const flatbuffers::Table &table, const TypeTable &type) {
    for (size_t i = 0; i < type.num_elems && !over; ++i) {
      const flatbuffers::TypeCode code = type.type_codes[i];
      const auto base = ElementaryType(code.base_type);
      if (!code.is_repeating && base != flatbuffers::ET_STRING &&
          base != flatbuffers::ET_SEQUENCE)
        continue; // within the table
      const uint8_t *field = table.GetAddressOf(
          flatbuffers::FieldIndexToOffset(flatbuffers::voffset_t(i)));
      if (!field)
        continue;
      const TypeTable *element = code.sequence_ref >= 0
                                     ? type.type_refs[code.sequence_ref]()
                                     : nullptr;
      if (code.is_repeating)
        visitVector(referenced(field), base, element);
      else if (base == flatbuffers::ET_STRING)
        takeString(referenced(field));
      else if (element->st == flatbuffers::ST_UNION)
        // Its type is the field before; none if a file leaves that out.
        visitUnion(table.GetField<uint8_t>(flatbuffers::FieldIndexToOffset(
                                               flatbuffers::voffset_t(i - 1)),
                                           0),
                   referenced(field), *element);
      else if (element->st == flatbuffers::ST_STRUCT)
        continue; // within the table
      else
        visitTable(referenced(field), *element);
    }
  }

private:
  uint64_t left;
  const bool sharesSmall;
  bool over = false;
  bool misplaced = false;

  static const uint8_t *referenced(const uint8_t *reference) {
    return reference +
           flatbuffers::ReadScalar<flatbuffers::uoffset_t>(reference);
  }

  void take(uint64_t bytes) {
    if (bytes > left)
      over = true;
    else
      left -= bytes;
  }

  /// The length, the characters and the final zero.
  void takeString(const uint8_t *at) {
    const auto size = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(at);
    if (!(sharesSmall && size <= maxSharedCharacters))
      take(5 + uint64_t(size));
  }

  void visitTable(const uint8_t *at, const TypeTable &type) {
    take(4);
    visit(*reinterpret_cast<const flatbuffers::Table *>(at), type);
  }

  /// A body of no known kind is refused later, and never read.
  void visitUnion(uint8_t kind, const uint8_t *at, const TypeTable &type) {
    if (kind == 0 || kind >= type.num_elems)
      return;
    visitTable(at, *type.type_refs[type.type_codes[kind].sequence_ref]());
  }

  void visitVector(const uint8_t *at, ElementaryType base,
                   const TypeTable *element) {
    const uint64_t size = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(at);
    const uint8_t *data = at + sizeof(flatbuffers::uoffset_t);
    const bool isTable = base == flatbuffers::ET_SEQUENCE &&
                         element->st == flatbuffers::ST_TABLE;
    if (!isTable && base != flatbuffers::ET_STRING)
      return takeScalars(data, size, base, element);
    take(4 + 4 * size);
    for (uint64_t i = 0; i < size && !over; ++i, data += 4)
      if (isTable)
        visitTable(referenced(data), *element);
      else
        takeString(referenced(data));
  }

  /// Scalars or structs. FlatBuffers only checks the alignment of the length.
  void takeScalars(const uint8_t *data, uint64_t size, ElementaryType base,
                   const TypeTable *element) {
    const size_t bytes = flatbuffers::InlineSize(base, element);
    if (!sharesSmall || size > maxSharedElements)
      take(4 + size * bytes);
    size_t alignment = bytes;
    if (base == flatbuffers::ET_SEQUENCE) {
      alignment = 1;
      for (size_t i = 0; i < element->num_elems; ++i)
        alignment = std::max(
            alignment,
            flatbuffers::InlineSize(
                ElementaryType(element->type_codes[i].base_type), nullptr));
    }
    if (reinterpret_cast<uintptr_t>(data) % alignment != 0)
      misplaced = true;
  }
};

} // namespace

Status verifyAccounting(const Recipe &recipe, uint64_t metadataSize) {
  // Variants may share small vectors.
  bool hasVariants = false;
  for (const Entry *entry : items(recipe.entries()))
    hasVariants |= entry->dispatch() != nullptr;
  Account account(metadataSize, hasVariants);
  account.visit(reinterpret_cast<const flatbuffers::Table &>(recipe),
                *RecipeTypeTable());
  if (account.overdrawn())
    return fail("parts of the metadata are shared: they add up to more than "
                "its {} bytes",
                metadataSize);
  if (account.misaligned())
    return fail("a vector of the metadata is not aligned to its elements");
  return {};
}

} // namespace gaudi::recipe

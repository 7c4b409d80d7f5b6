// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of constants that are not in the text of the model.
#include "Gaudi/Compiler/Resources.h"
#include "Gaudi/Support/Units.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// A constant that refers to a resource.
struct Reference {
  DenseResourceElementsAttr attribute;
  Operation *op;
};
/// A resource: its first constant, and one for each other type that it has.
using Use = SmallVector<Reference, 1>;
} // namespace

/// Each resource of the module once, in the order of the source.
static SmallVector<Use> resourcesOf(ModuleOp module) {
  SmallVector<Use> uses;
  llvm::DenseMap<const void *, size_t> numbers;
  llvm::DenseSet<Attribute> seen;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto add = [&](DenseResourceElementsAttr attribute) {
      if (!seen.insert(attribute).second)
        return;
      const auto [number, isNew] = numbers.try_emplace(
          attribute.getRawHandle().getResource(), uses.size());
      if (isNew)
        uses.emplace_back();
      uses[number->second].push_back({attribute, op});
    };
    op->getAttrDictionary().walk(add);
    // What an op that is not registered has in <{...}> is not among those.
    if (!op->isRegistered())
      if (Attribute properties = op->getPropertiesAsAttribute())
        properties.walk(add);
  });
  return uses;
}

/// The name that safetensors files have for an element type; "" if none.
static StringRef fileTypeOf(Type type) {
  if (type.isInteger(1))
    return "BOOL";
  return llvm::StringSwitch<StringRef>(debugString(type))
      .Case("f64", "F64")
      .Case("f32", "F32")
      .Case("f16", "F16")
      .Case("bf16", "BF16")
      .Case("f8E4M3FN", "F8_E4M3")
      .Case("f8E5M2", "F8_E5M2")
      .Cases({"i64", "si64"}, "I64")
      .Cases({"i32", "si32"}, "I32")
      .Cases({"i16", "si16"}, "I16")
      .Cases({"i8", "si8"}, "I8")
      .Case("ui64", "U64")
      .Case("ui32", "U32")
      .Case("ui16", "U16")
      .Case("ui8", "U8")
      .Default("");
}

/// Integers without a sign may come from either kind.
static bool isOfType(StringRef inFile, Type type) {
  StringRef wanted = fileTypeOf(type);
  const bool eitherSign = type.isSignlessInteger() && !type.isInteger(1);
  return !wanted.empty() &&
         (inFile == wanted || (eitherSign && inFile.starts_with("U") &&
                               inFile.drop_front() == wanted.drop_front()));
}

static std::string textOf(const ResourceValue &value) {
  std::string text = value.elementType.str() + " [";
  llvm::raw_string_ostream(text) << llvm::interleaved(value.shape) << "]";
  return text;
}

/// Compares what is known of a value with the type of the constant.
static LogicalResult checkType(const Reference &use, StringRef name,
                               const ResourceValue &value) {
  ShapedType type = use.attribute.getType();
  auto refuse = [&] {
    return emitError(use.op->getLoc())
           << "resource '" << name << "' of type " << type << " ";
  };
  Type element = type.getElementType();
  if (!isOfType(value.elementType, element) || !type.hasStaticShape() ||
      type.getShape() != value.shape)
    return refuse() << "is " << textOf(value) << " in "
                    << (value.owner
                            ? "the file of weights; put the file there that "
                              "was written with the model"
                            : "the option 'resources'; give it an array of "
                              "that type");
  const uint64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8u) *
                         uint64_t(type.getNumElements());
  if (bytes != value.bytes.size())
    return refuse() << "needs " << bytes << " bytes, but has "
                    << value.bytes.size();
  if (element.isInteger(1) &&
      llvm::any_of(value.bytes, [](char c) { return c & ~1; }))
    return refuse() << "has a byte that is neither 0 nor 1";
  return success();
}

/// A reference to the value, or a copy of it that is aligned.
static AsmResourceBlob blobOf(const ResourceValue &value, unsigned alignment) {
  if (!llvm::isAddrAligned(llvm::Align(alignment), value.bytes.data()))
    return HeapAsmResourceBlob::allocateAndCopyWithAlign(
        value.bytes, alignment, /*dataIsMutable=*/false);
  return AsmResourceBlob(
      value.bytes, alignment, [owner = value.owner](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
}

/// The value that the resource had when the context read the source first, and
/// which lives as long as the context; null if there was no such time.
static const AsmResourceBlob *firstValue(MLIRContext *context, StringRef name) {
  auto &manager = DenseResourceElementsHandle::getManagerInterface(context)
                      .getBlobManager();
  const auto *entry = manager.lookup(name);
  return entry ? entry->getBlob() : nullptr;
}

LogicalResult gaudi::attachResources(ModuleOp module, ResourceNames &names,
                                     FindResource find) {
  SmallVector<Use> uses = resourcesOf(module);
  // The first reading of a source gives the names.
  if (names.empty())
    for (const Use &use : uses)
      names.push_back(use.front().attribute.getRawHandle().getKey().str());
  assert(names.size() == uses.size() && "of another source");
  bool failed = false;
  for (auto [use, name] : llvm::zip_equal(uses, names)) {
    const DenseResourceElementsAttr first = use.front().attribute;
    DenseResourceElementsHandle handle = first.getRawHandle();
    // What publishers write in the place of values that they removed.
    if (handle.getBlob() || name == "__elided__")
      continue;
    // The context has read this source before and still has the value.
    if (const auto *first = firstValue(module.getContext(), name)) {
      handle.getResource()->setBlob(UnmanagedAsmResourceBlob::allocateWithAlign(
          first->getData(), first->getDataAlignment()));
      continue;
    }
    std::optional<ResourceValue> value = find(name);
    if (!value)
      continue;
    // All uses of a resource must agree with its value.
    bool fits = true;
    for (const Reference &reference : use)
      fits &= succeeded(checkType(reference, name, *value));
    failed |= !fits;
    if (!fits)
      continue;
    const unsigned bits = first.getElementType().getIntOrFloatBitWidth();
    handle.getResource()->setBlob(
        blobOf(*value, llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8u))));
  }
  return failure(failed);
}

LogicalResult gaudi::refuseMissingResources(ModuleOp module,
                                            const ResourceNames &names,
                                            const Twine &problem) {
  bool failed = false;
  for (auto [use, name] : llvm::zip_equal(resourcesOf(module), names)) {
    const auto &[attribute, op] = use.front();
    if (attribute.getRawHandle().getBlob() || name == "__elided__")
      continue;
    failed = true;
    emitError(op->getLoc()) << "resource '" << name << "' of type "
                            << attribute.getType() << " " << problem;
  }
  return failure(failed);
}

LogicalResult gaudi::attachResourceFile(ModuleOp module, StringRef source,
                                        ResourceNames &names) {
  Attribute attribute = module->getAttr(resourceFileAttrName);
  if (!attribute)
    return success();
  auto text = dyn_cast<StringAttr>(attribute);
  // Only a file beside the model: what is read must not depend on a path that
  // the author of the model chose.
  if (!text || text.empty() || text.getValue() == ".." ||
      text.getValue() == "." ||
      text.getValue().find_first_of(StringRef("/\\\0", 3)) != StringRef::npos)
    return emitError(module.getLoc())
           << "'" << resourceFileAttrName << "' is " << attribute
           << "; expected the plain name of a file in the model's folder";
  SmallString<128> path = llvm::sys::path::parent_path(source);
  llvm::sys::path::append(path, text.getValue());
  std::string problem;
  std::unique_ptr<SafetensorsFile> file;
  auto find = [&](StringRef name) -> std::optional<ResourceValue> {
    if (!file && problem.empty())
      file = SafetensorsFile::open(path, problem);
    if (!problem.empty())
      return std::nullopt;
    const SafetensorsFile::Tensor *tensor = file->find(name);
    if (!tensor)
      return std::nullopt;
    auto bytes = file->read(*tensor, problem);
    if (!bytes)
      return std::nullopt;
    const StringRef part = bytes->getBuffer();
    return ResourceValue{ArrayRef(part.data(), part.size()), bytes,
                         tensor->elementType, tensor->shape};
  };
  const LogicalResult attached = attachResources(module, names, find);
  if (!problem.empty())
    return emitError(module.getLoc())
           << "cannot read the weights in '" << path << "': " << problem
           << (!llvm::sys::fs::exists(path)
                   ? "; the model names this file: put it there, too"
               : StringRef(problem).contains(';')
                   ? ""
                   : "; put the file there that was written with the model");
  // No constant needs the file if it has not been opened.
  if (failed(attached) || !file)
    return attached;
  return refuseMissingResources(
      module, names,
      "is not among the " + Twine(gaudi::countOf(file->size(), "tensor")) +
          " of '" + path +
          "'; put the file there that was written with the model");
}

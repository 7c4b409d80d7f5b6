// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State shared by the parts of recipe emission: ids of tensors, locations and
// kernels.
#ifndef GAUDI_LIB_CONVERSION_GAUDITORECIPE_RECIPEASSEMBLY_H
#define GAUDI_LIB_CONVERSION_GAUDITORECIPE_RECIPEASSEMBLY_H

#include "Gaudi/Conversion/GaudiToRecipe/GaudiToRecipe.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace gaudi {

/// The recipe's name for an element type of the dialect.
recipe::ElementType recipeType(Type type);
/// The recipe's name for an engine.
recipe::Engine recipeEngine(Engine engine);

class RecipeAssembly {
public:
  /// `copyEngine`: the device's engine for copies that no op stands for.
  RecipeAssembly(EmittedRecipe &emitted, recipe::Engine copyEngine);

  /// A part of `whole` for one entry, so that several can be made at a time:
  /// it reads what `whole` has, which must not change meanwhile, and adds to
  /// itself. Its ids hold in its own entry, until `merge`.
  explicit RecipeAssembly(const RecipeAssembly &whole);

  /// The ids in the whole recipe of what a part has.
  struct Relocation {
    std::vector<uint32_t> tensors, locations, kernels;
  };
  /// Takes all that `part` has, what is there already once. The order of merges
  /// decides on ids.
  Relocation merge(RecipeAssembly &part);
  /// Changes the ids of an entry that was made with the part.
  static void relocate(recipe::EntryT &entry, const Relocation &relocation);

  recipe::Engine copyEngine() const { return copies; }

  recipe::RecipeT &recipe() { return emitted.recipe; }
  EmittedRecipe &output() { return emitted; }

  /// Id of a location's text.
  uint32_t locationId(Location loc);

  /// Declares the tensor of a value in the buffer of `root`; class and offset
  /// are given for roots.
  uint32_t addTensor(Value value, Value root, StringRef name,
                     recipe::TensorClass tensorClass, uint64_t offset);
  /// Declares a tensor that is no value of a function. Its elements are
  /// contiguous, or with `oneElement` all in one place.
  uint32_t addTensor(RankedTensorType type, Location loc, StringRef name,
                     recipe::TensorClass tensorClass,
                     recipe::SectionKind section, uint64_t offset,
                     bool oneElement = false);
  /// Lets `value` be the tensor that already holds its bytes.
  void shareTensor(Value value, uint32_t id) { tensorIds[value] = id; }
  uint32_t tensorId(Value value) const {
    auto own = tensorIds.find(value);
    return own != tensorIds.end() ? own->second
           : whole                ? whole->tensorId(value)
                                  : 0;
  }
  bool hasTensor(Value value) const {
    return tensorIds.contains(value) || (whole && whole->hasTensor(value));
  }
  const recipe::TensorT &tensor(uint32_t id) const {
    return id & partBit || !whole ? *emitted.recipe.tensors[id & ~partBit]
                                  : whole->tensor(id);
  }

  /// A window on a tensor: same bytes, other sizes and strides.
  uint32_t addWindow(uint32_t base, int64_t offsetElements,
                     ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                     StringRef name);

  /// Declares the tensor of a value that begins where the tensor `root` does.
  uint32_t addView(Value value, uint32_t root, StringRef name);

  /// Says that callers have the tensor in another order. Empty: they do not.
  void setPermutation(uint32_t id, ArrayRef<int64_t> order);

  /// An output of the same bytes, sizes, strides and order as `state`.
  uint32_t addOutput(uint32_t state, StringRef name, Location loc);

  /// Id of a kernel, shared with an equal one; none after an error.
  std::optional<uint32_t> kernelId(KernelOp kernel);
  const std::string &kernelName(uint32_t id) const {
    return emitted.recipe.kernels[id]->name;
  }
  uint64_t kernelsAsked() const { return asked; }

private:
  /// Of the ids of tensors that a part has itself.
  static constexpr uint32_t partBit = uint32_t(1) << 30;

  uint32_t add(std::unique_ptr<gaudi::recipe::TensorT> tensor);
  recipe::TensorT &own(uint32_t id) {
    return *emitted.recipe.tensors[id & ~partBit];
  }
  uint32_t locationId(std::string text);

  const RecipeAssembly *whole = nullptr;
  EmittedRecipe parts; // of a part
  EmittedRecipe &emitted;
  recipe::Engine copies;
  DenseMap<Value, uint32_t> tensorIds;
  llvm::StringMap<uint32_t> locationIds;
  llvm::StringMap<uint32_t> kernelIds;     // by data form
  llvm::StringMap<uint32_t> kernelOpIds;   // by op, which is found faster
  llvm::StringMap<uint32_t> partTensorIds; // of merged parts, by all fields
  uint64_t asked = 0;
};

/// The data form of a kernel op, or null after an error on the scalar op that
/// the form lacks.
std::unique_ptr<gaudi::recipe::KernelT> emitKernel(KernelOp op);

/// Appends the commands of one op to the entry.
LogicalResult emitCommands(Operation *op, RecipeAssembly &builder,
                           recipe::EntryT &entry);

/// Appends the records of fusions, permutations and memory of the module.
void emitRecords(ModuleOp module, RecipeAssembly &builder);

/// Says what entry `number` holds; kernels and sections are those of all so
/// far.
void reportEntry(func::FuncOp function, const recipe::RecipeT &recipe,
                 size_t number, const RecipeAssembly &builder);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_GAUDITORECIPE_RECIPEASSEMBLY_H

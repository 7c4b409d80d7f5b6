// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries whose launches choose among static variants, as tables of a recipe.
#ifndef GAUDI_LIB_CONVERSION_GAUDITORECIPE_VARIANTS_H
#define GAUDI_LIB_CONVERSION_GAUDITORECIPE_VARIANTS_H

#include "Gaudi/Device/DeviceSpec.h"
#include "RecipeAssembly.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// The functions of a module that are variants of others. Those of one entry
/// run one at a time, so that their inputs and outputs share memory: what is
/// the same in all of them (a weight) is one tensor, what differs are views of
/// one tensor that is as large as the largest.
class Variants {
public:
  /// Appends `bytes` to the persistent section and gives their offset.
  using Reserve = llvm::function_ref<uint64_t(uint64_t bytes)>;

  /// Finds them. Fails after an error on what no table can say.
  LogicalResult find(ModuleOp module);
  bool empty() const { return families.empty(); }
  /// The first function that has some.
  func::FuncOp declaration() const { return families.front().declaration; }

  /// Appends one entry per function with variants; they come first.
  void addEntries(RecipeAssembly &builder);

  bool isVariant(func::FuncOp function) const {
    return familyOf.contains(function);
  }
  /// The name that variants share a state by.
  StringAttr stateKey(func::FuncOp function, unsigned argument) const;

  /// Declares the tensor of an argument or result of a variant.
  uint32_t addArgument(BlockArgument argument, RecipeAssembly &builder,
                       Reserve reserve);
  uint32_t addResult(func::FuncOp function, unsigned result, Value value,
                     RecipeAssembly &builder, Reserve reserve);

  /// Fills the entries once those of all functions are there, by name.
  void finish(const DenseMap<StringAttr, uint32_t> &entryIds,
              RecipeAssembly &builder) const;

private:
  /// A function with symbols, of which a declaration is left, and its variants.
  struct Family {
    func::FuncOp declaration;
    SmallVector<func::FuncOp> variants;
    /// Of each variant, what callers see.
    SmallVector<SmallVector<unsigned>> arguments, results;

    unsigned indexOf(func::FuncOp variant) const {
      return unsigned(llvm::find(variants, variant) - variants.begin());
    }
  };
  /// A value of each variant in the same role.
  struct Shared {
    uint32_t tensor;
    bool isSame; // in all variants; else `tensor` is the root
  };
  using Key = std::pair<Operation *, Attribute>;

  LogicalResult check(const Family &family) const;
  uint32_t add(Key key, Value value, ArrayRef<int64_t> order,
               ArrayRef<std::pair<Value, ArrayRef<int64_t>>> all,
               StringRef name, recipe::TensorClass tensorClass,
               RecipeAssembly &builder, Reserve reserve);
  void finish(const Family &family, recipe::DispatchT &dispatch,
              const DenseMap<StringAttr, uint32_t> &entryIds) const;

  SmallVector<Family> families;
  DenseMap<Operation *, unsigned> familyOf; // of variants
  DenseMap<Key, Shared> shared;
};

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_GAUDITORECIPE_VARIANTS_H

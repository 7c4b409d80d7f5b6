// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workspaces and commands of variants, several at a time.
#include "VariantParts.h"
#include "Dependencies.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::recipe;

std::string gaudi::tensorName(Operation *op, size_t number) {
  std::string name = op->getName().stripDialect().str();
  if (auto kernel = dyn_cast<KernelOp>(op))
    name = kernel.getLabel().value_or(name).str();
  return name + "." + std::to_string(number);
}

/// A root is declared before the first value in its buffer.
static void declare(OpResult result, const BufferGroups &groups,
                    RecipeAssembly &assembly) {
  if (assembly.hasTensor(result))
    return;
  Value root = groups.rootOf(result);
  if (auto first = dyn_cast<OpResult>(root); first && first != result)
    declare(first, groups, assembly);
  assembly.addTensor(
      result, root,
      tensorName(result.getOwner(), assembly.recipe().tensors.size()),
      TensorClass::Workspace, bufferOf(result).getOffset());
}

LogicalResult VariantParts::emit(Part &part, RecipeAssembly &recipe) {
  part.assembly = std::make_unique<RecipeAssembly>(recipe);
  Block &block = part.function.front();
  const BufferGroups groups(block);
  for (Operation &op : block.without_terminator())
    for (OpResult result : op.getResults())
      declare(result, groups, *part.assembly);
  EntryT &entry = *recipe.recipe().entries[part.entry];
  for (Operation &op : block.without_terminator())
    if (failed(emitCommands(&op, *part.assembly, entry)))
      return failure();
  return success();
}

LogicalResult VariantParts::emit(RecipeAssembly &recipe) {
  if (parts.empty())
    return success();
  MLIRContext *context = parts.front().function.getContext();
  std::vector<char> isDone(parts.size());
  {
    // Errors come in the order of the parts, whichever thread finds them.
    ParallelDiagnosticHandler order(context);
    parallelFor(context, 0, parts.size(), [&](size_t i) {
      order.setOrderIDForThread(i);
      isDone[i] = succeeded(emit(parts[i], recipe));
      order.eraseOrderIDForThread();
    });
  }
  if (llvm::is_contained(isDone, false))
    return failure();
  // One after the other: merging gives out numbers.
  std::vector<RecipeAssembly::Relocation> relocations;
  for (Part &part : parts)
    relocations.push_back(recipe.merge(*part.assembly));
  parallelFor(context, 0, parts.size(), [&](size_t i) {
    EntryT &entry = *recipe.recipe().entries[parts[i].entry];
    parts[i].assembly.reset();
    RecipeAssembly::relocate(entry, relocations[i]);
    computeDependencies(recipe.recipe(), entry);
  });
  if (explains(parts.front().function))
    for (const Part &part : parts)
      reportEntry(part.function, recipe.recipe(), part.entry, recipe);
  return success();
}

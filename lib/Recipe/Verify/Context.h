// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the verifier share: decoded tensors and kernels, labels for
// messages, and the work budget.
#ifndef GAUDI_LIB_RECIPE_VERIFY_CONTEXT_H
#define GAUDI_LIB_RECIPE_VERIFY_CONTEXT_H

#include "../Names.h"
#include "Gaudi/Kernel/Affine.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Verifier.h"
#include "Gaudi/Recipe/Views.h"

#include <fmt/format.h>
#include <string>
#include <type_traits>
#include <vector>

namespace gaudi::recipe {

/// A tensor whose own fields have been checked.
struct TensorInfo {
  std::string_view name;
  TensorClass tensorClass;
  ElementType type;
  uint32_t section;
  kernel::Window window;
  uint64_t begin; // byte range in the section
  uint64_t end;
  int64_t elements;
  uint32_t root;
  TensorClass rootClass;
};

struct AccessDimInfo {
  kernel::Affine index;
  kernel::Range range; // of the index over the index space
  int32_t value;       // >= 0: indirect
  Boundary boundary;
};

struct AccessInfo {
  uint32_t operand;
  std::vector<AccessDimInfo> dims;
};

/// A use of an access in a stage.
struct AccessUse {
  uint32_t access;
  uint32_t stage;
};

/// The largest index that the accesses of an operand reach inside one of its
/// dimensions, and one access that does.
struct Reach {
  int64_t index = -1; // none
  uint32_t access = 0;
};

/// A kernel that is safe for every launch whose operands fit.
struct KernelInfo {
  std::string label;
  kernel::Dims extents;
  std::vector<bool> parallel;
  uint32_t inputs; // operands: inputs first, then outputs
  std::vector<ElementType> types;
  std::vector<unsigned> ranks;
  std::vector<AccessInfo> accesses;
  std::vector<std::vector<uint8_t>> stageLoops;
  /// Per input: its accesses, each once, with the last stage that loads it.
  std::vector<std::vector<AccessUse>> loads;
  std::vector<AccessUse> stores;         // one per output
  std::vector<std::vector<Reach>> reach; // per operand and dimension
};

/// The steps that verification may still take. Most passes are linear in the
/// metadata by construction. What may take longer (operands that overlap,
/// memory in many parts) pays here, so that a recipe made to be slow is
/// refused: the whole verifier is linear in the size of the metadata.
class WorkBudget {
public:
  explicit WorkBudget(uint64_t metadataBytes)
      : total(verifierSteps(metadataBytes)), left(total) {}

  /// An error if the steps are more than what is left.
  Status spend(uint64_t steps) {
    if (steps > left)
      return fail(
          "takes more than {} steps to verify, {} per byte of metadata; "
          "expected fewer operands that overlap",
          total, verifierStepsPerByte);
    left -= steps;
    return {};
  }
  uint64_t spent() const { return total - left; }

private:
  uint64_t total;
  uint64_t left;
};

struct Context {
  const Recipe &recipe;
  FileLayout layout;
  std::vector<TensorInfo> tensors;
  std::vector<KernelInfo> kernels;
  mutable WorkBudget work;

  std::string tensorLabel(uint32_t id) const {
    std::string_view name = text(items(recipe.tensors())[id]->name());
    return fmt::format("tensor %{}{}{}", id, name.empty() ? "" : " ",
                       name.empty() ? std::string() : quoted(name));
  }
};

inline std::string entryLabel(const Entry &entry) {
  return fmt::format("entry {}", quoted(text(entry.name())));
}

inline std::string commandLabel(const Entry &entry, uint32_t index) {
  return fmt::format("command #{} {} of {}", index,
                     quoted(text(items(entry.commands())[index]->name())),
                     entryLabel(entry));
}

/// The name of what is being checked. Made only for an error: nothing is
/// formatted for a recipe that passes.
class Label {
public:
  virtual ~Label() = default;
  virtual std::string str() const = 0;
};

/// A label from a function: `const LazyLabel label([&] { return ...; });`.
template <typename Make> class LazyLabel final : public Label {
public:
  explicit LazyLabel(Make make) : make(std::move(make)) {}
  std::string str() const override { return make(); }

private:
  Make make;
};

// The passes of the verifier, in their order.
Status verifyAccounting(const Recipe &recipe, uint64_t metadataSize);
Status verifySections(const Context &context);
Status verifyTensors(Context &context);
Status verifyKernels(Context &context);
Status verifyEntry(const Context &context, const Entry &entry);
/// The program of an entry, and its variants, after all entries.
Status verifyProgram(const Context &context, const Entry &entry);
Status verifyDispatch(const Context &context, const Entry &entry);

// Parts of verifyKernels and verifyEntry.
Status verifyStages(const Kernel &kernel, KernelInfo &info);
Status verifyCommand(const Context &context, const Entry &entry,
                     uint32_t index);
Status verifyLaunch(const Context &context, const Command &command,
                    const KernelInfo &kernel);
/// True if the launch may write output `output`, which has the bytes `to`, over
/// input `input` in the bytes `from`: every element is read only by the point
/// that writes there, and before.
Result<bool> allowsInPlace(const Context &context, const KernelInfo &kernel,
                           uint32_t input, uint32_t output,
                           const kernel::Window &from,
                           const kernel::Window &to);
Status verifyOrder(const Context &context, const Entry &entry);
Status verifyOwnership(const Context &context, const Entry &entry);

} // namespace gaudi::recipe

/// Labels format as their text.
template <typename T>
struct fmt::formatter<
    T, char, std::enable_if_t<std::is_base_of_v<gaudi::recipe::Label, T>>>
    : fmt::formatter<std::string> {
  template <typename Context>
  auto format(const gaudi::recipe::Label &label, Context &context) const {
    return fmt::formatter<std::string>::format(label.str(), context);
  }
};

#endif // GAUDI_LIB_RECIPE_VERIFY_CONTEXT_H

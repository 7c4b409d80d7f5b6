// What the parts of the verifier share: decoded tensors and kernels.
#ifndef GAUDI_LIB_RECIPE_VERIFY_CONTEXT_H
#define GAUDI_LIB_RECIPE_VERIFY_CONTEXT_H

#include "../Text/Names.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"
#include "Gaudi/Recipe/Verifier.h"
#include "Gaudi/Recipe/Views.h"

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
  Window window;
  uint64_t begin; // byte range in the section
  uint64_t end;
  int64_t elements;
  uint32_t root;
  TensorClass rootClass;
};

struct AccessDimInfo {
  Dims coefficients; // one per kernel dimension
  int64_t offset;
  int64_t low; // range of an affine index over the index space
  int64_t high;
  int32_t value; // >= 0: indirect
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

/// A kernel that is safe for every launch whose operands fit.
struct KernelInfo {
  std::string label;
  Dims extents;
  std::vector<bool> parallel;
  uint32_t inputs; // operands: inputs first, then outputs
  std::vector<ElementType> types;
  std::vector<unsigned> ranks;
  std::vector<AccessInfo> accesses;
  std::vector<std::vector<uint8_t>> stageLoops;
  std::vector<AccessUse> loads;
  std::vector<AccessUse> stores; // one per output
};

struct Context {
  const Recipe &recipe;
  FileLayout layout;
  std::vector<TensorInfo> tensors;
  std::vector<KernelInfo> kernels;

  std::string tensorLabel(uint32_t id) const {
    std::string_view name = text(items(recipe.tensors())[id]->name());
    return "tensor %" + std::to_string(id) +
           (name.empty() ? "" : " " + quoted(name));
  }
};

inline std::string entryLabel(const Entry &entry) {
  return "entry " + quoted(text(entry.name()));
}

inline std::string commandLabel(const Entry &entry, uint32_t index) {
  return "command #" + std::to_string(index) + " " +
         quoted(text(items(entry.commands())[index]->name())) + " of " +
         entryLabel(entry);
}

/// The name of what is being checked, made only when there is an error.
/// Refers to the function that makes it, which must live as long.
class Label {
public:
  template <typename Make,
            typename = std::enable_if_t<!std::is_same_v<Make, Label>>>
  explicit Label(const Make &make)
      : object(&make), call([](const void *object) -> std::string {
          return (*static_cast<const Make *>(object))();
        }) {}
  std::string str() const { return call(object); }

private:
  const void *object;
  std::string (*call)(const void *);
};

template <typename... Parts> std::string join(Parts &&...parts) {
  std::string result;
  auto append = [&](auto &&part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_arithmetic_v<Part>)
      result += std::to_string(part);
    else if constexpr (std::is_same_v<Part, Label>)
      result += part.str();
    else
      result += part;
  };
  (append(parts), ...);
  return result;
}

template <typename... Parts> tl::unexpected<Error> reject(Parts &&...parts) {
  return fail(join(std::forward<Parts>(parts)...));
}

// The passes of the verifier, in their order.
Status verifyAccounting(const Recipe &recipe, uint64_t metadataSize);
Status verifySections(const Context &context);
Status verifyTensors(Context &context);
Status verifyKernels(Context &context);
Status verifyEntry(const Context &context, const Entry &entry);

// Parts of verifyKernels and verifyEntry.
Status verifyStages(const Kernel &kernel, KernelInfo &info);
Status verifyCommand(const Context &context, const Entry &entry,
                     uint32_t index);
Status verifyConvolution(const Context &context, const Command &command,
                         const Conv &conv);
Status verifyLaunch(const Context &context, const Command &command,
                    const KernelInfo &kernel);
/// True if the launch may write output `output`, which has the bytes `to`, over
/// input `input` in the bytes `from`: every element is read only by the point
/// that writes there, and before.
bool allowsInPlace(const KernelInfo &kernel, uint32_t input, uint32_t output,
                   const Window &from, const Window &to);
Status verifyOrder(const Context &context, const Entry &entry);
Status verifyOwnership(const Context &context, const Entry &entry);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_VERIFY_CONTEXT_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Dispatcher as data, for the files that implement it.
#ifndef GAUDI_LIB_RUNTIME_DISPATCHIMPL_H
#define GAUDI_LIB_RUNTIME_DISPATCHIMPL_H

#include "DynamicShape.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/Dispatch.h"
#include "HostCopy.h"
#include "Loader.h"

#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::runtime {

/// A tensor of a variant, and the sizes of it that the host sees.
struct HostView {
  uint32_t tensor = 0;
  recipe::ElementType type = recipe::ElementType::F32;
  Layout layout; ///< in the caller's order
};

/// An extent of a variant: where its value goes.
struct LoadedExtent {
  uint32_t tensor;
  DynamicDim value;
};

struct LoadedVariant {
  uint32_t entry = 0;
  int64_t picoseconds = -1;
  std::vector<HostView> inputs, outputs;
  std::vector<LoadedExtent> extents;
  double volume = 1;             ///< product of its sizes
  std::vector<HostCopy> in, out; ///< made when the first one is needed

  std::vector<HostCopy> &copies(HostCopy::Direction direction) {
    const bool isInput = direction == HostCopy::Direction::In;
    std::vector<HostCopy> &copies = isInput ? in : out;
    if (copies.empty()) {
      std::vector<HostCopy> made;
      for (const HostView &view : isInput ? inputs : outputs)
        made.emplace_back(view.layout, view.type, direction);
      copies = std::move(made);
    }
    return copies;
  }
};

/// "2x3", or "scalar".
inline std::string shapeText(const std::vector<int64_t> &shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

struct Dispatcher::Impl {
  Impl(Executable &executable, LoadedRecipe &loaded, size_t entry,
       shapes::Buckets buckets)
      : executable(executable), loaded(loaded),
        dispatch(
            *recipe::items(loaded.file->recipe().entries())[uint32_t(entry)]
                 ->dispatch()),
        buckets(std::move(buckets)) {}

  void readSignature();
  void readVariants();
  HostView viewOf(uint32_t tensor) const;
  Status checkBounds(const shapes::Sizes &sizes) const;
  Status checkBounds(const shapes::Sizes &sizes, size_t symbol) const;
  /// The largest sizes that the model takes.
  shapes::Sizes limits() const;
  bool fits(const LoadedVariant &candidate, const shapes::Sizes &sizes) const;
  Status noneFits(const shapes::Sizes &sizes) const;
  Status chooseFor(const shapes::Sizes &sizes);
  Status prepare(HostCopy::Direction direction, size_t index, HostBuffer buffer,
                 const size_t *bytes);
  void copy(HostCopy::Direction direction, size_t index, void *data);
  Status prepareAndCopy(HostCopy::Direction direction, size_t index,
                        const HostBuffer &buffer, const size_t *bytes);

  Executable &executable;
  LoadedRecipe &loaded;
  const recipe::Dispatch &dispatch;
  shapes::Buckets buckets;
  std::vector<shapes::Symbol> symbols;
  std::vector<recipe::SymbolSource> sources;
  std::vector<SizedInfo> inputs, outputs;
  std::vector<DynamicShape> inputDims, outputDims;
  std::vector<LoadedVariant> variants;
  std::vector<VariantCount> counts;
  shapes::Sizes sizes, found; ///< selected; being computed
  Shape shape;                ///< of the tensor that is copied
  size_t variant = 0;
  bool isSelected = false;
  bool poisons = false;
  uint64_t launches = 0; ///< which garbage an input gets
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DISPATCHIMPL_H

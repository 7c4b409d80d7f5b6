// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of entries with variants: tensors of any size in, the variant that
// takes least time among those that fit, results of the right size out.
//
//   auto dispatcher = runtime::Dispatcher::create(executable, entry);
//   (*dispatcher)->select({{3, 100, 768}, {3}});   // shapes of all inputs
//   (*dispatcher)->setInput(0, data, bytes);       // dense, of that shape
//   (*dispatcher)->launch();
//   (*dispatcher)->getOutput(0, result, bytes);
//
// Only the caller's elements are copied, once. What the rest of an input holds
// is what launches before have left there.
#ifndef GAUDI_RUNTIME_DISPATCH_H
#define GAUDI_RUNTIME_DISPATCH_H

#include "Gaudi/Runtime/Executable.h"
#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Shapes/Symbol.h"

#include <optional>

namespace gaudi::runtime {

/// An input or output as callers see it.
struct SizedInfo {
  std::string name;
  recipe::ElementType type;
  std::string shape; ///< in terms of symbols: "batch x (seq - 1) x 768"
  size_t rank = 0;
  bool isDynamic = false; ///< a dimension depends on a symbol
  bool isState = false;
  bool isBound = false; ///< commands read it where the caller has it
};

/// What became of the launches that one variant was selected for.
struct VariantCount {
  uint64_t launches = 0;
  /// Products of the symbols, over all launches: of the callers' sizes and of
  /// the variant's.
  double real = 0, padded = 0;
};

/// Errors are values, as for Executable. One thread at a time.
class Dispatcher {
public:
  using Shape = std::vector<int64_t>;

  static bool hasVariants(const Executable &executable, size_t entry);
  /// `executable` must outlive it, and the entry must have variants.
  static Result<std::unique_ptr<Dispatcher>> create(Executable &executable,
                                                    size_t entry);
  ~Dispatcher();
  Dispatcher(const Dispatcher &) = delete;
  Dispatcher &operator=(const Dispatcher &) = delete;

  const std::vector<shapes::Symbol> &symbols() const;
  const std::vector<SizedInfo> &inputs() const;
  const std::vector<SizedInfo> &outputs() const;
  /// One bucket per variant, in their order, with predicted times as costs.
  const shapes::Buckets &buckets() const;
  /// The predicted time of a launch in picoseconds, or -1.
  int64_t picoseconds(size_t variant) const;
  size_t entryOf(size_t variant) const;

  /// The symbols that shapes of inputs give; those of `known` that are not
  /// negative are taken as they are. Errors: a symbol that nothing determines,
  /// or that is outside its bounds; a shape that contradicts another one.
  Result<shapes::Sizes>
  sizesOf(const std::vector<std::optional<Shape>> &inputShapes,
          shapes::Sizes known = {}) const;

  /// The shape that an input or output has for such sizes.
  Shape inputShape(size_t index, const shapes::Sizes &sizes) const;
  Shape outputShape(size_t index, const shapes::Sizes &sizes) const;

  /// Selects the variant of the next launches by the shapes of all inputs. Does
  /// not allocate unless it fails: a shape that does not fit the others, sizes
  /// that no variant takes.
  Status select(const std::vector<Shape> &inputShapes);
  /// The same by sizes of the symbols.
  Status selectSizes(const shapes::Sizes &sizes);

  // After select:
  size_t variant() const;
  const shapes::Sizes &sizes() const;
  /// The entry that launch() runs, for statistics of its commands.
  size_t entry() const { return entryOf(variant()); }

  /// Copies dense row-major host bytes of the selected shape in.
  Status setInput(size_t index, const void *data, size_t bytes);
  /// The same in two steps, for buffers of any strides: the first one checks
  /// the buffer, the second one copies what it holds then. Only shapes or
  /// strides other than those of the variant's last buffer take memory.
  Status prepareInput(size_t index, const HostBuffer &buffer);
  void copyInput(size_t index, const void *data);
  Result<RunStats> launch();
  Status getOutput(size_t index, void *data, size_t bytes) const;
  /// In two steps; the first one may be before the launch.
  Status prepareOutput(size_t index, const HostBuffer &buffer);
  void copyOutput(size_t index, void *data) const;

  /// Fills what callers do not set of each input with NaN, then infinity, then
  /// random bits (largest, smallest and random integers), another from launch
  /// to launch: a result that depends on it shows.
  void setPoison(bool on);

  /// Per variant.
  const std::vector<VariantCount> &counts() const;

private:
  struct Impl;
  explicit Dispatcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DISPATCH_H

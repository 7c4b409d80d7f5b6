// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes on a card, launched on tensors.
#ifndef GAUDI_BRIDGE_PROGRAM_H
#define GAUDI_BRIDGE_PROGRAM_H

#include "Card.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace gaudi::bridge {

/// A number in device memory, written by a fill, which keeps no memory of the
/// host.
at::Tensor uploadNumber(const Card &card, const at::Scalar &value,
                        at::ScalarType type);

/// A result of a launch: a new tensor.
struct ResultSpec {
  std::vector<int64_t> sizes, strides;
  at::ScalarType type;
};

/// The first entry of a recipe on the card of its first use, and others.
class Program : public std::enable_shared_from_this<Program> {
public:
  /// Keeps what it needs of the recipe.
  Program(const GaudiRecipe *recipe, std::string name,
          std::vector<ResultSpec> results);
  ~Program();
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  /// Issues a launch to the thread's current stream of the card. `inputs`:
  /// dense memory with the elements in the order of the recipe; tensors of the
  /// host with one element are copied. `outputs`: an undefined one is made.
  void launch(const Card &card, at::ArrayRef<at::Tensor> inputs,
              std::vector<at::Tensor> &outputs);

  const std::string &title() const { return name; }
  /// Of all programs of the process, from 1.
  uint64_t number() const { return ownNumber; }
  /// The numbers of all programs that there are.
  static std::vector<uint64_t> living();
  size_t numOutputs() const { return outputCount; }
  /// Whether a launch may write output `index` straight to the memory of
  /// `target`, which has its elements: nothing that it reads is overwritten
  /// before.
  bool mayWriteTo(const Card &card, at::ArrayRef<at::Tensor> inputs,
                  size_t index, const at::Tensor &target);

private:
  struct Place {
    int64_t tensor;
    uint64_t offset;
  };
  struct Loaded {
    GaudiProgram *program = nullptr;
    std::vector<Place> inputs, outputs;
    std::vector<uint64_t> alignments;
    /// For each input and output whether they may be one; -1 if not asked yet.
    std::vector<int8_t> mayAlias;
  };

  Loaded &loadedOn(const Card &card);
  bool mayAlias(Loaded &on, size_t input, size_t output);
  Loaded load(const Card &card) const;
  void issue(const Card &card, at::ArrayRef<at::Tensor> inputs,
             std::vector<at::Tensor> &outputs);

  GaudiRecipe *recipe = nullptr;
  uint64_t ownNumber;
  std::string name;
  std::vector<ResultSpec> specs;
  size_t inputCount = 0, outputCount = 0;
  std::mutex mutex;
  std::unique_ptr<Loaded> loaded[8];
};

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_PROGRAM_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuses TPC kernels into matrix commands.
#include "Pipeline.h"

#include "Commands/TpcCommand.h"
#include "Integers/IntegerCommand.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

bool mayOverlap(const BoundTensor &a, const BoundTensor &b) {
  auto window = [](const BoundTensor &tensor) {
    return kernel::Window{reinterpret_cast<uint64_t>(tensor.data),
                          tensor.layout.sizes, tensor.layout.strides,
                          elementSize(tensor.type)};
  };
  return !kernel::provablyDisjoint(window(a), window(b));
}

namespace {

bool overlapsAny(const BoundTensor &tensor, const BoundTensors &others) {
  return std::any_of(
      others.begin(), others.end(),
      [&](const BoundTensor &other) { return mayOverlap(tensor, other); });
}

/// True if element i of one is element i of the other, both in row-major order.
bool sameElements(const BoundTensor &a, const BoundTensor &b) {
  return a.data == b.data && elementSize(a.type) == elementSize(b.type) &&
         kernel::elementCount(a.layout.sizes) ==
             kernel::elementCount(b.layout.sizes) &&
         kernel::isDense(a.layout.sizes, a.layout.strides) &&
         kernel::isDense(b.layout.sizes, b.layout.strides);
}

/// A matrix command and the kernels fused into it so far.
///
/// Invariant: every tensor a fused kernel touches is in exactly one of `made`
/// (element i is complete as soon as element i of the product is), `whole`
/// (written by a fused kernel, complete only after the last tile) and `beside`
/// (only read).
class Group {
public:
  Group(PreparedCommand &matrix, BoundTensors inputs,
        const BoundTensor &product)
      : matrix(matrix), inputs(std::move(inputs)), made{product} {}

  /// Fuses a kernel on `in` and `out`; false if it has to wait for all of the
  /// product.
  bool join(const TpcCommand &launch, const BoundTensors &in,
            const BoundTensors &out, unsigned threads) {
    const CompiledKernel &kernel = launch.compiled();
    // A tile runs some of the points; a kernel that wants all of them in one
    // call, or that reports faults, cannot be cut.
    if (!kernel.function || !kernel.splittable || kernel.faults)
      return false;
    // Each kernel is compared with all before it.
    constexpr size_t mostTensors = 64;
    if (made.size() + whole.size() + beside.size() > mostTensors)
      return false;
    const std::optional<size_t> leader = leadingOperand(kernel, in);
    if (!leader)
      return false;
    BoundTensors madeHere, wholeHere;
    const int64_t elements =
        kernel::elementCount(made[0].layout.sizes).value_or(0);
    for (size_t o = 0; o < out.size(); ++o) {
      // A tile would overwrite what another tile still reads.
      if (overlapsAny(out[o], inputs) || overlapsAny(out[o], beside) ||
          overlapsAny(out[o], whole))
        return false;
      const bool alike =
          kernel.blocks[in.size() + o] == kernel.blocks[*leader] &&
          kernel::elementCount(out[o].layout.sizes) == elements;
      // Over a tensor of the group only in place: the same block of points
      // reads and writes it.
      if (overlapsAny(out[o], made) && !(alike && inParts(out[o])))
        return false;
      (alike ? madeHere : wholeHere).push_back(out[o]);
    }
    Follower follower = launch.follower(*leader);
    follower.beside = besideOf(kernel, in, out, *leader);
    // With too few parts threads would idle that a launch of its own uses.
    if (!matrix.follow(follower,
                       launch.usesThreads() ? 2 * int64_t(threads) : 1))
      return false;
    // From here on later kernels of the group must not write these.
    for (const BoundTensor &tensor : in)
      if (!overlapsAny(tensor, made))
        beside.push_back(tensor);
    made.insert(made.end(), madeHere.begin(), madeHere.end());
    whole.insert(whole.end(), wholeHere.begin(), wholeHere.end());
    return true;
  }

private:
  /// The last operand that the group makes part by part, if every such operand
  /// of the kernel has the same block per point; none if the kernel reads
  /// nothing of the product, or needs more of it than its points' blocks.
  std::optional<size_t> leadingOperand(const CompiledKernel &kernel,
                                       const BoundTensors &in) const {
    const int64_t elements =
        kernel::elementCount(made[0].layout.sizes).value_or(0);
    std::optional<size_t> leader;
    for (size_t i = 0; i < in.size(); ++i) {
      if (overlapsAny(in[i], whole))
        return std::nullopt;
      if (!overlapsAny(in[i], made))
        continue;
      if (!inParts(in[i]) || kernel.blocks[i] == 0 ||
          kernel.blocks[i] * kernel.points != elements ||
          (leader && kernel.blocks[*leader] != kernel.blocks[i]))
        return std::nullopt;
      leader = i;
    }
    return leader;
  }

  /// Operands that are not in a cache when a part of the product is complete:
  /// the group does not make them, or only writes them from here on.
  std::vector<BesideOperand> besideOf(const CompiledKernel &kernel,
                                      const BoundTensors &in,
                                      const BoundTensors &out,
                                      size_t leader) const {
    std::vector<BesideOperand> result;
    auto add = [&](const BoundTensor &tensor, int64_t block) {
      const bool known = std::any_of(
          result.begin(), result.end(),
          [&](const BesideOperand &each) { return each.data == tensor.data; });
      if (!known && block == kernel.blocks[leader] &&
          !overlapsAny(tensor, made))
        result.push_back({tensor.data, elementSize(tensor.type)});
    };
    for (size_t i = 0; i < in.size(); ++i)
      add(in[i], kernel.blocks[i]);
    for (size_t o = 0; o < out.size(); ++o)
      add(out[o], kernel.blocks[in.size() + o]);
    return result;
  }

  bool inParts(const BoundTensor &tensor) const {
    return std::any_of(made.begin(), made.end(), [&](const BoundTensor &each) {
      return sameElements(tensor, each);
    });
  }

  PreparedCommand &matrix;
  BoundTensors inputs; // of the matrix command
  BoundTensors made, whole, beside;
};

} // namespace

void pipelineKernels(LoadedEntry &entry, const Entry &commands,
                     const BoundTensors &tensors, unsigned threads) {
  auto bound = [&](const flatbuffers::Vector<uint32_t> *ids) {
    BoundTensors result;
    for (uint32_t id : items(ids))
      result.push_back(tensors[id]);
    return result;
  };
  std::optional<Group> group;
  uint32_t leader = 0;
  for (uint32_t c = 0; c < entry.commands.size(); ++c) {
    const Command &command = *commands.commands()->Get(c);
    LoadedCommand &loaded = entry.commands[c];
    BoundTensors in = bound(command.inputs()), out = bound(command.outputs());
    if (group && loaded.tpc && group->join(*loaded.tpc, in, out, threads)) {
      loaded.within = leader;
      loaded.tpc->joins(leader);
      continue;
    }
    // Any command that does not join ends the group: what comes after it may
    // read all of a result.
    group.reset();
    if (loaded.integers) {
      // What is left of its kernel comes first. It may overwrite what only it
      // reads, an addend for example.
      group.emplace(*loaded.body, loaded.integers->factors,
                    loaded.integers->sums);
      loaded.integers->inTiles = group->join(
          loaded.integers->rest, loaded.integers->inputs, out, threads);
      if (!loaded.integers->inTiles)
        group.reset();
      leader = c;
      continue;
    }
    if (isMatrixCommand(command) &&
        kernel::isDense(out[0].layout.sizes, out[0].layout.strides)) {
      group.emplace(*loaded.body, std::move(in), out[0]);
      leader = c;
    }
  }
}

} // namespace gaudi::runtime

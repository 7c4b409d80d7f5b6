// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels fused into a matrix command.
#ifndef GAUDI_LIB_RUNTIME_MME_TILES_FOLLOWERS_H
#define GAUDI_LIB_RUNTIME_MME_TILES_FOLLOWERS_H

#include "../../Commands/Command.h"

namespace gaudi::runtime {

class Followers {
public:
  void add(const Follower &follower) {
    beside.insert(beside.end(), follower.beside.begin(), follower.beside.end());
    followers.push_back(follower);
    followers.back().beside.clear();
  }
  bool empty() const { return followers.empty(); }
  /// Operands are those of the fused commands, which show them.
  void visitAddresses(AddressVisitor &visitor) {
    for (BesideOperand &each : beside)
      visitor.visit(each.data);
  }

  /// Runs the kernels on elements [begin, end) of the result.
  void run(int64_t begin, int64_t end, Fault &fault) const {
    for (const Follower &follower : followers)
      follower.function(follower.operands, begin / follower.block,
                        end / follower.block, &fault);
  }

  /// Most operands of a kernel that reads the result from another place.
  static constexpr size_t mostOperands = 64;

  /// The same, with operands at address `from` moved to `to`.
  void run(int64_t begin, int64_t end, Fault &fault, const void *from,
           void *to) const {
    void *operands[mostOperands];
    for (const Follower &follower : followers) {
      for (size_t o = 0; o < follower.operandCount; ++o)
        operands[o] = follower.operands[o] == from ? to : follower.operands[o];
      follower.function(operands, begin / follower.block, end / follower.block,
                        &fault);
    }
  }

  /// True if `fetch` has something to do.
  bool fetches() const { return !beside.empty(); }

  /// Prefetches what the kernels touch beside elements [begin, end) of the
  /// result, such as the other addend of a sum, into L2. To be called before
  /// these are computed: memory is mostly idle then.
  void fetch(int64_t begin, int64_t end) const {
    for (const BesideOperand &each : beside) {
      const uint8_t *to = each.data + end * each.elementBytes;
      for (const uint8_t *at = each.data + begin * each.elementBytes; at < to;
           at += 64)
        __builtin_prefetch(at, 0, 2);
    }
  }

private:
  std::vector<Follower> followers;
  std::vector<BesideOperand> beside;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_TILES_FOLLOWERS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The left side of a contraction of 8-bit integers, as micro kernels read it:
// with runs of values that lie together, unsigned where the kernel has no
// functions for signed rows.
#ifndef GAUDI_LIB_RUNTIME_MME_GEMM_INTEGERROWS_H
#define GAUDI_LIB_RUNTIME_MME_GEMM_INTEGERROWS_H

#include "../../Integers/Contraction.h"
#include "../Tiles/TileCommand.h"

#include <vector>

namespace gaudi::runtime {

/// Most bytes of a copy that holds some of the padding of `bytes` bytes.
inline uint64_t paddedCopyBytes(uint64_t bytes) { return 2 * bytes + 4096; }

/// Finds the run of each tap, on a copy of the left side where it has to be.
class IntegerRows {
public:
  /// `loops` are those that run more than once.
  IntegerRows(const IntegerContraction &contraction,
              std::vector<unsigned> loops, TileProduct &product,
              PrepareContext &context);

  /// Why it cannot, or null.
  const char *place();

  IntegerOperand left;       // as rows read it
  std::vector<unsigned> run; // loops, the fastest first
  int64_t runLength = 1;     // values
  bool hasSlack = false;     // a tile may be read beyond the last value

private:
  /// A dense copy: the order of its dimensions, the slowest first, and what it
  /// holds of the padding.
  struct Copy {
    std::vector<size_t> order;
    std::vector<int64_t> sizes;  // a broadcast is copied once
    std::vector<int64_t> before; // places of padding before the values
    bool padded = false;
  };

  bool staysInside(const IntegerOperand &operand, unsigned loop) const;
  bool isAlone(size_t dim, unsigned loop) const;
  bool flips() const;
  bool onTiles() const;
  double rows() const;
  void findRun(const IntegerOperand &operand);
  void narrow();
  /// The dimension that a copy puts last; their number if none has to be.
  size_t innermostOf() const;
  Copy copyWith(size_t innermost) const;
  IntegerOperand placed(const Copy &copy) const;
  /// Adds dimensions' padding to the copy where that makes short runs longer.
  void collapseTaps(Copy &copy);
  void makeCopy(const Copy &copy);

  const IntegerContraction &c;
  const std::vector<unsigned> loops;
  TileProduct &product;
  PrepareContext &context;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_GEMM_INTEGERROWS_H

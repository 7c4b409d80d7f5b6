// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signs and zero points of products of 8-bit integers.
//
// The kernels multiply unsigned rows with signed columns. A signed row or an
// unsigned column has the sign bit of its values flipped, which adds 128 to
// them or takes it away; the zero points p and q are moved along. Kernels with
// functions for signed rows (MicroKernel.h) flip those themselves or need not.
// With x and y as they are multiplied, exactly modulo 2^32,
//   sum (x - p) (y - q) = sum x y - p sum y - q (sum x - K p),
// and sums start with what is beside the first term.
#ifndef GAUDI_LIB_RUNTIME_MME_TILES_INTEGERTERMS_H
#define GAUDI_LIB_RUNTIME_MME_TILES_INTEGERTERMS_H

#include "../../Integers/Contraction.h"
#include "../Packing/OperandCopies.h"

#include <optional>
#include <vector>

namespace gaudi::runtime {

struct TileProduct;
struct Tile;

/// A zero point of the operands as they are multiplied.
struct MovedZero {
  uint32_t constant = 0;
  int sign = 0; // of what is loaded
  const uint8_t *data = nullptr;
  recipe::ElementType type = recipe::ElementType::I8;
  // Elements from data; empty: the same for all.
  std::vector<int64_t> items; // per item
  std::vector<int64_t> lines; // per row or column

  uint32_t at(int64_t item, int64_t line) const;
  void visitAddresses(AddressVisitor &visitor) { visitor.visit(data); }
  bool isZero() const { return sign == 0 && constant == 0; }
};

/// Bytes with their sign bit flipped, made before each run.
struct SignFlip {
  const uint8_t *from;
  uint8_t *to;
  int64_t count;

  void run(ThreadPool &pool) const;
  void visitAddresses(AddressVisitor &visitor) {
    visitor.visit(from);
    visitor.visit(to);
  }
};

/// i32 values less `low`, as bytes: all fit. Made before each run.
struct Narrowing {
  const uint8_t *from;
  uint8_t *to;
  int64_t count;
  int32_t low;

  void run(ThreadPool &pool) const;
  void visitAddresses(AddressVisitor &visitor) {
    visitor.visit(from);
    visitor.visit(to);
  }
};

struct IntegerTerms {
  MovedZero left, right;
  int64_t depth = 0;                  // K
  int64_t tapValues = 0;              // values of a tap in a row
  std::optional<Narrowing> narrowing; // before the copies of operands
  std::vector<SignFlip> flips;        // after them
  std::vector<uint32_t> rowSums;      // per item and row, if `right` needs them

  /// The rows never change: their sums are added up once.
  bool constantRows = false;

  /// After the copies of operands.
  void run(const TileProduct &product, ThreadPool &pool);
  void addRows(const TileProduct &product, ThreadPool &pool);
  void visitAddresses(AddressVisitor &visitor);

  /// Bytes of scratch for the columns of a tile.
  static uint64_t scratchBytes(int64_t columns) {
    return uint64_t(columns) * 3 * sizeof(uint32_t);
  }
};

/// The first terms of a tile's sums.
class IntegerTile {
public:
  /// `scratch` holds what the columns of the tile need; `panels` is panel 0.
  IntegerTile(const TileProduct &product, const Tile &tile,
              const uint8_t *panels, uint8_t *scratch);

  /// From column `first` of the product on, if it is the same for all rows;
  /// else null. Floats hold it as they hold sums.
  const float *ofAllRows(int64_t first) const {
    return rightIsZero && !leftMoves
               ? reinterpret_cast<const float *>(both + (first - firstColumn))
               : nullptr;
  }
  /// Of `count` sums of a row from column `first` of the product on, if rows
  /// differ.
  void start(int64_t row, int64_t first, int64_t count, float *to) const;
  /// True if all of them are 0.
  bool startsAtZero() const { return isZero; }

private:
  const IntegerTerms &terms;
  const int64_t item, rows, firstColumn;
  uint32_t *const sums, *const points, *const both;
  bool leftMoves, rightIsZero, rightMoves, isZero;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_TILES_INTEGERTERMS_H

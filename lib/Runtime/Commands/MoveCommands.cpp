// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers and fills, both strided copies.
#include "Command.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cstring>

namespace gaudi::runtime {
namespace {

class Transfer final : public PreparedCommand {
public:
  Transfer(const BoundTensor &src, const BoundTensor &dst)
      : copy(src.layout.sizes, src.layout.strides, dst.layout.strides, src.type,
             dst.type),
        src(src.data), dst(dst.data) {}
  void run(LaunchContext &context) override {
    copy.run(context.pool, src, dst);
  }
  void visitAddresses(AddressVisitor &visitor) override {
    visitor.visit(src);
    visitor.visit(dst);
  }
  std::string implementation() const override { return "copy"; }

private:
  StridedCopy copy;
  const uint8_t *src;
  uint8_t *dst;
};

/// A copy from one element, broadcast by strides of 0.
class Fill final : public PreparedCommand {
public:
  Fill(uint64_t bits, const BoundTensor &dst)
      : copy(dst.layout.sizes, std::vector<int64_t>(dst.layout.sizes.size(), 0),
             dst.layout.strides, dst.type, dst.type),
        bits(bits), dst(dst.data) {}
  void run(LaunchContext &context) override {
    copy.run(context.pool, &bits, dst);
  }
  void visitAddresses(AddressVisitor &visitor) override { visitor.visit(dst); }
  std::string implementation() const override { return "fill"; }

private:
  StridedCopy copy;
  uint64_t bits; // little-endian: the element is at its start
  uint8_t *dst;
};

} // namespace

Prepared prepareTransfer(const BoundTensor &src, const BoundTensor &dst) {
  return std::make_unique<Transfer>(src, dst);
}

Prepared prepareFill(const recipe::Fill &fill, const BoundTensor &dst) {
  return std::make_unique<Fill>(fill.value(), dst);
}

} // namespace gaudi::runtime

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes ask the device-time model, and how they say it in remarks.
#ifndef GAUDI_TRANSFORMS_DEVICETIME_H
#define GAUDI_TRANSFORMS_DEVICETIME_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Timing/Cost.h"
#include "mlir/IR/Remarks.h"

namespace gaudi {

using timing::Picoseconds;

/// The tensor in memory: with the strides of its buffer, or before buffers are
/// assigned those that views on a dense tensor give. A splat constant is one
/// element.
timing::Operand operandOf(Value tensor);

/// Strides of views that are known already.
using StridesOfViews = llvm::DenseMap<Value, SmallVector<int64_t>>;

/// Of a module that is a trial: a copy of a part of the program that is timed
/// and thrown away.
constexpr llvm::StringLiteral trialAttrName = "gaudi.trial";

/// True if remarks are enabled and the op is in no trial. The texts of remarks,
/// and times that only they need, are not computed otherwise.
bool explains(Operation *op);

/// What a remark says was lost, apart from its text, so that remarks can be
/// added up and sorted: time on the device, or bytes of its memory.
remark::detail::Remark::Arg lost(Picoseconds time);
remark::detail::Remark::Arg lostBytes(int64_t bytes);

/// The time model of one device.
class DeviceTime {
public:
  explicit DeviceTime(const device::DeviceSpec &spec) : spec(spec) {}

  /// Time of a command that has the device for itself.
  Picoseconds of(const timing::Work &work) const {
    return timing::costOf(work, spec).total();
  }
  /// The commands that the op becomes; none for constants and views, unless a
  /// view has been given a buffer of its own. A movement that has no engine yet
  /// runs on that of the device's table.
  WorkList workOf(Operation *op) const;
  /// Time of these commands, one after the other.
  Picoseconds of(Operation *op) const;
  /// Time of copying the tensor to a dense one.
  Picoseconds ofCopy(Value tensor) const;
  /// The same where views in `known` stay as they are; adds those that it
  /// follows. In a chain of views it is constant for each, in program order.
  Picoseconds ofCopy(Value tensor, StridesOfViews &known) const;
  /// The most that overlap can hide of two ops that run on two engines.
  Picoseconds ofOverlap(Operation *a, Operation *b) const;
  /// What `op` would take after `change`, which is made on a copy of it.
  Picoseconds ofChanged(Operation *op,
                        llvm::function_ref<void(Operation *)> change) const;

  /// "1.24 us on gaudi2"
  std::string text(Picoseconds time) const;
  /// "saving 1.24 us on gaudi2", or "adding" if negative.
  std::string saving(Picoseconds saved) const;
  /// "2.10 us instead of 1.24 us on gaudi2"
  std::string change(Picoseconds before, Picoseconds after) const;

  const device::DeviceSpec &spec;
};

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_DEVICETIME_H

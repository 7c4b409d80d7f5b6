// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a command becomes at load: an object with everything resolved.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_COMMAND_H
#define GAUDI_LIB_RUNTIME_COMMANDS_COMMAND_H

#include "../Jit/KernelTypes.h"
#include "Addresses.h"
#include "Copy.h"

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/Statistics.h"
#include "Gaudi/Runtime/ThreadPool.h"
#include "Gaudi/Support/Error.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::runtime {

/// A tensor of the recipe at its address: in device memory, in the recipe's
/// file, or, of an input that the caller has bound (Bindings.h), in memory of
/// the caller. While commands are prepared, device memory has link addresses
/// (Relocation.h), which nothing may read or write.
struct BoundTensor {
  uint8_t *data = nullptr;
  recipe::ElementType type = recipe::ElementType::F32;
  Layout layout;
  bool constant = false; // its bytes never change
};

using BoundTensors = std::vector<BoundTensor>;

struct LaunchContext {
  ThreadPool &pool;
  Fault &fault;
};

class PreparedCommand;

/// One step of a launch. Small kernels, which one thread runs as a whole, are
/// called directly, without a virtual call or a parallel loop.
struct LaunchStep {
  KernelFunction function = nullptr; // null: `body` runs
  void *const *operands = nullptr;
  int64_t points = 0;
  PreparedCommand *body = nullptr;
  uint32_t command = 0;
};

/// An operand of a fused kernel, element i of which goes with element i of the
/// matrix command's result.
struct BesideOperand {
  const uint8_t *data;
  int64_t elementBytes;
};

/// A TPC kernel fused into a matrix command: it runs on parts of the result as
/// soon as they are stored, on the points [begin / block, end / block) after
/// the elements [begin, end).
struct Follower {
  KernelFunction function = nullptr;
  void *const *operands = nullptr;
  size_t operandCount = 0;
  int64_t block = 1;    // elements of the result per point
  int64_t leastRun = 1; // contiguous elements that are worth a call
  /// What it touches that the group does not make.
  std::vector<BesideOperand> beside;
};

class PreparedCommand {
public:
  virtual ~PreparedCommand() = default;
  virtual void run(LaunchContext &context) = 0;
  /// How it runs, for reports: "jit:lanes16", "tile:avx2:6x16:f32".
  virtual std::string implementation() const = 0;
  /// Whether the command or its preparation reads the bytes of `tensor`, its
  /// input number `input`. False for a constant whose packed panels came from
  /// the cache: its bytes need no check. Known once PanelRequests::resolve
  /// returned.
  virtual bool reads(size_t input, const BoundTensor &tensor) const {
    return true;
  }
  /// Host memory each worker needs while this runs; shared by all commands,
  /// handed out once when all are prepared.
  virtual uint64_t scratchBytes() const { return 0; }
  /// How many of `workers` use their scratch at once; fewer than all only if
  /// these are the first.
  virtual unsigned scratchWorkers(unsigned workers) const { return workers; }
  /// `perWorker`: an array of which the elements may change between launches.
  virtual void bindScratch(uint8_t *const *perWorker) {}
  /// Shows all pointers to tensors and to staging memory that `run` uses.
  virtual void visitAddresses(AddressVisitor &visitor) = 0;
  /// Runs `follower`, after those added before, on each part of the result
  /// once it is complete. False if the result is not made in at least
  /// `leastParts` parts of whole points. Called before the first run.
  virtual bool follow(const Follower &follower, int64_t leastParts) {
    return false;
  }
};

/// Host memory of the emulation that all commands share, because they run one
/// after the other: for what all workers of a command share, such as operands
/// that it converts. Commands take parts of it while they are prepared. What
/// each worker has for itself is scratch (PreparedCommand::scratchBytes).
class Staging {
public:
  explicit Staging(uint8_t *base, uint64_t size) : base(base), size(size) {}
  /// Forgets what the previous command took.
  void restart() { used = 0; }
  /// 64-byte aligned; null when the region is too small.
  uint8_t *take(uint64_t bytes) {
    const uint64_t start = (used + 63) / 64 * 64;
    if (start > size || bytes > size - start)
      return nullptr;
    used = start + bytes;
    most = used > most ? used : most;
    return base + start;
  }
  uint64_t highest() const { return most; }

private:
  uint8_t *base;
  uint64_t size, used = 0, most = 0;
};

/// The constants that matrix commands want packed. All are packed, or found in
/// a cache, after the last command was prepared.
class PanelRequests {
public:
  virtual ~PanelRequests() = default;
  virtual Status resolve(ThreadPool &pool, PanelStats &stats) = 0;
};

struct PrepareContext {
  ThreadPool &pool;
  Staging &staging;
  uint64_t &hostBytes;   // converted constants and the like, added up
  PanelRequests *panels; // from MmeApi::panels; for matrix commands only
  /// The chip as whose engine products are added up; empty: in f32.
  std::string_view chip = {};
  std::string_view target = {}; // of the recipe
};

using Prepared = Result<std::unique_ptr<PreparedCommand>>;

Prepared prepareTransfer(const BoundTensor &src, const BoundTensor &dst);
Prepared prepareFill(const recipe::Fill &fill, const BoundTensor &dst);
Prepared prepareLibrary(const recipe::Library &library, BoundTensors inputs,
                        BoundTensors outputs);

/// True if the matrix engine's library (Mme/Library.h) prepares commands of
/// this kind: all kinds that have no case in the loader.
inline bool isMatrixCommand(const recipe::Command &command) {
  switch (command.body_type()) {
  case recipe::Body::NONE:
  case recipe::Body::Launch:
  case recipe::Body::Transfer:
  case recipe::Body::Fill:
  case recipe::Body::Library:
    return false;
  default:
    return true;
  }
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_COMMAND_H

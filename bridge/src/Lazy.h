// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lazy mode: ops are steps of a graph, which is compiled, or found, and
// launched when the program cuts it: by mark_step, or because memory is needed.
//
// Tensors are as in eager mode: a view is sizes, strides and an offset over a
// storage. A storage that only waiting steps write has no memory yet. When a
// graph is cut, storages that nothing but the graph holds never get any: they
// are values inside of the recipe.
#ifndef GAUDI_BRIDGE_LAZY_H
#define GAUDI_BRIDGE_LAZY_H

#include "Card.h"
#include "Plan.h"

#include <ATen/core/Tensor.h>

namespace gaudi::bridge::lazy {

/// As PT_HPU_LAZY_MODE says: 0 runs ops at once, 1 waits for cuts, 2 cuts after
/// each op, 3 also at random places.
void setMode(int mode);
int mode();
/// Whether ops of this thread are to wait.
bool isOn();

/// While it lives, ops of this thread run at once.
class Eagerly {
public:
  Eagerly();
  ~Eagerly();
  Eagerly(const Eagerly &) = delete;
  Eagerly &operator=(const Eagerly &) = delete;
};

/// Why the thread needs memory, while it lives: what a report says of the cut.
/// Of nested ones the outermost counts.
class Reading {
public:
  explicit Reading(const char *why);
  ~Reading();
  Reading(const Reading &) = delete;
  Reading &operator=(const Reading &) = delete;

private:
  bool isOutermost;
};

/// A tensor without memory.
at::Tensor makeTensor(at::IntArrayRef sizes, at::IntArrayRef strides,
                      at::ScalarType type);
/// The allocator of such tensors.
c10::Allocator &allocator();

/// Appends a step: an op whose decision has a sketch. Returns its new tensors.
std::vector<at::Tensor> record(const Card &card,
                               std::shared_ptr<Decision> decision,
                               const std::string &op,
                               at::ArrayRef<at::Tensor> operands,
                               at::ArrayRef<at::Scalar> numbers);

/// Before anything but a recorded step reads, writes or takes the address of a
/// storage's memory: cuts the graph that uses it, and allocates what has no
/// memory.
void resolve(c10::StorageImpl &storage);

/// Whether it is the address of a storage that has no memory yet.
bool isDeferred(const void *memory);

/// Cuts the graphs of this thread, of threads that never end a step, as those
/// of autograd, and of the stream; `card` -1: of all cards.
void cut(const char *reason, c10::DeviceIndex card = -1,
         std::optional<c10::StreamId> stream = std::nullopt);
/// The same as mark_step: this thread has steps of its own.
void endStep(const char *reason);
/// Cuts all graphs, of all threads.
void cutAll(const char *reason, c10::DeviceIndex card = -1);

/// A graph that was cut.
struct Cut {
  std::string reason, file;
  int line = 0;
  uint64_t graph = 0; // number of the compiled graph, from 1
  size_t steps = 0, programs = 0;
  bool isHit = false;
};
struct Counts {
  uint64_t steps = 0, cuts = 0, hits = 0, misses = 0, waiting = 0;
  uint64_t kept = 0; // compiled graphs
};
Counts counts();
/// What has been cut since the last call, the last 10,000 at most.
std::vector<Cut> takeCuts();
/// Forgets compiled graphs.
void reset();

} // namespace gaudi::bridge::lazy

#endif // GAUDI_BRIDGE_LAZY_H

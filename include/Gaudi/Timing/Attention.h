// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention as a chain of slices: queries of some heads by some of their keys.
//
// Each slice is two products of the matrix engine with a softmax on the TPC
// between them, backward five products. Neighbours overlap, so that both
// engines work; scores and probabilities of a slice live in SRAM.
// docs/device-time.md ("Attention") computes one by hand.
#ifndef GAUDI_TIMING_ATTENTION_H
#define GAUDI_TIMING_ATTENTION_H

#include "Gaudi/Timing/Cost.h"

#include <string_view>

namespace gaudi::timing {

/// What gaudi.sdpa and gaudi.sdpa_grad say beside their tensors.
struct AttentionForm {
  bool isGradient = false;
  /// Stored orders of "NHLD" or "NLD"; empty: that order.
  std::string_view queryLayout, keyLayout, valueLayout;
  /// The optional inputs that are there, as bits in the order of the op:
  /// forward mask, valid_lengths, dropout_mask, seed and six scales; backward
  /// output, mask, valid_lengths, dropout_mask, seed, m, linv, probabilities.
  uint32_t inputs = 0;
  /// The optional results of the forward op: m, linv, seed, probabilities,
  /// kept, amax_s, amax_o.
  uint32_t results = 0;
  bool causal = false;
  int64_t window = 0; // 0: none
  bool isFast = false;
  Dims slice; // queries and keys, or empty
};

/// The tensors are given in the order of the op, optional ones that are there
/// among them.
AttentionWork attentionWork(const AttentionForm &form,
                            std::vector<Operand> inputs,
                            std::vector<Operand> outputs);

/// What a slice of the chain computes.
struct AttentionSlice {
  int64_t heads = 1, queries = 1, keys = 1; // heads of queries
};

/// The slice with the least time of those that fit the SRAM; queries and keys
/// are those of the work if it gives them, but for more queries where these
/// would make more than 2^16 blocks. Sizes of 0 have slices of 1.
AttentionSlice sliceOf(const AttentionWork &work,
                       const device::DeviceSpec &spec);

/// The chain and what its time comes from.
struct AttentionChain {
  AttentionSlice slice;
  int64_t slices = 0;  // that are computed
  int64_t cut = 0;     // of them, those that causality or the window cuts
  int64_t skipped = 0; // that see nothing
  /// Of one slice inside: products, kernels, and from the first product's
  /// begin to the last result.
  Picoseconds products = 0, kernels = 0, latency = 0;
  Picoseconds mmeBusy = 0, tpcBusy = 0; // of the chain
  Picoseconds time = 0;                 // of the chain, if memory kept up
  uint64_t sramBytes = 0; // of slices in flight, and of what is kept
  double firstBytes = 0;  // that the first slice reads
  double visible = 0;     // share of the scores that some query sees
  double keyReads = 1;    // how often keys and values are read
  double sumMoves = 0;    // of sums of their gradients that do not fit SRAM
  double macs = 0;        // of the slices
  Bound product = Bound::Array; // of the longer product
  bool isSpecial = false;       // special functions are most of the vector slot
};
AttentionChain chainOf(const AttentionWork &work,
                       const device::DeviceSpec &spec);

} // namespace gaudi::timing

#endif // GAUDI_TIMING_ATTENTION_H

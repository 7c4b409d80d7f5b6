// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an attention command is cut into tasks, and its memory: by shapes alone,
// so that no number of threads changes a result.
#ifndef GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONTILING_H
#define GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONTILING_H

#include "AttentionPanels.h"
#include "AttentionScores.h"

#include "../../Commands/Command.h"

#include <utility>

namespace gaudi::runtime {

/// Tasks from which on a command is cut enough for any number of threads.
constexpr int64_t enoughTasks = 64;

/// Rows of a task that one call of a micro kernel computes, and the keys that
/// at least one of them sees.
struct AttentionBlock {
  int64_t row, count; // the first within the task
  int64_t begin, end; // keys
};

struct AttentionTiling {
  /// Each row of a task keeps depth sums and a block of scores in L2.
  /// In whole blocks, the last of which may have more.
  static constexpr int64_t mostTaskRows = 112;

  /// Of products whose columns are keys, and of those whose columns are depth.
  const MicroKernel *keyKernel = nullptr, *depthKernel = nullptr;
  const AttentionFunctions *functions = nullptr;
  int64_t keyBlock = 0;  // keys of a step of the softmax
  int64_t blockRows = 0; // most rows of a call
  int64_t taskRows = 0;  // most rows of a task
  int64_t tasksPerUnit = 0;

  AttentionTiling() = default;
  AttentionTiling(const AttentionProblem &p, const MicroKernel &kernel);

  bool pairs() const { return keyKernel->format == StepFormat::Bf16; }
  /// Bytes between rows of a left side of `count` values.
  int64_t leftPitch(int64_t count) const {
    return (count * (pairs() ? 2 : 4) + 63) / 64 * 64;
  }
  /// Steps of a reduction over `count` values.
  int64_t steps(int64_t count) const {
    return pairs() ? (count + 1) / 2 : count;
  }
  /// Where the reduction over values of a block starts that includes value
  /// `first`: at a pair, or a tile.
  int64_t startOf(int64_t first) const {
    const int64_t unit = 2 * depthKernel->stepGrain;
    return first / unit * unit;
  }
  /// A kernel on tiles loads the rows of a block once for all panels of a call;
  /// for others a panel stays in L1 while all blocks pass.
  bool panelsTogether() const { return keyKernel->hasTiles(); }
  /// After the last product of a task.
  void finish() const {
    if (keyKernel->finish)
      keyKernel->finish();
  }
  int64_t blocksOf(int64_t rows) const {
    return (rows + blockRows - 1) / blockRows;
  }
};

/// The rows of a task in blocks, on the scratch memory of a worker.
struct AttentionBand {
  AttentionBand(const AttentionTiling &tiling, ScratchParts &parts)
      : info(parts.take<AttentionRow>(tiling.taskRows)),
        blocks(parts.take<AttentionBlock>(tiling.blocksOf(tiling.taskRows))),
        started(parts.take<bool>(tiling.blocksOf(tiling.taskRows))) {}

  /// Takes `count` rows of a unit from `first` on.
  void place(const AttentionProblem &p, const AttentionTiling &tiling,
             int64_t unit, int64_t first, int64_t count);
  /// Calls visit(row, whether its block has sums) for all rows.
  template <typename Visit> void forEachRow(Visit &&visit) const {
    for (int64_t b = 0; b < blockCount; ++b)
      for (int64_t r = 0; r < blocks[b].count; ++r)
        visit(blocks[b].row + r, started[b]);
  }

  AttentionRow *info;
  AttentionBlock *blocks;
  bool *started; // per block: its sums hold something
  int64_t count = 0, blockCount = 0;
  int64_t begin = 0, end = 0; // keys that any row sees
};

/// What the commands of attention and of its gradient have in common.
class AttentionTasks : public PreparedCommand {
public:
  void bindScratch(uint8_t *const *perWorker) override { scratch = perWorker; }

protected:
  AttentionTasks(const AttentionProblem &problem, const AttentionTiling &tiling)
      : p(problem), tiling(tiling) {}
  /// The kernel and the keys of a step.
  std::string describe(const char *name) const;

  AttentionProblem p; // only its addresses change
  const AttentionTiling tiling;
  uint8_t *const *scratch = nullptr;
};

/// Calls with the fields that attention's products never change.
BlockCall attentionCall();

/// Products of rows with keys `begin` to `end` of a unit; `begin` is that of a
/// block of keys.
struct KeyProduct {
  const AttentionPanels &layout;
  const uint8_t *panels; // of the unit
  int64_t begin, end, depth;
  const uint8_t *const *rows; // of the task
  float *to;                  // rows of the task, from `begin` on
  int64_t pitch;              // of `to`
};
/// Overwrites whole panels around the keys that rows of a block see.
void multiplyKeys(const AttentionTiling &tiling, const KeyProduct &product,
                  const AttentionBand &band);
/// The same of one row, with the panel that holds key `begin` alone.
void multiplyPanel(const AttentionTiling &tiling, const KeyProduct &product);

/// Sums over keys `begin` to `end` of a block of keys that starts at
/// `firstKey`, for all panels of depth.
struct DepthProduct {
  const AttentionPanels &layout;
  const uint8_t *panels; // of the block of keys
  int64_t firstKey, begin, end;
  const uint8_t *const *left; // rows of the task, from firstKey on
  float *sums;                // rows of the task
  int64_t pitch;              // of sums
};
/// Adds to the sums of each block of rows what its visible keys give; sums that
/// are not started are overwritten, and are started then.
void multiplyDepth(const AttentionTiling &tiling, const DepthProduct &product,
                   const AttentionBand &band);

/// `count` elements of any float type as f32.
void loadRow(const AttentionFunctions &functions, recipe::ElementType type,
             const uint8_t *from, int64_t stride, float *to, int64_t count);

/// Copies row `position` of a tensor to a left side of the kernel's type, with
/// a zero after an odd number of pairs' values.
void copyLeftRow(const AttentionTiling &tiling, const AttentionTensor &tensor,
                 const AttentionRow &row, int64_t depth, uint8_t *to);

/// Numbers beyond `largest`, infinities too, become that; NaN stays.
void saturate(float *values, int64_t count, float largest);

/// Rounds `count` sums to a row of the tensor.
void storeTensorRow(const AttentionTensor &tensor, const AttentionRow &row,
                    const float *from, int64_t count,
                    const MicroKernel &kernel);

/// What the softmax of a row has summed when all keys have passed.
struct AttentionSums {
  float maximum; // -infinity: no key is visible
  float sum;     // of exp(s - maximum)
  float *values; // weighted by exp(s - maximum), or by P if `normalised`
  bool normalised = false;
  float factor = 1;      // the sums are multiplied by it
  float outputScale = 1; // the output is, before its rounding
};

/// Rounds and stores a row of the output and its statistics. Returns the
/// largest magnitude of the output before its scale, if the problem asks for
/// it.
float storeAttentionRow(const AttentionProblem &p, const AttentionRow &row,
                        const AttentionSums &sums, const MicroKernel &kernel);

/// Attention by blocks of keys with an online softmax.
std::unique_ptr<PreparedCommand> buildAttention(const AttentionProblem &problem,
                                                const MicroKernel &kernel,
                                                PrepareContext &context);
/// The same for few queries, whose keys and values are not packed.
std::unique_ptr<PreparedCommand>
buildThinAttention(const AttentionProblem &problem, const MicroKernel &kernel,
                   PrepareContext &context);
/// Whether the second form takes a problem.
bool isThin(const AttentionProblem &problem, const MicroKernel &kernel);

std::unique_ptr<PreparedCommand>
buildAttentionGrad(const AttentionProblem &problem, const MicroKernel &kernel,
                   PrepareContext &context);

/// Most staging bytes of each; saturates.
uint64_t attentionStaging(const AttentionProblem &problem);
uint64_t attentionGradStaging(const AttentionProblem &problem);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONTILING_H

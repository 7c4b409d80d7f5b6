// Attention by blocks of keys: scores never leave the cache.
//
//   for each task: rows of a unit                their sums and scores fit L2
//     for each block of keys                     its panels fit L2
//       S = Q K^T for each panel of keys         a panel stays in L1
//       rescale sums to the new maxima, P = exp(S - m)
//       O += P V for each panel of the depth
//
// The sums and maxima of a row are those of the online softmax (Milakov and
// Gimelshein, 2018); blocks of keys run in order, so results do not depend on
// threads. Keys that causality, a window or lengths hide from all rows of a
// block are neither multiplied nor read.
//
// What rounds the normalised probabilities (f8) or returns them takes two
// passes: the first has maxima and sums only, the second computes the scores
// again.
#include "AttentionPlan.h"

#include "../Commands/Copy.h"
#include "OperandCopies.h"
#include "TileCommand.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cassert>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Most bytes of a unit's panels that one thread packs and multiplies with all
/// rows of the unit: they are still in L2 when the rows pass.
constexpr uint64_t ownPanelBytes = 1 << 20;

bool isF8(ElementType type) {
  return type == ElementType::F8E4M3FN || type == ElementType::F8E5M2;
}

class AttentionForward final : public PreparedCommand {
public:
  AttentionForward(const AttentionProblem &problem, const MicroKernel &kernel,
                   PrepareContext &context);

  void run(LaunchContext &context) override;
  std::string implementation() const override;
  uint64_t scratchBytes() const override;
  void bindScratch(const std::vector<uint8_t *> &perWorker) override {
    scratch = perWorker;
  }

private:
  friend class ForwardTask;
  void packAhead(ThreadPool &pool);
  void storeScalars() const;

  const AttentionProblem p;
  const AttentionPlan plan;
  AttentionPanels keys, values;
  bool twoPasses, packsInTask;
  uint8_t *keyPanels = nullptr, *valuePanels = nullptr; // of all units
  float *largest = nullptr; // per task: of P, of the output
  std::vector<uint8_t *> scratch;
};

/// One task on the scratch memory of a worker.
class ForwardTask {
public:
  ForwardTask(const AttentionForward &command, uint8_t *scratch)
      : c(command), p(c.p), plan(c.plan), f(*plan.functions), parts(scratch),
        rowScores(p, f, plan.keyBlock, parts) {
    const int64_t rows = plan.taskRows;
    info = parts.take<AttentionRow>(rows);
    blocks = parts.take<AttentionBlock>(plan.blocksOf(rows));
    started = parts.take<bool>(plan.blocksOf(rows));
    pointers = parts.take<const uint8_t *>(rows);
    left = parts.take<const uint8_t *>(rows);
    maxima = parts.take<float>(rows);
    sums = parts.take<float>(rows);
    scorePitch = paddedRow(plan.keyBlock);
    scores = parts.take<float>(rows * scorePitch);
    queryPitch = plan.leftPitch(p.depth);
    queries = parts.take<uint8_t>(rows * queryPitch);
    narrowPitch = plan.leftPitch(plan.keyBlock);
    narrow = parts.take<uint8_t>(plan.pairs() ? rows * narrowPitch : 0);
    outPitch = paddedRow(c.values.panelsPerBlock() * c.values.width());
    out = parts.take<float>(rows * outPitch);
    rounded =
        parts.take<uint8_t>(c.twoPasses ? paddedRow(plan.keyBlock) * 4 : 0);
    packing =
        parts.take<float>(c.packsInTask ? std::max(c.keys.scratchFloats(),
                                                   c.values.scratchFloats())
                                        : 0);
    ownKeys = parts.take<uint8_t>(c.packsInTask ? int64_t(c.keys.bytes()) : 0);
    ownValues =
        parts.take<uint8_t>(c.packsInTask ? int64_t(c.values.bytes()) : 0);
  }
  uint64_t bytes() const { return parts.bytes(); }

  /// Points at the panels of a unit, or packs them.
  void enter(int64_t unit);
  /// The rows of a task of that unit.
  void run(int64_t task);

private:
  void place(int64_t task);
  void passKeys(bool lastPass);
  void multiplyKeys(int64_t begin, int64_t end);
  void softmaxBlock(const AttentionBlock &block, int64_t begin, int64_t end);
  void onlineRow(int64_t r, int64_t key, int64_t count, float *s);
  void exactRow(int64_t r, int64_t key, int64_t count, float *s);
  void multiplyValues(int64_t begin, int64_t end);
  void finishRow(int64_t r);
  void clearSaved(const AttentionRow &row);
  void storeKept(const AttentionRow &row);

  const AttentionForward &c;
  const AttentionProblem &p;
  const AttentionPlan &plan;
  const AttentionFunctions &f;
  ScratchParts parts;
  ScoreRows rowScores;
  int64_t unit = 0, count = 0, blockCount = 0;
  int64_t firstKey = 0, endKey = 0; // that any row sees
  bool secondPass = false, multiplies = true;
  float mostProbability = 0, mostOutput = 0;
  float probabilityScale = 1, sumScale = 1, outputScale = 1;
  AttentionRow *info;
  AttentionBlock *blocks;
  bool *started; // per block: its sums hold something
  const uint8_t **pointers, **left;
  float *maxima, *sums, *scores, *out;
  uint8_t *queries, *narrow, *rounded;
  int64_t scorePitch, queryPitch, narrowPitch, outPitch;
  float *packing;
  uint8_t *ownKeys, *ownValues;
  const uint8_t *keyPanels = nullptr, *valuePanels = nullptr;
};

void ForwardTask::place(int64_t task) {
  assert(unit == task / plan.tasksPerUnit && "the unit was entered");
  const int64_t first = task % plan.tasksPerUnit * plan.taskRows;
  count = std::min(plan.taskRows, p.unitRows() - first);
  count = std::max<int64_t>(count, 0);
  blockCount = plan.blocksOf(count);
  firstKey = p.keys;
  endKey = 0;
  for (int64_t b = 0; b < blockCount; ++b) {
    const int64_t row = b * count / blockCount;
    AttentionBlock &block = blocks[b];
    block = {row, (b + 1) * count / blockCount - row, p.keys, 0};
    started[b] = false;
    for (int64_t r = row; r < row + block.count; ++r) {
      info[r] = AttentionRow(p, unit, first + r);
      block.begin = std::min(block.begin, info[r].begin);
      block.end = std::max(block.end, info[r].end);
      uint8_t *query = queries + r * queryPitch;
      copyLeftRow(plan, p.query, info[r], p.depth, query);
      pointers[r] = query;
      maxima[r] = -infinity;
      sums[r] = 0;
    }
    if (block.end == 0)
      block.begin = 0;
    firstKey = std::min(firstKey, block.begin);
    endKey = std::max(endKey, block.end);
  }
}

void ForwardTask::enter(int64_t entered) {
  unit = entered;
  const int64_t image = unit / p.keyHeads, head = unit % p.keyHeads;
  if (!c.packsInTask) {
    keyPanels = c.keyPanels + unit * int64_t(c.keys.bytes());
    valuePanels = c.valuePanels + unit * int64_t(c.values.bytes());
    return;
  }
  for (int64_t i = 0; i < c.keys.count(); ++i)
    c.keys.pack(image, head, i, packing, ownKeys + i * c.keys.pitch());
  for (int64_t i = 0; i < c.values.count(); ++i)
    c.values.pack(image, head, i, packing, ownValues + i * c.values.pitch());
  keyPanels = ownKeys;
  valuePanels = ownValues;
}

void ForwardTask::multiplyKeys(int64_t begin, int64_t end) {
  const int64_t width = plan.keyKernel->columns;
  BlockCall call = attentionCall();
  call.steps = plan.steps(p.depth);
  call.panels = 1;
  call.panelBytes = c.keys.pitch();
  call.cStride = scorePitch;
  for (int64_t key = begin; key < end; key += width) {
    call.panel = call.prefetch = keyPanels + key / width * c.keys.pitch();
    for (int64_t b = 0; b < blockCount; ++b) {
      const AttentionBlock &block = blocks[b];
      if (block.end <= key || block.begin >= key + width)
        continue;
      call.rows = pointers + block.row;
      call.c = scores + block.row * scorePitch + (key - begin);
      plan.keyKernel->functions[block.count](call);
    }
  }
}

/// The online softmax of one row: raises its maximum, and rescales what is
/// summed so far to it.
void ForwardTask::onlineRow(int64_t r, int64_t key, int64_t n, float *s) {
  const float most = rowScores.score(info[r], key, n, s);
  if (most > maxima[r]) {
    const float factor = std::exp(maxima[r] - most);
    maxima[r] = most;
    sums[r] *= factor;
    if (multiplies && factor != 1)
      f.scale(out + r * outPitch, outPitch, factor);
  }
  // All scores are -infinity so far: nothing to add, and no maximum to
  // subtract.
  if (maxima[r] == -infinity && most == -infinity) {
    for (int64_t j = 0; j < n; ++j) {
      s[j] = std::isnan(s[j]) ? s[j] : 0;
      sums[r] += s[j];
    }
    return;
  }
  sums[r] += f.exponential(s, n, maxima[r], 1);
  if (!multiplies)
    return;
  if (const float *factors = rowScores.dropout(info[r], key, n))
    f.multiply(s, factors, n);
}

/// The probabilities of one row from its final maximum and sum, rounded as the
/// second product reads them.
void ForwardTask::exactRow(int64_t r, int64_t key, int64_t n, float *s) {
  const AttentionRow &row = info[r];
  rowScores.score(row, key, n, s);
  if (maxima[r] == -infinity)
    std::fill(s, s + n, 0.0f);
  else
    f.exponential(s, n, maxima[r], sums[r]);
  auto round = [&](const AttentionTensor &to, int64_t at) {
    const int64_t size = recipe::elementSize(to.type);
    uint8_t *place =
        to.data ? to.data + (to.offset(row.image, row.head, row.query) +
                             at * to.column) *
                                size
                : rounded;
    const int64_t stride = to.data ? to.column : 1;
    convertRow(ElementType::F32, reinterpret_cast<const uint8_t *>(s), 1,
               to.type, place, stride, n);
    convertRow(to.type, place, stride, ElementType::F32,
               reinterpret_cast<uint8_t *>(s), 1, n);
  };
  if (p.probabilities)
    round(p.probabilities, key);
  if (const float *factors = rowScores.dropout(row, key, n))
    f.multiply(s, factors, n);
  if (p.largestProbability)
    mostProbability = std::max(mostProbability, f.largest(s, n));
  if (isF8(p.query.type)) {
    f.scale(s, n, probabilityScale);
    AttentionTensor operand;
    operand.type = p.query.type;
    round(operand, 0);
  }
}

void ForwardTask::softmaxBlock(const AttentionBlock &block, int64_t begin,
                               int64_t end) {
  const int64_t lowest = std::max(block.begin, begin);
  const int64_t highest = std::min(block.end, end);
  if (lowest >= highest)
    return;
  for (int64_t r = block.row; r < block.row + block.count; ++r) {
    float *row = scores + r * scorePitch - begin; // by key
    const int64_t first = std::clamp(info[r].begin, lowest, highest);
    const int64_t last = std::clamp(info[r].end, first, highest);
    if (first < last) {
      if (secondPass)
        exactRow(r, first, last - first, row + first);
      else
        onlineRow(r, first, last - first, row + first);
    }
    if (!multiplies)
      continue;
    // Keys that others of the block see have probability 0; so have those that
    // fill up the first and the last step.
    std::fill(row + (lowest - begin) / 2 * 2 + begin, row + first, 0.0f);
    std::fill(row + last, row + highest + 1, 0.0f);
    left[r] = reinterpret_cast<const uint8_t *>(row + begin);
    if (plan.pairs()) {
      uint8_t *to = narrow + r * narrowPitch;
      const int64_t from = (lowest - begin) / 2 * 2;
      plan.keyKernel->roundToBf16(row + begin + from,
                                  reinterpret_cast<uint16_t *>(to) + from,
                                  (highest - begin + 1) / 2 * 2 - from);
      left[r] = to;
    }
  }
}

void ForwardTask::multiplyValues(int64_t begin, int64_t end) {
  const int64_t panels = c.values.panelsPerBlock(), width = c.values.width();
  const uint8_t *block =
      valuePanels + begin / plan.keyBlock * panels * c.values.pitch();
  BlockCall call = attentionCall();
  call.panels = 1;
  call.panelBytes = c.values.pitch();
  call.cStride = outPitch;
  const int64_t perStep = plan.pairs() ? 2 : 1;
  for (int64_t panel = 0; panel < panels; ++panel)
    for (int64_t b = 0; b < blockCount; ++b) {
      const AttentionBlock &rows = blocks[b];
      const int64_t first = (std::max(rows.begin, begin) - begin) / perStep;
      const int64_t last =
          (std::min(rows.end, end) - begin + perStep - 1) / perStep;
      if (first >= last)
        continue;
      call.steps = last - first;
      call.offset = first * 4;
      call.panel = call.prefetch =
          block + panel * c.values.pitch() + first * c.values.stepBytes();
      call.rows = left + rows.row;
      call.c = out + rows.row * outPitch + panel * width;
      call.accumulate = started[b];
      plan.depthKernel->functions[rows.count](call);
      if (panel + 1 == panels)
        started[b] = true;
    }
}

void ForwardTask::passKeys(bool lastPass) {
  multiplies = lastPass;
  for (int64_t begin = firstKey / plan.keyBlock * plan.keyBlock; begin < endKey;
       begin += plan.keyBlock) {
    const int64_t end = std::min(begin + plan.keyBlock, p.keys);
    multiplyKeys(begin, end);
    for (int64_t b = 0; b < blockCount; ++b)
      softmaxBlock(blocks[b], begin, end);
    if (multiplies)
      multiplyValues(begin, end);
  }
}

void ForwardTask::clearSaved(const AttentionRow &row) {
  const AttentionTensor &to = p.probabilities;
  const int64_t size = recipe::elementSize(to.type);
  uint8_t *data = to.data + to.offset(row.image, row.head, row.query) * size;
  for (int64_t j = 0; j < p.keys; ++j)
    if (j < row.begin || j >= row.end)
      std::memset(data + j * to.column * size, 0, size_t(size));
}

void ForwardTask::storeKept(const AttentionRow &row) {
  uint8_t *data = p.kept.data + p.kept.offset(row.image, row.head, row.query);
  for (int64_t key = 0; key < p.keys; key += plan.keyBlock) {
    const int64_t n = std::min(plan.keyBlock, p.keys - key);
    const float *factors = rowScores.dropout(row, key, n);
    for (int64_t j = 0; j < n; ++j)
      data[(key + j) * p.kept.column] = factors[j] != 0;
  }
}

void ForwardTask::finishRow(int64_t r) {
  const AttentionRow &row = info[r];
  AttentionSums result{maxima[r], sums[r], out + r * outPitch};
  // In the second pass P is normalised, and `sums` holds the inverses.
  if (secondPass) {
    result.sum = 1 / sums[r];
    result.factor = sumScale;
    result.normalised = true;
  }
  result.outputScale = outputScale;
  const float most = storeAttentionRow(p, row, result, *plan.depthKernel);
  mostOutput = std::max(mostOutput, most);
}

void ForwardTask::run(int64_t task) {
  rowScores.begin();
  sumScale = valueOf(p.sumScale) * valueOf(p.valueScale);
  probabilityScale = valueOf(p.probabilityScale);
  outputScale = valueOf(p.outputScale);
  mostProbability = mostOutput = 0;
  secondPass = false;
  place(task);
  passKeys(!c.twoPasses);
  if (c.twoPasses) {
    for (int64_t r = 0; r < count; ++r)
      sums[r] = 1 / sums[r];
    secondPass = true;
    passKeys(true);
  }
  for (int64_t b = 0; b < blockCount; ++b)
    for (int64_t r = blocks[b].row; r < blocks[b].row + blocks[b].count; ++r) {
      if (!started[b])
        std::fill(out + r * outPitch, out + (r + 1) * outPitch, 0.0f);
      finishRow(r);
      if (p.probabilities)
        clearSaved(info[r]);
      if (p.kept)
        storeKept(info[r]);
    }
  if (c.largest) {
    c.largest[2 * task] = mostProbability;
    c.largest[2 * task + 1] = mostOutput;
  }
}

AttentionForward::AttentionForward(const AttentionProblem &problem,
                                   const MicroKernel &kernel,
                                   PrepareContext &context)
    : p(problem), plan(p, kernel),
      keys(AttentionPanels::ofPositions(*plan.keyKernel, p.key, p.keys,
                                        p.depth)),
      values(AttentionPanels::ofDepth(*plan.depthKernel, p.value, p.keys,
                                      p.valueDepth, plan.keyBlock)),
      twoPasses(p.probabilities || isF8(p.query.type)),
      packsInTask(p.units() >= enoughTasks &&
                  keys.bytes() + values.bytes() <= ownPanelBytes) {
  if (!packsInTask) {
    keyPanels = takeStaging(keys.bytes() * uint64_t(p.units()), context);
    valuePanels = takeStaging(values.bytes() * uint64_t(p.units()), context);
  }
  if (p.largestProbability || p.largestOutput)
    largest = reinterpret_cast<float *>(takeStaging(
        uint64_t(p.units() * plan.tasksPerUnit) * 2 * sizeof(float), context));
}

uint64_t AttentionForward::scratchBytes() const {
  return std::max(
      ForwardTask(*this, nullptr).bytes(),
      uint64_t(std::max(keys.scratchFloats(), values.scratchFloats())) *
          sizeof(float));
}

std::string AttentionForward::implementation() const {
  return fmt::format("attention:{}:{}x{}:{}, {} keys at a time, {}{}",
                     plan.keyKernel->name, plan.blockRows,
                     plan.keyKernel->columns, plan.pairs() ? "bf16" : "f32",
                     plan.keyBlock, packsInTask ? "packed in tasks" : "packed",
                     twoPasses ? ", two passes" : "");
}

void AttentionForward::packAhead(ThreadPool &pool) {
  const int64_t perUnit = keys.count() + values.count();
  constexpr int64_t grain = 8; // panels: enough to be worth a thread
  pool.parallelFor(
      p.units() * perUnit, grain,
      [&](int64_t begin, int64_t end, unsigned worker) {
        float *rows = reinterpret_cast<float *>(scratch[worker]);
        for (int64_t i = begin; i < end; ++i) {
          const int64_t unit = i / perUnit, panel = i % perUnit;
          const int64_t image = unit / p.keyHeads, head = unit % p.keyHeads;
          if (panel < keys.count())
            keys.pack(image, head, panel, rows,
                      keyPanels + (unit * keys.count() + panel) * keys.pitch());
          else
            values.pack(image, head, panel - keys.count(), rows,
                        valuePanels +
                            (unit * values.count() + panel - keys.count()) *
                                values.pitch());
        }
      });
}

void AttentionForward::storeScalars() const {
  if (p.seedResult)
    std::memcpy(p.seedResult, p.seed, 4);
  float most[2] = {0, 0};
  if (largest)
    for (int64_t t = 0; t < p.units() * plan.tasksPerUnit; ++t)
      for (int i = 0; i < 2; ++i)
        most[i] = std::max(most[i], largest[2 * t + i]);
  if (p.largestProbability)
    std::memcpy(p.largestProbability, &most[0], 4);
  if (p.largestOutput)
    std::memcpy(p.largestOutput, &most[1], 4);
}

void AttentionForward::run(LaunchContext &context) {
  if (!packsInTask)
    packAhead(context.pool);
  // Tasks of a unit whose panels are its own run one after the other.
  const int64_t tasks = p.units() * plan.tasksPerUnit;
  const int64_t together = packsInTask ? plan.tasksPerUnit : 1;
  context.pool.parallelFor(
      tasks / together, 1, [&](int64_t begin, int64_t end, unsigned worker) {
        ForwardTask task(*this, scratch[worker]);
        for (int64_t t = begin * together; t < end * together; ++t) {
          if (t % together == 0)
            task.enter(t / plan.tasksPerUnit);
          task.run(t);
        }
      });
  storeScalars();
}

} // namespace

std::unique_ptr<PreparedCommand> buildAttention(const AttentionProblem &problem,
                                                const MicroKernel &kernel,
                                                PrepareContext &context) {
  return std::make_unique<AttentionForward>(problem, kernel, context);
}

} // namespace gaudi::runtime

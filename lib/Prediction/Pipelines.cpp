// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses which commands run in slices.
//
// A pipeline is a row of neighbours in program order, one of them or more a
// product of the matrix engine, each of which reads what those before it write,
// slice by slice: slice i of one command needs slice i of the other and nothing
// else. What lives only inside moves through SRAM, three slices at a time. The
// number of slices is the one with which the row, alone on the device, ends
// first; a row that is quicker whole stays whole.
#include "Pipelines.h"
#include "Gaudi/Recipe/Convolution.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Slices.h"

#include <algorithm>
#include <cassert>

namespace gaudi::prediction {
namespace {

using namespace timing;
using recipe::items;
using recipe::text;

constexpr uint32_t fewestSlices = 4, mostSlices = 32, longestPipeline = 4;

constexpr std::string_view overwrites = "one overwrites what the other reads",
                           otherRange = "one reads only a part, or another "
                                        "form, of what the other writes",
                           different =
                               "one of them needs other slices than its "
                               "neighbours",
                           tooFew = "no number of 4 to 32 equal slices fits "
                                    "both",
                           tooLarge = "three slices do not fit the SRAM",
                           noGain = "slices would cost more than they save",
                           taken = "one of them is pipelined with others";

/// A tensor that passes from one command of a row to a later one.
struct Link {
  uint32_t from = 0, to = 0;               // in the row
  uint32_t fromOperand = 0, toOperand = 0; // inputs first
  uint32_t root = 0;                       // the tensor whose buffer it is
  uint64_t bytes = 0;
};

/// A row of commands and the best way to run it.
struct Plan {
  uint32_t begin = 0, end = 0; // commands
  uint32_t slices = 1;
  Picoseconds saved = 0;
  std::vector<Task> tasks; // as they are then
  std::vector<Link> links;
  std::string_view refusal;
};

class Pipeliner {
public:
  Pipeliner(Prediction &prediction, const recipe::Recipe &recipe,
            const Launch &launch, KnownAnswers &known)
      : prediction(prediction), recipe(recipe), launch(launch),
        spec(*prediction.device), ranges(items(recipe.tensors()).size()),
        known(known) {
    spec.launchSeconds.value = 0; // rows are compared without it
    for (const recipe::BufferRange &range :
         recipe::workspaceRanges(recipe, launch.entry))
      ranges[range.tensor] = range;
  }

  /// Rows that do not overlap and save most together: from the last command
  /// back, either it begins one of its rows or it stands alone.
  void run() {
    const uint32_t count = launch.count;
    std::vector<Picoseconds> saved(count + 1); // from each command on
    std::vector<uint32_t> ends(count);         // of its row; 0: it has none
    std::vector<std::string_view> refusals(count);
    for (uint32_t c = count; c-- > 0;) {
      const Rows rows = rowsAt(c);
      saved[c] = saved[c + 1];
      refusals[c] = rows.saved.empty() ? rows.refusal : taken;
      for (const auto &[end, gain] : rows.saved)
        if (gain + saved[end] > saved[c]) {
          saved[c] = gain + saved[end];
          ends[c] = end;
        }
    }
    for (uint32_t c = 0; c < count; c = std::max(ends[c], c + 1))
      if (ends[c] > 0) {
        commit(planOf(c, ends[c]));
      } else if (!refusals[c].empty()) {
        prediction.pipelines.push_back(
            {launch.first + c, 2, 1, 0, refusals[c]});
      }
  }

private:
  const recipe::Command &given(uint32_t c) const {
    return *items(items(recipe.entries())[launch.entry]->commands())[c];
  }
  Work &workAt(uint32_t c) const {
    return prediction.commands[launch.first + c].work;
  }
  Task &taskAt(uint32_t c) const { return prediction.tasks[launch.first + c]; }

  bool isMme(uint32_t c) const { return taskAt(c).queue == Queue::Mme; }

  Layouts layoutsOf(uint32_t c) const {
    if (const auto conv = recipe::convolutionOf(given(c)))
      return {text(conv->inputLayout), text(conv->outputLayout)};
    return {};
  }

  /// Whether this command may stand in a row.
  bool canJoin(uint32_t c) const {
    return (isMme(c) && std::holds_alternative<MatrixWork>(workAt(c))) ||
           (taskAt(c).queue == Queue::Tpc &&
            std::holds_alternative<KernelWork>(workAt(c)));
  }

  /// What rows that begin at a command save, by their ends; or why it runs in
  /// no slices with its neighbour.
  struct Rows {
    std::vector<std::pair<uint32_t, Picoseconds>> saved;
    std::string_view refusal;
  };

  /// The rows of 2, 3, ... commands that begin here.
  Rows rowsAt(uint32_t begin) {
    Rows rows;
    if (!canJoin(begin))
      return rows;
    // Bundles have one product; the cache of Gaudi 3 also passes results from
    // product to product.
    const uint32_t mostProducts = spec.memory.sramIsCache ? 2 : 1;
    uint32_t products = isMme(begin);
    std::vector<Link> links;
    for (uint32_t end = begin + 2;
         end <= std::min(launch.count, begin + longestPipeline); ++end) {
      const uint32_t last = end - 1;
      products += isMme(last);
      if (!canJoin(last) || products > mostProducts)
        break;
      const size_t before = links.size();
      const std::string_view refusal = addLinks(begin, last, links);
      if (refusal.empty() && links.size() == before)
        break; // neighbours that have nothing to do with each other
      Plan plan = {begin, end, 1, 0, {}, links, refusal};
      if (refusal.empty() && products > 0)
        choose(plan);
      if (plan.slices > 1)
        rows.saved.push_back({end, plan.saved});
      else if (end == begin + 2 && products == 1)
        rows.refusal = plan.refusal;
      if (!refusal.empty())
        break;
    }
    return rows;
  }

  /// A row that rowsAt has found.
  Plan planOf(uint32_t begin, uint32_t end) {
    Plan plan = {begin, end, 1, 0, {}, {}, ""};
    for (uint32_t last = begin + 1; last < end; ++last)
      addLinks(begin, last, plan.links);
    choose(plan);
    return plan;
  }

  uint32_t rootOf(uint32_t tensor) const {
    while (items(recipe.tensors())[tensor]->alias_of() >= 0)
      tensor = uint32_t(items(recipe.tensors())[tensor]->alias_of());
    return tensor;
  }

  /// The tensors that `last` takes from the commands of the row before it. They
  /// must be all that it has in common with them.
  std::string_view addLinks(uint32_t begin, uint32_t last,
                            std::vector<Link> &links) const {
    const recipe::Command &to = given(last);
    for (uint32_t c = begin; c < last; ++c) {
      const recipe::Command &from = given(c);
      for (uint32_t out : items(to.outputs())) {
        const uint32_t root = rootOf(out);
        for (uint32_t in : items(from.inputs()))
          if (rootOf(in) == root)
            return overwrites;
        for (uint32_t written : items(from.outputs()))
          if (rootOf(written) == root)
            return overwrites;
      }
      for (uint32_t i = 0; i < items(to.inputs()).size(); ++i)
        for (uint32_t o = 0; o < items(from.outputs()).size(); ++o) {
          const uint32_t in = items(to.inputs())[i],
                         out = items(from.outputs())[o];
          if (rootOf(in) != rootOf(out))
            continue;
          const recipe::Tensor &read = *items(recipe.tensors())[in],
                               &written = *items(recipe.tensors())[out];
          if (read.offset() != written.offset() ||
              recipe::tensorBytes(read) != recipe::tensorBytes(written))
            return otherRange;
          links.push_back({c - begin, last - begin,
                           items(from.inputs()).size() + o, i, rootOf(out),
                           recipe::tensorBytes(written)});
        }
    }
    return "";
  }

  /// Whether a tensor exists only for the commands of the row.
  bool livesInside(const Link &link, const Plan &plan) const {
    const recipe::BufferRange &range = ranges[link.root];
    return items(recipe.tensors())[link.root]->tensor_class() ==
               recipe::TensorClass::Workspace &&
           range.first >= plan.begin && range.last < plan.end;
  }

  /// The cuts of each command of the row for so many slices; a refusal if its
  /// links disagree.
  std::string_view findCuts(const Plan &plan, const std::vector<Walk> &walks,
                            uint32_t slices,
                            std::vector<std::vector<Cut>> &cuts) const {
    cuts.assign(plan.end - plan.begin, {});
    for (size_t l = 0; l < plan.links.size(); ++l)
      for (const bool isFrom : {true, false}) {
        const auto found = cutsOf(walks[2 * l + (isFrom ? 0 : 1)], slices);
        if (!found)
          return tooFew;
        std::vector<Cut> &mine =
            cuts[isFrom ? plan.links[l].from : plan.links[l].to];
        if (!mine.empty() && mine != *found)
          return different;
        mine = *found;
      }
    return "";
  }

  /// Chooses slices. Rows of equal works with equal links have equal answers.
  void choose(Plan &plan) {
    const auto [place, isNew] = known.rows.insert({keyOf(plan), {}});
    KnownAnswers::Row &answer = place->second;
    if (isNew) {
      search(plan);
      answer = {plan.slices, plan.saved, plan.tasks, plan.refusal};
      return;
    }
    plan.slices = answer.slices;
    plan.saved = answer.saved;
    plan.tasks = answer.tasks;
    plan.refusal = answer.refusal;
  }

  std::vector<uint64_t> keyOf(const Plan &plan) const {
    std::vector<uint64_t> key;
    for (uint32_t c = plan.begin; c < plan.end; ++c) {
      key.push_back(known.workOfCommand[launch.first + c]);
      for (const Dependency &dependency : taskAt(c).dependencies)
        if (dependency.task >= launch.first + plan.begin)
          key.push_back(dependency.task - launch.first - plan.begin);
      key.push_back(UINT64_MAX); // the end of these
    }
    for (const Link &link : plan.links)
      for (uint64_t part :
           {uint64_t(link.from), uint64_t(link.to), uint64_t(link.fromOperand),
            uint64_t(link.toOperand), link.bytes,
            uint64_t(livesInside(link, plan))})
        key.push_back(part);
    return key;
  }

  void search(Plan &plan) const {
    std::vector<Walk> walks;
    for (const Link &link : plan.links)
      for (const auto [c, operand] : {std::pair{link.from, link.fromOperand},
                                      {link.to, link.toOperand}}) {
        walks.push_back(
            walkOf(workAt(plan.begin + c), operand, layoutsOf(plan.begin + c)));
        if (walks.back().dims.empty()) {
          plan.refusal =
              walks.back().refusal.empty() ? tooFew : walks.back().refusal;
          return;
        }
      }
    const Picoseconds whole = timeOf(wholeTasks(plan));
    plan.refusal = tooFew;
    for (uint32_t slices = fewestSlices; slices <= mostSlices;) {
      std::vector<std::vector<Cut>> cuts;
      const std::string_view refusal = findCuts(plan, walks, slices, cuts);
      if (!refusal.empty()) {
        if (plan.refusal == tooFew)
          plan.refusal = refusal;
        ++slices;
        continue;
      }
      std::vector<Task> tasks = wholeTasks(plan);
      if (!slice(plan, cuts, slices, tasks)) {
        plan.refusal = tooLarge;
      } else if (const Picoseconds time = timeOf(tasks);
                 whole - time > plan.saved) {
        plan.saved = whole - time;
        plan.slices = slices;
        plan.tasks = std::move(tasks);
      } else if (plan.refusal != tooLarge) {
        plan.refusal = noGain;
      }
      slices *= 2;
    }
    if (plan.slices > 1)
      plan.refusal = "";
  }

  /// The tasks of the row with what they wait for inside it.
  std::vector<Task> wholeTasks(const Plan &plan) const {
    std::vector<Task> tasks;
    for (uint32_t c = plan.begin; c < plan.end; ++c) {
      Task task;
      task.queue = taskAt(c).queue;
      task.cost = taskAt(c).cost;
      for (const Dependency &dependency : taskAt(c).dependencies)
        if (dependency.task >= launch.first + plan.begin)
          task.dependencies.push_back(
              {dependency.task - launch.first - plan.begin, false});
      tasks.push_back(std::move(task));
    }
    return tasks;
  }

  Picoseconds timeOf(const std::vector<Task> &tasks) const {
    return timing::play(tasks, spec).end;
  }

  /// Makes the tasks those of slices. False if these do not fit the SRAM.
  bool slice(const Plan &plan, const std::vector<std::vector<Cut>> &cuts,
             uint32_t slices, std::vector<Task> &tasks) const {
    uint64_t used = 0;
    for (const Link &link : plan.links)
      used +=
          (link.bytes + slices - 1) / slices * std::min(slices, pipelineDepth);
    if (used > spec.memory.sramBytes)
      return false;
    for (uint32_t c = plan.begin; c < plan.end; ++c) {
      const uint32_t t = c - plan.begin;
      Work piece = sliceOf(workWithin(plan, c), cuts[t], layoutsOf(c));
      const uint64_t resident = keepResident(piece, workAt(c), used);
      const Cost one = costOf(piece, spec);
      if (!multiply(one, slices, resident, tasks[t].cost))
        return false;
      tasks[t].maxSlices = slices;
    }
    for (const Link &link : plan.links)
      for (Dependency &dependency : tasks[link.to].dependencies)
        if (dependency.task == link.from)
          dependency.sliced = true;
    return true;
  }

  /// The work with what lives inside the row in SRAM.
  Work workWithin(const Plan &plan, uint32_t c) const {
    Work work = workAt(c);
    for (const Link &link : plan.links) {
      if (!livesInside(link, plan))
        continue;
      if (link.from == c - plan.begin)
        operandOf(work, link.fromOperand)->memory = Memory::Sram;
      if (link.to == c - plan.begin)
        operandOf(work, link.toOperand)->memory = Memory::Sram;
    }
    return work;
  }

  /// An input that each slice reads whole stays in SRAM if there is room for
  /// it. Gives its bytes, which are fetched once.
  uint64_t keepResident(Work &piece, const Work &whole, uint64_t &used) const {
    uint64_t resident = 0;
    const auto *kernel = std::get_if<KernelWork>(&piece);
    const uint32_t inputs = kernel ? kernel->inputs : 2;
    for (uint32_t i = 0; i < inputs; ++i) {
      Operand &mine = *operandOf(piece, i);
      const Operand &all = *operandOf(const_cast<Work &>(whole), i);
      if (mine.memory == Memory::Sram || mine.sizes != all.sizes ||
          used + mine.bytes() > spec.memory.sramBytes)
        continue;
      mine.memory = Memory::Sram;
      used += mine.bytes();
      resident += mine.bytes();
    }
    return resident;
  }

  /// All slices together; each has a launch, a fill and a drain of its own.
  /// False if the sum is beyond all measure.
  bool multiply(const Cost &one, uint32_t slices, uint64_t resident,
                Cost &all) const {
    constexpr Picoseconds most = Picoseconds(1) << 56;
    if (std::max({one.compute, one.read, one.write}) > most)
      return false;
    all = one;
    all.compute *= slices;
    all.write *= slices;
    all.read =
        all.read * slices + transferTime(resident, spec.memory.streamBandwidth);
    all.hbmRead = all.hbmRead * slices + resident;
    all.hbmWritten *= slices;
    all.sramRead *= slices;
    all.sramWritten *= slices;
    return true;
  }

  void commit(const Plan &plan) {
    for (uint32_t c = plan.begin; c < plan.end; ++c) {
      Work within = workWithin(plan, c);
      const Task &planned = plan.tasks[c - plan.begin];
      Task &task = taskAt(c);
      task.cost = planned.cost;
      task.maxSlices = planned.maxSlices;
      workAt(c) = std::move(within);
      for (const Link &link : plan.links)
        if (link.to == c - plan.begin)
          for (Dependency &dependency : task.dependencies)
            if (dependency.task == launch.first + plan.begin + link.from)
              dependency.sliced = true;
    }
    prediction.pipelines.push_back({launch.first + plan.begin,
                                    plan.end - plan.begin, plan.slices,
                                    plan.saved, ""});
  }

  Prediction &prediction;
  const recipe::Recipe &recipe;
  const Launch &launch;
  device::DeviceSpec spec;
  std::vector<recipe::BufferRange> ranges; // of workspace tensors
  KnownAnswers &known;
};

} // namespace

void addPipelines(Prediction &prediction, const recipe::Recipe &recipe,
                  KnownAnswers &known) {
  for (const Launch &launch : prediction.launches)
    Pipeliner(prediction, recipe, launch, known).run();
}

} // namespace gaudi::prediction

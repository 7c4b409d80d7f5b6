// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the code of kernels in the cache, has the rest compiled, and maps it.
#include "KernelJit.h"

#include "../Cache/DiskCache.h"
#include "../Host/BuildId.h"
#include "../Host/HostCpu.h"
#include "../Host/Plugin.h"
#include "CodeMemory.h"
#include "Gaudi/Recipe/KernelLanguage.h"
#include "Gaudi/Runtime/ThreadPool.h"
#include "Gaudi/Support/Stopwatch.h"
#include "JitHost.h"
#include "KernelCompiler.h"
#include "KernelPlan.h"
#include "PointBlocks.h"

#include <cassert>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// A kernel that has points to run, on its way to code.
struct Pending {
  unsigned handle;
  const Kernel *kernel;
  KernelPlan plan;
  std::vector<ElementType> types;
  std::string key;
  std::optional<CachedBytes> cached;
  std::vector<uint8_t> compiled;
  std::string problem; // why it has no code

  ByteSpan bytes() const {
    return cached ? cached->bytes()
                  : ByteSpan{compiled.data(), compiled.size()};
  }
};

/// The library stays open: code generators keep state in threads.
Result<const KernelCompilerApi *> codeGenerator() {
  static const Result<const void *> api =
      openPlugin("libGaudiKernelCompiler.so", "gaudiKernelCompiler",
                 "compiles TPC kernels that are not in the object cache");
  return static_cast<const KernelCompilerApi *>(GAUDI_TRY(api));
}

/// How the kernel runs, for reports; `rows2`: two rows at the same time,
/// `columns2`: two values of each column are computed once for all rows.
std::string describe(const KernelPlan &plan) {
  if (plan.lanes == 1)
    return plan.independent ? "jit:scalar" : "jit:scalar:ordered";
  return fmt::format("jit:lanes{}{}{}{}", plan.lanes,
                     plan.laneAxis == LaneAxis::Loops ? ":rows" : "",
                     plan.pointsAtOnce > 1 ? "2" : "",
                     plan.columns.empty()
                         ? ""
                         : fmt::format(":columns{}", plan.columns.size()));
}

} // namespace

struct KernelJit::Impl {
  std::unordered_map<std::string, unsigned> known;
  std::vector<CompiledKernel> kernels;
  std::deque<Pending> pending;
  CodeMemory code;
  KernelStats stats;

  Status generate(const std::vector<Pending *> &missing, ThreadPool &pool,
                  DiskCache &cache);
};

KernelJit::KernelJit() : impl(std::make_unique<Impl>()) {}
KernelJit::~KernelJit() = default;

unsigned KernelJit::add(const Kernel &kernel,
                        const std::vector<KernelOperand> &operands) {
  KernelPlan plan = planKernel(kernel, operands);
  // The key covers all that the code depends on, so launches with equal keys
  // run the same code, whatever their operands' addresses.
  auto [entry, isNew] = impl->known.try_emplace(
      kernelKey(kernel, plan, operands), unsigned(impl->kernels.size()));
  if (!isNew)
    return entry->second;
  CompiledKernel compiled;
  compiled.points = plan.points;
  // Points with lanes along their loops do not share vectors, but some run two
  // at the same time: the last of an odd number is computed twice.
  compiled.row = plan.laneAxis == LaneAxis::Loops ? plan.pointsAtOnce
                                                  : plan.parallel.back().extent;
  compiled.workPerPoint = plan.workPerPoint / plan.lanes;
  compiled.splittable = plan.independent;
  compiled.faults = mayFault(plan);
  compiled.blocks = pointBlocks(kernel, plan, operands.size());
  compiled.description = describe(plan);
  if (plan.points > 0) {
    std::vector<ElementType> types;
    for (const KernelOperand &operand : operands)
      types.push_back(operand.type);
    impl->pending.push_back({entry->second,
                             &kernel,
                             std::move(plan),
                             std::move(types),
                             entry->first,
                             {},
                             {},
                             {}});
  }
  impl->kernels.push_back(std::move(compiled));
  return entry->second;
}

/// Compiles the kernels, each on one thread, and caches them.
Status KernelJit::Impl::generate(const std::vector<Pending *> &missing,
                                 ThreadPool &pool, DiskCache &cache) {
  // Opened here only: a launch whose kernels are all cached does not load LLVM.
  const KernelCompilerApi *api = GAUDI_TRY(codeGenerator());
  std::vector<std::unique_ptr<KernelCompiler>> compilers(pool.size());
  pool.parallelFor(
      int64_t(missing.size()), 1,
      [&](int64_t begin, int64_t end, unsigned worker) {
        for (int64_t p = begin; p < end; ++p) {
          Pending &item = *missing[size_t(p)];
          // One compiler per thread, made when the thread gets its first
          // kernel.
          if (!compilers[worker]) {
            auto created = api->create();
            if (!created) {
              item.problem = created.error().message;
              continue;
            }
            compilers[worker] = std::move(*created);
          }
          auto image =
              compilers[worker]->compile(*item.kernel, item.plan, item.types);
          if (!image) {
            item.problem = image.error().message;
            continue;
          }
          item.compiled = std::move(*image);
          cache.put({reinterpret_cast<const uint8_t *>(item.key.data()),
                     item.key.size()},
                    {item.compiled.data(), item.compiled.size()});
        }
      });
  // The first problem in the order of kernels, whichever thread met it.
  for (const Pending *item : missing)
    if (!item->problem.empty())
      return fail(item->problem);
  return {};
}

/// Bounds the time to compile the kernels of one recipe.
static Status checkWeight(const std::vector<Pending *> &missing,
                          uint64_t maxWeight) {
  uint64_t weight = 0;
  for (const Pending *item : missing)
    weight += compileWeight(*item->kernel);
  if (weight <= maxWeight)
    return {};
  return fail("the recipe has {} kernels to compile, with a weight of {} "
              "together, expected at most {}; if you trust it, allow more with "
              "--max-kernel-weight={}",
              missing.size(), weight, maxWeight, weight);
}

Status KernelJit::compile(ThreadPool &pool, DiskCache &cache,
                          uint64_t maxWeight) {
  Stopwatch watch;
  std::deque<Pending> &pending = impl->pending;
  const JitHost &jit = jitHost();
  if (jit.refused)
    return fail(
        "the environment variable GAUDI_JIT_CPU is '{}', for which this "
        "host cannot run code; unset it, or choose haswell or "
        "skylake-avx512",
        jit.refused);
  // The key names all that code depends on besides the kernel: the generator's
  // build, the processor, and the environment's choice.
  const std::string host = fmt::format(
      "{}\n{}\n{}{}\n", codeGeneratorId(), hostCpuIdentity(),
      jit.cpu ? jit.cpu : "", jit.raisesFlags ? "" : " without flags");
  auto lookUp = [&](int64_t begin, int64_t end, unsigned) {
    for (int64_t p = begin; p < end; ++p) {
      Pending &item = pending[size_t(p)];
      item.key = host + item.key;
      item.cached =
          cache.get({reinterpret_cast<const uint8_t *>(item.key.data()),
                     item.key.size()});
      // Intact, but of another format: a miss.
      if (item.cached && !KernelImage::decode(item.cached->bytes()))
        item.cached.reset();
    }
  };
  // A look-up takes about 10 microseconds: eight are worth a thread.
  pool.parallelFor(int64_t(pending.size()), 8, lookUp);
  std::vector<Pending *> missing;
  for (Pending &item : pending)
    if (!item.cached)
      missing.push_back(&item);
  impl->stats.kernels = unsigned(impl->kernels.size());
  impl->stats.fromCache = unsigned(pending.size() - missing.size());
  impl->stats.compiled = unsigned(missing.size());
  impl->stats.lookupMilliseconds = watch.milliseconds();
  if (!missing.empty()) {
    watch = Stopwatch();
    GAUDI_TRY(checkWeight(missing, maxWeight));
    GAUDI_TRY(impl->generate(missing, pool, cache));
    impl->stats.compileMilliseconds = watch.milliseconds();
  }
  impl->stats.cacheDirectory = cache.directory();
  impl->stats.cacheNote = cache.problem();

  // Decoded again where the bytes are now; images point into them.
  std::vector<KernelImage> images;
  for (const Pending &item : pending)
    images.push_back(GAUDI_TRY(KernelImage::decode(item.bytes())));
  std::vector<KernelFunction> functions;
  impl->code = GAUDI_TRY(CodeMemory::load(images, functions));
  assert(functions.size() == pending.size() && "one function per image");
  for (size_t p = 0; p < pending.size(); ++p)
    impl->kernels[pending[p].handle].function = functions[p];
  pending.clear();
  impl->known.clear();
  return {};
}

const CompiledKernel &KernelJit::get(unsigned handle) const {
  return impl->kernels[handle];
}

const KernelStats &KernelJit::stats() const { return impl->stats; }

} // namespace gaudi::runtime
